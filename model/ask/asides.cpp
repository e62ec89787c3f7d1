#include "model/ask/settle.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>

namespace headroom::ask {

using enum Meaning;

namespace {

struct Part {
    std::string_view kind;
    std::size_t first = 0; // of the items
    std::size_t end = 0;

    // What no plan depends on, whatever stands elsewhere.
    [[nodiscard]] bool isBeside() const { return kind == "Beside" || kind == "Duty"; }
    [[nodiscard]] bool has(std::size_t i) const { return i >= first && i < end; }
};

class Asides {
public:
    explicit Asides(Draft& draft) : m_draft(draft), m_marks(draft.size())
    {
        const std::vector<Atom> atoms = atomsOf(draft.question.text);
        std::size_t item = 0;
        for (std::size_t i = 0; i < atoms.size();) {
            const auto match = phrases().longest(atoms, i);
            while (item < draft.size() && draft.at(item).end <= atoms[i].begin)
                ++item;
            if (match && item < draft.size())
                m_marks[item].insert(match.word->meaning);
            i += match ? match.atoms : 1;
        }
    }

    void put()
    {
        split();
        for (std::size_t p = m_parts.size(); p-- > 0;) {
            const Part& part = m_parts[p];
            Said own;
            for (std::size_t i = part.first; i < part.end; ++i)
                addTo(own, i);
            const Said others = rest(part);
            if (part.isBeside() ? saysNothing(part, own, others) : saysElsewhere(part, own, others))
                remove(part, others);
        }
    }

private:
    [[nodiscard]] const Item& at(std::size_t i) const { return m_draft.at(i); }
    [[nodiscard]] bool asks(std::size_t i) const { return says("asks-something", m_draft, i); }
    [[nodiscard]] static const Lexicon& phrases()
    {
        static const Lexicon lexicon("asides", asidesTable());
        return lexicon;
    }
    [[nodiscard]] bool marked(std::size_t i, std::string_view kind) const
    {
        return !m_marks[i].empty() && m_marks[i].contains(phrases().meaningOf(kind));
    }

    void split()
    {
        std::size_t clause = 0; // where the words behind the last comma begin
        bool wished = false;    // since then
        std::optional<Part> open;
        std::string_view last; // the kind of the sentence before
        bool begins = true;    // of a sentence
        const auto close = [&](std::size_t end) {
            if (open && end > open->first)
                m_parts.push_back({open->kind, open->first, end});
            open.reset();
        };
        for (std::size_t i = 0; i < m_draft.size(); ++i) {
            if (at(i).is(Comma)) {
                if (open && (at(i).endsSentence() || open->isBeside())) {
                    last = open->kind;
                    close(i);
                }
                begins = at(i).endsSentence();
                clause = i + 1;
                wished = false;
                continue;
            }
            const bool wish = marked(i, "Wish") || asks(i);
            if (open && wish && !open->isBeside())
                if (const std::size_t end = turnOf(*open, i, clause); end != none)
                    close(end);
            wished = wished || wish;
            if (open && open->kind == "Quoted" && i == clause && marked(i, "Own"))
                close(i);
            if (!open && begins && !last.empty() && marked(i, "GoesOn"))
                open = Part{last, i, i};
            for (const std::string_view kind : {"Quoted", "Duty", "Beside", "Then", "Now"})
                if (marked(i, kind) && (!open || kind == "Beside"))
                    open = Part{kind, wished ? i : clause, i};
            begins = begins && at(i).is(Filler) && !open;
        }
        close(m_draft.size());
    }

    // Where a part ends in which a word of wishing stands: at the word that turns to it, or at its clause.
    [[nodiscard]] std::size_t turnOf(const Part& open, std::size_t wish, std::size_t clause) const
    {
        std::size_t turn = wish;
        while (turn > open.first && turn + 4 > wish && !says("turns", m_draft, turn))
            --turn;
        return turn > open.first && says("turns", m_draft, turn) ? turn
            : clause > open.first                                ? clause
            : open.kind == "Quoted"                              ? none
                                                                 : wish;
    }

    // What is said of each kind.
    struct Said {
        std::set<std::string> gpus;
        std::set<std::string> models;
        std::set<std::string_view> counted; // what its numbers count
        bool number = false;                // any
        bool gpuCount = false;              // one of accelerators
        bool gpusAsked = false;             // how many
        [[nodiscard]] bool load() const { return counted.contains("User") || counted.contains("Request"); }
    };

    // The unit of a number, behind it or, of users at once, in front.
    [[nodiscard]] std::string_view counts(std::size_t number) const
    {
        constexpr double volume = 1e7; // more than one request has
        const Match match = ruleAt("aside-number", m_draft, number);
        const std::size_t unit = match.at('u');
        const std::string_view of = unit != none ? std::string_view(at(unit).note)
            : match                              ? match.rule->effects.front().value()
                                                 : std::string_view{};
        return unit != none && of == "Token" && at(number).value >= volume ? "Volume"
            : of == "People"                                               ? "User"
            : of == "RequestRate"                                          ? "Request"
                                                                           : of;
    }

    void addTo(Said& said, std::size_t i) const
    {
        const Item& item = at(i);
        if (item.kind == ItemKind::Gpu) {
            said.gpus.insert(item.match.id);
            said.gpuCount = said.gpuCount || (i > 0 && at(i - 1).isNumber());
        }
        said.gpusAsked = said.gpusAsked || says("asks-gpus", m_draft, i);
        if (item.kind == ItemKind::Model)
            said.models.insert(item.match.id);
        said.number = said.number || item.isNumber();
        if (item.isNumber() && !counts(i).empty())
            said.counted.insert(counts(i));
    }

    // What all says that is not put aside, or, of what was then, that is now.
    [[nodiscard]] Said rest(const Part& part) const
    {
        Said said;
        for (std::size_t i = 0; i < m_draft.size(); ++i)
            if (std::ranges::none_of(m_parts, [&](const Part& p) {
                    return p.has(i) && (part.kind != "Then" || p.kind != "Now");
                }))
                addTo(said, i);
        return said;
    }

    // Whether something comes on top of what is said of now.
    [[nodiscard]] bool isAddedTo() const
    {
        return m_draft.any({0, m_marks.size()}, [&](std::size_t i) {
            return marked(i, "More") && i + 1 < m_draft.size() && at(i + 1).text != "than" && !asks(i)
                && (i == 0 || !asks(i - 1)); // "how many more GPUs"
        });
    }

    // Whether neither a load nor a name stands there that the question has not elsewhere.
    [[nodiscard]] static bool saysNothing(const Part& part, const Said& own, const Said& others)
    {
        return (own.number || !own.models.empty()) && own.gpus.empty()
            && (own.models.empty() || !others.models.empty()) && (part.kind == "Duty" || !own.load());
    }

    // Whether the question says otherwise what this part says of another system or another time.
    [[nodiscard]] bool saysElsewhere(const Part& part, const Said& own, const Said& others) const
    {
        const auto meet = [](const auto& a, const auto& b) {
            return std::ranges::any_of(a, [&](const auto& one) { return b.contains(one); });
        };
        constexpr std::array<std::string_view, 5> contests{"User", "Request", "TokenRate", "Volume", "Time"};
        const bool otherGpu = !own.gpus.empty() && !others.gpus.empty() && !meet(own.gpus, others.gpus);
        const bool contested = meet(contests, own.counted) && meet(own.counted, others.counted);
        if (part.kind == "Now" && contested && isAddedTo()) // "25 users now, 40 users more next year"
            return false;
        return otherGpu || contested || (part.kind == "Quoted" && others.load())
            || (own.gpuCount && others.gpusAsked); // "8 H100 now; how many H100 for 200 users?"
    }

    // What of a part stays, by item: what the question says nowhere else.
    [[nodiscard]] std::vector<bool> keptOf(const Part& part, const Said& others) const
    {
        std::vector<bool> kept(m_draft.size(), false);
        const bool same = m_draft.any({0, m_marks.size()}, [&](std::size_t i) { return marked(i, "Same"); });
        for (std::size_t i = part.first; i < part.end && !part.isBeside(); ++i) {
            const Item& item = at(i);
            const std::string_view of = item.isNumber() ? counts(i) : std::string_view{};
            const bool load = of == "User" || of == "Request";
            if (((item.kind == ItemKind::Model || item.kind == ItemKind::Type) && others.models.empty())
                || (item.kind == ItemKind::Gpu && others.gpus.empty()))
                kept[i] = true;
            else if (part.kind != "Quoted"
                     && ((load && !others.load()) || of == "Token" || (of == "TokenRate" && same)))
                keepNumber(part, i, kept);
        }
        return kept;
    }

    // A number stays with what it counts and with the word that leads it.
    void keepNumber(const Part& part, std::size_t number, std::vector<bool>& kept) const
    {
        const auto ends = [&](std::size_t i) { return says("aside-ends", m_draft, i); };
        std::size_t last = number + 1;
        while (last < part.end && !ends(last))
            ++last;
        std::size_t first = number;
        while (first > part.first && at(first - 1).is(Filler))
            --first;
        const bool leads = first > part.first && !ends(first - 1)
            && (at(first - 1).note.empty() || at(first - 1).is(Concurrent)); // "prompts of 4k"
        for (std::size_t i = leads ? first - 1 : number; i < last; ++i)
            kept[i] = true;
    }

    void remove(const Part& part, const Said& others)
    {
        const std::vector<bool> kept = keptOf(part, others);
        const std::string_view why = part.isBeside()
            ? "not used: the plan does not depend on it"
            : "not used: it describes another system or another time";
        for (std::size_t end = part.end; end > part.first; --end) {
            std::size_t first = end;
            while (first > part.first && !kept[first - 1])
                --first;
            if (first == end)
                continue;
            if (m_draft.any({first, end}, [&](std::size_t i) { return !at(i).is(Filler, Comma); }))
                m_draft.unused({first, end - 1}, m_draft.tell(why));
            m_draft.become({first, end - 1}, {.kind = ItemKind::Word, .meaning = Comma, .text = "."});
            end = first + 1;
        }
    }

    Draft& m_draft;
    std::vector<std::set<Meaning>> m_marks; // by item
    std::vector<Part> m_parts;
};

} // namespace

void putAside(Draft& draft) { Asides(draft).put(); }

} // namespace headroom::ask
