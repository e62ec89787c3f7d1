#include "kernels/cpu/level/operators.h"
#include "kernels/cpu/load_row.h"

#include <algorithm>

namespace headroom::kernels::HEADROOM_CPU_SPACE {

namespace {

using Strided = Eigen::Map<Matrix, 0, Eigen::OuterStride<>>;

// Rows of weights that one thread widens at a time: with a depth of 4,096 they stay in a second-level cache.
constexpr std::size_t weightBlock = 32;

// So few rows are not worth packing weights for: each is multiplied with a block of weights as it lies, and
// the time grows evenly from one row on.
constexpr std::size_t fewRows = 8;

} // namespace

const float* widened(const Tensor& tensor, std::size_t row, std::size_t rows, std::vector<float>& scratch)
{
    if (tensor.type == DType::Fp32)
        return reinterpret_cast<const float*>(tensor.bytes.data()) + row * tensor.columns;
    scratch.resize(rows * tensor.columns);
    for (std::size_t r = 0; r < rows; ++r)
        loadRow(tensor, row + r, 0, std::span(scratch).subspan(r * tensor.columns, tensor.columns));
    return scratch.data();
}

void multiplyShare(const float* x, std::size_t m, const Tensor& weights, std::size_t begin, std::size_t end,
                   float* out, std::size_t outStride)
{
    const auto k = Eigen::Index(weights.columns);
    const MatrixView input(x, Eigen::Index(m), k);
    std::vector<float> scratch;
    const bool whole = weights.type == DType::Fp32 && m > fewRows;
    const std::size_t block = whole ? std::max<std::size_t>(end - begin, 1) : weightBlock;
    for (std::size_t first = begin; first < end; first += block) {
        const std::size_t rows = std::min(block, end - first);
        const MatrixView w(widened(weights, first, rows, scratch), Eigen::Index(rows), k);
        Strided to(out + first - begin, Eigen::Index(m), Eigen::Index(rows),
                   Eigen::OuterStride<>(Eigen::Index(outStride)));
        if (m > fewRows)
            to.noalias() = input * w.transpose();
        else
            for (Eigen::Index row = 0; row < Eigen::Index(m); ++row)
                to.row(row).transpose().noalias() = w * input.row(row).transpose();
    }
}

void storeRows(Tensor& to, const std::vector<float>& values, std::size_t begin, std::size_t end)
{
    for (std::size_t row = begin; row < end; ++row)
        storeRow(to, row, std::span(values).subspan(row * to.columns, to.columns));
}

void runGemm(Operands& o, CpuThreads& threads)
{
    const std::size_t m = o.input.rows;
    const std::size_t n = o.weights.rows;
    std::vector<float> scratch;
    const float* const x = widened(o.input, 0, m, scratch);
    if (o.output.type == DType::Fp32) {
        auto* const out = reinterpret_cast<float*>(o.output.bytes.data());
        threads.run(n, [&](std::size_t begin, std::size_t end) {
            multiplyShare(x, m, o.weights, begin, end, out + begin, n);
        });
        return;
    }
    std::vector<float> out(m * n);
    threads.run(n, [&](std::size_t begin, std::size_t end) {
        multiplyShare(x, m, o.weights, begin, end, out.data() + begin, n);
    });
    threads.run(m, [&](std::size_t begin, std::size_t end) { storeRows(o.output, out, begin, end); });
}

} // namespace headroom::kernels::HEADROOM_CPU_SPACE
