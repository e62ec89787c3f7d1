#include "model/ask/rules.h"

#include <algorithm>
#include <utility>

namespace headroom::ask {

namespace {

// A word, a number or a type, as the row says; false where it is none.
bool become(Item& one, const Setting& effect, const Draft& draft, const Match& match)
{
    const std::string_view said = effect.value();
    if (effect.what == "number") { // "a", "a/b"
        const auto [of, by] = cutAt(said, '/');
        one.kind = ItemKind::Number;
        one.value = numberCalled(of, draft, match) / (by.empty() ? 1 : numberCalled(by, draft, match));
        one.written = one.value;
    } else if (effect.what == "tenths") { // of a number, or of a unit that it stands behind
        (one.isNumber() ? one.value : one.written) += numberCalled(said, draft, match) / 10;
    } else if (effect.what == "share") {
        one.share = true;
        return one.value < 1;
    } else if (effect.what == "same") {
        return one.value == numberCalled(said, draft, match);
    } else if (effect.what == "bits") {
        one.kind = ItemKind::Type;
        one.bits = one.value;
        one.type = one.bits == 4 ? DType::Int4 : one.bits == 8 ? DType::Int8 : DType::Bf16;
        return one.bits == 4 || one.bits == 8 || one.bits == 16;
    } else if (effect.what == "unknown") {
        one.kind = ItemKind::Unknown;
    } else if (effect.what == "word") {
        one.kind = ItemKind::Word;
        one.meaning = Lexicon::shipped().meaningOf(said);
        one.note = effect.value(1);
        one.text = one.is(Meaning::Comma) ? ";" : one.text;
    }
    return true;
}

} // namespace

void readAsOne(Draft& draft)
{
    for (std::size_t i = 0; i < draft.size(); ++i) {
        Match match = ruleAt("as-one", draft, i);
        if (!match)
            continue;
        match.taken.push_back(i);
        const auto [first, last] = std::ranges::minmax_element(match.taken);
        Item one = draft.at(*first);
        if (std::ranges::all_of(match.rule->effects,
                                [&](const Setting& effect) { return become(one, effect, draft, match); }))
            draft.become({*first, *last}, std::move(one));
    }
}

} // namespace headroom::ask
