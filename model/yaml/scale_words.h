#pragma once

#include "model/catalogue/scale_span.h"
#include "model/yaml/reader.h"

#include <array>

namespace headroom {

// `fp8_checkpoint_scales` of a model's file and of an engine's.
inline constexpr std::array scaleSpans{
    Choice<ScaleSpan>{"tensor", ScaleSpan::Tensor},
    Choice<ScaleSpan>{"channel", ScaleSpan::Channel},
    Choice<ScaleSpan>{"block", ScaleSpan::Block},
};

} // namespace headroom
