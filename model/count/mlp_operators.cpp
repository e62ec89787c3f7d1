#include "model/count/expert_balance.h"
#include "model/count/operator_builder.h"

namespace headroom {
namespace {

// Experts that some of these tokens chose. Were all alike, it were E (1 - (1 - k/E)^tokens); but a few are
// chosen again and again, which leaves more of the others out. Popularity falls off exponentially: what the
// loads are like that ai-dynamo/aiconfigurator times experts under (power laws of 1.01 and 1.2), and what
// steps of gpt-oss on one card take from 4 to 64 users. With shares so distributed (a beta distribution of
// shape 1) the expectation has this closed form.
double expertsMet(double experts, double chosen, double tokens)
{
    return chosen > 0 && tokens > 0 ? experts * tokens / (tokens + experts / chosen - 1) : 0;
}

} // namespace

void OperatorBuilder::mlp(const Mlp& mlp, double count) const
{
    switch (mlp.kind) {
    case MlpKind::None:
        return;
    case MlpKind::Moe:
        return moe(mlp, count);
    case MlpKind::Dense:
        break;
    }
    const double width = double(mlp.intermediate) / tp;
    const double branches = mlp.gated ? 2 : 1;
    gemm(OpName::GateUp, WeightPart::DenseMlp, count, rows, branches * width, hidden);
    stream(OpName::Activation, count, rows, activationBytesPerRow(width, mlp.gated, act));
    gemm(OpName::Down, WeightPart::DenseMlp, count, rows, hidden, width);
}

// There as narrow as experts multiply them, with a scale for every 128 numbers in 8 bits or 16 in 4; back as
// sums. Kernels that send a token only to the ranks of its experts reach into their memory, over NVLink or a
// network. Over PCIe every rank gets all tokens and gives back their sums (NVIDIA/TensorRT-LLM:
// fused_moe/communication/communication_factory.py, AllGatherReduceScatter where MnnvlMemory.supports_mnnvl
// is not; vLLM's and SGLang's choice wherever no other is asked for).
void OperatorBuilder::exchangeTokens(const Mlp& mlp, double width, double count) const
{
    const MathUnit unit = matrices[WeightPart::Expert].unit;
    const double there = unit == MathUnit::Fp8 || unit == MathUnit::Int8 ? 1 + 4 / 128.0
        : unit == MathUnit::Fp4                                          ? 0.5 + 1 / 16.0
                                                                         : act;
    ExpertExchange exchange{.rows = rows / tp, // the ranks of one tensor-parallel group share its tokens out
                            .chosen = mlp.expertsPerToken,
                            .groups = double(mlp.expertGroups),
                            .groupsChosen = double(mlp.groupsPerToken),
                            .ranks = d.layout.ep,
                            .nodes = nodesOf(d.layout.ep),
                            .straight = prefillRows <= 0};
    const bool gathers
        = d.engine && !d.engine->kernels.empty() && !directLinks(); // the physical floor need not
    const TokenPlaces places = tokenPlaces(exchange);               // the same there and back
    for (const double bytes : {there, act}) {
        exchange.rowBytes = width * bytes;
        if (gathers && exchange.nodes == 1)
            collective(OpName::AllGather, CollectiveClass::AllGather, count,
                       exchange.rows * exchange.rowBytes, d.layout.ep);
        else if (rows > 0)
            emit(expertExchangeOp(exchange, places), count);
    }
}

void OperatorBuilder::moe(const Mlp& mlp, double count) const
{
    const double branches = mlp.gated ? 2 : 1;
    const double experts = mlp.experts;
    const double chosen = mlp.expertsPerToken;
    const double inner = mlp.latent > 0 ? double(mlp.latent) : hidden;
    // Experts spread over ep ranks; each is cut into slices when the group is wider than ep.
    const double group = tp * d.layout.dp;
    const double ep = std::max(1, d.layout.ep);
    const double slice = double(mlp.expertIntermediate) / (group / ep);
    const bool spread = d.layout.dp > 1 && ep > 1;
    // A rank's experts see the tokens of every rank they are shared with; without sharing, their own rank's.
    const double seen = d.layout.dp > 1 ? allRows : rows;
    const double slots = experts + d.layout.redundantExperts;
    const double local = mostMet(int(ep), slots, expertsMet(experts, chosen, seen) * (slots / experts));
    const double mean = seen * chosen / ep;
    const double busiest = busiestRank(d.balance(), d.layout.ep, slots / ep, mean);
    const double routed = mean * busiest;

    gemm(OpName::Router, WeightPart::Router, count, rows, experts, hidden);
    if (mlp.latent > 0) {
        gemm(OpName::GateUp, WeightPart::DenseMlp, count, rows, inner, hidden);
        gemm(OpName::Down, WeightPart::DenseMlp, count, rows, hidden, inner);
    }
    if (spread)
        exchangeTokens(mlp, inner, count);
    // Without, every rank has a slice of every expert: it takes the tokens of all and gives back their sums.
    if (d.layout.dp > 1 && !spread) {
        constexpr double there = 1, back = 1; // an all-gather, a reduce-scatter of as many bytes
        collective(OpName::AllGather, CollectiveClass::AllGather, (there + back) * count, rows * hidden * act,
                   d.layout.dp, d.layout.tp);
    }
    // Where it is stored alike, the expert that every token takes runs among the others: SGLang appends it to
    // them (--disable-shared-experts-fusion), or gives it a stream beside them where they are spread over
    // ranks (DUAL_STREAM_TOKEN_THRESHOLD in deepseek_v2.py), as vLLM and TensorRT-LLM do everywhere. Where
    // ranks have tokens of their own it is theirs alone, and its products are.
    const MatrixKind& expert = matrices[WeightPart::Expert];
    const MatrixKind& always = matrices[WeightPart::SharedExpert];
    const double shared = double(mlp.sharedIntermediate) / tp;
    const bool among = shared > 0 && mlp.latent == 0 && !spread && always.cls == expert.cls
        && always.storedBytes == expert.storedBytes;
    const double slices = among ? shared / slice : 0;
    if (routed > 0) {
        Op op = expertOp({.rows = routed + slices * rows,
                          .routed = seen * chosen + slices * rows,
                          .experts = local + slices,
                          .held = slots / ep + slices,
                          .tokens = seen,
                          .inner = inner,
                          .slice = slice,
                          .gated = mlp.gated,
                          .weightBytesPerElement = expert.storedBytes,
                          .activationBytes = act},
                         expert.cls, expert.unit);
        op.busiest = busiest;
        if (expert.cls == GemmClass::Fp8 && fp8ScalesOf(d) == ScaleSpan::Channel && d.engine)
            op.ordering = d.engine->kernelsThatOrder(d.gpu->family);
        // Of the expert that every token takes: its activation and the sum, and its products where they are
        // timed with the others; the product, sigmoid and product of its gate (vllm-project/vllm@0218d050:
        // model_executor/models/qwen2_moe.py).
        if (shared > 0)
            op.uncompiled = eagerly((among ? 4 : 2) + (mlp.sharedGate ? 3 : 0));
        emit(op, count);
    }
    if (shared > 0 && !among) {
        gemm(OpName::SharedExpert, WeightPart::SharedExpert, count, rows, branches * shared, hidden);
        gemm(OpName::SharedExpert, WeightPart::SharedExpert, count, rows, hidden, shared);
    }
}

} // namespace headroom
