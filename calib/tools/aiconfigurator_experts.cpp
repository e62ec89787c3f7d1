#include "calib/tools/aiconfigurator_readers.h"
#include "calib/tools/cached_timings.h"
#include "calib/tools/published_routing.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

namespace headroom {

namespace {

// Experts whose models have no gate, as the tables of another engine mark them; not all tables do.
bool knownUngated(double hidden, double inner)
{
    constexpr std::array shapes{std::pair{2688., 1856.}, std::pair{2048., 5120.}};
    return std::find(shapes.begin(), shapes.end(), std::pair{hidden, inner}) != shapes.end();
}

std::optional<OpSample> expertSample(const TimingTable& t, std::size_t i, const Gpu& gpu,
                                     PublishedRouting& routing)
{
    const auto type = gemmClassOfName(t.text(i, "moe_dtype"));
    const std::string kernel = t.text(i, "kernel_source");
    const double hidden = t.number(i, "hidden_size");
    const double inner = t.number(i, "inter_size");
    PublishedMoe moe{.tokens = t.number(i, "num_tokens"),
                     .hidden = hidden,
                     .slice = inner / std::max(1.0, t.number(i, "moe_tp_size", 1)),
                     .chosen = t.number(i, "topk"),
                     .experts = t.number(i, "num_experts"),
                     .expertRanks = std::max(1.0, t.number(i, "moe_ep_size", 1)),
                     .gated = kernel.find("nongated") == std::string::npos};
    // vLLM 0.14's one kernel was timed with a gate all the same.
    if (kernel != "vllm_fused_moe" && knownUngated(hidden, inner))
        moe.gated = false;
    const double seconds = t.number(i, "latency") * 1e-3;
    // vLLM's path for per-tensor checkpoints through FlashInfer re-tunes at each call; servers of FP8
    // experts do not take it.
    const bool retunes = kernel.find("modelopt") != std::string::npos;
    // The path for models that are published in MXFP4, not that for converted checkpoints; cards with FP4
    // arithmetic are planned with its forms, but where the engine unpacks these weights all the same.
    const bool converted
        = kernel.find("vllm") != std::string::npos && kernel.find("gptoss") == std::string::npos;
    const bool unpacked = kernel.find("marlin") != std::string::npos;
    const bool otherPath = type == GemmClass::Mxfp4 && (converted || (gpu.has(MathUnit::Fp4) && !unpacked));
    if (!type || retunes || otherPath || seconds <= 0 || moe.slice < 64 || moe.tokens < 1
        || moe.tokens > 32768)
        return std::nullopt;
    moe.type = *type;
    const RankLoad load
        = routing.load(t.text(i, "distribution"), static_cast<int>(moe.tokens), static_cast<int>(moe.experts),
                       static_cast<int>(moe.chosen), static_cast<int>(moe.expertRanks));
    // Where chance decides what the timed rank had to do, the time says little of its kernels.
    constexpr double mostSpread = 0.1;
    constexpr double fewestRows = 16;
    if (load.lnSpread > mostSpread || (moe.expertRanks > 1 && load.rows < fewestRows))
        return std::nullopt;
    // Of few tokens a skewed routing leaves most experts none, and which rank the others are on is then the
    // order in which the publisher's library sorts equal numbers.
    const bool skewed = t.text(i, "distribution") != "balanced";
    if (skewed && moe.expertRanks > 1 && moe.tokens * moe.chosen <= moe.experts)
        return std::nullopt;
    moe.even = !skewed;
    moe.rankRows = load.rows;
    moe.rankExperts = load.experts;
    const Op op = publishedExperts(gpu, moe);
    if (servedFromCache(op, gpu, 1))
        return std::nullopt;
    // Slices, ranks and routings of one layer are one sweep: the kernel is tuned anew for each, and now and
    // then badly.
    OpSample sample
        = sampleOf(op, seconds, fmt::format("{}x{}x{}", hidden, inner, moe.experts),
                   fmt::format("{} {}x{}x{} top {}", kernel, hidden, inner, moe.experts, moe.chosen));
    sample.lnSpread = load.lnSpread;
    return sample;
}

Samples expertSamples(const TimingTable& t, const Gpu& gpu)
{
    Samples out;
    PublishedRouting routing;
    for (std::size_t i = 0; i < t.rows(); ++i)
        if (std::optional<OpSample> sample = expertSample(t, i, gpu, routing))
            out.push_back(std::move(*sample));
    // Kernels that route by themselves need not take the experts that the publisher's logits ask for.
    return withoutImpossible(std::move(out), gpu);
}

// vLLM's layer routes by itself since 0.17, and this one (DeepSeek-V3's) takes the best four of eight groups
// of experts before it takes experts. The publisher's logits have only two values, so that equal numbers
// decide which groups and which experts those are: most tokens meet on the first of them, one rank has up to
// all the rows, and the loads are not those that were asked for.
bool choosesGroups(const OpSample& sample)
{
    constexpr std::string_view engine = "vllm_";
    constexpr std::string_view routedBefore = "vllm_fused_moe ";
    return sample.group == "7168x2048x256" && sample.sweep.substr(0, engine.size()) == engine
        && sample.sweep.substr(0, routedBefore.size()) != routedBefore;
}

// What a layer's kernels are called by. Of vLLM's ways to one library, the modular one puts tokens in order
// and adds results up by kernels of its own.
std::string_view expertLibrary(const OpSample& sample)
{
    constexpr std::string_view modular = "expertsmodular";
    if (sample.sweep.find(modular) != std::string::npos)
        return modular;
    for (const std::string_view library : {"cutlass", "trtllm", "triton", "marlin"})
        if (sample.sweep.find(library) != std::string::npos)
            return library;
    return {};
}

// Without what says nothing of the form, and of one library. An engine may have another library for the few
// layers that its usual one does not take. Shapes do not tell which those are, and a form is of one library:
// that of most layers.
OfOneType ofOneKind(Samples samples)
{
    OfOneType out;
    if (const std::size_t left = std::erase_if(samples, choosesGroups); left > 0)
        out.without = fmt::format(", without {} timings of experts that are chosen by groups", left);
    std::map<std::string_view, std::set<std::string>> layers;
    for (const OpSample& sample : samples)
        layers[expertLibrary(sample)].insert(sample.group);
    std::size_t most = 0;
    std::set<std::string> known;
    for (const auto& [library, its] : layers) {
        most = std::max(most, its.size());
        known.insert(its.begin(), its.end());
    }
    constexpr std::size_t rare = 3; // fewer than a third of as many
    for (const auto& [library, its] : layers) {
        if (library.empty() || its.size() * rare >= most)
            continue;
        const std::size_t all = std::erase_if(
            samples, [&, name = library](const OpSample& s) { return expertLibrary(s) == name; });
        out.without += fmt::format(", without {} timings of {}, which {} of {} layers take", all, library,
                                   its.size(), known.size());
    }
    out.samples = std::move(samples);
    return out;
}

} // namespace

std::vector<OfOneType> readExperts(const TimingTable& table, const Gpu& gpu)
{
    std::vector<std::pair<GemmClass, Samples>> types;
    for (OpSample& sample : expertSamples(table, gpu)) {
        const GemmClass type = sample.op.gemm;
        auto found = std::find_if(types.begin(), types.end(), [&](const auto& t) { return t.first == type; });
        if (found == types.end())
            found = types.insert(types.end(), {type, {}});
        found->second.push_back(std::move(sample));
    }
    std::vector<OfOneType> out;
    for (auto& [type, its] : types)
        out.push_back(ofOneKind(std::move(its)));
    return out;
}

} // namespace headroom
