#include "checkpoint.h"

#include <algorithm>
#include <cmath>

namespace headroom::twin {

namespace {

// Collects the tensors of one layer.
struct Collector {
    int layer;
    std::vector<Tensor> all{};

    Tensor& matrix(const char* name, double rows, double cols, double split)
    {
        all.push_back({.name = name, .layer = layer, .rows = rows, .cols = cols, .split = split});
        return all.back();
    }
    void vector(const char* name, double length, double split = 0)
    {
        if (length > 0)
            matrix(name, length, 1, split);
    }
};

void attention(Collector& out, const LayerSpec& l, double hidden)
{
    const double query = l.heads * l.headDim;
    const double keys = l.kvHeads * l.headDim;
    const double values = l.valueIsKey ? 0 : l.kvHeads * l.valueDim;
    out.matrix("attn_q", l.gate ? 2 * query : query, hidden, l.heads);
    out.matrix("attn_k", keys, hidden, l.kvHeads);
    if (values > 0)
        out.matrix("attn_v", values, hidden, l.kvHeads);
    out.matrix("attn_output", hidden, l.heads * l.valueDim, l.heads);
    if (l.qkvBias) {
        out.vector("attn_q.bias", query, l.heads);
        out.vector("attn_kv.bias", keys + values, l.kvHeads);
    }
    if (l.outBias)
        out.vector("attn_output.bias", hidden);
    if (l.queryNorms == LayerSpec::Norms::PerHead)
        out.vector("attn_qk_norm", 2 * l.headDim);
    if (l.queryNorms == LayerSpec::Norms::FullWidth) {
        out.vector("attn_q_norm", query, l.heads);
        out.vector("attn_k_norm", keys, l.kvHeads);
    }
    if (l.sinks)
        out.vector("attn_sinks", l.heads, l.heads);
}

void latent(Collector& out, const LayerSpec& l, double hidden)
{
    const double from = l.queryRank > 0 ? l.queryRank : hidden;
    if (l.queryRank > 0) {
        out.matrix("attn_q_a", l.queryRank, hidden, 0);
        out.vector("attn_q_a_norm", l.queryRank);
    }
    out.matrix("attn_q_b", l.heads * (l.nope + l.rope), from, l.heads);
    out.matrix("attn_kv_a", l.latent + l.rope, hidden, 0);
    out.vector("attn_kv_a_norm", l.latent);
    out.matrix("attn_kv_b", l.heads * (l.nope + l.valueDim), l.latent, l.heads);
    out.matrix("attn_output", hidden, l.heads * l.valueDim, l.heads);
    if (l.indexHeads > 0) { // DeepSeek-V3.2, inference/model.py: wq_b, wk, k_norm (with bias), weights_proj
        out.matrix("indexer_q", l.indexHeads * l.indexDim, from, 0);
        out.matrix("indexer_k", l.indexDim, hidden, 0);
        out.vector("indexer_k_norm", 2 * l.indexDim);
        out.matrix("indexer_weights", l.indexHeads, hidden, 0);
    }
}

void recurrent(Collector& out, const LayerSpec& l, double hidden)
{
    const double tapsAndBias = l.taps + (l.convBias ? 1 : 0);
    if (l.mixer == LayerSpec::Mixer::Mamba1) {
        out.matrix("ssm_in", 2 * l.inner, hidden, l.inner);
        out.matrix("ssm_conv1d", l.inner, tapsAndBias, l.inner);
        out.matrix("ssm_x", l.dtRank + 2 * l.state, l.inner, l.inner);
        out.matrix("ssm_dt", l.inner, l.dtRank, l.inner);
        out.vector("ssm_a", l.inner * (l.state + 2), l.inner);
        if (l.innerNorms)
            out.vector("ssm_norms", l.dtRank + 2 * l.state);
        out.matrix("ssm_out", hidden, l.inner, l.inner);
    } else if (l.mixer == LayerSpec::Mixer::Mamba2) {
        const double grouped = 2 * l.groups * l.state;
        out.matrix("ssm_in", 2 * l.inner + l.stateHeads, hidden, l.stateHeads);
        out.matrix("ssm_in_groups", grouped, hidden, l.groups);
        out.matrix("ssm_conv1d", l.inner, tapsAndBias, l.stateHeads);
        out.matrix("ssm_conv1d_groups", grouped, tapsAndBias, l.groups);
        out.vector("ssm_a", 3 * l.stateHeads, l.stateHeads);
        out.vector("ssm_norm", l.inner, l.stateHeads);
        out.matrix("ssm_out", hidden, l.inner, l.stateHeads);
    } else if (l.mixer == LayerSpec::Mixer::DeltaNet) {
        const double keys = l.keyHeads * l.stateKeyDim;
        const double values = l.stateHeads * l.stateValueDim;
        out.matrix("ssm_in_keys", 2 * keys, hidden, l.keyHeads);
        out.matrix("ssm_in_values", 2 * values, hidden, l.stateHeads);
        out.matrix("ssm_beta_alpha", 2 * l.stateHeads, hidden, l.stateHeads);
        out.matrix("ssm_conv1d_keys", 2 * keys, l.taps, l.keyHeads);
        out.matrix("ssm_conv1d", values, l.taps, l.stateHeads);
        out.vector("ssm_a", 2 * l.stateHeads, l.stateHeads);
        out.vector("ssm_norm", l.stateValueDim);
        out.matrix("ssm_out", hidden, values, l.stateHeads);
    } else { // Lightning: q, k, v and a gate
        const double width = l.heads * l.headDim;
        out.matrix("lightning_in", (l.gate ? 4 : 3) * width, hidden, l.heads);
        out.vector("lightning_norm", width, l.heads);
        out.matrix("attn_output", hidden, width, l.heads);
    }
}

void dense(Collector& out, const LayerSpec& l, double hidden, double width, bool shared)
{
    const char* const names[] = {shared ? "ffn_gate_shexp" : "ffn_gate", shared ? "ffn_up_shexp" : "ffn_up",
                                 shared ? "ffn_down_shexp" : "ffn_down"};
    if (l.gated)
        out.matrix(names[0], width, hidden, width).shared = shared;
    out.matrix(names[1], width, hidden, width).shared = shared;
    out.matrix(names[2], hidden, width, width).shared = shared;
    if (l.mlpBias) {
        out.vector("ffn_up.bias", width * (l.gated ? 2 : 1), width);
        out.vector("ffn_down.bias", hidden);
    }
}

void experts(Collector& out, const LayerSpec& l, double hidden)
{
    const double stream = l.expertLatent > 0 ? l.expertLatent : hidden;
    out.matrix("ffn_gate_inp", l.experts, hidden, 0);
    if (l.routerBias)
        out.vector("ffn_gate_inp.bias", l.experts);
    if (l.expertLatent > 0) {
        out.matrix("ffn_latent_in", l.expertLatent, hidden, 0);
        out.matrix("ffn_latent_out", hidden, l.expertLatent, 0);
    }
    const auto each = [&](const char* name, double rows, double cols, double split) {
        Tensor& tensor = out.matrix(name, rows, cols, split);
        tensor.copies = l.experts;
        tensor.expert = true;
    };
    if (l.gated)
        each("ffn_gate_exps", l.expertWidth, stream, l.expertWidth);
    each("ffn_up_exps", l.expertWidth, stream, l.expertWidth);
    each("ffn_down_exps", stream, l.expertWidth, l.expertWidth);
    if (l.expertBias) {
        each("ffn_up_exps.bias", l.expertWidth * (l.gated ? 2 : 1), 1, l.expertWidth);
        each("ffn_down_exps.bias", stream, 1, 0);
    }
    if (l.sharedWidth > 0)
        dense(out, l, hidden, l.sharedWidth, true);
    if (l.sharedGate)
        out.vector("ffn_gate_inp_shexp", hidden);
}

} // namespace

std::vector<Tensor> tensorsOfLayer(const ModelSpec& model, const LayerSpec& layer, int index)
{
    using Mixer = LayerSpec::Mixer;
    Collector out{index};
    if (layer.mixer == Mixer::Attention)
        attention(out, layer, model.hidden);
    else if (layer.mixer == Mixer::Latent)
        latent(out, layer, model.hidden);
    else if (layer.mixer != Mixer::None)
        recurrent(out, layer, model.hidden);
    if (layer.mlp == LayerSpec::Mlp::Dense)
        dense(out, layer, model.hidden, layer.width, false);
    else if (layer.mlp == LayerSpec::Mlp::Experts)
        experts(out, layer, model.hidden);
    out.vector("norm", layer.norms * model.hidden * (model.normBias ? 2 : 1));
    return out.all;
}

std::vector<Tensor> tensorsOf(const ModelSpec& model)
{
    std::vector<Tensor> all;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const std::vector<Tensor> layer = tensorsOfLayer(model, model.layers[i], static_cast<int>(i));
        all.insert(all.end(), layer.begin(), layer.end());
    }
    Collector out{-1};
    out.matrix("token_embd", model.vocab, model.hidden, model.vocab);
    if (model.positions > 0)
        out.matrix("position_embd", model.positions, model.hidden, 0);
    const double norms = (model.embeddingNorm ? 1 : 0) + (model.finalNorm ? 1 : 0);
    out.vector("output_norm", norms * model.hidden * (model.normBias ? 2 : 1));
    if (!model.tied) {
        out.matrix("output", model.vocab, model.hidden, model.vocab);
        if (model.headBias)
            out.vector("output.bias", model.vocab, model.vocab);
    }
    all.insert(all.end(), out.all.begin(), out.all.end());
    return all;
}

double parameters(const ModelSpec& model)
{
    double sum = 0;
    for (const Tensor& tensor : tensorsOf(model))
        sum += tensor.elements();
    return sum;
}

double activeParameters(const ModelSpec& model)
{
    double sum = 0;
    for (const Tensor& tensor : tensorsOf(model)) {
        const double all = tensor.elements();
        sum += tensor.expert
            ? all / tensor.copies * model.layers[static_cast<std::size_t>(tensor.layer)].chosen
            : all;
    }
    return sum;
}

Layers stageOf(int layers, int stages, int stage)
{
    std::vector<int> share(static_cast<std::size_t>(stages), layers / stages);
    const int left = layers % stages;
    for (int i = 2; i < left + 2; ++i) // from the last but one backwards
        ++share[static_cast<std::size_t>(stages - i)];
    Layers out;
    for (int i = 0; i < stage; ++i)
        out.first += share[static_cast<std::size_t>(i)];
    out.end = out.first + share[static_cast<std::size_t>(stage)];
    return out;
}

double shareOf(const Tensor& tensor, const Spread& spread)
{
    const auto dealt
        = [&](int ranks) { return tensor.split > 0 ? std::ceil(tensor.split / ranks) / tensor.split : 1.0; };
    if (!tensor.expert)
        return dealt(spread.tensor);
    return dealt(std::max(1, spread.tensor / spread.experts)) / spread.experts;
}

} // namespace headroom::twin
