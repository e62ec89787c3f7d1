#include "model/count/operators.h"

#include "model/count/mixer_count.h"
#include "model/count/step_operators.h"
#include "model/count/weights.h"

namespace headroom {

std::string_view opName(OpName name)
{
    static constexpr std::array<std::string_view, 27> names{"embedding",
                                                            "norm",
                                                            "qkv",
                                                            "mla_down",
                                                            "mla_up",
                                                            "indexer",
                                                            "rope_append",
                                                            "prefill_attention",
                                                            "decode_attention",
                                                            "attention_out",
                                                            "mixer_in",
                                                            "scan",
                                                            "mixer_out",
                                                            "router",
                                                            "experts",
                                                            "shared_expert",
                                                            "gate_up",
                                                            "down",
                                                            "activation",
                                                            "lora",
                                                            "draft",
                                                            "all_reduce",
                                                            "all_gather",
                                                            "all_to_all",
                                                            "send_recv",
                                                            "head",
                                                            "sampling"};
    return names[static_cast<std::size_t>(name)];
}

StageLayers stageLayers(const Llm& llm, int stages, int stage)
{
    const auto [begin, end] = stageRange(int(llm.layerCount()), stages, stage);
    return {.ofKind = layerCounts(llm, begin, end), .first = stage == 0, .last = stage == stages - 1};
}

bool crossesNodes(const Deployment& deployment, int stage)
{
    const int perNode = std::max(1, deployment.node ? deployment.node->gpusPerNode : 1);
    const int perStage = deployment.layout.tp * deployment.layout.dp;
    const bool last = stage == deployment.layout.pp - 1;
    // The last GPU of a stage sends to the last of the next.
    return !last && ((stage + 1) * perStage - 1) / perNode != ((stage + 2) * perStage - 1) / perNode;
}

double busyRanks(const Deployment& deployment, const StepShape& shape)
{
    return std::clamp(shape.prefillSequences + shape.decodeSequences, 1.0, double(deployment.layout.dp));
}

OperatorBuilder::OperatorBuilder(const Deployment& deployment, const MatrixKinds& kinds,
                                 const StepShape& step, OpSink out)
    : d(deployment), matrices(kinds), shape(step), sink(out)
{
    // Activations are as wide as the numbers that are multiplied.
    act = d.weights == DType::Fp32 || matrices.half == MathUnit::Fp32 ? 4 : 2;
    hidden = double(d.llm->hidden);
    tp = d.layout.tp;
    // Requests are whole: one prompt stays on one rank, a batch spreads evenly.
    const double dp = d.layout.dp;
    const double prefillRanks = std::clamp(step.prefillSequences, 1.0, dp);
    const double decodeRanks = std::clamp(step.decodeSequences, 1.0, dp);
    prefillRows = step.prefillTokens / prefillRanks;
    prefillSequences = step.prefillSequences / prefillRanks;
    decodeSequences = step.decodeSequences / decodeRanks;
    decodeRows = decodeSequences * step.decodeQueries;
    rows = prefillRows + decodeRows;
    allRows = step.allTokens > 0 ? step.allTokens : step.tokens();
    const int perNode = std::max(1, d.node ? d.node->gpusPerNode : 1);
    rankNodes = (d.layout.tp + perNode - 1) / perNode;
}

void OperatorBuilder::gemm(OpName name, WeightPart part, double count, double m, double n, double k) const
{
    if (m <= 0 || n <= 0 || k <= 0 || count <= 0)
        return;
    const MatrixKind& matrix = matrices[part];
    emit(gemmOp(name,
                {.m = m, .n = n, .k = k, .weightBytesPerElement = matrix.storedBytes, .activationBytes = act},
                matrix.cls, matrix.unit),
         count);
}

void OperatorBuilder::stream(OpName name, double count, double m, double bytesPerRow) const
{
    if (m <= 0 || count <= 0)
        return;
    emit(streamOp(name, m, bytesPerRow), count);
}

int OperatorBuilder::nodesOf(int ranks, int apart) const
{
    const int perNode = std::max(1, d.node ? d.node->gpusPerNode : 1);
    return std::min(ranks, (ranks * apart + perNode - 1) / perNode);
}

// Kernels of compute capability 12 take any power of two down to the rows of one matrix instruction
// (flashinfer-ai/flashinfer: pull request 3834, sparse MLA for SM120).
double OperatorBuilder::gatheringHeads(double heads, double fewest) const
{
    constexpr double takesAny = 12;
    constexpr double rowsOfInstruction = 16;
    if (!hasKernels())
        return heads;
    return std::max(heads, d.gpu->computeCapability >= takesAny ? rowsOfInstruction : fewest);
}

bool OperatorBuilder::directLinks() const
{
    return !d.node
        || (d.node->intra.topology != LinkTopology::Pcie && d.node->intra.topology != LinkTopology::Pairs);
}

void OperatorBuilder::collective(OpName name, CollectiveClass cls, double count, double message, int ranks,
                                 int apart) const
{
    if (ranks <= 1 || message <= 0 || count <= 0)
        return;
    emit(collectiveOp(name, cls, message, ranks, nodesOf(ranks, apart)), count);
}

void OperatorBuilder::allReduce(double count, double m) const
{
    // One- and two-shot kernels are written for the GPUs of one node that all have direct links: over PCIe
    // engines leave groups wider than two to NCCL (vllm-project/vllm: custom_all_reduce.py, should_custom_ar;
    // NVIDIA/TensorRT-LLM: allreducePlugin.cpp, selectImplementation).
    constexpr int pair = 2;
    const bool direct = d.layout.tp <= pair || directLinks();
    const bool custom = d.engine && d.engine->customAllReduce && rankNodes == 1 && direct;
    collective(OpName::AllReduce, custom ? CollectiveClass::CustomAllReduce : CollectiveClass::NcclAllReduce,
               count, m * hidden * act, d.layout.tp);
}

void OperatorBuilder::ends(const StageLayers& stage) const
{
    if (stage.first)
        stream(OpName::Embedding, 1, rows, 2 * hidden * act);
    if (!stage.last) {
        // Activations go to the next stage; the ranks of one stage send their slices side by side.
        emit(collectiveOp(OpName::SendRecv, CollectiveClass::SendRecv, rows * hidden * act / tp, 2,
                          stage.crosses ? 2 : 1),
             1);
        return;
    }
    const double ranks = busyRanks(d, shape);
    const double sampled = shape.sampledRows / ranks;
    const double vocab = double(d.llm->vocab);
    stream(OpName::Norm, d.llm->finalNorm ? 1 : 0, rows, 2 * hidden * act);
    gemm(OpName::Head, WeightPart::Head, 1, sampled, vocab / tp, hidden);
    if (sampled > 0)
        collective(OpName::AllGather, CollectiveClass::AllGather, 1, sampled * vocab / tp * act, d.layout.tp);
    stream(OpName::Sampling, 1, sampled, samplingBytesPerRow(vocab));
}

namespace {

// The all-reduce of a small step adds the residual, normalises and narrows too, where the engine has kernels
// that do (NVIDIA/TensorRT-LLM: AllReduceFusionOp, up to CustomAllReduceHelper.max_workspace_size_auto).
// Measured runs show it on cards with FP4 arithmetic, not on those before.
bool normsWithinAllReduce(const OperatorBuilder& build)
{
    const Deployment& d = build.d;
    constexpr double ofPair = 16e6, ofMore = 8e6; // bytes
    return d.engine && d.engine->fusesQuantise && d.gpu && d.gpu->has(MathUnit::Fp4) && d.layout.tp > 1
        && build.rankNodes == 1
        && build.rows * build.hidden * build.act <= (d.layout.tp == 2 ? ofPair : ofMore);
}

void mixing(const OperatorBuilder& build, const LayerKind& kind, double count)
{
    if (!normsWithinAllReduce(build))
        build.stream(OpName::Norm, count * kind.norms, build.rows, normBytesPerRow(build.hidden, build.act));
    build.hyperConnections(count);
    ofMixer(kind.mixer, [&](const MixerCount& mixer) { mixer.operators(build, count); });
}

void rest(const OperatorBuilder& build, const LayerKind& kind, double count)
{
    build.mlp(kind.mlp, count);
    if (build.d.loraAdapters > 0)
        build.lora(kind, count);
    // A parallel layer adds both branches before one all-reduce; a sequential one reduces after each.
    const bool feeds = kind.mlp.kind != MlpKind::None;
    const double reduces = kind.parallel ? 1 : double(mixes(kind.mixer)) + double(feeds);
    build.allReduce(count * reduces, build.rows);
}

void layer(const OperatorBuilder& build, const LayerKind& kind, double count)
{
    mixing(build, kind, count);
    rest(build, kind, count);
}

} // namespace

bool sameMixing(const LayerKind& a, const LayerKind& b) { return a.norms == b.norms && a.mixer == b.mixer; }

void forEachOperator(const Deployment& deployment, const StageLayers& stage, const StepShape& shape,
                     OpSink sink)
{
    const MatrixKinds matrices(deployment);
    const OperatorBuilder build(deployment, matrices, shape, sink);
    const std::vector<LayerKind>& kinds = deployment.llm->kinds;
    for (std::size_t kind = 0; kind < kinds.size() && kind < maxLayerKinds; ++kind)
        if (const double count = stage.ofKind[kind]; count > 0)
            layer(build, kinds[kind], count);
    build.ends(stage);
}

void StepOperators::ofLayer(std::size_t kind, LayerPart part) const
{
    (part == LayerPart::Mixer ? mixing : rest)(m_build, m_build.d.llm->kinds[kind], 1);
}

void forEachDraftOperator(const Deployment& deployment, const MatrixKinds& matrices, const StepShape& shape,
                          OpSink sink)
{
    const OperatorBuilder build(deployment, matrices, shape, sink);
    const Llm& llm = *deployment.llm;
    build.gemm(OpName::Draft, WeightPart::Router, 1, build.rows, build.hidden, 2 * build.hidden);
    build.stream(OpName::Draft, llm.mtp.norms, build.rows, normBytesPerRow(build.hidden, build.act));
    for (const std::uint8_t kind : llm.mtp.kinds)
        layer(build, llm.kinds[kind], 1);
    build.ends({.first = false, .last = true});
}

} // namespace headroom
