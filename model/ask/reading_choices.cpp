#include "model/ask/reading.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace headroom::ask {

using enum Meaning;

// "disaggregated", "disaggregation allowed", "no disaggregation", "PD 分离".
void Reading::readPools()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (!is(i, Pools))
            continue;
        Disaggregation pools = Disaggregation::Only;
        std::size_t first = i;
        std::size_t last = i;
        if (is(previous(i), Not)) {
            pools = Disaggregation::No;
            first = previous(i);
        } else if (is(previous(i), Allowed)) {
            pools = Disaggregation::Try;
            first = previous(i);
        } else if (is(next(i), Allowed)) {
            pools = Disaggregation::Try;
            last = next(i);
        }
        take(i);
        take(first);
        take(last);
        const std::string_view text = pools == Disaggregation::No
            ? say("prompts and decodes on the same GPUs", "预填充与解码不分离")
            : pools == Disaggregation::Try ? say("prompts may have GPUs of their own", "允许预填充与解码分离")
                                           : say("prompts on GPUs of their own", "预填充与解码分离");
        if (!once(std::string(say("the pools", "预填充与解码")), std::string(text), first, last))
            continue;
        m_question.scenario.prefill.pools = pools;
        note(first, last, std::string(text));
    }
}

// "fp8 allowed", "allow int4 weights", "允许 fp8", "fp8 or int4 is fine": types a search may try, none it
// must take.
void Reading::readAllowed()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (!is(i, Allowed))
            continue;
        const auto typesFrom = [this](std::size_t from, bool right) {
            std::vector<std::size_t> found;
            for (std::size_t j = from; j != none && j < m_items.size(); j = right ? next(j) : previous(j)) {
                const bool type = !m_used[j] && at(j).kind == ItemKind::Type;
                if (!type && !isAny(j, {Or, KvCache, Weights, Quantised}))
                    break;
                found.push_back(j);
            }
            const bool any = std::any_of(found.begin(), found.end(),
                                         [this](std::size_t j) { return at(j).kind == ItemKind::Type; });
            return any ? found : std::vector<std::size_t>{};
        };
        std::vector<std::size_t> found = typesFrom(previous(i), false);
        if (found.empty()) {
            found = typesFrom(next(i), true);
            if (!found.empty() && isAny(previous(i), {KvCache, Weights})) // "权重允许 fp8"
                found.push_back(previous(i));
        }
        if (found.empty())
            continue;
        bool kv = false;
        bool weights = false;
        std::vector<DType> types;
        std::string names;
        std::sort(found.begin(), found.end());
        for (const std::size_t j : found) {
            kv = kv || is(j, KvCache);
            weights = weights || is(j, Weights);
            if (at(j).kind == ItemKind::Type) {
                types.push_back(at(j).type);
                names += (names.empty() ? "" : ", ") + std::string(name(at(j).type));
            }
        }
        take(i);
        for (const std::size_t j : found)
            take(j);
        Liberties& allowed = m_question.scenario.allowed;
        if (weights || !kv)
            allowed.weights = types;
        if (kv || !weights)
            allowed.kv = types;
        const std::string_view text = kv == weights
            ? say("{} may be tried for weights and KV cache", "权重和 KV 缓存可用 {}")
            : kv ? say("{} may be tried for the KV cache", "KV 缓存可用 {}")
                 : say("{} may be tried for the weights", "权重可用 {}");
        note(std::min(i, found.front()), std::max(i, found.back()), fmt::format(fmt::runtime(text), names));
    }
}

void Reading::readTune()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (!is(i, Tune))
            continue;
        take(i);
        m_question.scenario.allowed.tune = true;
        note(i, i,
             std::string(say("other batch limits and chunk sizes are tried", "尝试其他批上限与分块大小")));
    }
}

// "diurnal load, peak 3x, 10 rps": the rate is the day's mean, and the peak its busiest moment.
void Reading::readDay()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (!is(i, Daily))
            continue;
        Scenario& s = m_question.scenario;
        take(i);
        if (s.peakFactor <= 1 || !s.requestsPerSecond) {
            problem(i, i,
                    std::string(say("a day's curve needs its mean rate and its peak",
                                    "日曲线需要平均速率和峰值倍数")),
                    std::string(say("e.g. '10 rps, 3x peak'", "例如“每秒 10 个请求，峰值 3 倍”")));
            continue;
        }
        const std::string shape = s.traffic == "constant" ? "constant" : "poisson";
        s.traffic = fmt::format("{}:peak={:g}", shape, s.peakFactor);
        note(i, i,
             fmt::format(fmt::runtime(say("a day whose busiest moment has {} times the mean load",
                                          "一天中最忙时刻为平均负载的 {} 倍")),
                         countText(s.peakFactor)));
        s.peakFactor = 1;
    }
}

} // namespace headroom::ask
