#pragma once

#include "model/catalogue/llm.h"

#include <cstdint>
#include <string_view>

namespace headroom {

// Bounds that keep every product of sizes inside 64 bits: 2^10 layers x 2^13 experts x 2 x 2^20 columns x
// 2^17.
namespace most {
constexpr std::int64_t hidden = 1 << 17;
constexpr std::int64_t width = 1 << 20;
constexpr std::int64_t vocab = 1 << 27;
constexpr std::int64_t heads = 1 << 13;
constexpr std::int64_t headDim = 1 << 14;
constexpr std::int64_t experts = 1 << 13;
constexpr std::int64_t tokens = std::int64_t{1} << 40;
constexpr std::int64_t norms = 16;
constexpr std::int64_t taps = 64;
constexpr std::int64_t block = 1 << 16; // values that share a scale, along a row or a column
constexpr std::int64_t layers = 1000;   // eight times the deepest model known
constexpr std::int64_t kinds = 64;
constexpr std::int64_t modules = 64; // of prediction
} // namespace most

// The keys of a layer kind, said once for reading, writing and judging. `fields` offers
//     size(key, value, most)            a whole number from 1, required
//     maybeSize(key, value, most)       the same, zero when absent
//     flag(key, value, usual)           absent: `usual`
//     qkNorm(key, value), dtype(key, value, usual)
template <typename Fields, typename Attention>
void attentionFields(Fields& fields, Attention& mixer)
{
    fields.size("query_heads", mixer.queryHeads, most::heads);
    fields.size("kv_heads", mixer.kvHeads, most::heads);
    fields.size("head_dim", mixer.headDim, most::headDim);
    fields.maybeSize("value_head_dim", mixer.valueHeadDim, most::headDim);
    fields.maybeSize("window", mixer.window, most::tokens);
    fields.maybeSize("chunk", mixer.chunk, most::tokens);
    fields.flag("qkv_bias", mixer.qkvBias, false);
    fields.flag("out_bias", mixer.outBias, false);
    fields.qkNorm("qk_norm", mixer.qkNorm);
    fields.flag("output_gate", mixer.outputGate, false);
    fields.flag("sinks", mixer.sinks, false);
    fields.flag("value_is_key", mixer.valueIsKey, false);
    fields.flag("rope", mixer.rope, true);
    fields.maybeSize("rope_dims", mixer.ropeDims, most::headDim);
    fields.maybeSize("kv_share_group", mixer.kvShareGroup, most::heads, 1);
}

template <typename Fields, typename Mla>
void mlaFields(Fields& fields, Mla& mixer)
{
    fields.size("query_heads", mixer.queryHeads, most::heads);
    fields.maybeSize("q_lora_rank", mixer.qLoraRank, most::hidden);
    fields.size("kv_lora_rank", mixer.kvLoraRank, most::hidden);
    fields.size("qk_nope_dim", mixer.qkNopeDim, most::headDim);
    fields.size("qk_rope_dim", mixer.qkRopeDim, most::headDim);
    fields.size("value_head_dim", mixer.valueHeadDim, most::headDim);
    fields.maybeSize("index_heads", mixer.indexHeads, most::heads);
    fields.maybeSize("index_head_dim", mixer.indexHeadDim, most::headDim);
    fields.maybeSize("index_top_k", mixer.indexTopK, most::tokens);
}

template <typename Fields, typename Compressed>
void compressedFields(Fields& fields, Compressed& mixer)
{
    fields.size("query_heads", mixer.queryHeads, most::heads);
    fields.size("head_dim", mixer.headDim, most::headDim);
    fields.size("q_lora_rank", mixer.qLoraRank, most::hidden);
    fields.size("qk_rope_dim", mixer.qkRopeDim, most::headDim);
    fields.size("window", mixer.window, most::tokens);
    fields.size("out_groups", mixer.outGroups, most::heads);
    fields.size("out_lora_rank", mixer.outLoraRank, most::hidden);
    fields.maybeSize("compression", mixer.compression, most::headDim);
    fields.maybeSize("index_heads", mixer.indexHeads, most::heads);
    fields.maybeSize("index_head_dim", mixer.indexHeadDim, most::headDim);
    fields.maybeSize("index_top_k", mixer.indexTopK, most::tokens);
    fields.dtype("state_type", mixer.stateType, DType::Fp32);
}

template <typename Fields, typename Recurrent>
void recurrentFields(Fields& fields, Recurrent& mixer)
{
    if (mixer.kind == MixerKind::Lightning) {
        fields.size("query_heads", mixer.queryHeads, most::heads);
        fields.size("head_dim", mixer.headDim, most::headDim);
        fields.flag("output_gate", mixer.outputGate, false);
    } else if (mixer.kind == MixerKind::DeltaNet) {
        fields.size("key_heads", mixer.stateKeyHeads, most::heads);
        fields.size("value_heads", mixer.stateHeads, most::heads);
        fields.size("key_dim", mixer.stateKeyDim, most::headDim);
        fields.size("value_dim", mixer.stateValueDim, most::headDim);
        fields.size("conv_kernel", mixer.convKernel, most::taps);
    } else {
        fields.size("inner_dim", mixer.innerDim, most::width);
        fields.size("state_dim", mixer.stateDim, most::headDim);
        fields.size("conv_kernel", mixer.convKernel, most::taps);
        fields.flag("conv_bias", mixer.convBias, true);
        if (mixer.kind == MixerKind::Mamba1) {
            fields.size("dt_rank", mixer.dtRank, most::width);
            fields.flag("inner_norms", mixer.innerNorms, false);
        } else {
            fields.size("groups", mixer.groups, most::heads);
            fields.size("heads", mixer.stateHeads, most::heads);
        }
    }
    fields.dtype("state_type", mixer.stateType, DType::Bf16);
}

template <typename Fields, typename AnyMixer>
void mixerFields(Fields& fields, AnyMixer& mixer)
{
    switch (mixer.kind) {
    case MixerKind::None:
        return;
    case MixerKind::Attention:
        return attentionFields(fields, mixer);
    case MixerKind::Mla:
        return mlaFields(fields, mixer);
    case MixerKind::Compressed:
        return compressedFields(fields, mixer);
    case MixerKind::Mamba1:
    case MixerKind::Mamba2:
    case MixerKind::DeltaNet:
    case MixerKind::Lightning:
        return recurrentFields(fields, mixer);
    }
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
