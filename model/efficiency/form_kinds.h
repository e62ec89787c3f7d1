#pragma once

#include "model/efficiency/efficiency_set.h"

#include <array>
#include <string_view>

namespace headroom {

// A kind as files write it.
template <typename Kind>
struct KindWord {
    std::string_view word;
    Kind kind;
};

inline constexpr std::array expertTileWords{KindWord<ExpertTiles>{"none", ExpertTiles::None},
                                            KindWord<ExpertTiles>{"fixed", ExpertTiles::Fixed},
                                            KindWord<ExpertTiles>{"by_average", ExpertTiles::ByAverage}};
inline constexpr std::array expertWeightsWords{
    KindWord<ExpertWeights>{"plain", ExpertWeights::Plain},
    KindWord<ExpertWeights>{"whole_tiles", ExpertWeights::WholeTiles}};
inline constexpr std::array spreadExpertsWords{
    KindWord<SpreadExperts>{"same_kernel", SpreadExperts::SameKernel},
    KindWord<SpreadExperts>{"own_kernel", SpreadExperts::OwnKernel}};
inline constexpr auto exchangeProtocolWords = [] {
    std::array<KindWord<ExchangeProtocol>, allExchangeProtocols.size()> words{};
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = {exchangeProtocolRow(allExchangeProtocols[i])->word, allExchangeProtocols[i]};
    return words;
}();

// Calls `visit(key, kind, words)` for each kind that a form has; a form of one kind of kernel only has none.
// `Form` may be const.
template <typename Form, typename Visit>
void eachKind(Form& form, Visit&& visit)
{
    if constexpr (requires { form.expertTiles; }) {
        visit("tiles", form.expertTiles, expertTileWords);
        visit("weights", form.expertWeights, expertWeightsWords);
        visit("spread", form.spreadExperts, spreadExpertsWords);
    }
    if constexpr (requires { form.protocol; })
        visit("protocol", form.protocol, exchangeProtocolWords);
}

template <typename Kind, std::size_t n>
[[nodiscard]] constexpr std::string_view wordOf(const std::array<KindWord<Kind>, n>& words, Kind kind)
{
    for (const KindWord<Kind>& word : words)
        if (word.kind == kind)
            return word.word;
    return {};
}

// "fixed, plain, same_kernel": forms of different kinds share no numbers.
template <typename Form>
[[nodiscard]] std::string kindsText(const Form& form)
{
    std::string text;
    eachKind(form, [&](std::string_view, const auto& kind, const auto& words) {
        text += (text.empty() ? "" : ", ") + std::string(wordOf(words, kind));
    });
    return text;
}

} // namespace headroom
