#include "model/cost/forms.h"

#include "model/cost/attention_forms.h"
#include "model/cost/exchange_form.h"
#include "model/cost/form_parts.h"
#include "model/cost/launches.h"
#include "model/cost/matrix_forms.h"

#include <algorithm>

namespace headroom {

namespace {

// A recurrent state goes through the registers of the multiprocessors, of which some cards have few for their
// bandwidth.
Seconds throughMultiprocessors(Bytes state, const Gpu& gpu, double efficiency, double bytesPerClock)
{
    const Seconds fromMemory = state / (gpu.memoryBandwidth * efficiency);
    const double most = bytesPerClock * gpu.smCount * gpu.boostClockHz;
    return most > 0 ? std::max(fromMemory, Seconds(state.base() / most)) : fromMemory;
}

// Kernels of decodes stream a state at the pace of any stream; what its update takes is the recurrence's.
OpTime timeStream(const Op& op, const Gpu& gpu, const StreamForm& form, const StreamForm& recurrence)
{
    OpTime time;
    constexpr double inBlocks = 0.5; // a recurrence in blocks reaches half a GEMM at best
    const bool scores = op.name == OpName::Indexer && form.indexEfficiency > 0;
    time.compute = over(op.flops, gpu.peak(op.unit) * (scores ? form.indexEfficiency : inBlocks));
    constexpr double readShare = 0.5; // what is written takes the rest of the cache
    // A state was last touched a step ago: other layers' have been in the cache since.
    const Bytes state = op.name == OpName::Scan ? op.kvBytes : Bytes{};
    time.memory = throughMultiprocessors(state, gpu, form.memoryEfficiency, recurrence.stateBytes)
        + moving(op.bytes() - state, gpu, form.memoryEfficiency, form.activationEfficiency, readShare);
    if (op.name == OpName::Norm)
        time.memory = time.memory * form.normCost;
    time.launch = form.launch * startsOf(op);
    finish(time, std::max(time.compute, time.memory).base() + time.launch.base(), form.uncertainty);
    return time;
}

} // namespace

Code boundName(Bound bound)
{
    switch (bound) {
    case Bound::Compute:
        return "compute";
    case Bound::Memory:
        return "memory";
    case Bound::Launch:
        return "launch";
    case Bound::Link:
        return "link";
    }
    return "memory";
}

OpTime timeOp(const Op& op, const Gpu& gpu, const Node& node, const EfficiencySet& set)
{
    switch (op.cls) {
    case OpClass::Gemm:
        return timeGemm(op, gpu, set.form(op.gemm), set.exactShapes);
    case OpClass::GroupedGemm:
        return timeGrouped(op, gpu, set);
    case OpClass::PrefillAttention:
        return timePrefillAttention(op, gpu, set.prefillAttention);
    case OpClass::PrefillMla:
        return timePrefillAttention(op, gpu, set.prefillMla);
    case OpClass::DecodeAttention:
        return timeDecodeAttention(op, gpu, op.narrowKv ? set.decodeAttention8 : set.decodeAttention);
    case OpClass::DecodeMla:
        return timeDecodeAttention(op, gpu, op.narrowKv ? set.decodeMla8 : set.decodeMla);
    case OpClass::Stream:
        return timeStream(op, gpu, set.stream, set.scan);
    case OpClass::Scan:
        return timeStream(op, gpu, set.scan, set.scan);
    case OpClass::Collective:
        return timeCollective(op, node, set);
    }
    return {};
}

} // namespace headroom
