#include "model/cost/launches.h"

namespace headroom {
namespace {

// Activations are narrowed by a kernel of their own before a product in 8 or 4 bits.
double narrowing(const Op& op)
{
    return op.unit == MathUnit::Fp8 || op.unit == MathUnit::Fp4 || op.unit == MathUnit::Int8 ? 1 : 0;
}

// Each step that an operator is made of is at least one kernel; which steps may share one differs by engine,
// and what is fitted for one launch evens that out.
double kernelsOf(const Op& op)
{
    switch (op.name) {
    case OpName::Experts: // sort the rows by expert, gather them; two products; activation; weigh and add up
        return 6 + 2 * narrowing(op) + op.ordering;
    case OpName::Router: // scores, then the best of them
        return 2;
    case OpName::MlaDown: // the product, then the norms of what comes out
        return 2 + narrowing(op);
    case OpName::RopeAppend: // rotate; write to the cache
        return 2;
    case OpName::PrefillAttention: // latent: rotated and plain parts of the keys are joined and cast before
        return op.cls == OpClass::PrefillMla ? 3 : 1;
    case OpName::DecodeAttention: // pieces of the cache, then their sum
        return 2;
    case OpName::Scan: // convolution, norms and gates; within chunks: products, solving, states; then outputs
        return op.cls == OpClass::Stream ? 3 : 8;
    case OpName::Sampling: // penalties, softmax, limits, draw
        return 4;
    default:
        return op.cls == OpClass::Gemm ? 1 + narrowing(op) : 1;
    }
}

} // namespace

double launchesOf(const Op& op) { return kernelsOf(op) + op.uncompiled; }

double startsOf(const Op& op)
{
    // A row of logits is shared out among blocks, and what each of them found is looked over afterwards.
    return op.name == OpName::Sampling ? 2 : 1;
}

} // namespace headroom
