#include "model/base/figure_text.h"
#include "model/base/message.h"
#include "model/closed_form/rules_of_thumb.h"
#include "model/count/mixer_count.h"
#include "model/count/parameters.h"
#include "model/count/weights.h"
#include "model/report/explained_figures.h"
#include "model/report/layout_text.h"

#include <cmath>
#include <fmt/format.h>

namespace headroom {

namespace {

Message modelSource(const Llm& llm) { return say("model file: {}", citationOf(llm.citations, "shape")); }
Message usable(const Engine& engine)
{
    return say("{} fills {} of the card", engine.name, inUnits(engine.memoryFraction, Measure::Share));
}
Message shown(Bytes bytes) { return inUnits(bytes.base(), Measure::Storage); }
Message shown(Flops flops) { return inUnits(flops.base(), Measure::Work); }

double layersOfKind(const Llm& llm, std::size_t kind)
{
    double layers = 0;
    for (const std::uint8_t each : llm.layers)
        layers += each == kind ? 1 : 0;
    return layers;
}

// One line for each kind of layer that keeps a cache: heads, widths and how far it looks back.
Message cacheOfKind(const Llm& llm, std::size_t kind, DType kv)
{
    const Mixer& mixer = llm.kinds[kind].mixer;
    const double layers = layersOfKind(llm, kind)
        / ofMixer(mixer, [](const MixerCount& count) { return count.layersPerCache(); });
    const Bytes perLayer = kvBytesPerElement(kv) * double(kvElementsPerToken(mixer));
    if (const auto* const mla = std::get_if<Mla>(&mixer); mla && mla->indexHeads > 0) {
        const LatentBytes latent = latentBytesPerToken(*mla, kv);
        return say("{:.0f} layers × ({:.0f} of latent and rope + {:.0f} of the index key) B = {} B a token",
                   layers, latent.attended, latent.index,
                   inUnits(layers * (latent.attended + latent.index), Measure::Whole));
    }
    const Message shape = ofMixer(mixer, [](const MixerCount& count) { return count.cacheShape(); });
    const Message all
        = say("{:.0f} layers × {} × {} B = {} B a token", layers, shape, kvBytesPerElement(kv).base(),
              inUnits((perLayer * layers).base(), Measure::Whole));
    return ofMixer(mixer, [&](const MixerCount& count) { return count.keptOf(all); });
}

double contextOf(const Resolved& r) { return r.load.promptTokens + std::max(1.0, r.load.outputTokens); }

} // namespace

Explanation explainParams(const Resolved& r, const Prediction&)
{
    const Llm& llm = *r.deployment.llm;
    const ParameterCount n = countParameters(llm);
    Explanation e{.title = "Parameters",
                  .formula = "embedding + mixers + MLPs + routers + experts + shared experts + norms + head",
                  .result = double(n.total),
                  .measure = Measure::Whole};
    const Message source = modelSource(llm);
    const auto add = [&](const Message& part, std::int64_t count) {
        if (count > 0)
            e.numbers.push_back({part, double(count), Measure::Whole, source});
    };
    add("embedding", n.embedding);
    add("attention and other mixers", n.mixers);
    add("dense MLPs", n.denseMlp);
    add("routers", n.routers);
    add("routed experts", n.experts);
    add("shared experts", n.sharedExperts);
    add("norms", n.norms);
    add("head", n.head);
    if (llm.tiedHead)
        e.notes.emplace_back("The head is the embedding table (tied): counted once.");
    if (n.active != n.total)
        e.notes.push_back(say("A token meets {} of them: of the experts only those its router chooses.",
                              inUnits(double(n.active), Measure::Whole)));
    if (llm.published.total > 0)
        e.notes.push_back(llm.published.exact ? say("Its publisher counts {}.",
                                                    inUnits(double(llm.published.total), Measure::Whole))
                                              : say("Its publisher counts {} (rounded).",
                                                    inUnits(double(llm.published.total), Measure::Whole)));
    return e;
}

Explanation explainWeights(const Resolved& r, const Prediction& p)
{
    const Deployment& d = r.deployment;
    const WeightBytes whole = countWeights(*d.llm, d.weights);
    Explanation e{.title = "Weights on each GPU",
                  .formula = "parameters × bytes each, split over the GPUs of a replica",
                  .worked = say("{} in all; the fullest GPU of {} holds {}", shown(whole.total()),
                                layoutText(d.layout), shown(p.memory.perGpu.weights)),
                  .result = p.memory.perGpu.weights.base(),
                  .measure = Measure::Storage};
    const DTypeFacts& type = facts(d.weights);
    const Message source = type.note.empty() ? Message("width of the type") : asIs(type.note);
    e.numbers.push_back({"bits of a weight", type.bits + type.scaleBits, Measure::Count,
                         say("{}: {}", asIs(type.name), source)});
    const Message counted = say("counted from {}", modelSource(*d.llm));
    const auto add = [&](const Message& part, Bytes bytes) {
        if (bytes.base() > 0)
            e.numbers.push_back({part, bytes.base(), Measure::Storage, counted});
    };
    add("embedding", whole.embedding);
    add("attention and dense MLPs", whole.linear);
    add("routed experts", whole.experts);
    add("shared experts", whole.sharedExperts);
    add("norms, routers, biases", whole.other);
    add("head", whole.head);
    return e;
}

Explanation explainKvPerToken(const Resolved& r, const Prediction& p)
{
    const Deployment& d = r.deployment;
    Explanation e{.title = "KV cache of one token, whole model",
                  .formula
                  = "2 × layers × KV heads × head width × bytes (MLA: layers × (latent + rope) × bytes)",
                  .result = p.memory.kvBytesPerToken.base(),
                  .measure = Measure::Storage};
    std::vector<Message> kinds;
    for (std::size_t kind = 0; kind < d.llm->kinds.size(); ++kind)
        if (kvElementsPerToken(d.llm->kinds[kind].mixer) > 0)
            kinds.push_back(cacheOfKind(*d.llm, kind, d.kv));
    e.worked = joined(std::move(kinds), "; ");
    e.numbers.push_back({"bytes of a value", kvBytesPerElement(d.kv).base(), Measure::Count,
                         say("KV cache in {}", asIs(name(d.kv)))});
    e.numbers.push_back({"layers", double(d.llm->layerCount()), Measure::Whole, modelSource(*d.llm)});
    if (const Bytes state = stateBytes(*d.llm); state.base() > 0)
        e.numbers.push_back(
            {"constant state of a sequence", state.base(), Measure::Storage, modelSource(*d.llm)});
    e.notes.push_back(say("1,024 tokens take {}; {} × {} take {}.", shown(cacheBytes(*d.llm, d.kv, 1024)),
                          inUnits(r.load.batch, Measure::Whole), inUnits(contextOf(r), Measure::Length),
                          shown(cacheBytes(*d.llm, d.kv, contextOf(r)) * r.load.batch)));
    return e;
}

Explanation explainMemory(const Resolved& r, const Prediction& p)
{
    const GpuMemory& m = p.memory.perGpu;
    const Deployment& d = r.deployment;
    Explanation e{.title = "Memory used on each GPU",
                  .formula
                  = "weights + KV cache + activations + runtime, against driver's capacity × engine's share",
                  .worked = say("{} + {} + {} + {} = {} of {}", shown(m.weights), shown(m.kv),
                                shown(m.activation), shown(m.runtime), shown(m.used), shown(m.usable)),
                  .result = m.used.base(),
                  .measure = Measure::Storage};
    const Message engine = citationOf(d.engine->citations, "memory");
    e.numbers = {
        {"weights", m.weights.base(), Measure::Storage, explainedBy("weights")},
        {"KV cache", m.kv.base(), Measure::Storage, "sequences at their mean length, in pages of the engine"},
        {"activations", m.activation.base(), Measure::Storage,
         "the widest step, as the engine reserves it: see 'usable'"},
        {"runtime", m.runtime.base(), Measure::Storage,
         "context, communication buffers, graphs: see 'usable'"},
        {"capacity", m.capacity.base(), Measure::Storage, citationOf(d.gpu->citations, "memory")},
        {"usable", m.usable.base(), Measure::Storage, say("{}: {}", usable(*d.engine), engine)},
    };
    return e;
}

Explanation explainKvCapacity(const Resolved& r, const Prediction& p)
{
    const MemoryPlan& m = p.memory;
    Explanation e{.title = "Tokens of cache that one replica holds",
                  .formula = "room left on the fullest GPU / what it holds of one token",
                  .worked
                  = say("{} of room on each GPU hold {} (with {})", shown(m.kvPool),
                        inUnits(m.kvCapacityTokens, Measure::Length),
                        counted(r.deployment.layout.dp, "{} data-parallel rank", "{} data-parallel ranks")),
                  .result = m.kvCapacityTokens,
                  .measure = Measure::Length};
    e.numbers = {
        {"room for the cache", m.kvPool.base(), Measure::Storage,
         "usable less weights, activations, runtime"},
        {"one token, whole model", m.kvBytesPerToken.base(), Measure::Storage, explainedBy("kv-per-token")}};
    return e;
}

Explanation explainMaxBatch(const Resolved& r, const Prediction& p)
{
    Explanation e{.title = "Sequences that fit one replica",
                  .formula = "cache capacity / tokens of one sequence at its end, in whole pages",
                  .worked = say("{} / {} = {}", inUnits(p.memory.kvCapacityTokens, Measure::Length),
                                inUnits(contextOf(r), Measure::Length),
                                inUnits(std::floor(p.memory.maxBatch), Measure::Whole)),
                  .result = std::floor(p.memory.maxBatch),
                  .measure = Measure::Whole};
    e.numbers = {{"cache capacity", p.memory.kvCapacityTokens, Measure::Length, explainedBy("kv-capacity")},
                 {"prompt", r.load.promptTokens, Measure::Length, "scenario"},
                 {"output", r.load.outputTokens, Measure::Length, "scenario"}};
    return e;
}

Explanation explainPrefillFlops(const Resolved& r, const Prediction& p)
{
    const double active = double(countParameters(*r.deployment.llm).active);
    const double tokens = r.load.promptTokens * (1 - r.load.prefixCached);
    const Flops thumb = forwardFlops(active, tokens);
    Explanation e{
        .title = "Arithmetic of one prompt",
        .formula
        = "2 for each weight a token meets + attention 4 × heads × width × context (half over a causal "
          "prompt) + head for one row",
        .worked = say("rule of thumb 2 × {} × {} = {}; counted operator by operator {} ({})",
                      inUnits(active, Measure::Whole), inUnits(tokens, Measure::Whole), shown(thumb),
                      shown(p.prefill.flops), inUnits(p.prefill.flops / thumb, Measure::Share)),
        .result = p.prefill.flops.base(),
        .measure = Measure::Work};
    e.numbers = {{"active parameters", active, Measure::Whole, explainedBy("params")},
                 {"new prompt tokens", tokens, Measure::Whole, "scenario"}};
    e.notes.emplace_back(
        "The count leaves out the embedding (a gather) and the head of unsampled rows, and adds attention.");
    return e;
}

Explanation explainDecodeFlops(const Resolved& r, const Prediction& p)
{
    const double active = double(countParameters(*r.deployment.llm).active);
    const Flops thumb = forwardFlops(active, r.load.batch);
    const double intensity = p.decode.bytes.base() > 0 ? p.decode.flops.base() / p.decode.bytes.base() : 0;
    const Gpu& gpu = *r.deployment.gpu;
    const double ridge = gpu.peak(r.deployment.compute).base() / gpu.memoryBandwidth.base();
    Explanation e{.title = "Arithmetic of one decode step",
                  .formula = "2 × active parameters × sequences + attention over the cache",
                  .worked = say("rule of thumb 2 × {} × {} = {}; counted {}", inUnits(active, Measure::Whole),
                                inUnits(r.load.batch, Measure::Whole), shown(thumb), shown(p.decode.flops)),
                  .result = p.decode.flops.base(),
                  .measure = Measure::Work};
    e.numbers
        = {{"bytes moved", p.decode.bytes.base(), Measure::Storage,
            "weights once, cache of every sequence, activations"},
           {"FLOPs for each byte", intensity, Measure::Count, "the two above"},
           {"FLOPs for each byte at the ridge", ridge, Measure::Count, citationOf(gpu.citations, "compute")}};
    e.notes.emplace_back(intensity < ridge
                             ? Message("Below the ridge: memory bandwidth decides, arithmetic waits.")
                             : "Above the ridge: arithmetic decides.");
    return e;
}

} // namespace headroom
