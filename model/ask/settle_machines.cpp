#include "model/ask/rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace headroom::ask {

using enum Meaning;

namespace {

bool isGpuCount(double count) { return count >= 1 && count == std::floor(count) && count <= 100000; }

class MachinesOf {
public:
    MachinesOf(Draft& draft, Settled& settled)
        : m_draft(draft), m_settled(settled), m_scenario(draft.question.scenario)
    {}

    void settle()
    {
        for (std::size_t i = 0; i < m_draft.size(); ++i)
            name(i);
        for (const Assigned& quantity : m_settled.quantities)
            count(quantity);
        choose();
        applyRules("either", m_draft, m_settled);
    }

private:
    struct Counted {
        std::string gpu;
        double count = 0;
        Place place;
    };

    [[nodiscard]] std::string whyRead(const NameMatch& match) const
    {
        std::array<std::string, 2> about;
        std::transform(match.why.arguments().begin(), match.why.arguments().end(), about.begin(),
                       [](const Message& argument) { return argument.english(); });
        return m_draft.tell(match.why.code(), about[0], about[1]);
    }

    void name(std::size_t i)
    {
        const Item& item = m_draft.at(i);
        const std::size_t before = m_draft.previous(i);
        if (m_draft.isRead(i)) // what is replaced
            return;
        if (item.kind == ItemKind::Model || item.kind == ItemKind::Engine) {
            m_draft.take(i);
            const bool model = item.kind == ItemKind::Model;
            std::size_t& first = model ? m_model : m_engine;
            if (first != none && m_draft.at(first).match.id != item.match.id)
                return whichOf(first, i, model);
            if (first != none)
                return;
            first = i;
            m_draft.setSaid(model ? m_draft.say("the model") : m_draft.say("the engine"), item.match.id);
            (model ? m_scenario.model : m_scenario.engine) = item.match.id;
            m_draft.note(i, item.match.id, whyRead(item.match), item.match.others);
        }
        if (item.kind != ItemKind::Gpu)
            return;
        if (says("left-out", m_draft, i))
            return; // an exclusion is left to the rules
        auto& gpus = m_scenario.gpus;
        m_named.push_back(i);
        if (std::find(gpus.begin(), gpus.end(), item.match.id) == gpus.end())
            gpus.push_back(item.match.id);
        m_draft.note(i, item.match.id, whyRead(item.match), item.match.others);
        if (m_last != none)
            for (std::size_t j = m_last + 1; j < i; ++j)
                if (m_draft.isAny(j, {Or, Per, Comma}))
                    m_draft.take(j);
        if (m_draft.isAny(before, {Only, Vendor}))
            m_draft.take(before);
        m_draft.take(i);
        m_last = i;
    }

    // Two models, or two engines: both as ready questions.
    void whichOf(std::size_t one, std::size_t other, bool models)
    {
        if (models && isSizeAlone(m_draft.at(other)) && other <= one + 2 && m_draft.at(other - 1).text != ",")
            return tellAbsent(m_draft, one, other); // "Llama 3.3 8B"
        askWhichOf(m_draft, one, other,
                   models ? m_draft.say("two models are named: which?")
                          : m_draft.say("two engines are named: which?"));
    }

    void count(const Assigned& quantity)
    {
        const Span& span = quantity.span;
        if (!quantity.is("gpus") && !quantity.is("boxes"))
            return;
        m_draft.takeAll(span.parts);
        const Place place{span.first, span.last};
        const std::string gpu = span.gpu != none ? m_draft.at(span.gpu).match.id
            : m_scenario.gpus.size() == 1        ? m_scenario.gpus.front()
                                                 : std::string();
        const bool within = quantity.is("boxes") && span.boxSize == 0 && span.gpu == none
            && (gpu.empty() || m_settled.find("gpus") != nullptr); // "4 H100 in one server"
        const int inBox = m_draft.vocabulary.gpusPerBox ? m_draft.vocabulary.gpusPerBox(gpu) : 0;
        constexpr double largest = 8; // in a server of cards, but for those that the catalogue knows larger
        if (inBox > 0 && span.boxSize > std::max<double>(inBox, largest)
            && span.boxSize * span.boxSize == span.value * inBox) {
            Assigned all = quantity; // "two nodes of H100 (16 GPUs)": they are those of both
            all.span.value = span.boxSize;
            all.span.boxSize = inBox;
            return count(all);
        }
        const bool cards = m_draft.is(m_draft.next(span.last), Card)
            || std::any_of(span.parts.begin(), span.parts.end(), [&](std::size_t part) {
                               return m_draft.at(part).is(Card);
                           }); // "16 GB200 NVL72 GPUs"
        const bool namesBox = quantity.is("gpus") && !cards && span.gpu != none && inBox > 1
            && span.boxSize == 0
            && m_draft.at(span.gpu).text.ends_with(std::to_string(inBox)); // "two GB200 NVL72"
        const int usual = namesBox || (quantity.is("boxes") && span.boxSize == 0) ? inBox : 0;
        const Assigned* const groups = span.isPer(Group) ? m_settled.find("groups") : nullptr;
        const Assigned* const many = span.isPer(Replicas) ? m_settled.find("replicas") : groups;
        const double each = many != nullptr ? many->span.value : 1; // "4 replicas of 2 L40S each"
        if (many == nullptr && (span.isPer(Replicas) || span.isPer(Group)))
            return m_draft.problem(place, m_draft.tell("of how many?"),
                                   m_draft.tell("e.g. '4 replicas, 2 L40S each'"));
        if (groups != nullptr) // "two sites, one server of 8 H20 each"
            takeQuantity(m_draft, *groups);
        if (span.from)
            m_draft.assume(
                m_draft.tell("of {} to {} the most", countText(*span.from), countText(span.value)));
        if (within && isGpuCount(span.value)) {
            const Role& most = roleCalled("maxBoxes");
            m_scenario.mostBoxes = static_cast<int>(span.value);
            m_draft.note(place, m_draft.tell(most.read, countText(span.value)));
        } else if (quantity.is("gpus") && !namesBox) {
            m_counted.push_back(
                {.gpu = span.gpu == none ? std::string() : gpu, .count = span.value * each, .place = place});
        } else if (usual > 0) {
            m_counted.push_back({.gpu = gpu, .count = span.value * usual * each, .place = place});
            m_draft.assume(
                m_draft.tell("{} GPUs in each machine, as is usual for {}", usual, m_draft.gpuName(gpu)));
        } else if (span.boxSize > 0) {
            m_draft.note(place, m_draft.tell("boxes of {}", countText(span.boxSize)));
        } else {
            m_draft.problem(place, m_draft.tell("how many GPUs are in each?"),
                            m_draft.tell("e.g. '2 servers of 8 H100'"));
        }
    }

    // "8 H100 or 4 B200", "8 H100 and 4 B200, which is better"; not "2 H100 and 4 A100, rent or buy".
    [[nodiscard]] bool choosesMachines() const
    {
        for (std::size_t i = 0; i < m_draft.size(); ++i)
            if (says("better", m_draft, i)
                || (i < m_counted.back().place.last && says("one-or-other", m_draft, i)))
                return true;
        return false;
    }

    // "8 H100 or H200", and the same number twice, is one number of either.
    void choose()
    {
        if (const auto& gpus = m_scenario.gpus; // "H100 or 2x A100": one of the first
            m_counted.size() == 1 && gpus.size() == 2 && m_counted.front().gpu == gpus.back()
            && m_settled.find("boxes") == nullptr && choosesMachines())
            m_counted.insert(m_counted.begin(), {.gpu = gpus.front(), .count = 1, .place = m_named.front()});
        const auto otherNumber = [](const Counted& a, const Counted& b) { return a.count != b.count; };
        const bool several = m_counted.size() > 1 && m_counted.size() == m_scenario.gpus.size()
            && choosesMachines()
            && std::adjacent_find(m_counted.begin(), m_counted.end(), otherNumber) != m_counted.end();
        if (!several) {
            for (const Counted& one : m_counted)
                takeCount(one);
            return;
        }
        std::string all;
        for (const Counted& one : m_counted) {
            if (!isGpuCount(one.count)) {
                takeCount(one); // says what is wrong with it
                continue;
            }
            m_scenario.gpuCounts.push_back(static_cast<int>(one.count));
            all += (all.empty() ? "" : ", ") + countText(one.count);
            m_draft.note(one.place,
                         m_draft.tell("a machine of {} {}", countText(one.count), m_draft.gpuName(one.gpu)));
        }
        m_draft.setSaid(m_draft.say("the number of GPUs"), all);
    }

    void takeCount(const Counted& counted)
    {
        const auto [first, last] = counted.place;
        if (!isGpuCount(counted.count))
            return m_draft.problem({first, last},
                                   m_draft.tell("{} is no number of GPUs", countText(counted.count)),
                                   m_draft.tell("a whole number from 1"));
        if (m_countedGpu && *m_countedGpu != counted.gpu && m_scenario.gpuCount
            && *m_scenario.gpuCount != static_cast<int>(counted.count))
            return m_draft.problem({first, last},
                                   m_draft.tell("a machine of two different kinds of GPUs is not planned"),
                                   m_draft.tell("ask for one of them, or for '2x H100 or 4x A100'"));
        if (!m_draft.once(m_draft.say("the number of GPUs"), countText(counted.count), {first, last}))
            return;
        m_countedGpu = counted.gpu;
        m_scenario.gpuCount = static_cast<int>(counted.count);
        m_draft.note({first, last},
                     counted.count == 1 ? m_draft.tell("1 GPU in the service")
                                        : m_draft.tell("{} GPUs in the service", countText(counted.count)));
    }

    Draft& m_draft;
    Settled& m_settled;
    Scenario& m_scenario;
    std::vector<Counted> m_counted; // types with numbers of their own
    std::size_t m_last = none;
    std::vector<std::size_t> m_named; // accelerators
    std::size_t m_model = none;
    std::size_t m_engine = none;
    std::optional<std::string> m_countedGpu; // the accelerator that the number is of
};

} // namespace

void settleMachines(Draft& draft, Settled& settled) { MachinesOf(draft, settled).settle(); }

void addMaker(Draft& draft, std::size_t vendor, Place place, bool too)
{
    const auto ids = gpusOf(draft, vendor);
    auto& gpus = draft.question.scenario.gpus;
    const bool named = !gpus.empty();
    for (const std::string& id : ids) // "Huawei or H20": both
        if ((!named || too) && std::find(gpus.begin(), gpus.end(), id) == gpus.end())
            gpus.push_back(id);
    draft.note(place,
               draft.tell(oneOrMany(draft.say("{} accelerator of this maker|{} accelerators of this maker"),
                                    static_cast<double>(ids.size())),
                          ids.size()));
}

void leaveOut(Draft& draft, std::size_t word, Place place, const std::vector<std::string_view>& makers)
{
    const Item& item = draft.at(word);
    std::vector<std::string> gone = item.match.others;
    gone.push_back(item.match.id);
    if (item.kind != ItemKind::Gpu)
        gone = gpusOf(draft, word);
    auto& gpus = draft.question.scenario.gpus;
    if (gpus.empty() && draft.vocabulary.gpusOfVendor)
        for (const std::string_view maker : makers)
            for (std::string& id : draft.vocabulary.gpusOfVendor(maker))
                gpus.push_back(std::move(id));
    std::erase_if(
        gpus, [&](const std::string& id) { return std::find(gone.begin(), gone.end(), id) != gone.end(); });
    if (gpus.empty())
        return draft.problem(place, draft.tell("what should be left out or compared was not understood"), {});
    draft.note(
        place,
        draft.tell("left out: {}",
                   item.kind == ItemKind::Gpu ? draft.gpuName(item.match.id) : draft.said(word, word)));
}

} // namespace headroom::ask
