#include "model/count/operator_builder.h"
#include "model/count/rank_share.h"

#include <array>

namespace headroom {

namespace {

// Matrices whose adapters run in one kernel: those that read the same input, and those after them (vLLM:
// lora/layers, merged columns; lora/punica_wrapper).
struct Together {
    double rows = 0; // of all of them
    double cols = 0;
    double matrices = 0;
};
std::size_t groupOf(const Adapted& matrix)
{
    const std::size_t part = matrix.part == Part::Mixer ? 0 : matrix.part == Part::DenseMlp ? 1 : 2;
    return 2 * part + (matrix.inputSplit ? 1 : 0);
}

} // namespace

// Each row goes through the two factors of its own adapter; a step reads the adapters that its sequences use.
void OperatorBuilder::lora(const LayerKind& kind, double count) const
{
    const double inUse = std::min<double>(d.loraAdapters, prefillSequences + decodeSequences);
    if (inUse <= 0 || d.loraRank <= 0 || rows <= 0)
        return;
    std::array<Together, 6> groups{};
    forEachAdapted(*d.llm, kind, d.layout, [&](const Adapted& matrix) {
        Together& group = groups[groupOf(matrix)];
        group.rows += matrix.copies * matrix.rows;
        group.cols += matrix.copies * matrix.cols;
        group.matrices += matrix.copies;
    });
    const double rank = d.loraRank;
    const auto factor = [&](double n, double k) {
        Op op = gemmOp(
            OpName::Lora,
            {.m = rows, .n = n, .k = k, .weightBytesPerElement = adapterBytes, .activationBytes = act},
            GemmClass::Half, matrices.half);
        op.weightBytes = op.weightBytes * std::max(inUse, 1.0);
        emit(op, count);
    };
    for (const Together& group : groups)
        if (group.matrices > 0) {
            factor(rank * group.matrices, group.cols / group.matrices);
            factor(group.rows, rank);
        }
}

} // namespace headroom
