#include "model/cost/op_slot.h"

namespace headroom {

FormSlot slotOf(const Op& op)
{
    FormSlot slot{.cls = op.cls};
    if (op.cls == OpClass::Gemm || op.cls == OpClass::GroupedGemm)
        slot.gemm = op.gemm;
    if (op.cls == OpClass::DecodeAttention || op.cls == OpClass::DecodeMla)
        slot.narrowKv = op.narrowKv;
    if (op.cls == OpClass::Collective) {
        slot.collective = op.collective;
        slot.betweenNodes = op.nodes > 1;
    }
    return slot;
}

} // namespace headroom
