#pragma once

#include "model/catalogue/llm.h"
#include "model/yaml/reader.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace headroom {

// The words of a model file, for reading and for writing.
inline constexpr std::array mixerKinds{
    Choice<MixerKind>{"attention", MixerKind::Attention},
    Choice<MixerKind>{"mla", MixerKind::Mla},
    Choice<MixerKind>{"mamba1", MixerKind::Mamba1},
    Choice<MixerKind>{"mamba2", MixerKind::Mamba2},
    Choice<MixerKind>{"deltanet", MixerKind::DeltaNet},
    Choice<MixerKind>{"lightning", MixerKind::Lightning},
    Choice<MixerKind>{"compressed", MixerKind::Compressed},
    Choice<MixerKind>{"none", MixerKind::None},
};
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
