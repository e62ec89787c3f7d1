#include "kernels/cpu/level/operators.h"
#include "kernels/cpu/load_row.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace headroom::kernels::HEADROOM_CPU_SPACE {

namespace {

void rotate(const float* angles, std::size_t dim, std::span<float> row)
{
    const std::size_t half = dim / 2;
    for (std::size_t first = 0; first < row.size(); first += dim)
        for (std::size_t i = 0; i < half; ++i) {
            const float a = row[first + i];
            const float b = row[first + half + i];
            row[first + i] = a * angles[2 * i] - b * angles[2 * i + 1];
            row[first + half + i] = b * angles[2 * i] + a * angles[2 * i + 1];
        }
}

} // namespace

void runNorm(Operands& o, CpuThreads& threads)
{
    constexpr float epsilon = 1e-5F;
    const std::size_t width = o.input.columns;
    std::vector<float> weight = loadAll(o.weights);
    threads.run(o.input.rows, [&](std::size_t begin, std::size_t end) {
        Eigen::RowVectorXf x(static_cast<Eigen::Index>(width));
        Eigen::RowVectorXf residual(static_cast<Eigen::Index>(width));
        const Eigen::Map<const Eigen::RowVectorXf> w(weight.data(), Eigen::Index(width));
        for (std::size_t row = begin; row < end; ++row) {
            loadRow(o.input, row, 0, {x.data(), width});
            loadRow(o.second, row, 0, {residual.data(), width});
            x += residual;
            storeRow(o.secondOutput, row, {x.data(), width});
            const float scale = 1 / std::sqrt(x.squaredNorm() / float(width) + epsilon);
            x = (x.array() * w.array() * scale).matrix();
            storeRow(o.output, row, {x.data(), width});
        }
    });
}

void runRope(const Task& task, Operands& o, CpuThreads& threads)
{
    const auto dim = std::size_t(task.headDim);
    const std::size_t width = std::size_t(task.kvHeads) * dim;
    threads.run(o.input.rows, [&](std::size_t begin, std::size_t end) {
        std::vector<float> query(o.input.columns);
        std::vector<float> both(o.second.columns);
        for (std::size_t row = begin; row < end; ++row) {
            const std::int64_t position = task.past + std::int64_t(row);
            const float* const angles = o.angles.data() + std::size_t(position) * dim;
            loadRow(o.input, row, 0, query);
            loadRow(o.second, row, 0, both);
            rotate(angles, dim, query);
            rotate(angles, dim, std::span(both).first(width));
            storeRow(o.output, row, query);
            for (int head = 0; head < task.kvHeads; ++head) {
                const std::size_t cached = o.cache.row(0, head, position);
                storeRow(o.cache.keys, cached, std::span(both).subspan(std::size_t(head) * dim, dim));
                storeRow(o.cache.values, cached,
                         std::span(both).subspan(width + std::size_t(head) * dim, dim));
            }
        }
    });
}

void activateRow(std::span<float> x, std::size_t width, bool gated)
{
    if (gated) {
        Eigen::Map<Eigen::ArrayXf> gate(x.data(), Eigen::Index(width));
        const Eigen::Map<const Eigen::ArrayXf> up(x.data() + width, Eigen::Index(width));
        gate = gate / (1 + (-gate).exp()) * up;
        return;
    }
    for (std::size_t i = 0; i < width; ++i)
        x[i] = 0.5F * x[i] * (1 + std::erf(x[i] * 0.70710678F));
}

void runActivation(const Task& task, Operands& o, CpuThreads& threads)
{
    threads.run(o.input.rows, [&](std::size_t begin, std::size_t end) {
        std::vector<float> x(o.input.columns);
        for (std::size_t row = begin; row < end; ++row) {
            loadRow(o.input, row, 0, x);
            activateRow(x, o.output.columns, task.gated);
            storeRow(o.output, row, std::span(x).first(o.output.columns));
        }
    });
}

void runSampling(Operands& o, CpuThreads& threads)
{
    threads.run(o.input.rows, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            std::vector<float> scratch;
            const float* const logits = widened(o.input, row, 1, scratch);
            // The largest first, then where it is: both in vector code.
            const float largest
                = Eigen::Map<const Eigen::ArrayXf>(logits, Eigen::Index(o.input.columns)).maxCoeff();
            const auto best = float(std::find(logits, logits + o.input.columns, largest) - logits);
            storeRow(o.output, row, {&best, 1});
        }
    });
}

void runRead(Operands& o, CpuThreads& threads)
{
    std::vector<double> sums(std::size_t(threads.count()), 0.0);
    const auto* const data = reinterpret_cast<const float*>(o.input.bytes.data());
    const std::size_t size = o.input.columns;
    const auto workers = sums.size();
    threads.run(workers, [&](std::size_t begin, std::size_t end) {
        for (std::size_t w = begin; w < end; ++w) {
            const std::size_t first = size * w / workers;
            const std::size_t last = size * (w + 1) / workers;
            constexpr std::size_t block = 1 << 14; // partial sums in float stay exact enough over a block
            for (std::size_t i = first; i < last; i += block)
                sums[w] += double(
                    Eigen::Map<const Eigen::ArrayXf>(data + i, Eigen::Index(std::min(block, last - i)))
                        .sum());
        }
    });
    float total = 0;
    for (const double sum : sums)
        total += float(sum);
    storeRow(o.output, 0, {&total, 1});
}

void runCopy(Operands& o, CpuThreads& threads)
{
    threads.run(o.input.bytes.size(), [&](std::size_t begin, std::size_t end) {
        std::memcpy(o.output.bytes.data() + begin, o.input.bytes.data() + begin, end - begin);
    });
}

} // namespace headroom::kernels::HEADROOM_CPU_SPACE
