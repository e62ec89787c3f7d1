#include "model/words/asides.h"

#include "model/words/tables.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace headroom::ask {

using enum Meaning;

namespace {

struct Part {
    std::string_view kind;
    std::size_t first = 0; // of the items
    std::size_t end = 0;
};

bool isBeside(std::string_view kind) { return kind == "Beside" || kind == "Duty"; }

bool turns(const Item& item)
{
    constexpr std::array<std::string_view, 8> words{"and", "but", "so", "we", "i", "而", "但", "所以"};
    return std::find(words.begin(), words.end(), item.text) != words.end();
}

class Asides {
public:
    Asides(std::string_view question, std::vector<Item>& items) : m_items(items), m_marks(items.size())
    {
        static const Lexicon lexicon("asides", asidesTable());
        constexpr std::array<std::string_view, 10> kinds{"Own",    "Duty", "Now",    "Then", "Quoted",
                                                         "Beside", "Wish", "GoesOn", "Same", "More"};
        const std::vector<Atom> atoms = atomsOf(question);
        std::size_t item = 0;
        for (std::size_t i = 0; i < atoms.size();) {
            const auto match = lexicon.longest(atoms, i);
            while (item < items.size() && items[item].end <= atoms[i].begin)
                ++item;
            if (match && item < items.size())
                for (const std::string_view kind : kinds)
                    if (lexicon.meaningOf(kind) == match->word->meaning)
                        m_marks[item].insert(kind);
            i += match ? match->atoms : 1;
        }
    }

    std::vector<Aside> put()
    {
        split();
        std::vector<Aside> told;
        for (std::size_t p = m_parts.size(); p-- > 0;)
            if (const std::vector<bool> out = leftOut(m_parts[p]); !out.empty())
                remove(m_parts[p], out, told);
        std::reverse(told.begin(), told.end());
        return told;
    }

private:
    [[nodiscard]] bool marked(std::size_t i, std::string_view kind) const
    {
        return m_marks[i].contains(kind);
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
        for (std::size_t i = 0; i < m_items.size(); ++i) {
            if (m_items[i].is(Comma)) {
                if (open && (m_items[i].endsSentence() || isBeside(open->kind))) {
                    last = open->kind;
                    close(i);
                }
                begins = m_items[i].endsSentence();
                clause = i + 1;
                wished = false;
                continue;
            }
            const bool wish = marked(i, "Wish") || m_items[i].asks();
            if (open && wish && !isBeside(open->kind)) {
                std::size_t turn = i;
                while (turn > open->first && turn + 4 > i && !turns(m_items[turn]))
                    --turn;
                const std::size_t end = turns(m_items[turn]) && turn > open->first ? turn
                    : clause > open->first                                         ? clause
                    : open->kind == "Quoted"                                       ? none
                                                                                   : i;
                if (end != none)
                    close(end);
            }
            wished = wished || wish;
            if (open && open->kind == "Quoted" && i == clause && marked(i, "Own"))
                close(i);
            if (!open && begins && !last.empty() && marked(i, "GoesOn"))
                open = Part{last, i, i};
            for (const std::string_view kind : {"Quoted", "Duty", "Beside", "Then", "Now"})
                if (marked(i, kind) && (!open || kind == "Beside"))
                    open = Part{kind, wished ? i : clause, i};
            begins = begins && m_items[i].is(Filler) && !open;
        }
        close(m_items.size());
    }

    // What is said of each kind.
    struct Said {
        std::set<std::string> gpus;
        std::set<std::string> models;
        std::set<std::string> counted; // what its numbers count, as the units note it
        bool gpuCount = false;         // a number of accelerators
        bool gpusAsked = false;        // how many
        [[nodiscard]] bool load() const { return counted.contains("User") || counted.contains("Request"); }
    };

    // The unit of a number, behind it or, of users at once, in front.
    [[nodiscard]] std::string counts(std::size_t number) const
    {
        std::size_t unit = number + 1;
        while (unit < m_items.size() && m_items[unit].is(Filler))
            ++unit;
        const auto atOnce = [&](std::size_t i) { return m_items[i].is(Concurrent) || m_items[i].is(Moment); };
        std::size_t before = number;
        while (before > 1 && m_items[before - 1].is(Filler))
            --before;
        if (unit < m_items.size() && atOnce(unit))
            return "User";
        const auto length = [&](std::size_t i) { // "700 in, 90 out", "2k/500"
            const Item& item = m_items[i];
            return item.is(In) || item.is(Out);
        };
        const auto slash = [&](std::size_t sign, std::size_t other) {
            return other < m_items.size() && m_items[sign].text == "/" && m_items[other].isNumber();
        };
        if ((unit < m_items.size() && length(unit))
            || (before > 0 && before + 2 > number && length(before - 1)) || slash(number + 1, number + 2)
            || (number > 1 && slash(number - 1, number - 2)))
            return "Token";
        std::string of = unit < m_items.size() ? m_items[unit].note : std::string();
        if (before > 0 && of.empty() && !(before > 1 && m_items[before - 2].isNumber())) // "QPS 20"
            of = m_items[before - 1].note;
        constexpr double volume = 1e7; // more than one request has
        if (of == "Token" && m_items[number].value >= volume)
            return "Volume";
        return of == "People" ? "User" : of == "RequestRate" ? "Request" : of;
    }

    void addTo(Said& said, std::size_t i) const
    {
        const Item& item = m_items[i];
        if (item.kind == ItemKind::Gpu) {
            said.gpus.insert(item.match.id);
            said.gpuCount = said.gpuCount || (i > 0 && m_items[i - 1].isNumber());
        }
        if (item.is(HowMany) && i + 1 < m_items.size())
            said.gpusAsked = said.gpusAsked || m_items[i + 1].kind == ItemKind::Gpu || m_items[i + 1].is(Card)
                || m_items[i + 1].is(Box);
        if (item.kind == ItemKind::Model)
            said.models.insert(item.match.id);
        if (item.isNumber())
            said.counted.insert(counts(i));
    }

    // What all says that is not put aside, or, of what was then, that is now.
    [[nodiscard]] Said rest(const Part& part) const
    {
        Said said;
        for (std::size_t i = 0; i < m_items.size(); ++i)
            if (std::none_of(m_parts.begin(), m_parts.end(), [&](const Part& p) {
                    return i >= p.first && i < p.end && (part.kind != "Then" || p.kind != "Now");
                }))
                addTo(said, i);
        said.counted.erase("");
        return said;
    }

    // Whether something comes on top of what is said of now.
    [[nodiscard]] bool isAddedTo() const
    {
        const auto asks
            = [&](std::size_t i) { return m_items[i].asks() || (i > 0 && m_items[i - 1].asks()); };
        for (std::size_t i = 0; i + 1 < m_items.size(); ++i)
            if (marked(i, "More") && m_items[i + 1].text != "than" && !asks(i)) // "how many more GPUs"
                return true;
        return false;
    }

    // Which items of the part are left out; nothing where it stays.
    [[nodiscard]] std::vector<bool> leftOut(const Part& part) const
    {
        Said own;
        bool number = false;
        for (std::size_t i = part.first; i < part.end; ++i) {
            addTo(own, i);
            number = number || m_items[i].isNumber();
        }
        std::vector<bool> out(part.end - part.first, true);
        const Said others = rest(part);
        if (isBeside(part.kind)) {
            const bool model = !own.models.empty() && others.models.empty();
            return (number || !own.models.empty()) && own.gpus.empty() && !model
                    && (part.kind == "Duty" || !own.load())
                ? out
                : std::vector<bool>{};
        }
        const auto meet = [](const auto& a, const auto& b) {
            return std::any_of(a.begin(), a.end(), [&](const auto& one) { return b.contains(one); });
        };
        const bool quoted = part.kind == "Quoted";
        const bool otherGpu = !own.gpus.empty() && !others.gpus.empty() && !meet(own.gpus, others.gpus);
        const bool contested
            = meet(own.counted,
                   std::set<std::string>{"User", "Request", "TokenRate", "Batch", "Volume", "Time"})
            && meet(own.counted, others.counted);
        const bool countsAsked
            = own.gpuCount && others.gpusAsked;             // "8 H100 now; how many H100 for 200 users?"
        if (part.kind == "Now" && contested && isAddedTo()) // "25 users now, 40 users more next year"
            return {};
        if (!otherGpu && !contested && !countsAsked && !(quoted && others.load()))
            return {};
        const bool same = std::any_of(m_marks.begin(), m_marks.end(),
                                      [](const auto& marks) { return marks.contains("Same"); });
        for (std::size_t i = part.first; i < part.end; ++i) {
            const Item& item = m_items[i];
            const std::string of = item.isNumber() ? counts(i) : std::string();
            const bool load = of == "User" || of == "Request";
            if (((item.kind == ItemKind::Model || item.kind == ItemKind::Type) && others.models.empty())
                || (item.kind == ItemKind::Gpu && others.gpus.empty()))
                out[i - part.first] = false;
            else if (!quoted && ((load && !others.load()) || of == "Token" || (of == "TokenRate" && same)))
                keepNumber(part, i, out);
        }
        return out;
    }

    // A number stays with what it counts and with the word that leads it.
    void keepNumber(const Part& part, std::size_t number, std::vector<bool>& out) const
    {
        const auto ends = [&](std::size_t i) {
            return m_items[i].isNumber() || m_items[i].is(Comma) || m_items[i].isName();
        };
        out[number - part.first] = false;
        for (std::size_t i = number + 1; i < part.end && !ends(i); ++i)
            out[i - part.first] = false;
        std::size_t word = number;
        while (word > part.first && m_items[word - 1].is(Filler))
            --word;
        if (word-- > part.first && !ends(word)
            && (m_items[word].note.empty() || m_items[word].is(Concurrent))) // "prompts of 4k"
            for (std::size_t i = word; i < number; ++i)
                out[i - part.first] = false;
    }

    void remove(const Part& part, const std::vector<bool>& out, std::vector<Aside>& told)
    {
        const std::string_view why = isBeside(part.kind)
            ? "not used: the plan does not depend on it"
            : "not used: it describes another system or another time";
        for (std::size_t end = part.end; end > part.first;) {
            if (!out[end - 1 - part.first]) {
                --end;
                continue;
            }
            std::size_t first = end;
            while (first > part.first && out[first - 1 - part.first])
                --first;
            if (std::any_of(m_items.begin() + static_cast<std::ptrdiff_t>(first),
                            m_items.begin() + static_cast<std::ptrdiff_t>(end),
                            [](const Item& item) { return !item.is(Filler) && !item.is(Comma); }))
                told.push_back({m_items[first].begin, m_items[end - 1].end, why});
            const Item gap{.kind = ItemKind::Word,
                           .meaning = Comma,
                           .text = ".",
                           .begin = m_items[first].begin,
                           .end = m_items[end - 1].end};
            m_items.erase(m_items.begin() + static_cast<std::ptrdiff_t>(first),
                          m_items.begin() + static_cast<std::ptrdiff_t>(end));
            m_items.insert(m_items.begin() + static_cast<std::ptrdiff_t>(first), gap);
            end = first;
        }
    }

    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::vector<Item>& m_items;
    std::vector<std::set<std::string_view>> m_marks; // by item
    std::vector<Part> m_parts;
};

} // namespace

std::vector<Aside> putAside(std::string_view question, std::vector<Item>& items)
{
    return Asides(question, items).put();
}

} // namespace headroom::ask
