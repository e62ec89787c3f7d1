#include "model/report/memory_text.h"

#include "model/report/layout_text.h"
#include "model/report/text_page.h"

#include <fmt/format.h>

namespace headroom {

namespace {

class Memory : TextPage {
public:
    Memory(const MemoryNeed& need, ask::Language language) : TextPage(language), m_need(need) {}

    std::string counts(ask::Asked asked) &&
    {
        headline(asked);
        add("\n\n");
        parts();
        holders();
        otherTypes();
        return std::move(*this).text();
    }

    std::string page(const ask::Question& question) &&
    {
        headline(question.asked);
        add("\n\n");
        reading(question);
        for (const Message& one : m_need.warnings)
            line(say("Take care", "注意"), tell(one));
        parts();
        holders();
        otherTypes();
        assumed(question);
        return std::move(*this).text();
    }

private:
    void headline(ask::Asked asked)
    {
        switch (asked) {
        case ask::Asked::KvOfToken:
            return kvOfToken();
        case ask::Asked::KvOfContext:
            return kvOfContext();
        case ask::Asked::LongestContext:
            return longestContext();
        default:
            return total();
        }
    }

    [[nodiscard]] std::string size(Bytes bytes) const { return people(bytes.base(), Measure::Storage); }
    [[nodiscard]] std::string tokens(double count) const { return people(count, Measure::Whole); }
    [[nodiscard]] std::string machine(const MemoryHolder& h) const
    {
        const Layout& layout = h.deployment.layout;
        const std::string cards = fmt::format("{} × {}", layout.gpus(), h.deployment.gpu->name);
        return layout.gpus() == 1 ? cards : say2("{} ({})", "{}（{}）", cards, tell(layoutText(layout)));
    }
    [[nodiscard]] static bool one(const MemoryHolder& h) { return h.deployment.layout.gpus() == 1; }
    [[nodiscard]] const MemoryHolder* fewest() const
    {
        for (const MemoryHolder& h : m_need.holders)
            if (h.plan.fits)
                return &h;
        return nullptr;
    }

    void total()
    {
        const MemoryHolder* const held = fewest();
        const std::string need = size(m_need.total());
        const std::string& model = m_need.llm().name;
        if (held != nullptr)
            add(say2(one(*held) ? "{} needs {} of GPU memory: {} holds it"
                                : "{} needs {} of GPU memory: {} hold it",
                     "{} 需要 {} 显存：{} 即可放下", model, need, machine(*held)));
        else if (!m_need.holders.empty())
            add(say2(one(m_need.holders.front()) ? "{} needs {} of GPU memory: {} does not hold it"
                                                 : "{} needs {} of GPU memory: {} do not hold it",
                     "{} 需要 {} 显存：{} 放不下", model, need, machine(m_need.holders.front())));
        else
            add(say2("{} needs {} of GPU memory: no layout of these machines holds it",
                     "{} 需要 {} 显存：这些机器的任何并行方案都放不下", model, need));
    }

    void kvOfToken()
    {
        add(say2("{} keeps {} of {} KV cache for each token: {} for a context of {}",
                 "{} 每个 token 占 {} KV 缓存（{}）：{} 个 token 的上下文共 {}", m_need.llm().name,
                 size(m_need.kvOfToken), name(m_need.kvType),
                 chinese() ? tokens(m_need.context) : size(m_need.kvOfUser),
                 chinese() ? size(m_need.kvOfUser) : tokens(m_need.context)));
    }

    void kvOfContext()
    {
        const std::string all = size(m_need.kv);
        const std::string context = tokens(m_need.context);
        const std::string_view type = name(m_need.kvType);
        add(m_need.users > 1 ? say2("{} keeps {} of {} KV cache for {} users of {} tokens each",
                                    "{0} 的 KV 缓存共 {1}（{2}）：{3} 个并发用户，每人 {4} 个 token",
                                    m_need.llm().name, all, type, tokens(m_need.users), context)
                             : say2("{} keeps {} of {} KV cache for a context of {} tokens",
                                    "{0} 的 KV 缓存共 {1}（{2}）：上下文 {3} 个 token", m_need.llm().name,
                                    all, type, context));
    }

    void longestContext()
    {
        const std::string& model = m_need.llm().name;
        if (m_need.holders.empty())
            return total();
        const MemoryHolder* best = &m_need.holders.front();
        for (const MemoryHolder& h : m_need.holders)
            if (h.longestContext > best->longestContext)
                best = &h;
        if (best->longestContext < 1)
            return add(say2(one(*best) ? "No: {} does not hold {}, whatever the context: it needs {}"
                                       : "No: {} do not hold {}, whatever the context: it needs {}",
                            "不行：{} 放不下 {}，与上下文长度无关：需要 {}", machine(*best), model,
                            size(m_need.total())));
        const bool all = best->longestContext >= static_cast<double>(m_need.llm().maxContext);
        const std::string_view published = all ? say(", all that it was made for", "（模型的上限）") : "";
        add(m_need.users > 1
                ? say2("{}: contexts of {} up to {} tokens for each of {} users{}",
                       "{} 跑 {} 时上下文最长 {} 个 token（{} 个并发用户）{}", machine(*best), model,
                       tokens(best->longestContext), tokens(m_need.users), published)
                : say2("{}: contexts of {} up to {} tokens{}", "{} 跑 {} 时上下文最长 {} 个 token{}",
                       machine(*best), model, tokens(best->longestContext), published));
    }

    void parts()
    {
        line(say("Weights", "权重"),
             say2("{} in {}", "{}，{}", size(m_need.weights), name(m_need.weightType)));
        const std::string each = say2("{} for each token, {} for {} tokens of prompt and answer",
                                      "每个 token {}；输入加输出共 {}（{} 个 token）", size(m_need.kvOfToken),
                                      size(m_need.kvOfUser), tokens(m_need.context));
        line(say("KV cache", "KV 缓存"),
             m_need.users > 1
                 ? say2("{} in {}: {}; {} users", "{}，{}：{}；{} 个并发用户", size(m_need.kv),
                        name(m_need.kvType), each, tokens(m_need.users))
                 : say2("{} in {}: {}", "{}，{}：{}", size(m_need.kv), name(m_need.kvType), each));
        if (m_need.windowedLayers > 0)
            line("",
                 say2("{} of {} layers keep only the last {} tokens: beyond them a token takes {}",
                      "{1} 层中有 {0} 层只保留最近 {2} 个 token：超出后每个 token 只占 {3}",
                      m_need.windowedLayers, m_need.llm().layerCount(),
                      tokens(static_cast<double>(m_need.window)), size(m_need.kvOfTokenBeyond)));
        line(say("Activations", "激活"),
             say2("{}, the widest step of {}", "{}，{} 的最大一步", size(m_need.activation),
                  m_need.engine().name));
        line(say("Runtime", "运行时"), size(m_need.runtime));
        line(say("Total", "合计"),
             say2("{}, on one GPU; of several each has activations and a runtime of its own",
                  "{}（单张 GPU 计）；多张时每张各有激活和运行时", size(m_need.total())));
    }

    void holders()
    {
        bool first = true;
        for (const MemoryHolder& h : m_need.holders) {
            const GpuMemory& m = h.plan.perGpu;
            const std::string used = one(h)
                ? say2("{} of {}", "{}，可用 {}", size(m.used), size(m.usable))
                : say2("{} of {} on each", "每张 {}，可用 {}", size(m.used), size(m.usable));
            const std::string context = h.longestContext < 1
                ? std::string(say("no room for any context", "没有上下文的空间"))
                : say2("contexts up to {} tokens", "上下文最长 {} 个 token", tokens(h.longestContext));
            line(first ? m_need.machineStated ? say("There", "此机器") : say("Held by", "放得下") : "",
                 say2("{}: {}, {}", "{}：{}，{}", machine(h), used, context));
            first = false;
        }
    }

    void otherTypes()
    {
        std::string text;
        for (const NarrowerWeights& one : m_need.other)
            text += std::string(text.empty() ? "" : say(", ", "，"))
                + say2("{} in {}", "{}（{}）", size(one.weights), name(one.type));
        if (!text.empty())
            line(say("Narrower", "更窄类型"), say2("weights of {}", "权重 {}", text));
    }

    void assumed(const ask::Question& question)
    {
        std::string text;
        for (const std::string& one : question.assumptions)
            text += std::string(text.empty() ? "" : say("; ", "；")) + one;
        if (!text.empty())
            line(say("Assumed", "假设"), text);
    }

    const MemoryNeed& m_need;
};

} // namespace

std::string memoryCounts(const MemoryNeed& need, ask::Asked asked, ask::Language language)
{
    return Memory(need, language).counts(asked);
}

std::string memoryText(const MemoryNeed& need, const ask::Question& question, ask::Language language)
{
    return Memory(need, language).page(question);
}

} // namespace headroom
