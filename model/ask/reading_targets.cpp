#include "model/ask/reading.h"
#include "model/figure_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace headroom::ask {

using enum Meaning;

namespace {

// Tokens of English text a word becomes, the usual planning figure.
constexpr double tokensPerWord = 1.5;

// The fastest stream that was published of GPUs: over 1,000 tokens/s for one user, Llama 4 Maverick on a DGX
// B200 (developer.nvidia.com/blog/blackwell-breaks-the-1000-tps-user-barrier-with-metas-llama-4-maverick, 22
// May 2025). What is more is asked of a whole service.
constexpr double fastestStream = 1000;

constexpr double leastShare = 0.5; // of fewer requests no service promises anything

constexpr auto timeTopics = {Ttft, Tpot, Latency, Output};

} // namespace

// "p95", "95th percentile", "95 分位", "median", "for 99% of requests".
void Reading::readPercentiles()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (is(i, Percentile)) {
            std::size_t first = i;
            std::size_t last = i;
            double percentile = at(i).value;
            if (at(i).text == "p" && isNumber(i + 1)) {
                percentile = at(i + 1).value;
                last = i + 1;
                // "p99.9" is one number; "p999" means the same
                if (percentile > 100)
                    percentile = percentile == 999 ? 99.9 : percentile;
            } else if (percentile == 0) {
                std::size_t number = previous(i);
                if (is(number, Percent))
                    number = previous(first = number);
                if (!isNumber(number))
                    continue;
                percentile = at(number).value;
                first = number;
            }
            for (std::size_t j = first; j <= last; ++j)
                take(j);
            take(i);
            takePercentile(percentile, first, std::max(last, i), {});
        } else if (const auto quantity = quantityAt(i); quantity && quantity->unit == Percent
                   && isAny(next(quantity->last - 1), {Request, User}) && quantity->value >= leastShare) {
            const std::size_t last = next(quantity->last - 1);
            take(*quantity);
            take(last);
            takePercentile(quantity->value * 100, quantity->first, last, {});
        } else if (quantity && quantity->unit == Percent && quantity->value >= leastShare
                   && standsInTarget(*quantity)) {
            take(*quantity);
            takePercentile(quantity->value * 100, quantity->first, quantity->last - 1, {});
        }
    }
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (!is(i, Mean) || topicRight(i, {Ttft, Tpot, Latency, Speed, TokenRate}) == none)
            continue;
        take(i);
        takePercentile(50, i, i,
                       std::string(say("targets are percentiles; the median stands nearest to a mean",
                                       "目标按百分位计，最接近均值的是中位数")));
    }
}

// "首 token 95% 在 1 秒内", "95% of first tokens within 1 s".
bool Reading::standsInTarget(const Quantity& percent) const
{
    const auto topics = {Ttft, Tpot, Latency};
    const std::size_t after = next(percent.last - 1);
    const bool topicBehind = isAny(after, topics);
    if (!topicBehind && !isAny(previous(percent.first), topics))
        return false;
    std::size_t time = topicBehind ? next(after) : after;
    while (isAny(time, {AtMost, Equals, In}))
        time = next(time);
    return isNumber(time) && is(touching(time), Time);
}

// "TTFT 1 s, 95%": behind a target and of nothing else.
void Reading::readBarePercentile()
{
    if (!m_question.scenario.targets.any())
        return;
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const auto quantity = quantityAt(i);
        if (!quantity || quantity->unit != Percent || quantity->value < leastShare
            || quantity->bound == AtMost)
            continue;
        const std::size_t before = previous(quantity->first);
        const std::size_t after = next(quantity->last - 1);
        if ((before != none && !is(before, Comma))
            || (after != none && !isAny(after, {Comma, HowMany, Which, Ttft, Tpot, Latency})))
            continue;
        take(*quantity);
        takePercentile(quantity->value * 100, quantity->first, quantity->last - 1, {});
    }
}

void Reading::takePercentile(double percentile, std::size_t first, std::size_t last, std::string why)
{
    if (percentile <= 0 || percentile >= 100) {
        problem(first, last,
                std::string(say("a percentile lies between 0 and 100", "百分位应在 0 和 100 之间")),
                "p50, p90, p95, p99");
        return;
    }
    if (!once(std::string(say("the percentile", "百分位")), countText(percentile), first, last))
        return;
    m_question.scenario.targets.percentile = percentile;
    note(first, last,
         fmt::format(fmt::runtime(say("targets hold for {} % of requests", "{} % 的请求满足目标")),
                     countText(percentile)),
         std::move(why));
}

void Reading::readTargets()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const auto quantity = quantityAt(i);
        if (!quantity)
            continue;
        const bool rate = quantity->unit == TokenRate || (quantity->unit == Token && quantity->perTime > 0);
        if (rate)
            takeTokenRate(*quantity);
        else if (quantity->unit == Time)
            readTimeTarget(*quantity);
        else if (quantity->unit == Words)
            takeTokenRate(*quantity);
        else if (quantity->unit == Filler) {
            const std::size_t topic = topicLeft(i, {TokenRate, Speed, Throughput});
            if (topic == none || at(i).kilo)
                continue;
            Quantity whole = *quantity;
            whole.unit = TokenRate;
            whole.parts.push_back(topic);
            whole.first = std::min(whole.first, topic);
            if (at(topic).meaning == Throughput)
                continue;
            takeTokenRate(whole);
        }
    }
}

bool Reading::readTimeTarget(const Quantity& quantity)
{
    if (quantity.perToken) {
        takeTime(quantity, Tpot, none);
        return true;
    }
    // "每 token 50 毫秒", "每字不超过 50 毫秒"; a character is a token here as in "首字"
    const std::size_t token = topicLeft(quantity.first, {Token});
    if (token != none && isAny(previous(token), {Every, Per})) {
        take(previous(token));
        takeTime(quantity, Tpot, token);
        return true;
    }
    std::size_t topic = topicLeft(quantity.first, timeTopics);
    if (topic == none)
        topic = topicRight(quantity.last - 1, timeTopics);
    if (topic == none)
        return false;
    const Meaning meaning = at(topic).meaning == Output ? Latency : at(topic).meaning;
    takeTime(quantity, meaning, topic);
    return true;
}

void Reading::takeTime(const Quantity& quantity, Meaning meaning, std::size_t topic)
{
    take(quantity);
    std::size_t first = quantity.first;
    std::size_t last = quantity.last - 1;
    if (topic != none) {
        take(topic);
        first = std::min(first, topic);
        last = std::max(last, topic);
        if (isAny(previous(topic), {Output, Latency}) && previous(topic) + 2 >= topic)
            take(previous(topic));
        if (isAny(next(topic), {Latency}) && next(topic) == topic + 1)
            take(next(topic));
    }
    if (quantity.bound == AtLeast) {
        problem(first, last,
                std::string(say("a lower limit on a time is no target", "时间的下限不能作为目标")),
                std::string(say("say 'under', or ask for a speed", "请用“以内”，或改为速度")));
        return;
    }
    if (!(quantity.value > 0)) {
        problem(first, last, std::string(say("a time is above zero", "时间必须大于零")), "500 ms, 2 s");
        return;
    }
    Targets& targets = m_question.scenario.targets;
    auto& field = meaning == Ttft ? targets.ttft : meaning == Tpot ? targets.tpot : targets.latency;
    const std::string_view fieldName = meaning == Ttft ? say("time to first token", "首 token 延迟")
        : meaning == Tpot                              ? say("time between tokens", "每 token 延迟")
                                                       : say("latency of a whole request", "请求总延迟");
    const std::string value = quantity.value < 1 ? fmt::format("{:.6g} ms", quantity.value * 1e3)
                                                 : fmt::format("{:.6g} s", quantity.value);
    if (!once(std::string(fieldName), value, first, last))
        return;
    field = Seconds(quantity.value);
    note(first, last, fmt::format(fmt::runtime(say("{} at most {}", "{} 不超过 {}")), fieldName, value));
}

// "20 TPS": each user's stream; "10,000 tokens/s in total": the whole service.
void Reading::takeTokenRate(const Quantity& quantity)
{
    take(quantity);
    std::size_t first = quantity.first;
    std::size_t last = quantity.last - 1;
    const bool words = quantity.unit == Words;
    const bool characters = std::any_of(quantity.parts.begin(), quantity.parts.end(), [this](std::size_t j) {
        return m_items[j].is(Token) && m_items[j].value < 1;
    });
    bool answers = std::any_of(quantity.parts.begin(), quantity.parts.end(),
                               [this](std::size_t j) { return m_items[j].is(Output); });
    double perSecond = words   ? quantity.value * tokensPerWord / 60
        : quantity.perTime > 0 ? quantity.value / quantity.perTime
                               : quantity.value;
    bool total = false;
    bool each = quantity.each;
    const auto absorb = [&](std::size_t j) {
        if (isAny(j, {Total, Throughput}))
            total = true;
        else if (is(j, Each))
            each = true;
        else if (is(j, Output))
            answers = true;
        else if (!is(j, Speed))
            return false;
        take(j);
        first = std::min(first, j);
        last = std::max(last, j);
        return true;
    };
    while (absorb(previous(first))) {}
    while (absorb(next(last))) {}
    constexpr double hour = 3600;
    const bool tooFast = perSecond > fastestStream;
    const bool ofAll = total || quantity.perTime >= hour; // nobody's stream is counted by the day
    total = (ofAll || tooFast) && !each;
    if (quantity.bound == AtMost) {
        problem(first, last,
                std::string(say("an upper limit on speed is no target", "速度的上限不能作为目标")),
                fmt::format(fmt::runtime(say("say 'at least {} tokens/s'", "请写“至少 {} token/s”")),
                            countText(perSecond)));
        return;
    }
    if (!(perSecond > 0)) {
        problem(first, last, std::string(say("a speed is above zero", "速度必须大于零")), "20 TPS");
        return;
    }
    if (total) {
        if (once(std::string(say("the total output rate", "总输出速率")), countText(perSecond), first,
                 last)) {
            m_totalTokenRate = perSecond;
            m_maybePromptsToo = quantity.perTime >= hour && !answers;
            m_evenDay = isOfDays(quantity);
            const bool turned = tooFast && !ofAll; // nobody said so
            std::string why = turned
                ? std::string(say("no stream of GPUs is that fast, a little over 1,000 tokens/s are "
                                  "the most published (developer.nvidia.com/blog, 22 May 2025): say "
                                  "'each' if one user's was meant",
                                  "GPU 上单用户达不到这个速度，已发表的最高略超 1,000 token/s"
                                  "（developer.nvidia.com/blog，2025-05-22）；若指单个用户，请写“每用户”"))
                : std::string();
            if (turned)
                m_question.assumptions.push_back(
                    fmt::format(fmt::runtime(say("{} tokens/s are of all users together: {}",
                                                 "每秒 {} 个 token 按全部用户合计：{}")),
                                countText(perSecond), why));
            note(first, last,
                 fmt::format(
                     fmt::runtime(say("{} output tokens/s, whole service", "整个服务每秒输出 {} 个 token")),
                     countText(perSecond)),
                 std::move(why));
        }
        return;
    }
    if (!once(std::string(say("the speed of a stream", "单用户速度")), countText(perSecond), first, last))
        return;
    m_question.scenario.targets.tokensPerSecond = perSecond;
    note(first, last,
         fmt::format(fmt::runtime(say("at least {} tokens/s for each user", "每个用户至少 {} token/s")),
                     countText(perSecond)),
         words            ? std::string(say("1.5 tokens a word", "每个单词 1.5 个 token"))
             : characters ? std::string(say("0.6 tokens a Chinese character", "每个汉字 0.6 个 token"))
                          : std::string{});
}

// Silent reading 250, listening 450, fast visual reading 700 words a minute at 1.5 tokens a word.
void Reading::readReadingSpeed()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (!isAny(i, {ReadSilently, ReadListening, ReadFast}))
            continue;
        take(i);
        if (isAny(previous(i), {AtLeast, About}))
            take(previous(i));
        const double perSecond = at(i).value * tokensPerWord / 60;
        if (!once(std::string(say("the speed of a stream", "单用户速度")), countText(perSecond), i, i))
            continue;
        m_question.scenario.targets.tokensPerSecond = perSecond;
        note(i, i,
             fmt::format(fmt::runtime(say("at least {} tokens/s for each user", "每个用户至少 {} token/s")),
                         countText(perSecond)),
             fmt::format(fmt::runtime(say("{} words a minute x 1.5 tokens a word",
                                          "每分钟 {} 个单词 × 每词 1.5 个 token")),
                         countText(at(i).value)));
    }
}

// A total output rate is a request rate once the output length is known.
void Reading::settleThroughput()
{
    if (!m_totalTokenRate)
        return;
    Scenario& s = m_question.scenario;
    const double perSecond = *m_totalTokenRate / s.output.mean();
    if (s.requestsPerSecond && std::abs(*s.requestsPerSecond - perSecond) > 1e-9 * perSecond) {
        m_problems.push_back(
            {"",
             std::string(say("both a request rate and a total token rate were said, and they differ",
                             "请求速率和总 token 速率不一致")),
             std::string(say("say one of them", "只说其中一个"))});
        return;
    }
    s.requestsPerSecond = perSecond;
    m_question.assumptions.push_back(
        fmt::format(fmt::runtime(say("{} output tokens/s in total are {} requests/s of {} output tokens",
                                     "总计每秒 {} 个输出 token 即每秒 {} 个请求，每个输出 {} 个 token")),
                    countText(*m_totalTokenRate), countText(perSecond), countText(s.output.mean())));
    const double ofBoth = *m_totalTokenRate / (s.prompt.mean() + s.output.mean());
    if (m_maybePromptsToo)
        m_question.assumptions.push_back(fmt::format(
            fmt::runtime(say("the tokens are those of answers; if prompts are counted too, ask for "
                             "{} requests/s",
                             "这些 token 按输出计；若包含输入，请改问每秒 {} 个请求")),
            fewDigits(ofBoth, 3)));
}

} // namespace headroom::ask
