#include "model/ask/reading.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace headroom::ask {

using enum Meaning;

namespace {

constexpr auto lengthTopics = {Prompt, Output, Context};

} // namespace

// Lengths written with k are powers of two, as context windows and serving benchmarks count them ("8k" =
// 8,192).
double tokensOf(const Item& number)
{
    if (!number.kilo)
        return number.value;
    const bool million = number.value >= number.written * 1e6;
    return number.written * (million ? 1024.0 * 1024.0 : 1024.0);
}

void Reading::readLengths()
{
    readInOut();
    readLengthPairs();
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (!isNumber(i) || readLengthRange(i))
            continue;
        const auto quantity = quantityAt(i);
        if (quantity->unit != Filler && quantity->unit != Token)
            continue;
        if (quantity->perTime > 0)
            continue;
        std::size_t topic = topicLeft(i, lengthTopics);
        if (topic == none)
            topic = topicRight(i, lengthTopics);
        if (topic == none)
            continue;
        const double unit = quantity->unit == Token ? at(next(i)).value : 1;
        take(*quantity);
        takeLength(at(topic).meaning, LengthDistribution::of(std::round(tokensOf(at(i)) * unit)),
                   std::min(topic, quantity->first), std::max(topic, quantity->last - 1));
        take(topic);
        if (is(next(topic), at(topic).meaning) && next(topic) == topic + 1)
            take(next(topic)); // "input prompt", "output generation"
        if (is(previous(i), Mean))
            take(previous(i));
        if (is(previous(std::min(topic, i)), Mean))
            take(previous(std::min(topic, i)));
    }
    settleContext();
}

// "4k-8k prompts", "100 to 500 output tokens", "输入 1k 到 4k".
bool Reading::readLengthRange(std::size_t number)
{
    const std::size_t second = next(number);
    if (!isNumber(second) || second != number + 2)
        return false;
    const std::string& between = at(number + 1).text;
    if (between != "-" && between != "to" && between != "~" && between != "到")
        return false;
    std::size_t topic = topicLeft(number, lengthTopics);
    if (topic == none)
        topic = topicRight(second, lengthTopics);
    if (topic == none)
        return false;
    // "4-8k": the factor belongs to both.
    Item low = at(number);
    if (!low.kilo && at(second).kilo && low.value < at(second).written)
        low.kilo = true;
    const double from = tokensOf(low);
    const double to = tokensOf(at(second));
    std::size_t last = std::max(second, topic);
    take(number);
    take(second);
    take(topic);
    if (is(second + 1, Token))
        take(second + 1);
    if (from >= to) {
        problem(std::min(number, topic), last, std::string(say("the range is empty", "范围为空")), "4k-8k");
        return true;
    }
    LengthDistribution length{.kind = LengthDistribution::Kind::Uniform,
                              .low = from,
                              .high = to,
                              .text = fmt::format("uniform:{:.0f}-{:.0f}", from, to)};
    takeLength(at(topic).meaning, std::move(length), std::min(number, topic), last);
    return true;
}

// "1024/256", "8k/1k": prompt and output.
void Reading::readLengthPairs()
{
    for (std::size_t i = 0; i + 2 < m_items.size(); ++i) {
        if (!isNumber(i) || !m_items[i + 1].is(Per) || !isNumber(i + 2))
            continue;
        const auto unit = quantityAt(i + 2)->unit;
        if ((unit != Filler && unit != Token) || isAny(previous(i), lengthTopics))
            continue;
        take(i);
        take(i + 1);
        take(i + 2);
        std::size_t last = i + 2;
        if (is(i + 3, Token))
            take(last = i + 3);
        takeLength(Prompt, LengthDistribution::of(tokensOf(at(i))), i, i);
        takeLength(Output, LengthDistribution::of(tokensOf(at(i + 2))), i + 2, last);
    }
}

// "2k in, 500 out".
void Reading::readInOut()
{
    const auto withWord = [&](Meaning word) {
        for (std::size_t i = 0; i < m_items.size(); ++i) {
            const std::size_t after = isNumber(i) && is(next(i), Token) ? next(i) : i;
            if (isNumber(i) && is(next(after), word))
                return i;
        }
        return none;
    };
    const std::size_t in = withWord(In);
    const std::size_t out = withWord(Out);
    // By itself only with its unit: "500 tokens out", "2k out", but not the "8 in" of other sentences.
    const bool pair = in != none && out != none;
    for (const auto& [number, topic] : {std::pair{in, Prompt}, std::pair{out, Output}}) {
        const bool thousands = topic == Output && number != none && at(number).kilo;
        if (number == none || (!pair && !thousands && !is(next(number), Token)))
            continue;
        std::size_t last = next(number);
        take(number);
        if (is(last, Token)) {
            take(last);
            last = next(last);
        }
        take(last);
        takeLength(topic, LengthDistribution::of(tokensOf(at(number))), number, last);
    }
}

void Reading::takeLength(Meaning topic, LengthDistribution length, std::size_t first, std::size_t last)
{
    const bool range = length.kind == LengthDistribution::Kind::Uniform;
    const double most = range ? length.high : length.fixed;
    const std::string value
        = range ? fmt::format("{}–{}", countText(length.low), countText(length.high)) : countText(most);
    if (most < 1 || most > 1e8) {
        problem(first, last,
                std::string(say("no model reads or writes so many tokens", "没有模型能处理这么多 token")),
                "1k, 32k, 128k");
        return;
    }
    const std::string_view topicName = topic == Prompt ? say("the prompt", "输入长度")
        : topic == Output                              ? say("the output", "输出长度")
                                                       : say("the context", "上下文");
    if (!once(std::string(topicName), value, first, last))
        return;
    if (topic == Context) {
        m_context = std::move(length);
        m_said["context item"] = fmt::format("{}:{}", first, last);
        return;
    }
    (topic == Prompt ? m_question.scenario.prompt : m_question.scenario.output) = std::move(length);
    note(first, last,
         fmt::format(fmt::runtime(topic == Prompt ? say("{} prompt tokens", "输入 {} 个 token")
                                                  : say("{} output tokens", "输出 {} 个 token")),
                     value));
}

// A context is prompt and output together: the longest prompt that leaves room for the output.
void Reading::settleContext()
{
    if (!m_context)
        return;
    Scenario& s = m_question.scenario;
    const std::string place = m_said["context item"];
    m_said.erase("context item");
    const std::size_t colon = place.find(':');
    const std::size_t first = std::stoul(place.substr(0, colon));
    const std::size_t last = std::stoul(place.substr(colon + 1));
    const double context
        = m_context->kind == LengthDistribution::Kind::Fixed ? m_context->fixed : m_context->high;
    const bool promptSaid = m_said.contains(std::string(say("the prompt", "输入长度")));
    const bool outputSaid = m_said.contains(std::string(say("the output", "输出长度")));
    const double other = promptSaid ? s.prompt.mean() : s.output.mean();
    if ((promptSaid && outputSaid) || context <= other) {
        if (promptSaid && outputSaid && s.prompt.mean() + s.output.mean() <= context) {
            note(first, last,
                 fmt::format(fmt::runtime(say("{} tokens of context, which the lengths keep",
                                              "上下文 {} 个 token，长度未超出")),
                             countText(context)));
            return;
        }
        problem(
            first, last,
            fmt::format(fmt::runtime(say("a context of {} tokens does not hold the lengths that were said",
                                         "{} 个 token 的上下文容纳不下所述长度")),
                        countText(context)),
            std::string(say("context = prompt + output", "上下文 = 输入 + 输出")));
        return;
    }
    (promptSaid ? s.output : s.prompt) = LengthDistribution::of(context - other);
    note(
        first, last,
        fmt::format(fmt::runtime(say("{} tokens = prompt {} + output {}", "{} 个 token = 输入 {} + 输出 {}")),
                    countText(context), countText(s.prompt.mean()), countText(s.output.mean())),
        std::string(say("a context holds prompt and output", "上下文包含输入和输出")));
}

} // namespace headroom::ask
