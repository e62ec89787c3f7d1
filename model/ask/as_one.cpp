#include "model/ask/rules.h"

#include <algorithm>
#include <utility>

namespace headroom::ask {

namespace {

// A word, a number or a type, as the row says; false where it is none.
bool become(Item& one, const Rule::Effect& effect, const Draft& draft, const Matched& matched)
{
    const std::string_view said = effect.values.empty() ? std::string_view() : effect.values.front();
    if (effect.what == "number") { // "a", "a/b"
        const auto [of, by] = cutAt(said, '/');
        one.kind = ItemKind::Number;
        one.value = numberCalled(of, draft, matched) / (by.empty() ? 1 : numberCalled(by, draft, matched));
        one.written = one.value;
    } else if (effect.what == "share") {
        one.share = true;
        return one.value < 1;
    } else if (effect.what == "same") {
        return one.value == numberCalled(said, draft, matched);
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
        one.note = dimensionOf(said) ? said : std::string_view();
    }
    return true;
}

} // namespace

std::vector<Item> asOne(std::string_view text, std::vector<Item> items, const Vocabulary& vocabulary,
                        Language language)
{
    Draft draft(text, std::move(items), vocabulary, language);
    const Settled nothing;
    for (std::size_t i = 0; i < draft.size(); ++i) {
        Matched matched;
        const Rule* const rule = ruleAt("as-one", draft, nothing, i, matched);
        if (rule == nullptr)
            continue;
        matched.taken.push_back(i);
        const auto [first, last] = std::minmax_element(matched.taken.begin(), matched.taken.end());
        Item one = draft.at(*first);
        if (std::all_of(rule->effects.begin(), rule->effects.end(),
                        [&](const Rule::Effect& effect) { return become(one, effect, draft, matched); }))
            draft.become({*first, *last}, std::move(one));
    }
    return std::move(draft).items();
}

} // namespace headroom::ask
