#include "model/ask/rules.h"
#include "model/ask/settle.h"
#include "model/scenario/stated_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom::ask {

namespace {

using Size = std::optional<int> StatedLayout::*;

struct SplitWord {
    std::string_view meaning; // of words.tsv
    Size size;
};
constexpr std::array splitWords{SplitWord{"Tp", &StatedLayout::tp}, SplitWord{"Pp", &StatedLayout::pp},
                                SplitWord{"Ep", &StatedLayout::ep}, SplitWord{"Dp", &StatedLayout::dp},
                                SplitWord{"Replicas", &StatedLayout::replicas}};

Size sizeSaidBy(const Item& word)
{
    for (const SplitWord& one : splitWords)
        if (word.is(Lexicon::shipped().demanded(one.meaning)))
            return one.size;
    return nullptr;
}

int gpusOf(const StatedLayout& layout)
{
    int all = 1;
    for (const LayoutPart& part : layoutParts)
        all *= part.size == &StatedLayout::ep ? 1 : (layout.*(part.size)).value_or(1);
    return all;
}

// "TP8 PP2 or TP16", word by word.
class Listed {
public:
    // From a word that names a split, up to the end of what is looked at.
    Listed(const Draft& draft, std::size_t first, std::size_t end) : m_draft(draft), m_place(first)
    {
        // "8-way TP", "2x TP4": the number stands in front of the first.
        for (const std::string_view over : {"layout-way", "layout-times"})
            if (const std::size_t before = walked(first, over, none); wholeAt(before) > 0)
                m_place.first = before;
        std::size_t i = m_place.first;
        while (i < end && (readPart(i) || readBetween(i)))
            ;
        if (m_place.first > 0 && says("layout-against", draft, m_place.first - 1)) // "compare TP4 and TP8"
            --m_place.first;
    }

    [[nodiscard]] std::vector<StatedLayout> layouts() const
    {
        if (!m_splits || m_all.size() < 2)
            return {};
        // "PP1 or PP2 with TP8": of both, unless both are of as many GPUs as it is.
        const bool alike = std::all_of(m_all.begin(), m_all.end(), [&](const StatedLayout& one) {
            return gpusOf(one) == gpusOf(m_all.front());
        });
        std::vector<StatedLayout> all = m_all;
        for (const auto& [which, size] : m_shared)
            if (!alike
                && std::ranges::count_if(m_all, [&](const auto& one) { return (one.*size).has_value(); })
                    == 1)
                for (StatedLayout& one : all)
                    one.*size = m_all[which].*size;
        return all;
    }
    // "TP8 PP2": one alone.
    [[nodiscard]] std::optional<StatedLayout> one() const
    {
        return m_splits && m_all.size() == 1 ? std::optional(m_all.front()) : std::nullopt;
    }
    [[nodiscard]] bool hasSeveral() const { return m_all.size() > 1; }
    [[nodiscard]] Place place() const { return m_place; }

private:
    // From a word, over those that a stage fits.
    [[nodiscard]] std::size_t walked(std::size_t i, std::string_view over, std::size_t step) const
    {
        do
            i += step;
        while (i < m_draft.size() && says(over, m_draft, i));
        return i;
    }
    [[nodiscard]] int wholeAt(std::size_t i) const
    {
        constexpr double most = 4096;
        if (i >= m_draft.size() || !m_draft.isNumber(i))
            return 0;
        const double value = m_draft.at(i).value;
        return value >= 1 && value <= most && value == std::floor(value) ? static_cast<int>(value) : 0;
    }

    // "2x" before a part, "x2" behind one: so many replicas.
    bool readTimes(std::size_t& i)
    {
        const bool behind = !m_all.empty() && !m_against && says("layout-times", m_draft, i);
        const std::size_t number = behind ? i + 1 : i;
        const std::size_t after = walked(number, "layout-times", 1);
        const bool part = after < m_draft.size() && sizeSaidBy(m_draft.at(after)) != nullptr;
        if (wholeAt(number) == 0 || (behind ? part || after != number + 1 : !part || after == number + 1))
            return false;
        add(&StatedLayout::replicas, wholeAt(number), number);
        i = behind ? number + 1 : after;
        return true;
    }

    // "TP8", "TP = 8", "8-way TP", and "8" behind "TP4 or": false where none begins there.
    bool readPart(std::size_t& i)
    {
        if (readTimes(i))
            return true;
        if (const int size = wholeAt(i)) {
            const std::size_t way = walked(i, "layout-way", 1);
            if (way < m_draft.size() && sizeSaidBy(m_draft.at(way)) != nullptr && wholeAt(way + 1) == 0) {
                add(sizeSaidBy(m_draft.at(way)), size, way);
                i = way + 1;
                return true;
            }
            if (m_last == nullptr || !m_against || !says("layout-size", m_draft, i))
                return false;
            add(m_last, size, i++);
            return true;
        }
        const Size which = i < m_draft.size() && m_draft.isOpen(i) ? sizeSaidBy(m_draft.at(i)) : nullptr;
        const std::size_t number = walked(i, "layout-equals", 1);
        if (which == nullptr || which == &StatedLayout::replicas || wholeAt(number) == 0)
            return false;
        add(which, wholeAt(number), number);
        i = number + 1;
        return true;
    }

    bool readBetween(std::size_t& i)
    {
        const bool against = says("layout-against", m_draft, i);
        const bool with = says("layout-with", m_draft, i);
        if (m_all.empty() || (!against && !with && !says("layout-between", m_draft, i)))
            return false;
        m_against = m_against || against;
        m_with = m_with || with;
        if (with)
            m_shared.emplace_back(m_all.size() - 1, m_last);
        ++i;
        return true;
    }

    void add(Size which, int size, std::size_t at)
    {
        if (m_all.empty() || m_against || m_all.back().*which)
            m_all.emplace_back();
        m_all.back().*which = size;
        if (m_with)
            m_shared.emplace_back(m_all.size() - 1, which);
        m_splits = m_splits || which != &StatedLayout::replicas;
        m_against = m_with = false;
        m_last = which;
        m_place.last = at;
    }

    const Draft& m_draft;
    Place m_place;
    std::vector<StatedLayout> m_all;
    std::vector<std::pair<std::size_t, Size>> m_shared; // said with "with", of which layout
    Size m_last = nullptr;
    bool m_against = false; // since the last part
    bool m_with = false;
    bool m_splits = false; // not replicas alone
};

// Sets them, and tells it.
void weigh(Draft& draft, const std::vector<StatedLayout>& layouts, Place place)
{
    std::string titles;
    for (const StatedLayout& layout : layouts)
        titles += (titles.empty() ? "" : "; ") + titleOf(layout);
    Scenario& s = draft.question.scenario;
    s.layouts = layouts;
    for (const LayoutPart& part : layoutParts) // of the scenario at hand
        for (const StatedLayout& layout : layouts)
            if (layout.*(part.size))
                s.*(part.key) = std::nullopt;
    draft.note(place, draft.tell("layouts to weigh: {}", titles));
}

// One of the machines among which is chosen, as far as the words between "or" go.
struct Side {
    Place part; // behind it the last
    std::size_t gpu = none;
    std::optional<StatedLayout> layout = {};
    Place place;                       // of the layout
    std::optional<double> number = {}; // the first besides

    [[nodiscard]] bool isLayoutLast() const { return place.first > gpu; }
};

// "2 boxes of 8 H200 with TP8 PP2 or one GB200 NVL72": nothing where it is no choice of machines, or where a
// side has more than one machine or layout.
std::vector<Side> sidesOf(const Draft& draft)
{
    std::vector<Side> sides;
    for (std::size_t begin = 0; begin < draft.size();) {
        std::size_t end = begin;
        while (end < draft.size() && !says("machine-against", draft, end))
            ++end;
        Side side{.part = {begin, end}, .place = {end, end}};
        std::size_t named = 0;
        for (std::size_t i = begin; i < end; ++i) {
            if (draft.isName(i, ItemKind::Gpu)) {
                side.gpu = i;
                ++named;
            } else if (!side.layout && draft.isOpen(i) && sizeSaidBy(draft.at(i)) != nullptr) {
                const Listed listed(draft, i, end);
                if (listed.hasSeveral())
                    return {};
                if (listed.one()) {
                    side.layout = listed.one();
                    side.place = {std::max(listed.place().first, begin), listed.place().last};
                    i = side.place.last;
                }
            }
        }
        for (std::size_t i = begin; i < end && !side.number; ++i)
            if (draft.isNumber(i) && (!side.layout || i < side.place.first || i > side.place.last))
                side.number = draft.at(i).value;
        if (named > 1 || (named == 0 && side.layout))
            return {};
        if (named == 1)
            sides.push_back(side);
        begin = end + 1;
    }
    return sides;
}

// Whether the layouts are of their own sides, and not one that all share: "8 H100 or 8 H200 with TP4".
bool areOwn(const Draft& draft, const std::vector<Side>& sides)
{
    const auto stated
        = std::ranges::count_if(sides, [](const Side& side) { return side.layout.has_value(); });
    if (sides.size() < 2 || stated != 1)
        return sides.size() > 1 && stated > 1;
    const Side& one = *std::ranges::find_if(sides, [](const Side& side) { return side.layout.has_value(); });
    if (&one != &sides.back() && one.isLayoutLast())
        return true;
    const Place between
        = one.isLayoutLast() ? Place(one.gpu, one.place.first) : Place(one.place.last, one.gpu);
    return !draft.any(between, [&](std::size_t i) { return draft.at(i).is(Meaning::Comma); })
        && std::ranges::any_of(sides, [&](const Side& side) {
               return side.number && one.number && *side.number != *one.number;
           });
}

bool readOwnLayouts(Draft& draft)
{
    const std::vector<Side> sides = sidesOf(draft);
    if (!areOwn(draft, sides))
        return false;
    for (const Side& side : sides) {
        const std::string& gpu = draft.at(side.gpu).match.id;
        draft.ownLayouts.push_back({gpu, side.layout.value_or(StatedLayout{}), side.place});
        if (!side.layout)
            continue;
        for (std::size_t i = side.place.first; i <= side.place.last; ++i)
            draft.take(i);
        draft.note(side.place,
                   draft.tell("layout of {}: {}", draft.vocabulary.gpuName(gpu), titleOf(*side.layout)));
    }
    Scenario& s = draft.question.scenario; // of the scenario at hand
    s.layouts.clear();
    for (const LayoutPart& part : layoutParts)
        s.*(part.key) = std::nullopt;
    return true;
}

} // namespace

bool readLayouts(Draft& draft, std::size_t word)
{
    if (!draft.ownLayouts.empty() || readOwnLayouts(draft))
        return true;
    const Listed listed(draft, word, draft.size());
    const std::vector<StatedLayout> layouts = listed.layouts();
    if (layouts.empty())
        return false;
    const Place place = listed.place();
    for (std::size_t i = place.first; i <= place.last; ++i)
        draft.take(i);
    weigh(draft, layouts, place);
    return true;
}

void settleOwnLayouts(Draft& draft)
{
    const std::vector<OwnLayout>& own = draft.ownLayouts;
    if (own.empty())
        return;
    Scenario& s = draft.question.scenario;
    const Place place{own.front().place.first, own.front().place.last};
    const auto isOf
        = [](const std::string& gpu) { return [&gpu](const OwnLayout& one) { return one.gpu == gpu; }; };
    const bool alike = std::ranges::all_of(own, isOf(own.front().gpu));
    if (s.gpus.size() == 1 && alike) { // "8 H200 in TP8 or 8 H200 in TP4"
        for (const OwnLayout& one : own)
            s.layouts.push_back(one.layout);
        return;
    }
    const bool inOrder = std::ranges::equal(s.gpus, own, {}, {}, &OwnLayout::gpu);
    for (std::size_t i = 0; i < s.gpus.size(); ++i) {
        const auto found = inOrder ? own.begin() + static_cast<std::ptrdiff_t>(i)
                                   : std::ranges::find_if(own, isOf(s.gpus[i]));
        s.gpuLayouts.push_back(found == own.end() ? StatedLayout{} : found->layout);
    }
    const bool all = std::ranges::all_of(own, [&](const OwnLayout& one) {
        return std::ranges::count_if(own, isOf(one.gpu)) == 1
            && std::ranges::find(s.gpus, one.gpu) != s.gpus.end();
    });
    if (!all && !inOrder)
        draft.problem(place, draft.tell("a layout of which machine?"),
                      draft.tell("ask for each machine alone"));
}

void weighSplits(Draft& draft, Place place)
{
    const Scenario& s = draft.question.scenario;
    const int all = s.gpuCount.value_or(1);
    const int usual = s.gpus.empty() ? 0 : draft.vocabulary.gpusPerBox(s.gpus.front());
    const int box = s.gpusPerBox.value_or(usual > 0 ? usual : all);
    const bool several = all > box && all % box == 0;
    weigh(draft, {{.tp = all}, several ? StatedLayout{.tp = box, .pp = all / box} : StatedLayout{.pp = all}},
          place);
}

} // namespace headroom::ask
