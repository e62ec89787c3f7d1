#pragma once

#include "model/catalogue/gpu.h"
#include "model/cost/forms.h"
#include "model/count/op.h"
#include "model/efficiency/efficiency_set.h"

namespace headroom {

// Attention, plain and latent, of prompts and of single tokens.
[[nodiscard]] OpTime timePrefillAttention(const Op& op, const Gpu& gpu, const PrefillAttentionForm& form);
[[nodiscard]] OpTime timeDecodeAttention(const Op& op, const Gpu& gpu, const DecodeAttentionForm& form);

} // namespace headroom
