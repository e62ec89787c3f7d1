#include "model/ask/reading.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <utility>
#include <vector>

namespace headroom::ask {

using enum Meaning;

// Each word that no rule took and that carries meaning is quoted back.
void Reading::readLeftovers()
{
    const auto harmless = {Filler, Comma, Each,    YesNo, About, Equals, In,     Out,    Card,
                           Token,  Per,   Request, Every, Mean,  Box,    Prompt, Output, Which};
    const bool asksForSpeed = m_question.kind == QuestionKind::Predict;
    std::size_t i = 0;
    while (i < m_items.size()) {
        const bool topicOnly
            = asksForSpeed && isAny(i, {Ttft, Tpot, Latency, Speed, Throughput, TokenRate, Total, KvCache});
        if (m_used[i] || isAny(i, harmless) || topicOnly) {
            ++i;
            continue;
        }
        if (!m_question.scenario.gpus.empty() && !appleHint(i).empty()) { // "a MacBook Pro with M4 Max"
            ++i;
            continue;
        }
        // "peak 30 rps": the load that was said is that of the peak
        if (is(i, Peak) && (m_question.scenario.requestsPerSecond || m_question.scenario.concurrency)
            && m_question.scenario.peakFactor <= 1) {
            note(i, i, std::string(say("the load that was said is that of the peak", "所述负载即高峰负载")));
            ++i;
            continue;
        }
        if (is(i, AtHome) && !m_question.scenario.gpus.empty()) {
            ++i;
            continue;
        }
        if (is(i, Speculation) && m_vocabulary.draftingStated) {
            note(i, i, std::string(say("drafted as stated beside the question", "按问题之外的说明起草")));
            ++i;
            continue;
        }
        if (isAny(i, {User, Concurrent}) && !m_usersSaid) {
            note(i, i, std::string(say("users, not counted: one at a time", "用户数未说明：按一个用户")));
            ++i;
            continue;
        }
        if (isAny(i, {User, Concurrent})) {
            ++i;
            continue;
        }
        std::size_t last = i;
        while (last + 1 < m_items.size() && !m_used[last + 1] && !isAny(last + 1, harmless))
            ++last;
        explain(i, last);
        i = last + 1;
    }
}

// A Mac has one of several accelerators.
std::string Reading::appleHint(std::size_t item) const
{
    constexpr std::array<std::string_view, 5> names{"mac", "macs", "macbook", "macbooks", "imac"};
    const std::string& text = at(item).text;
    const std::string_view word = std::string_view(text).substr(0, text.find(' '));
    if (std::find(names.begin(), names.end(), word) == names.end() || !m_vocabulary.gpusOfVendor)
        return {};
    std::string all;
    for (const std::string& id : m_vocabulary.gpusOfVendor("apple"))
        all += (all.empty() ? "" : ", ") + id;
    return all;
}

// "RTX 4060", "昇腾 910C": by how it begins.
bool Reading::namesGpu(std::string_view text)
{
    constexpr std::array<std::string_view, 9> begins{"rtx",  "gtx",    "tesla",  "radeon",  "geforce",
                                                     "昇腾", "ascend", "quadro", "instinct"};
    return std::any_of(begins.begin(), begins.end(),
                       [&](std::string_view begin) { return text.starts_with(begin); });
}

// What makers put behind a name for another chip of the family.
bool Reading::endsNameOfGpu(std::size_t item) const
{
    constexpr std::array<std::string_view, 9> ends{"ultra", "max", "pro",  "super", "ti",
                                                   "xt",    "xtx", "plus", "mini"};
    return item > 0 && m_items[item - 1].kind == ItemKind::Gpu && m_vocabulary.nearest
        && std::find(ends.begin(), ends.end(), at(item).text) != ends.end();
}

void Reading::explain(std::size_t first, std::size_t last)
{
    std::vector<std::string> near;
    // "h1000" is one word, though a letter and a number.
    const bool runsOn = last == first + 1 && !at(last).spaceBefore && at(last).kind == ItemKind::Number;
    if (const std::string apple = appleHint(first); !apple.empty()) {
        problem(first, last, std::string(say("which one?", "哪一款？")), apple);
        return;
    }
    const std::string text = runsOn ? at(first).text + at(last).text : at(first).text;
    if (endsNameOfGpu(first)) { // "M3 Ultra": of a family that is known another one
        for (const std::string& one : m_vocabulary.nearest(at(first - 1).text + " " + text))
            near.push_back(one);
        problem(first - 1, first, std::string(say("is not in the catalogue", "目录中没有这一款")),
                near.empty()
                    ? std::string()
                    : fmt::format(fmt::runtime(say("nearest: {}", "最接近：{}")), fmt::join(near, ", ")));
        return;
    }
    const bool word = (runsOn || at(first).kind == ItemKind::Unknown) && text.size() >= 3;
    const bool card = word && namesGpu(text); // no word of a question is near it
    if (word && m_vocabulary.nearest)
        near = m_vocabulary.nearest(card ? said(first, last) : text);
    if (word && !card)
        for (std::string& phrase : m_lexicon.nearest(text))
            near.push_back(std::move(phrase));
    std::string hint;
    for (const std::string& one : near)
        hint += (hint.empty() ? "" : ", ") + one;
    const Item& item = at(first);
    std::string what(say("not understood", "没有看懂"));
    if (card)
        what = say("is not in the catalogue", "目录中没有这一款");
    else if (item.kind == ItemKind::Number)
        what = say("a number of what?", "这个数字是什么的数量？");
    else if (isAny(first, {Ttft, Tpot, Latency}))
        what = say("how long at most?", "最长多久？");
    else if (isAny(first, {Speed, Throughput, TokenRate}))
        what = say("how many tokens per second?", "每秒多少 token？");
    else if (isAny(first,
                   {Budget, Price, PrefixHit, Growth, Headroom, Utilisation, Peak, Pue, Electricity, Batch,
                    ThinkTime, Tp, Pp, Ep, Dp, Replicas, Context, Amortise, Vague}))
        what = say("how much? a number is missing", "多少？缺少数字");
    else if (is(first, Quantised))
        what = say("quantised to what?", "量化成什么类型？");
    else if (isAny(first, {Not, Only, Or}))
        what = say("what should be left out or compared was not understood", "没有看懂要排除或比较什么");
    else if (is(first, AtHome)) {
        what = say("which accelerators may stand there?", "哪些卡可以放在那里？");
        hint = say("e.g. 'RTX 4090 or RTX 5090', 'M4 Max'", "例如“RTX 4090 或 RTX 5090”“M4 Max”");
    } else if (is(first, Speculation)) {
        what = say("how many tokens are drafted and how many of them are accepted is not read from words",
                   "起草多少 token、接受率多高，不从文字读取");
        hint = say(
            "state it beside the question: --spec-decode draft:MODEL:g=4,a=0.7 for a draft model (a small "
            "one stands for an EAGLE or a Medusa head), mtp:g=1,a=0.8 for layers of the model's own, "
            "ngram:g=4,a=0.4 for copies of "
            "the prompt (g tokens, each accepted with probability a)",
            "请在问题之外说明：草稿模型用 --spec-decode draft:MODEL:g=4,a=0.7（EAGLE 或 Medusa "
            "头用小模型代替），模型自带的 "
            "MTP 层用 mtp:g=1,a=0.8，从提示中抄写用 ngram:g=4,a=0.4（起草 g 个，各以概率 a 被接受）");
    }
    if (is(first, Quantised))
        hint = "fp8, int8, int4, awq, gptq, mxfp4, q4_k_m";
    else if (item.kind == ItemKind::Number)
        hint = say("e.g. '500 users', '8k prompts', '20 TPS', '2s TTFT', '8x H100'",
                   "例如“500 用户”“8k 输入”“20 TPS”“首字 2 秒”“8 张 H100”");
    else if (!hint.empty() && !isAny(first, {Speculation, AtHome}))
        hint = fmt::format(fmt::runtime(say("nearest: {}", "最接近：{}")), hint);
    problem(first, last, what, hint);
}

} // namespace headroom::ask
