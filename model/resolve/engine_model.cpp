#include "model/resolve/engine_model.h"

#include "model/count/counted.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace headroom {
namespace {

// GGUF files of models whose experts alone are MXFP4 keep the other matrices in Q8_0
// (ggml-org/gpt-oss-120b-GGUF).
bool keepsOthersInEightBits(const Deployment& d)
{
    const std::vector<DType>& types = d.engine->weightTypes;
    const bool readsGguf = std::find(types.begin(), types.end(), DType::Q8_0) != types.end();
    const auto& native = d.llm->nativeQuantization;
    return readsGguf && d.weights == DType::Mxfp4 && native && native->expertsOnly && !native->outside;
}

template <typename Count>
void fill(Count& count, int ranks)
{
    count += (ranks - count % ranks) % ranks;
}

// Key-value heads that neither divide nor repeat evenly are repeated until every rank has one.
void fillHeads(Attention& mixer, int ranks)
{
    if (mixer.queryHeads % ranks == 0
        && (mixer.kvHeads % ranks == 0 || (mixer.kvHeads > 0 && ranks % mixer.kvHeads == 0)))
        return;
    fill(mixer.queryHeads, ranks);
    if (mixer.kvHeads > ranks || ranks % std::max(mixer.kvHeads, 1) != 0)
        fill(mixer.kvHeads, ranks);
}

Llm filledFor(Llm llm, int ranks)
{
    for (LayerKind& kind : llm.kinds) {
        if (auto* const attention = std::get_if<Attention>(&kind.mixer))
            fillHeads(*attention, ranks);
        fill(kind.mlp.intermediate, ranks);
        fill(kind.mlp.sharedIntermediate, ranks);
        fill(kind.mlp.expertIntermediate, ranks);
    }
    return llm;
}

} // namespace

void storeAsEngineDoes(Resolved& out)
{
    Deployment& d = out.deployment;
    const bool inGguf = keepsOthersInEightBits(d);
    const int ranks = d.engine->fillsRanks ? std::max(1, out.scenario.tp.value_or(1)) : 1;
    if (!inGguf && ranks == 1)
        return;
    Llm own = *d.llm;
    if (inGguf)
        own.nativeQuantization->outside = DType::Q8_0;
    if (ranks > 1)
        own = filledFor(std::move(own), ranks);
    out.ownLlm = withCounts(std::move(own));
    d.llm = out.ownLlm.get();
}

void storeWidePartsAsAsked(Resolved& out, Problems& problems)
{
    const WideParts& parts = out.scenario.keepsWide;
    Deployment& d = out.deployment;
    if (!parts.any())
        return;
    const bool plain = bytesPerElement(d.weights) >= 2;
    if (plain && !out.scenario.allowed.weights.empty())
        return; // meant for the narrow ones that are tried besides
    if (plain || d.weights >= DType::Q8_0) {
        problems.push_back(
            {"keep-16bit",
             plain ? say("weights in {} are in 16 bits or more throughout", asIs(name(d.weights)))
                   : say("what a file in {} stores wider follows from its mix", asIs(name(d.weights))),
             "a narrow type of weights: fp8, int4, nvfp4, …"});
        return;
    }
    const auto any = [&](bool (*is)(const Mlp&)) {
        return std::any_of(d.llm->kinds.begin(), d.llm->kinds.end(),
                           [is](const LayerKind& kind) { return is(kind.mlp); });
    };
    if (parts.sharedExperts && !any([](const Mlp& mlp) { return mlp.sharedIntermediate > 0; })) {
        problems.push_back({"keep-16bit", say("{} has no shared experts", d.llm->name), {}});
        return;
    }
    if (parts.denseMlp && !any([](const Mlp& mlp) { return mlp.kind == MlpKind::Dense; })) {
        problems.push_back({"keep-16bit", say("{} has no layer with a plain MLP", d.llm->name), {}});
        return;
    }
    Llm own = *d.llm;
    own.keptWide = parts;
    out.assumptions.push_back(
        parts.nothing
            ? say("keep-16bit = nothing: all of the checkpoint is narrow but its head and its router")
            : say("keep-16bit = {}: these layers of the checkpoint stay in 16 bits, as its head and its "
                  "router do",
                  asIs(widePartsText(parts))));
    out.ownLlm = withCounts(std::move(own));
    d.llm = out.ownLlm.get();
}

void storeStateAsAsked(Resolved& out, Problems& problems)
{
    if (!out.scenario.state)
        return;
    const DType type = *out.scenario.state;
    if (type != DType::Fp32 && type != DType::Bf16 && type != DType::Fp16) {
        problems.push_back({"state", say("no engine keeps a recurrent state in {}", asIs(name(type))),
                            "fp32, bf16 or fp16"});
        return;
    }
    Llm own = *out.deployment.llm;
    bool keepsOne = false;
    for (LayerKind& kind : own.kinds)
        std::visit(
            [&](auto& mixer) {
                if constexpr (requires { mixer.stateType; }) {
                    mixer.stateType = type;
                    keepsOne = true;
                }
            },
            static_cast<MixerKinds&>(kind.mixer));
    if (!keepsOne) {
        problems.push_back({"state", say("{} has no recurrent layers", own.name), {}});
        return;
    }
    out.ownLlm = withCounts(std::move(own));
    out.deployment.llm = out.ownLlm.get();
}

} // namespace headroom
