#include "kernels/task.h"

#include "model/count/op_work.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom::kernels {

namespace {

MathUnit unitOf(const Task& task)
{
    if (task.activations == DType::Fp8)
        return MathUnit::Fp8;
    if (task.activations == DType::Int8)
        return MathUnit::Int8;
    if (task.activations == DType::Fp32)
        return MathUnit::Fp32;
    return task.activations == DType::Fp16 ? MathUnit::Fp16 : MathUnit::Bf16;
}

GemmClass classOf(const Task& task)
{
    switch (task.weights) {
    case DType::Fp32:
        return GemmClass::Fp32;
    case DType::Fp8:
        return task.activations == DType::Fp8 ? GemmClass::Fp8 : GemmClass::WeightOnly8;
    case DType::Int8:
        return task.activations == DType::Int8 ? GemmClass::Int8 : GemmClass::WeightOnly8;
    case DType::Bf16:
    case DType::Fp16:
        return GemmClass::Half;
    default:
        return GemmClass::WeightOnly4;
    }
}

double weightBytes(const Task& task)
{
    const DTypeFacts& stored = facts(task.weights);
    // The usual scale overhead is quoted for groups of 128.
    const double scale = task.groupSize > 0 ? stored.scaleBits * 128 / task.groupSize : stored.scaleBits;
    return (stored.bits + scale) / 8;
}

double meanPast(const Task& task) { return task.ragged ? 0.75 * double(task.past) : double(task.past); }

AttentionShape attentionShape(const Task& task)
{
    return {.batch = double(task.batch),
            .queryTokens = double(std::max<std::int64_t>(task.queryTokens, 1)),
            .past = meanPast(task),
            .queryHeads = double(task.queryHeads),
            .kvHeads = double(task.kvHeads),
            .headDim = double(task.headDim),
            .kvBytesPerElement = bytesPerElement(task.kv),
            .activationBytes = bytesPerElement(task.activations)};
}

Op latentOp(const Task& task)
{
    return decodeLatentOp({.batch = double(task.batch),
                           .past = meanPast(task),
                           .heads = double(task.queryHeads),
                           .latent = double(task.latent),
                           .rope = double(task.rope),
                           .kvBytesPerElement = bytesPerElement(task.kv),
                           .activationBytes = bytesPerElement(task.activations)},
                          unitOf(task));
}

Op expertsOp(const Task& task)
{
    return expertOp({.rows = double(task.m * task.expertsPerToken),
                     .experts = distinctExperts(task.experts, task.expertsPerToken, double(task.m)),
                     .held = double(task.experts),
                     .tokens = double(task.m),
                     .inner = double(task.k),
                     .slice = double(task.n),
                     .gated = task.gated,
                     .weightBytesPerElement = weightBytes(task),
                     .activationBytes = bytesPerElement(task.activations)},
                    classOf(task), unitOf(task));
}

// Of results rounded once to the type.
double toleranceOf(DType type)
{
    switch (type) {
    case DType::Fp32:
        return 1e-5;
    case DType::Fp16:
        return 2e-3;
    default:
        return 1e-2;
    }
}

// What one rounding may do to exact results. In a binade [1, 2) a type of f bits of fraction has steps of
// 2 u, u = 2^-(f + 1): the mean square error is (2 u)^2 / 12, that of the numbers 7 / 3, so the relative norm
// of the error is u / sqrt(7) = 0.38 u, and never more than u. Half of u leaves a third for chance and
// catches a second rounding of a wider type. Eight-bit integers have steps of largest / 127 everywhere, and a
// rotated pair of uniform numbers (of quadratic mean 1 / sqrt(3)) is at most sqrt(2): sqrt(2) sqrt(3) / 127 /
// sqrt(12) = 0.0056, and a third more.
double roundedOnce(DType type)
{
    switch (type) {
    case DType::Fp32:
        return toleranceOf(type);
    case DType::Fp16:
        return 0x1p-12;
    case DType::Fp8: // e4m3
        return 0x1p-5;
    case DType::Int8:
        return 7.4e-3;
    default: // bf16
        return 0x1p-9;
    }
}

} // namespace

std::string_view kernelName(Kernel kernel)
{
    static constexpr std::array<std::string_view, kernelCount> names{
        "gemm",       "prefill_attention", "decode_attention", "decode_latent", "norm", "rope_append",
        "activation", "experts",           "sampling",         "read",          "copy", "empty",
        "all_reduce", "all_gather",        "all_to_all",       "send_recv"};
    return names[static_cast<std::size_t>(kernel)];
}

Op workOf(const Task& task)
{
    const double act = bytesPerElement(task.activations);
    const double rows = double(task.m);
    const double bytes = double(task.bytes);
    switch (task.kernel) {
    case Kernel::Gemm:
        return gemmOp(task.name,
                      {.m = rows,
                       .n = double(task.n),
                       .k = double(task.k),
                       .weightBytesPerElement = weightBytes(task),
                       .activationBytes = act},
                      classOf(task), unitOf(task));
    case Kernel::PrefillAttention:
        return prefillAttentionOp(attentionShape(task), unitOf(task));
    case Kernel::DecodeAttention:
        return decodeAttentionOp(attentionShape(task), unitOf(task));
    case Kernel::DecodeLatent:
        return latentOp(task);
    case Kernel::NormResidual:
        return streamOp(OpName::Norm, rows, normBytesPerRow(double(task.k), act));
    case Kernel::RopeAppend: {
        const double query = double(task.queryHeads) * task.headDim;
        const double kv = 2.0 * task.kvHeads * task.headDim;
        return streamOp(OpName::RopeAppend, rows, ropeBytesPerRow(query, kv, act),
                        kv * bytesPerElement(task.kv));
    }
    case Kernel::GatedActivation:
        return streamOp(OpName::Activation, rows, activationBytesPerRow(double(task.n), task.gated, act));
    case Kernel::Experts:
        return expertsOp(task);
    case Kernel::Sampling:
        return streamOp(OpName::Sampling, rows, double(task.n) * 4); // greedy: logits in fp32, read once
    case Kernel::Read:
        return streamOp(OpName::Embedding, 1, bytes);
    case Kernel::Copy:
        return streamOp(OpName::Embedding, 1, 2 * bytes);
    case Kernel::Empty:
        return streamOp(OpName::Embedding, 0, 0);
    case Kernel::AllReduce:
        return collectiveOp(OpName::AllReduce, CollectiveClass::NcclAllReduce, bytes, task.ranks, task.nodes);
    case Kernel::AllGather:
        return collectiveOp(OpName::AllGather, CollectiveClass::AllGather, bytes, task.ranks, task.nodes);
    case Kernel::AllToAll:
        return collectiveOp(OpName::AllToAll, CollectiveClass::AllToAll, bytes, task.ranks, task.nodes);
    case Kernel::SendRecv:
        return collectiveOp(OpName::SendRecv, CollectiveClass::SendRecv, bytes, 2, task.nodes);
    }
    return {};
}

std::string groupOf(const Task& task)
{
    switch (task.kernel) {
    case Kernel::Gemm:
        return fmt::format("{} n{} k{}", name(task.weights), task.n, task.k);
    case Kernel::PrefillAttention:
    case Kernel::DecodeAttention:
    case Kernel::DecodeLatent:
    case Kernel::RopeAppend:
        return fmt::format("{}q {}kv d{} {}", task.queryHeads, task.kvHeads, task.headDim + task.latent,
                           name(task.kv));
    case Kernel::Experts:
        return fmt::format("{} E{} k{} {}x{}", name(task.weights), task.experts, task.expertsPerToken, task.k,
                           task.n);
    case Kernel::NormResidual:
    case Kernel::GatedActivation:
    case Kernel::Sampling:
        return fmt::format("{} {}", kernelName(task.kernel), std::max(task.n, task.k));
    case Kernel::AllReduce:
    case Kernel::AllGather:
    case Kernel::AllToAll:
    case Kernel::SendRecv: // a size of message among a number of ranks
        return fmt::format("{} r{} n{} {}", kernelName(task.kernel), task.ranks, task.nodes, task.bytes);
    default:
        return std::string(kernelName(task.kernel));
    }
}

Message exchangeObstacle(const Task& task, Bytes memory)
{
    const int share = 4 * task.ranks;
    if (task.bytes < share || task.bytes % share != 0)
        return "messages are whole 4-byte numbers for every rank";
    const int parts = task.kernel == Kernel::AllGather ? task.ranks + 1 : 2; // given and taken
    if (double(task.bytes) * parts > memory.base() / 2)
        return "messages of more than half of a device's memory";
    return {};
}

std::string describe(const Task& task)
{
    std::string out(kernelName(task.kernel));
    const auto add = [&](std::string_view key, std::int64_t value) {
        if (value != 0)
            out += fmt::format(" {}={}", key, value);
    };
    out += fmt::format(" {}", name(task.weights));
    if (task.kernel == Kernel::DecodeAttention || task.kernel == Kernel::PrefillAttention)
        out += fmt::format(" kv={}", name(task.kv));
    add("m", task.m);
    add("n", task.n);
    add("k", task.k);
    add("batch", task.batch);
    add("query", task.queryTokens);
    add("past", task.past);
    add("heads", task.queryHeads);
    add("kv_heads", task.kvHeads);
    add("head_dim", task.headDim);
    add("experts", task.experts);
    add("bytes", task.bytes);
    add("ranks", isCollective(task.kernel) ? task.ranks : 0);
    add("nodes", task.nodes > 1 ? task.nodes : 0);
    add("graph_nodes", task.graphNodes);
    if (task.ragged)
        out += " ragged";
    if (task.variant && *task.variant != Variant{})
        out += fmt::format(" by {}", describe(*task.variant));
    return out;
}

std::string describe(const Variant& variant)
{
    if (variant.library)
        return "library";
    if (variant.plain)
        return "plain";
    std::string out = variant.staged ? "staged " : variant.grouped ? "warp groups' " : "";
    if (variant.rows > 0 && variant.columns > 0)
        out += fmt::format("tile of {} x {}", variant.rows, variant.columns);
    else if (variant.rows + variant.columns > 0)
        out += fmt::format("tile of {}", std::max(variant.rows, variant.columns));
    if (variant.parts > 1)
        out += fmt::format("{}{} parts", out.empty() ? "" : ", ", variant.parts);
    return out;
}

double toleranceOf(const Task& task)
{
    if (task.kernel == Kernel::PrefillAttention || task.kernel == Kernel::DecodeAttention
        || task.kernel == Kernel::DecodeLatent)
        return 1e-2;
    // A rope computes in 32 bit and rounds once, queries to their type and what it appends to the cache's.
    if (task.kernel == Kernel::RopeAppend)
        return std::max(roundedOnce(task.activations), roundedOnce(task.kv));
    if (task.kernel == Kernel::Gemm && (task.activations == DType::Fp8 || task.activations == DType::Int8))
        return 2e-2; // fast accumulation
    if (facts(task.weights).bits < 16)
        return 1e-2;
    return toleranceOf(task.activations);
}

} // namespace headroom::kernels
