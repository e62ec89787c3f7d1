#pragma once

#include "model/catalogue/llm.h"
#include "model/catalogue/llm_bounds.h"

#include <utility>

namespace headroom {

// The keys of a layer kind, said once for reading, writing and judging. `fields` offers
//     size(key, value, most)            a whole number from 1, required
//     maybeSize(key, value, most)       the same, zero when absent
//     flag(key, value, usual)           absent: `usual`
//     qkNorm(key, value), dtype(key, value, usual)
// Those of a mixer stand with its kind in catalogue/mixer.h.
template <typename Fields, typename AnyMixer>
void mixerFields(Fields& fields, AnyMixer& mixer)
{
    std::visit([&](auto& kind) { kind.fields(fields, kind); }, mixer);
}

template <typename Fields, typename AnyMlp>
void mlpFields(Fields& fields, AnyMlp& mlp)
{
    if (mlp.kind == MlpKind::None)
        return;
    if (mlp.kind == MlpKind::Dense)
        fields.size("intermediate", mlp.intermediate, most::width);
    fields.flag("gated", mlp.gated, true);
    fields.flag("mlp_bias", mlp.bias, false);
    if (mlp.kind == MlpKind::Dense)
        return;
    fields.size("experts", mlp.experts, most::experts);
    fields.size("experts_per_token", mlp.expertsPerToken, most::experts);
    fields.maybeSize("expert_groups", mlp.expertGroups, most::experts);
    fields.maybeSize("groups_per_token", mlp.groupsPerToken, most::experts);
    fields.size("expert_intermediate", mlp.expertIntermediate, most::width);
    fields.maybeSize("shared_intermediate", mlp.sharedIntermediate, most::width);
    fields.flag("shared_gate", mlp.sharedGate, false);
    fields.flag("router_bias", mlp.routerBias, false);
    fields.flag("expert_bias", mlp.expertBias, false);
    fields.maybeSize("latent", mlp.latent, most::hidden);
}

} // namespace headroom
