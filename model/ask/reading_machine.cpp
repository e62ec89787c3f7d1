#include "model/ask/reading.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace headroom::ask {

using enum Meaning;

namespace {
bool isGpuCount(double count) { return count >= 1 && count == std::floor(count) && count <= 100000; }

// "on 8 H100", "用 8 H100": what stands behind is what the model runs on.
bool leadsToMachine(std::string_view word)
{
    constexpr std::array<std::string_view, 12> leading{"on", "with", "using", "use", "via",  "from",
                                                       "in", "用",   "使用",  "在",  "采用", "跑"};
    return std::find(leading.begin(), leading.end(), word) != leading.end();
}
} // namespace

void Reading::readModel()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (at(i).kind != ItemKind::Model)
            continue;
        const NameMatch& match = at(i).match;
        take(i);
        if (!once(std::string(say("the model", "模型")), match.id, i, i))
            continue;
        m_question.scenario.model = match.id;
        note(i, i, match.id, match.why, match.others);
    }
}

void Reading::readEngine()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (at(i).kind != ItemKind::Engine)
            continue;
        take(i);
        if (!once(std::string(say("the engine", "引擎")), at(i).match.id, i, i))
            continue;
        m_question.scenario.engine = at(i).match.id;
        note(i, i, at(i).match.id, at(i).match.why, at(i).match.others);
    }
}

void Reading::readGpus()
{
    std::size_t last = none;
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (at(i).kind != ItemKind::Gpu)
            continue;
        const std::size_t before = previous(i);
        if (is(before, Not) || (is(before, Vendor) && is(previous(before), Not))) {
            continue; // an exclusion: left to be quoted back
        }
        const NameMatch& match = at(i).match;
        auto& gpus = m_question.scenario.gpus;
        if (std::find(gpus.begin(), gpus.end(), match.id) == gpus.end())
            gpus.push_back(match.id);
        note(i, i, match.id, match.why, match.others);
        if (last != none)
            for (std::size_t j = last + 1; j < i; ++j)
                if (isAny(j, {Or, Per, Comma}))
                    take(j);
        if (isAny(before, {Only, Vendor}))
            take(before);
        m_oneSaid = m_oneSaid || (i > 0 && (at(i - 1).text == "a" || at(i - 1).text == "an"));
        take(i);
        if (!readCountBefore(i))
            readCountAfter(i);
        if (is(next(i), Only))
            take(next(i));
        last = i;
    }
    settleCounts();
    if (m_question.scenario.gpus.size() > 1) // "compare H100 and H200": both are tried
        for (std::size_t i = 0; i < m_items.size(); ++i)
            if (is(i, Or) && !isAny(previous(i), {Price, Buy})) // "rent or buy" asks for something else
                take(i);
}

// "tp 8 H100", "batch 8 H100": the number is that of the word before it. Not "32k context on 8 H100", where
// the word has its own number or a preposition leads to the GPUs.
bool Reading::isClaimed(std::size_t number) const
{
    const auto topics = {Tp, Pp, Ep, Dp, Batch, Context, Prompt, Output, Concurrent};
    const std::size_t topic = previous(number);
    if (!isAny(topic, topics))
        return false;
    for (std::size_t j = topic + 1; j < number; ++j)
        if (m_used[j] || leadsToMachine(at(j).text))
            return false;
    std::size_t own = previous(topic);
    while (isAny(own, {Token, Mean, AtMost, AtLeast}))
        own = previous(own);
    return !isNumber(own) || isClaimed(own);
}

// "two H100 servers with 8 GPUs each", "2 台 H100 服务器，每台 8 卡": without the second number nobody knows
// how many GPUs that is.
bool Reading::readBoxes(std::size_t gpu)
{
    const std::size_t behind = is(next(gpu), Box) ? next(gpu) : none;
    const std::size_t before = is(previous(gpu), Box) ? previous(gpu) : none;
    const bool several = behind != none && (at(behind).text.ends_with('s') || before != none);
    const std::size_t number = before != none ? previous(before) : previous(gpu);
    if (!isNumber(number) || at(number).kilo || (before == none && (!several || isNumber(previous(number)))))
        return false;
    if (before == none && (number + 1 < gpu || isClaimed(number)))
        return false;
    const std::size_t last = behind != none ? behind : gpu;
    std::size_t j = next(last);
    if (is(j, Comma))
        j = next(j);
    std::vector<std::size_t> parts{number};
    std::size_t inEach = none;
    if (is(j, Every) && is(next(j), Box) && isNumber(next(next(j)))) {
        inEach = next(next(j));
        parts.insert(parts.end(), {j, next(j)});
    } else if (isNumber(j) && is(next(j), Card) && isAny(next(next(j)), {Each, Per})) {
        inEach = j;
        parts.push_back(next(next(j)));
    }
    for (const std::size_t part : {before, behind})
        if (part != none)
            parts.push_back(part);
    if (inEach != none) {
        parts.push_back(inEach);
        if (is(next(inEach), Card))
            parts.push_back(next(inEach));
    }
    if (is(next(parts.back()), Box)) // "8 per server"
        parts.push_back(next(parts.back()));
    for (const std::size_t part : parts)
        take(part);
    if (inEach == none) {
        problem(number, last, std::string(say("how many GPUs are in each?", "每台几张卡？")),
                std::string(say("e.g. '2 servers of 8 H100'", "例如“2 台 8 卡 H100”")));
        return true;
    }
    takeCountOf(gpu, at(number).value * at(inEach).value, number, last);
    return true;
}

// "2x H200", "8 张 H800", "8-GPU H100", "two A100s", "2 nodes of 8 H100", "how many A100s".
bool Reading::readCountBefore(std::size_t gpu)
{
    if (readBoxes(gpu))
        return true;
    std::size_t j = previous(gpu);
    std::vector<std::size_t> parts;
    while (isAny(j, {Times, Card}) && parts.size() < 2) {
        parts.push_back(j);
        j = previous(j);
    }
    if (!isNumber(j)) {
        if (is(j, HowMany))
            for (const std::size_t part : parts)
                take(part);
        return false;
    }
    // "500 on H100" counts something else.
    const bool apart = parts.empty()
        && (j + 2 < gpu
            || (j + 1 < gpu && at(j + 1).text != "-" && at(j + 1).text != "of" && at(j + 1).text != "的"));
    const bool belongsElsewhere
        = apart || (parts.empty() && (at(j).kilo || is(previous(j), Equals) || isClaimed(j)));
    if (belongsElsewhere)
        return false;
    parts.push_back(j);
    double count = at(j).value;
    std::size_t first = j;
    std::size_t boxes = previous(j);
    if (is(boxes, Times))
        boxes = previous(boxes);
    if (is(boxes, Box) && isNumber(previous(boxes))) { // "2 nodes of 8 H100", "2 台 8 卡 H100"
        first = previous(boxes);
        count *= at(first).value;
        parts.insert(parts.end(), {boxes, first});
    }
    if (is(next(gpu), Box)) { // "two 8-GPU H100 nodes"
        take(next(gpu));
        if (const std::size_t number = previous(first); isNumber(number)) {
            first = number;
            count *= at(number).value;
            parts.push_back(number);
        }
    }
    for (const std::size_t part : parts)
        take(part);
    // "how many boxes of 8": the 8 is the size of a box, not of the service.
    if (is(previous(first), HowMany) && parts.size() > 1) {
        note(first, gpu, fmt::format(fmt::runtime(say("boxes of {}", "每台 {} 张")), countText(count)));
        return true;
    }
    if (is(previous(first), AtMost)) { // "on at most 4 H100": no more are there
        first = previous(first);
        take(first);
    }
    takeCountOf(gpu, count, first, gpu);
    return true;
}

// "H200 x2", "H800 8 张", "H100*8".
bool Reading::readCountAfter(std::size_t gpu)
{
    const std::size_t a = next(gpu);
    if (a == none)
        return false;
    if (is(a, Times) && isNumber(next(a))) {
        const std::size_t number = next(a);
        take(a);
        take(number);
        takeCountOf(gpu, at(number).value, gpu, number);
        return true;
    }
    if (isNumber(a) && is(next(a), Card)) {
        const std::size_t card = next(a);
        take(a);
        take(card);
        takeCountOf(gpu, at(a).value, gpu, card);
        return true;
    }
    return false;
}

void Reading::takeCountOf(std::size_t gpu, double count, std::size_t first, std::size_t last)
{
    m_counted.push_back({.gpu = at(gpu).match.id, .count = count, .first = first, .last = last});
}

// "8 H100 or 4 B200", "compare 8 H100 and 4 B200", "8 H100 and 4 B200, which is better"; not "2 H100 and 4
// A100, rent or buy".
bool Reading::choosesMachines() const
{
    if (m_counted.empty())
        return false;
    const auto ofMoney = [&](std::size_t i) { return m_items[i].is(Price) || m_items[i].is(Buy); };
    for (std::size_t i = 0; i < m_counted.back().last; ++i)
        if (m_items[i].is(Or) && (i == 0 || !ofMoney(i - 1)) && !ofMoney(i + 1))
            return true;
    return std::any_of(m_items.begin(), m_items.end(), asksForTheBetter);
}

// "which is better", "better", "which is faster", "哪个更快", "哪个划算": one of those that were named.
bool Reading::asksForTheBetter(const Item& item)
{
    if (!item.is(Which) && !item.is(Fastest) && !item.is(Cheapest) && !item.is(BestValue))
        return false;
    const std::string& text = item.text;
    return text.starts_with("better") || text.starts_with("which is") || text.starts_with("which one is")
        || text.starts_with("哪个") || text.starts_with("谁更") || text.starts_with("更");
}

// "8 H100 or 4 B200" are two machines; "8 H100 or H200", and the same number twice, one number of either.
// "2 H100 and 4 A100" may be one machine of both: that is refused as a second number.
void Reading::settleCounts()
{
    const auto otherNumber = [](const Counted& a, const Counted& b) { return a.count != b.count; };
    const auto sameType = [](const Counted& a, const Counted& b) { return a.gpu == b.gpu; };
    Scenario& s = m_question.scenario;
    bool each = choosesMachines() && m_counted.size() == s.gpus.size() && m_counted.size() > 1
        && std::adjacent_find(m_counted.begin(), m_counted.end(), otherNumber) != m_counted.end();
    for (std::size_t i = 0; i < m_counted.size() && each; ++i)
        each = std::none_of(m_counted.begin() + std::ptrdiff_t(i) + 1, m_counted.end(),
                            [&](const Counted& other) { return sameType(m_counted[i], other); });
    if (!each) {
        for (const Counted& counted : m_counted)
            takeGpuCount(counted.count, counted.first, counted.last);
        return;
    }
    std::string all;
    for (const Counted& counted : m_counted) {
        if (!isGpuCount(counted.count)) {
            takeGpuCount(counted.count, counted.first, counted.last); // says what is wrong with it
            continue;
        }
        s.gpuCounts.push_back(static_cast<int>(counted.count));
        all += (all.empty() ? "" : ", ") + countText(counted.count);
        note(counted.first, counted.last,
             fmt::format(fmt::runtime(say("a machine of {} {}", "一台 {} 张 {} 的机器")),
                         countText(counted.count), counted.gpu));
    }
    m_said[std::string(say("the number of GPUs", "GPU 数量"))] = all;
}

void Reading::takeGpuCount(double count, std::size_t first, std::size_t last)
{
    if (!isGpuCount(count)) {
        problem(
            first, last,
            fmt::format(fmt::runtime(say("{} is no number of GPUs", "{} 不是 GPU 数量")), countText(count)),
            std::string(say("a whole number from 1", "应为 1 以上的整数")));
        return;
    }
    if (!once(std::string(say("the number of GPUs", "GPU 数量")), countText(count), first, last))
        return;
    m_question.scenario.gpuCount = static_cast<int>(count);
    note(first, last,
         count == 1 ? std::string(say("1 GPU in the service", "整个服务共 1 张 GPU"))
                    : fmt::format(fmt::runtime(say("{} GPUs in the service", "整个服务共 {} 张 GPU")),
                                  countText(count)));
}

// "8 GPUs", "8 张卡", "a single GPU": a count without a type, when the type stands elsewhere or is open.
void Reading::readBareCounts()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (!isNumber(i) || !is(next(i), Card))
            continue;
        const std::size_t card = next(i);
        if (isAny(previous(i), {Tp, Pp, Ep, Dp}))
            continue;
        std::size_t first = i;
        double count = at(i).value;
        if (const std::size_t box = previous(i); is(box, Box) && isNumber(previous(box))) {
            first = previous(box);
            count *= at(first).value;
            take(box);
            take(first);
        }
        take(i);
        take(card);
        takeGpuCount(count, first, card);
    }
}

namespace {

// As the catalogue spells the maker; "国产" cards are Huawei's, of the makers that it knows.
std::string_view makerOf(std::string_view said)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> chinese{{{"英伟达", "nvidia"},
                                                                                    {"华为", "huawei"},
                                                                                    {"国产", "huawei"},
                                                                                    {"英特尔", "intel"},
                                                                                    {"谷歌", "google"},
                                                                                    {"苹果", "apple"}}};
    for (const auto& [name, latin] : chinese)
        if (said == name)
            return latin;
    return said;
}

} // namespace

void Reading::readVendors()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (!is(i, Vendor) || is(previous(i), Not))
            continue;
        const std::vector<std::string> ids = m_vocabulary.gpusOfVendor
            ? m_vocabulary.gpusOfVendor(makerOf(at(i).text))
            : std::vector<std::string>{};
        if (ids.empty())
            continue;
        take(i);
        if (is(next(i), Only))
            take(next(i));
        if (is(previous(i), Only))
            take(previous(i));
        auto& gpus = m_question.scenario.gpus;
        const bool named = !gpus.empty();
        note(i, i,
             fmt::format(fmt::runtime(ids.size() == 1
                                          ? say("{} accelerator of this maker", "该厂商的 {} 种加速卡")
                                          : say("{} accelerators of this maker", "该厂商的 {} 种加速卡")),
                         ids.size()));
        if (!named)
            gpus = ids;
    }
}

} // namespace headroom::ask
