#pragma once

#include "model/catalogue/llm.h"
#include "model/yaml/reader.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <variant>

namespace headroom {

// The words of a model file, for reading and for writing.
template <std::size_t... index>
constexpr auto mixerWords(std::index_sequence<index...>)
{
    return std::array{Choice<std::size_t>{std::variant_alternative_t<index, MixerKinds>::word, index}...};
}
// The kinds of mixers by their places in `Mixer`.
inline constexpr auto mixerKinds = mixerWords(std::make_index_sequence<std::variant_size_v<MixerKinds>>{});
inline constexpr std::array mlpKinds{
    Choice<MlpKind>{"dense", MlpKind::Dense},
    Choice<MlpKind>{"moe", MlpKind::Moe},
    Choice<MlpKind>{"none", MlpKind::None},
};
inline constexpr std::array qkNorms{
    Choice<QkNorm>{"none", QkNorm::None},
    Choice<QkNorm>{"per_head", QkNorm::PerHead},
    Choice<QkNorm>{"full_width", QkNorm::FullWidth},
    Choice<QkNorm>{"per_head_weights", QkNorm::PerHeadWeights},
    Choice<QkNorm>{"l2", QkNorm::L2},
};
inline constexpr std::array normKinds{
    Choice<NormKind>{"rmsnorm", NormKind::RmsNorm},
    Choice<NormKind>{"layernorm", NormKind::LayerNorm},
    Choice<NormKind>{"layernorm_no_bias", NormKind::LayerNormNoBias},
};

} // namespace headroom
