#include "model/ask/settle.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>

namespace headroom::ask {

using enum Meaning;

namespace {

constexpr double most = 100000; // GPUs that are planned

// The first word that names it.
std::size_t nameOf(const Draft& draft, const std::string& gpu)
{
    std::size_t i = 0;
    while (i + 1 < draft.size() && (!draft.isName(i, ItemKind::Gpu) || draft.at(i).match.id != gpu))
        ++i;
    return i;
}

void addGpu(Draft& draft, const std::string& id)
{
    auto& gpus = draft.question.scenario.gpus;
    if (std::ranges::find(gpus, id) == gpus.end())
        gpus.push_back(id);
}

} // namespace

// "8 H100 or H200", and the same number twice, is one number of either.
void chooseMachines(Draft& draft)
{
    Scenario& scenario = draft.question.scenario;
    std::vector<Cards>& cards = draft.cards;
    if (cards.empty())
        return;
    // "8 H100 or 4 B200", "8 H100 and 4 B200, which is better"; not "2 H100 and 4 A100, rent or buy".
    const bool chosen = could("better", draft) || saysIn("one-or-other", draft, {0, cards.back().place.last});
    if (cards.size() == 1 && scenario.gpus.size() == 2 && cards.front().gpu == scenario.gpus.back()
        && draft.find("boxes") == nullptr && chosen) // "H100 or 2x A100": one of the first
        cards.insert(cards.begin(), {scenario.gpus.front(), 1, nameOf(draft, scenario.gpus.front())});
    // "4 boxes of 2 L40S or 1 of 8": machines of one accelerator.
    const auto isNamedTwice = [](const Cards& a, const Cards& b) {
        return a.gpu == b.gpu && a.count == b.count && a.box == b.box;
    };
    if (cards.size() == 2 && scenario.gpus.size() == 1 && chosen && cards[0].gpu == cards[1].gpu
        && !isNamedTwice(cards[0], cards[1]))
        scenario.gpus.push_back(cards[1].gpu);
    const bool several = cards.size() > 1 && cards.size() == scenario.gpus.size() && chosen
        && (std::ranges::adjacent_find(cards, std::ranges::not_equal_to{}, &Cards::count) != cards.end()
            || std::ranges::adjacent_find(cards, std::ranges::not_equal_to{}, &Cards::box) != cards.end());
    std::string all;
    for (const Cards& one : cards) {
        const std::string count = countText(one.count);
        const int number = one.count >= 1 && one.count <= most ? static_cast<int>(one.count) : 0;
        const bool other = one.gpu != cards.front().gpu && one.count != cards.front().count;
        if (number < 1 || one.count != number) {
            draft.problem(one.place, draft.tell("{} is no number of GPUs", count),
                          draft.tell("a whole number from 1"));
        } else if (several) {
            scenario.gpuCounts.push_back(number);
            scenario.boxSizes.push_back(one.box);
            all += (all.empty() ? "" : ", ") + count;
            draft.note(one.place, draft.tell("a machine of {} {}", count, draft.vocabulary.gpuName(one.gpu)));
        } else if (other && scenario.gpuCount.value_or(0) == static_cast<int>(cards.front().count)) {
            draft.problem(one.place, draft.tell("a machine of two different kinds of GPUs is not planned"),
                          draft.tell("ask for one of them, or for '2x H100 or 4x A100'"));
        } else if (draft.once(draft.say("the number of GPUs"), count, one.place)) {
            scenario.gpuCount = number;
            scenario.gpusPerBox = one.box ? one.box : scenario.gpusPerBox;
            draft.note(one.place,
                       draft.tell(number == 1 ? "1 GPU in the service" : "{} GPUs in the service", count));
        }
    }
    if (std::ranges::none_of(cards, [](const Cards& one) { return one.box.has_value(); }))
        scenario.boxSizes.clear();
    if (several)
        draft.setSaid(draft.say("the number of GPUs"), all);
}

void takeName(Draft& draft, std::size_t word)
{
    const NameMatch& match = draft.at(word).match;
    if (draft.isName(word, ItemKind::Gpu))
        addGpu(draft, match.id);
    std::array<std::string, 2> about;
    std::transform(match.why.arguments().begin(), match.why.arguments().end(), about.begin(),
                   [](const Message& argument) { return argument.english(); });
    draft.note(word, match.id, draft.tell(match.why.code(), about[0], about[1]), match.others);
}

std::string gpuOf(const Draft& draft, const Span& span)
{
    const auto& gpus = draft.question.scenario.gpus;
    return span.gpu != none ? draft.at(span.gpu).match.id : gpus.size() == 1 ? gpus.front() : std::string();
}

std::vector<std::string> gpusOf(const Draft& draft, std::size_t vendor)
{
    const Item& maker = draft.at(vendor);
    const std::string_view word = maker.note.empty() ? maker.text : maker.note;
    auto ids = draft.vocabulary.gpusOfVendor(word);
    return ids.empty() ? draft.vocabulary.gpusSoldAs(word) : ids; // or sold so: "pcie"
}

void addMaker(Draft& draft, std::size_t vendor, Place place, bool too)
{
    const auto ids = gpusOf(draft, vendor);
    if (too || draft.question.scenario.gpus.empty()) // "Huawei or H20": both
        for (const std::string& id : ids)
            addGpu(draft, id);
    const bool soldSo = !draft.vocabulary.gpusSoldAs(draft.at(vendor).note).empty();
    const std::string_view told = soldSo
        ? draft.say("{} accelerator that is sold so|{} accelerators that are sold so")
        : draft.say("{} accelerator of this maker|{} accelerators of this maker");
    draft.note(place, draft.tell(oneOrMany(told, static_cast<double>(ids.size())), ids.size()));
}

void leaveOut(Draft& draft, std::size_t word, Place place, const std::vector<std::string_view>& makers)
{
    const Item& item = draft.at(word);
    std::vector<std::string> gone = item.kind == ItemKind::Gpu ? item.match.others : gpusOf(draft, word);
    gone.push_back(item.match.id);
    auto& gpus = draft.question.scenario.gpus;
    if (gpus.empty())
        for (const std::string_view maker : makers)
            for (const std::string& id : draft.vocabulary.gpusOfVendor(maker))
                addGpu(draft, id);
    std::erase_if(gpus, [&](const std::string& id) { return std::ranges::find(gone, id) != gone.end(); });
    if (gpus.empty())
        return draft.problem(place, draft.tell("what should be left out or compared was not understood"), {});
    draft.note(
        place,
        draft.tell("left out: {}",
                   item.kind == ItemKind::Gpu ? draft.vocabulary.gpuName(item.match.id) : draft.said(word)));
}

} // namespace headroom::ask
