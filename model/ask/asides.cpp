#include "model/ask/settle.h"

#include <algorithm>
#include <optional>
#include <ranges>

namespace headroom::ask {

using enum Meaning;

// Its unit, behind it or, of users at once, in front.
std::string_view countedBy(const Draft& draft, std::size_t number)
{
    const Match match = ruleAt("aside-number", draft, number);
    const std::size_t unit = match.at('u');
    return unit != none ? std::string_view(draft.at(unit).note)
        : match         ? match.rule->effects.front().value()
                        : std::string_view{};
}

namespace {

// What the rules of a stage say at a word, beside a part that may be put aside.
Match ruleBeside(Draft& draft, const Aside* part, std::string_view stage, std::size_t word)
{
    draft.aside = part;
    Match match = ruleAt(stage, draft, word);
    draft.aside = nullptr;
    return match;
}

struct Asides {
    Draft& draft;
    std::vector<Aside> parts = {};

    void mark() const
    {
        draft.leads.resize(draft.size());
        const Atoms atoms(draft.question.text);
        for (std::size_t i = 0, item = 0; i < atoms.size();) {
            const auto match = Lexicon::asides().longest(atoms, i);
            while (item < draft.size() && draft.at(item).end <= atoms[i].begin)
                ++item;
            if (match && item < draft.size())
                draft.leads[item].insert(match.word->meaning);
            i += match ? match.atoms : 1;
        }
    }

    void put()
    {
        mark();
        split();
        for (Aside& part : parts | std::views::reverse) {
            for (std::size_t i = 0; i < draft.size(); ++i) // of what was then a part of now is outside
                part.outside.push_back(std::ranges::none_of(parts, [&](const Aside& p) {
                    return i >= p.first && i < p.end && (part.kind != "Then" || p.kind != "Now");
                }));
            if (const Match match = ruleBeside(draft, &part, "aside-goes", part.first))
                remove(part, match.rule->effects.front().value());
        }
    }

    // The rules say at which words a part ends and begins, and from where it goes.
    void split()
    {
        std::optional<Aside> open;
        const auto close = [&](std::size_t end) {
            if (open && end > open->first) {
                parts.push_back({open->kind, open->first, end});
                if (draft.is(end, Comma)) // the sentence was of it to the end
                    draft.known["asides"] = 1;
            }
            open.reset();
        };
        for (std::size_t i = 0; i < draft.size(); ++i) {
            if (open)
                if (const Match ends = ruleBeside(draft, &*open, "aside-ends", i))
                    close(ends.takenWith(i).first);
            const Aside* const before = open ? &*open : nullptr;
            if (const Match begins = ruleBeside(draft, before, "aside-begins", i)) {
                const std::string_view kind = begins.rule->effects.front().value();
                const std::size_t from = ruleBeside(draft, before, "aside-from", i).takenWith(i).first;
                open = Aside{kind == "GoesOn" ? parts.back().kind : kind, from, i};
            }
        }
        close(draft.size());
    }

    // All of a part goes but what the question says nowhere else.
    void remove(const Aside& part, std::string_view why)
    {
        std::vector<bool> kept(draft.size(), false);
        for (std::size_t i = part.first; i < part.end; ++i)
            if (const Match match = ruleBeside(draft, &part, "aside-keeps", i)) {
                const Place place = match.takenWith(i);
                for (std::size_t stays = place.first; stays <= place.last; ++stays)
                    kept[stays] = true;
            }
        for (std::size_t end = part.end; end > part.first; --end) {
            std::size_t first = end;
            while (first > part.first && !kept[first - 1])
                --first;
            if (first == end)
                continue;
            if (draft.any({first, end}, [&](std::size_t i) { return !draft.at(i).is(Filler, Comma); }))
                draft.unused({first, end - 1}, draft.tell(why));
            draft.become({first, end - 1}, {.kind = ItemKind::Word, .meaning = Comma, .text = "."});
            end = first + 1;
        }
    }
};

} // namespace

void putAside(Draft& draft) { Asides{draft}.put(); }

// Whole sentences that name nothing, ask nothing and have no number that a plan is made of: "Backups are kept
// for 90 days." Their words say nothing of the question either.
void settleApart(Draft& draft)
{
    const auto joined = [&](std::size_t i) { return i < draft.size() && draft.at(i).text == ";"; };
    for (std::size_t first = 0, end = 0; could("model-there", draft) && first < draft.size();
         first = end + 1) {
        end = draft.partOf(first, [](const Item& item) { return item.endsSentence(); }).last;
        const Aside sentence{.first = first, .end = end};
        const bool whole = end > first && !joined(end) && !joined(first - 1);
        const Match match = whole ? ruleBeside(draft, &sentence, "apart", first) : Match{};
        if (!match)
            continue;
        for (std::size_t i = first; i < end; ++i) {
            draft.take(i);
            if (Assigned* const number = draft.own(draft.ofNumber(i)))
                number->role = nullptr;
        }
        (void)obey(match, draft, first, {first, end - 1});
    }
}

} // namespace headroom::ask
