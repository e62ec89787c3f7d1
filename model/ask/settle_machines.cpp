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
    explicit MachinesOf(Draft& draft) : m_draft(draft), m_scenario(draft.question.scenario) {}

    void settle()
    {
        for (std::size_t i = 0; i < m_draft.size(); ++i)
            name(i);
        for (const Assigned& quantity : m_draft.quantities)
            if (quantity.is("gpus") || quantity.is("boxes"))
                count(quantity);
        choose();
        applyRules("either", m_draft);
    }

private:
    struct Counted {
        std::string gpu;
        double count = 0;
        Place place;
    };

    void name(std::size_t i)
    {
        const ItemKind kind = m_draft.at(i).kind;
        if (m_draft.isRead(i)) // what is replaced
            return;
        if (kind == ItemKind::Model)
            nameOne(i, m_model, m_scenario.model);
        else if (kind == ItemKind::Engine)
            nameOne(i, m_engine, m_scenario.engine);
        else if (kind == ItemKind::Gpu && !says("left-out", m_draft, i)) // an exclusion is left to the rules
            nameGpu(i);
    }

    void note(std::size_t i)
    {
        const NameMatch& match = m_draft.at(i).match;
        std::array<std::string, 2> about;
        std::transform(match.why.arguments().begin(), match.why.arguments().end(), about.begin(),
                       [](const Message& argument) { return argument.english(); });
        m_draft.note(i, match.id, m_draft.tell(match.why.code(), about[0], about[1]), match.others);
        m_draft.take(i);
    }

    // Of two models, or two engines, both are ready questions.
    void nameOne(std::size_t i, std::size_t& first, std::string& id)
    {
        const Item& item = m_draft.at(i);
        const bool model = item.kind == ItemKind::Model;
        m_draft.take(i);
        if (first == none) {
            first = i;
            m_draft.setSaid(m_draft.say(model ? "the model" : "the engine"), item.match.id);
            id = item.match.id;
            note(i);
        } else if (m_draft.at(first).match.id == item.match.id) {
            return;
        } else if (model && isSizeAlone(item) && i <= first + 2 && m_draft.at(i - 1).text != ",") {
            tellAbsent(m_draft, {first, i}); // "Llama 3.3 8B"
        } else {
            askWhichOf(m_draft, first, i,
                       m_draft.say(model ? "two models are named: which?" : "two engines are named: which?"));
        }
    }

    void nameGpu(std::size_t i)
    {
        auto& gpus = m_scenario.gpus;
        const std::size_t before = m_draft.previous(i);
        if (std::ranges::find(gpus, m_draft.at(i).match.id) == gpus.end())
            gpus.push_back(m_draft.at(i).match.id);
        note(i);
        for (std::size_t j = m_named.empty() ? i : m_named.back() + 1; j < i; ++j)
            if (m_draft.is(j, Or, Per, Comma))
                m_draft.take(j);
        if (m_draft.is(before, Only, Vendor))
            m_draft.take(before);
        m_named.push_back(i);
    }

    void count(const Assigned& quantity)
    {
        const Span& span = quantity.span;
        m_draft.takeAll(span.parts);
        const bool boxes = quantity.is("boxes") && span.boxSize == 0; // nothing is said of their size
        const std::string gpu = span.gpu != none ? m_draft.at(span.gpu).match.id
            : m_scenario.gpus.size() == 1        ? m_scenario.gpus.front()
                                                 : std::string();
        const int inBox = m_draft.vocabulary.gpusPerBox(gpu);
        constexpr double largest = 8; // in a server of cards, but for those that the catalogue knows larger
        if (inBox > 0 && span.boxSize > std::max<double>(inBox, largest)
            && span.boxSize * span.boxSize == span.value * inBox) {
            Assigned all = quantity; // "two nodes of H100 (16 GPUs)": they are those of both
            all.span.value = span.boxSize;
            all.span.boxSize = inBox;
            return count(all);
        }
        const Assigned* const groups = span.isPer(Group) ? m_draft.find("groups") : nullptr;
        const Assigned* const many = span.isPer(Replicas) ? m_draft.find("replicas") : groups;
        const double each = many != nullptr ? many->span.value : 1; // "4 replicas of 2 L40S each"
        if (many == nullptr && (span.isPer(Replicas) || span.isPer(Group)))
            return m_draft.problem(span, m_draft.tell("of how many?"),
                                   m_draft.tell("e.g. '4 replicas, 2 L40S each'"));
        if (groups != nullptr) // "two sites, one server of 8 H20 each"
            takeQuantity(m_draft, *groups);
        if (span.from)
            m_draft.assume(
                m_draft.tell("of {} to {} the most", countText(*span.from), countText(span.value)));
        const bool named = quantity.is("gpus") && namesBox(span, inBox);
        const bool within = boxes && span.gpu == none && isGpuCount(span.value)
            && (gpu.empty() || m_draft.find("gpus") != nullptr); // "4 H100 in one server"
        if (within) {
            m_scenario.mostBoxes = static_cast<int>(span.value);
            const Role& most = roleCalled("maxBoxes");
            m_draft.note(span, m_draft.tell(most.read, countText(span.value)));
        } else if (quantity.is("gpus") && !named) {
            m_counted.push_back({span.gpu == none ? std::string() : gpu, span.value * each, span});
        } else if (inBox > 0 && (named || boxes)) {
            m_counted.push_back({gpu, span.value * inBox * each, span});
            m_draft.assume(
                m_draft.tell("{} GPUs in each machine, as is usual for {}", inBox, m_draft.gpuName(gpu)));
        } else if (span.boxSize > 0) {
            m_draft.note(span, m_draft.tell("boxes of {}", countText(span.boxSize)));
        } else {
            m_draft.problem(span, m_draft.tell("how many GPUs are in each?"),
                            m_draft.tell("e.g. '2 servers of 8 H100'"));
        }
    }

    // "two GB200 NVL72", but "16 GB200 NVL72 GPUs": a machine is called after how many it holds.
    [[nodiscard]] bool namesBox(const Span& span, int inBox) const
    {
        const auto isCard = [&](std::size_t part) { return m_draft.at(part).is(Card); };
        return inBox > 1 && span.boxSize == 0 && span.gpu != none
            && m_draft.at(span.gpu).text.ends_with(std::to_string(inBox))
            && !m_draft.is(m_draft.next(span.last), Card) && std::ranges::none_of(span.parts, isCard);
    }

    // "8 H100 or 4 B200", "8 H100 and 4 B200, which is better"; not "2 H100 and 4 A100, rent or buy".
    [[nodiscard]] bool choosesMachines() const
    {
        return could("better", m_draft) || saysIn("one-or-other", m_draft, {0, m_counted.back().place.last});
    }

    // "8 H100 or H200", and the same number twice, is one number of either.
    void choose()
    {
        if (const auto& gpus = m_scenario.gpus; // "H100 or 2x A100": one of the first
            m_counted.size() == 1 && gpus.size() == 2 && m_counted.front().gpu == gpus.back()
            && m_draft.find("boxes") == nullptr && choosesMachines())
            m_counted.insert(m_counted.begin(), {gpus.front(), 1, m_named.front()});
        const auto otherNumber = [](const Counted& a, const Counted& b) { return a.count != b.count; };
        const bool several = m_counted.size() > 1 && m_counted.size() == m_scenario.gpus.size()
            && choosesMachines() && std::ranges::adjacent_find(m_counted, otherNumber) != m_counted.end();
        std::string all;
        for (const Counted& one : m_counted) {
            if (!several || !isGpuCount(one.count)) {
                takeCount(one); // says what is wrong with it
                continue;
            }
            m_scenario.gpuCounts.push_back(static_cast<int>(one.count));
            all += (all.empty() ? "" : ", ") + countText(one.count);
            m_draft.note(one.place,
                         m_draft.tell("a machine of {} {}", countText(one.count), m_draft.gpuName(one.gpu)));
        }
        if (several)
            m_draft.setSaid(m_draft.say("the number of GPUs"), all);
    }

    void takeCount(const Counted& counted)
    {
        if (!isGpuCount(counted.count))
            return m_draft.problem(counted.place,
                                   m_draft.tell("{} is no number of GPUs", countText(counted.count)),
                                   m_draft.tell("a whole number from 1"));
        if (m_countedGpu && *m_countedGpu != counted.gpu && m_scenario.gpuCount
            && *m_scenario.gpuCount != static_cast<int>(counted.count))
            return m_draft.problem(counted.place,
                                   m_draft.tell("a machine of two different kinds of GPUs is not planned"),
                                   m_draft.tell("ask for one of them, or for '2x H100 or 4x A100'"));
        if (!m_draft.once(m_draft.say("the number of GPUs"), countText(counted.count), counted.place))
            return;
        m_countedGpu = counted.gpu;
        m_scenario.gpuCount = static_cast<int>(counted.count);
        m_draft.note(counted.place,
                     m_draft.tell(counted.count == 1 ? "1 GPU in the service" : "{} GPUs in the service",
                                  countText(counted.count)));
    }

    Draft& m_draft;
    Scenario& m_scenario;
    std::vector<Counted> m_counted;   // types with numbers of their own
    std::vector<std::size_t> m_named; // accelerators
    std::size_t m_model = none;
    std::size_t m_engine = none;
    std::optional<std::string> m_countedGpu; // the accelerator that the number is of
};

} // namespace

void settleMachines(Draft& draft) { MachinesOf(draft).settle(); }

void addMaker(Draft& draft, std::size_t vendor, Place place, bool too)
{
    const auto ids = gpusOf(draft, vendor);
    auto& gpus = draft.question.scenario.gpus;
    const bool named = !gpus.empty();
    for (const std::string& id : ids) // "Huawei or H20": both
        if ((!named || too) && std::ranges::find(gpus, id) == gpus.end())
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
    if (gpus.empty())
        for (const std::string_view maker : makers)
            for (std::string& id : draft.vocabulary.gpusOfVendor(maker))
                gpus.push_back(std::move(id));
    std::erase_if(gpus, [&](const std::string& id) { return std::ranges::find(gone, id) != gone.end(); });
    if (gpus.empty())
        return draft.problem(place, draft.tell("what should be left out or compared was not understood"), {});
    draft.note(place,
               draft.tell("left out: {}",
                          item.kind == ItemKind::Gpu ? draft.gpuName(item.match.id) : draft.said(word)));
}

} // namespace headroom::ask
