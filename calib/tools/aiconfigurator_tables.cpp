#include "calib/tools/published_routing.h"
#include "calib/tools/published_samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace headroom {
namespace {

namespace fs = std::filesystem;

// How the publisher names a system, and ours.
struct SystemName {
    std::string_view published;
    std::string_view gpu;
};
constexpr std::array systems{SystemName{"a100_sxm", "a100-sxm-80gb"},
                             SystemName{"h100_sxm", "h100-sxm-80gb"},
                             SystemName{"h200_sxm", "h200-sxm-141gb"},
                             SystemName{"l40s", "l40s"},
                             SystemName{"b200_sxm", "b200-sxm-180gb"},
                             SystemName{"b300_sxm", "b300-sxm-288gb"},
                             SystemName{"gb200", "gb200"},
                             SystemName{"gb300", "gb300"},
                             SystemName{"rtx_pro_6000_server", "rtx-pro-6000-blackwell-server"},
                             SystemName{"b60", "arc-pro-b60-24gb"}};

std::optional<GemmClass> gemmClassOfName(const std::string& name)
{
    if (name == "bfloat16" || name == "float16" || name == "half")
        return GemmClass::Half;
    if (name == "fp8")
        return GemmClass::Fp8;
    if (name == "fp8_block")
        return GemmClass::Fp8Block;
    if (name == "nvfp4")
        return GemmClass::Fp4;
    if (name == "int8_wo")
        return GemmClass::WeightOnly8;
    if (name == "int4_wo")
        return GemmClass::WeightOnly4;
    if (name == "w4a16_mxfp4")
        return GemmClass::Mxfp4;
    if (name == "sq")
        return GemmClass::Int8;
    return std::nullopt; // mixed types whose arithmetic our forms do not know
}

// Shapes that layers of language models have; the grids go far beyond, and forms should not bend for those.
bool shapeOfALayer(double m, double n, double k)
{
    return n >= 256 && k >= 256 && n * k >= 5e5 && n * k <= 1.5e9 && m <= 16384;
}

// Timed over and over, operands that fit into the last-level cache are read from it; in a step of a model
// they never are, as all its other weights and caches pass between. Such timings say nothing of memory:
// `copies` is how many of them the publisher took in turn. What multiplies longer than it reads is not
// affected, nor what is read in the time of a launch.
bool readsLongest(const Op& op, const Gpu& gpu)
{
    const Seconds fromMemory = (op.weightBytes + op.kvBytes) / gpu.memoryBandwidth;
    constexpr Seconds launch{4e-6};
    return fromMemory > launch && fromMemory > op.flops / gpu.peak(op.unit);
}
bool servedFromCache(const Op& op, const Gpu& gpu, double copies)
{
    constexpr double edge = 1.2; // a little more than the cache holds still leaves part of it there
    return (op.weightBytes + op.kvBytes) * copies < gpu.l2Cache * edge && readsLongest(op, gpu);
}

// Keys that fit shorten even what takes little longer than a launch.
bool cachedKeys(const OpSample& sample, const Gpu& gpu)
{
    constexpr double mostOfTime = 0.1; // that the memory would take
    const Seconds fromMemory = sample.op.kvBytes / gpu.memoryBandwidth;
    return servedFromCache(sample.op, gpu, 1)
        || (sample.op.kvBytes < gpu.l2Cache && fromMemory > sample.time * mostOfTime
            && fromMemory > sample.op.flops / gpu.peak(sample.op.unit));
}

using Samples = std::vector<OpSample>;

// Faster than the memory gives what the cache cannot hold: whatever was timed, it was not this operator. A
// shape of which more than a tenth of the rows are so is not believed in any; of others those rows are left
// out.
Samples withoutImpossible(Samples samples, const Gpu& gpu)
{
    struct Count {
        double rows = 0;
        double impossible = 0;
    };
    const auto impossible = [&](const OpSample& sample) {
        const Bytes read = sample.op.weightBytes + sample.op.kvBytes;
        return read > gpu.l2Cache && (read - gpu.l2Cache) / gpu.memoryBandwidth > sample.time;
    };
    std::map<std::string, Count> shapes;
    for (const OpSample& sample : samples) {
        Count& shape = shapes[sample.sweep];
        shape.rows += 1;
        shape.impossible += impossible(sample) ? 1 : 0;
    }
    constexpr double mostImpossible = 0.1;
    std::erase_if(samples, [&](const OpSample& sample) {
        const Count& shape = shapes[sample.sweep];
        return shape.impossible > mostImpossible * shape.rows || impossible(sample);
    });
    return samples;
}

// A matrix little larger than the cache may still have come from there in part, as a timing tells that is
// shorter than the memory takes for it: of such a matrix only what multiplies longer than it reads is taken.
Samples withoutPartlyCached(Samples samples, const Gpu& gpu)
{
    std::set<std::pair<GemmClass, std::string>> cached;
    for (const OpSample& sample : samples)
        if (sample.op.weightBytes / gpu.memoryBandwidth > sample.time)
            cached.emplace(sample.op.gemm, sample.group);
    std::erase_if(samples, [&](const OpSample& sample) {
        return cached.count({sample.op.gemm, sample.group}) > 0 && readsLongest(sample.op, gpu);
    });
    return samples;
}

Samples readGemm(const TimingTable& t, const Gpu& gpu)
{
    Samples out;
    for (std::size_t i = 0; i < t.rows(); ++i) {
        const auto type = gemmClassOfName(t.text(i, "gemm_dtype"));
        const double m = t.number(i, "m");
        const double n = t.number(i, "n");
        const double k = t.number(i, "k");
        const double ms = t.number(i, "latency");
        if (!type || ms <= 0 || !shapeOfALayer(m, n, k))
            continue;
        const Op op = publishedGemm(gpu, m, n, k, *type);
        constexpr double copies = 2; // seen in the timings of the card with the largest cache for its memory
        if (!servedFromCache(op, gpu, copies))
            out.push_back(sampleOf(op, ms * 1e-3, fmt::format("{}x{}", n, k),
                                   fmt::format("{} {}x{}", t.text(i, "kernel_source"), n, k)));
    }
    return withoutPartlyCached(std::move(out), gpu);
}

Samples readAttention(const TimingTable& t, const Gpu& gpu, bool decode)
{
    Samples out;
    for (std::size_t i = 0; i < t.rows(); ++i) {
        const std::string arithmetic = t.text(i, "attn_dtype");
        const std::string cache = t.text(i, "kv_cache_dtype");
        const double headDim = t.number(i, "head_dim", 128);
        const double window = t.number(i, "window_size");
        const double heads = t.number(i, "num_heads");
        double kvHeads = t.number(i, "num_key_value_heads");
        if (kvHeads == 0)
            kvHeads = heads; // the table's way to write multi-head attention
        const double tokens = decode ? t.number(i, "step") + 1 : t.number(i, "isl");
        const double ms = t.number(i, "latency");
        const bool half = arithmetic.empty() || arithmetic == "bfloat16";
        const bool usual = window == 0 && (headDim == 64 || headDim == 128 || headDim == 256) && half
            && heads / kvHeads <= 16 && tokens >= 64;
        const double cacheBytes = cache == "fp8" ? 1 : 2;
        if (!usual || ms <= 0 || (!decode && cacheBytes < 2))
            continue;
        const Op op = publishedAttention(gpu, decode, t.number(i, "batch_size"), tokens, heads, kvHeads,
                                         headDim, cacheBytes);
        OpSample sample
            = sampleOf(op, ms * 1e-3, fmt::format("{}/{}x{}", heads, kvHeads, headDim),
                       fmt::format("{} {}/{}x{}", t.text(i, "kernel_source"), heads, kvHeads, headDim));
        if (!decode || !cachedKeys(sample, gpu))
            out.push_back(std::move(sample));
    }
    return decode ? withoutImpossible(std::move(out), gpu) : out;
}

Samples readMla(const TimingTable& t, const Gpu& gpu, bool decode)
{
    Samples out;
    for (std::size_t i = 0; i < t.rows(); ++i) {
        const double tokens = decode ? t.number(i, "step") + 1 : t.number(i, "isl");
        const double ms = t.number(i, "latency");
        const bool narrow = t.text(i, "kv_cache_dtype") == "fp8";
        if (ms <= 0 || tokens < 64 || (!decode && narrow))
            continue;
        const Op op = publishedMla(gpu, decode, t.number(i, "batch_size"), tokens, t.number(i, "num_heads"),
                                   narrow ? 1 : 2);
        OpSample sample
            = sampleOf(op, ms * 1e-3, fmt::format("{}", t.number(i, "num_heads")),
                       fmt::format("{} {}", t.text(i, "kernel_source"), t.number(i, "num_heads")));
        if (!decode || !cachedKeys(sample, gpu))
            out.push_back(std::move(sample));
    }
    return decode ? withoutImpossible(std::move(out), gpu) : out;
}

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
    // arithmetic are planned with its forms.
    const bool converted
        = kernel.find("vllm") != std::string::npos && kernel.find("gptoss") == std::string::npos;
    const bool otherPath = type == GemmClass::Mxfp4 && (converted || gpu.has(MathUnit::Fp4));
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

Samples readExperts(const TimingTable& t, const Gpu& gpu)
{
    Samples out;
    PublishedRouting routing;
    for (std::size_t i = 0; i < t.rows(); ++i)
        if (std::optional<OpSample> sample = expertSample(t, i, gpu, routing))
            out.push_back(std::move(*sample));
    // Kernels that route by themselves need not take the experts that the publisher's logits ask for.
    return withoutImpossible(std::move(out), gpu);
}

// Timings of one type of weights, and what is to be said of those that are not among them.
struct OfOneType {
    Samples samples;
    std::string without;
};

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

std::vector<OfOneType> expertsByType(Samples samples)
{
    std::vector<std::pair<GemmClass, Samples>> types;
    for (OpSample& sample : samples) {
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

Samples readCustomAllReduce(const TimingTable& t)
{
    Samples out;
    for (std::size_t i = 0; i < t.rows(); ++i) {
        if (t.text(i, "backend").find("eager") != std::string::npos)
            continue; // timed with the launch by the processor
        const double ranks = t.number(i, "num_gpus");
        const double ms = t.number(i, "latency");
        const double bytes = t.number(i, "message_size") * 2; // elements of 16 bits
        if (ms > 0 && ranks > 1 && bytes <= 268435456)
            out.push_back(sampleOf(
                publishedCollective(CollectiveClass::CustomAllReduce, static_cast<int>(ranks), bytes),
                ms * 1e-3, fmt::format("{}", std::log2(bytes)), fmt::format("{} ranks", ranks)));
    }
    return out;
}

Samples readNccl(const TimingTable& t)
{
    Samples out;
    for (std::size_t i = 0; i < t.rows(); ++i) {
        const std::string name = t.text(i, "op_name");
        const double ranks = t.number(i, "num_gpus");
        const double ms = t.number(i, "latency");
        double bytes = t.number(i, "message_size") * (t.text(i, "nccl_dtype") == "int8" ? 1 : 2);
        CollectiveClass cls = CollectiveClass::NcclAllReduce;
        if (name == "all_gather") {
            cls = CollectiveClass::AllGather;
            bytes /= ranks; // NCCL's tests print the gathered size
        } else if (name == "alltoall") {
            cls = CollectiveClass::AllToAll;
        } else if (name != "all_reduce") {
            continue;
        }
        if (ms > 0 && ranks > 1 && bytes <= 268435456)
            out.push_back(sampleOf(publishedCollective(cls, static_cast<int>(ranks), bytes), ms * 1e-3,
                                   fmt::format("{}", std::log2(bytes)), fmt::format("{} ranks", ranks)));
    }
    return out;
}

Samples readByName(const TimingTable& table, const Gpu& gpu, std::string_view name)
{
    if (name == "gemm_perf")
        return readGemm(table, gpu);
    if (name == "context_attention_perf")
        return readAttention(table, gpu, false);
    if (name == "generation_attention_perf")
        return readAttention(table, gpu, true);
    if (name == "context_mla_perf")
        return readMla(table, gpu, false);
    if (name == "generation_mla_perf")
        return readMla(table, gpu, true);
    if (name == "moe_perf")
        return readExperts(table, gpu);
    if (name == "custom_allreduce_perf")
        return readCustomAllReduce(table);
    if (name == "nccl_perf")
        return readNccl(table);
    return {};
}

} // namespace

// ai-dynamo/aiconfigurator: <system>__<backend>__<operator>.csv, with the dropped constants in manifest.csv.
Result<bool> readAiconfigurator(const fs::path& folder, PublishedCollector& into)
{
    if (!fs::exists(folder))
        return true;
    const Result<TimingTable> manifest = openTable(folder / "manifest.csv");
    if (!manifest)
        return refuse(manifest.error());
    for (std::size_t i = 0; i < manifest->rows(); ++i) {
        const std::string file = manifest->text(i, "file");
        const std::string system = manifest->text(i, "system");
        const std::string backend = manifest->text(i, "backend");
        const auto known = std::find_if(systems.begin(), systems.end(),
                                        [&](const SystemName& s) { return s.published == system; });
        if (known == systems.end())
            continue;
        const Gpu* gpu = into.gpu(known->gpu);
        if (!gpu)
            continue;
        auto constants = readConstants(manifest->text(i, "constants"));
        const std::string origin
            = fmt::format("ai-dynamo/aiconfigurator@095f58a {} (Apache-2.0), {} {}",
                          manifest->text(i, "source_path"), backend, manifest->text(i, "backend_version"));
        const Result<TimingTable> table = openTable(folder / file, std::move(constants));
        if (!table)
            return refuse(table.error());
        Samples samples = readByName(*table, *gpu, manifest->text(i, "op"));
        // Collectives of NCCL are the same whoever calls them.
        if (manifest->text(i, "op") == "nccl_perf") {
            for (const std::string_view engine : {"trtllm", "vllm", "sglang"})
                into.add(known->gpu, engine, origin, samples);
            continue;
        }
        if (manifest->text(i, "op") == "moe_perf") {
            for (OfOneType& type : expertsByType(std::move(samples)))
                into.add(known->gpu, backend, origin + type.without, std::move(type.samples));
            continue;
        }
        into.add(known->gpu, backend, origin, std::move(samples));
    }
    return true;
}

} // namespace headroom
