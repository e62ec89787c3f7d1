#include "kernels/cpu/cpu_levels.h"
#include "kernels/cpu/load_row.h"
#include "kernels/cpu/reference.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

// Compiled once for each level of the processor's vector instructions, under that level's name for the one
// function here (cpu_levels.h) and for Eigen's namespace, so that no code of one level is taken for
// another's.
namespace headroom::kernels {

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Map<const Matrix>;
using Strided = Eigen::Map<Matrix, 0, Eigen::OuterStride<>>;

// Rows of weights that one thread widens at a time: with a depth of 4,096 they stay in a second-level cache.
constexpr std::size_t weightBlock = 32;

// So few rows are not worth packing weights for: each is multiplied with a block of weights as it lies, and
// the time grows evenly from one row on.
constexpr std::size_t fewRows = 8;

// A 32-bit tensor is used where it lies; a narrower one is widened into `scratch`.
const float* widened(const Tensor& tensor, std::size_t row, std::size_t rows, std::vector<float>& scratch)
{
    if (tensor.type == DType::Fp32)
        return reinterpret_cast<const float*>(tensor.bytes.data()) + row * tensor.columns;
    scratch.resize(rows * tensor.columns);
    for (std::size_t r = 0; r < rows; ++r)
        loadRow(tensor, row + r, 0, std::span(scratch).subspan(r * tensor.columns, tensor.columns));
    return scratch.data();
}

// out (m x rows of weights in [begin, end)) = x * weights^T for a share of the weights' rows.
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

// Running maximum, sum and weighted values of a softmax taken block by block (Milakov and Gimelshein 2018).
struct OnlineSoftmax {
    Eigen::VectorXf largest;
    Eigen::VectorXf sum;
    Matrix values;

    OnlineSoftmax(Eigen::Index rows, Eigen::Index width)
        : largest(Eigen::VectorXf::Constant(rows, -std::numeric_limits<float>::infinity())),
          sum(Eigen::VectorXf::Zero(rows)),
          values(Matrix::Zero(rows, width))
    {}
    void add(Matrix& scores, const Eigen::Ref<const Matrix>& block)
    {
        for (Eigen::Index row = 0; row < scores.rows(); ++row) {
            const float now = std::max(largest[row], scores.row(row).maxCoeff());
            if (now == -std::numeric_limits<float>::infinity()) {
                scores.row(row).setZero(); // nothing of this block is visible to the row
                continue;
            }
            const float keep = std::exp(largest[row] - now);
            // Vector code's exponential of minus infinity is the smallest normal number: a product with it is
            // subnormal and takes a hundred times as long as any other.
            scores.row(row) = (scores.row(row).array() == -std::numeric_limits<float>::infinity())
                                  .select(0.0F, (scores.row(row).array() - now).exp());
            sum[row] = sum[row] * keep + scores.row(row).sum();
            values.row(row) *= keep;
            largest[row] = now;
        }
        values.noalias() += scores * block;
    }
};

struct AttentionPlan {
    std::int64_t fresh = 1; // new tokens of a sequence
    int kvHeads = 1;
    int group = 1; // query heads of one kv head
    std::size_t keyDim = 0;
    std::size_t valueDim = 0;
    std::int64_t queryBlock = 1; // new tokens taken together
};

AttentionPlan planAttention(const Task& task)
{
    const bool latent = task.kernel == Kernel::DecodeLatent;
    AttentionPlan plan;
    plan.fresh = std::max<std::int64_t>(task.queryTokens, 1);
    plan.kvHeads = latent ? 1 : task.kvHeads;
    plan.group = task.queryHeads / plan.kvHeads;
    plan.keyDim = std::size_t(latent ? task.latent + task.rope : task.headDim);
    plan.valueDim = std::size_t(latent ? task.latent : task.headDim);
    plan.queryBlock = std::clamp<std::int64_t>(64 / plan.group, 1, plan.fresh);
    return plan;
}

// Copies `tokens` cached rows from `first` into `keys` and `values`.
void gather(const Operands& o, const AttentionPlan& plan, std::size_t sequence, int head, std::int64_t first,
            std::int64_t tokens, Matrix& keys, Matrix& values)
{
    keys.resize(tokens, Eigen::Index(plan.keyDim));
    values.resize(tokens, Eigen::Index(plan.valueDim));
    for (std::int64_t t = 0; t < tokens; ++t) {
        const std::size_t row = o.cache.row(sequence, head, first + t);
        loadRow(o.cache.keys, row, 0, {keys.row(t).data(), plan.keyDim});
        if (o.cache.values.rows > 0)
            loadRow(o.cache.values, row, 0, {values.row(t).data(), plan.valueDim});
        else
            values.row(t) = keys.row(t).head(Eigen::Index(plan.valueDim));
    }
}

// One block of new tokens of one sequence and one kv head with all its query heads.
void attendBlock(const Task& task, Operands& o, const AttentionPlan& plan, std::size_t sequence, int head,
                 std::int64_t firstQuery, std::vector<float>& out)
{
    constexpr std::int64_t keyBlock = 128;
    const std::int64_t queries = std::min(plan.queryBlock, plan.fresh - firstQuery);
    const Eigen::Index rows = queries * plan.group;
    Matrix query(rows, Eigen::Index(plan.keyDim));
    for (std::int64_t q = 0; q < queries; ++q)
        for (int g = 0; g < plan.group; ++g)
            loadRow(o.input, sequence * std::size_t(plan.fresh) + std::size_t(firstQuery + q),
                    std::size_t(head * plan.group + g) * plan.keyDim,
                    {query.row(q * plan.group + g).data(), plan.keyDim});
    query *= 1 / std::sqrt(float(plan.keyDim));
    const std::int64_t past = pastOf(task, sequence);
    const std::int64_t seen = past + firstQuery + queries;
    OnlineSoftmax softmax(rows, Eigen::Index(plan.valueDim));
    Matrix keys;
    Matrix values;
    for (std::int64_t first = 0; first < seen; first += keyBlock) {
        gather(o, plan, sequence, head, first, std::min(keyBlock, seen - first), keys, values);
        Matrix scores = query * keys.transpose();
        for (std::int64_t q = 0; q < queries; ++q) {
            const std::int64_t visible = std::max<std::int64_t>(past + firstQuery + q + 1 - first, 0);
            if (visible < scores.cols())
                scores.block(q * plan.group, visible, plan.group, scores.cols() - visible)
                    .setConstant(-std::numeric_limits<float>::infinity());
        }
        softmax.add(scores, values);
    }
    for (std::int64_t q = 0; q < queries; ++q)
        for (int g = 0; g < plan.group; ++g) {
            const Eigen::Index row = q * plan.group + g;
            const std::size_t at
                = (sequence * std::size_t(plan.fresh) + std::size_t(firstQuery + q)) * o.output.columns
                + std::size_t(head * plan.group + g) * plan.valueDim;
            Eigen::Map<Eigen::RowVectorXf>(out.data() + at, Eigen::Index(plan.valueDim))
                = softmax.values.row(row) / softmax.sum[row];
        }
}

void runAttention(const Task& task, Operands& o, CpuThreads& threads)
{
    const AttentionPlan plan = planAttention(task);
    const auto blocks = std::size_t((plan.fresh + plan.queryBlock - 1) / plan.queryBlock);
    const auto heads = std::size_t(plan.kvHeads);
    std::vector<float> out(o.output.size());
    // Late blocks of a causal prompt see more keys: taking them in turn evens the shares out.
    const std::size_t pieces = std::size_t(task.batch) * heads * blocks;
    const auto workers = std::size_t(threads.count());
    threads.run(workers, [&](std::size_t begin, std::size_t end) {
        for (std::size_t worker = begin; worker < end; ++worker)
            for (std::size_t piece = worker; piece < pieces; piece += workers)
                attendBlock(task, o, plan, piece / (heads * blocks), int(piece / blocks % heads),
                            std::int64_t(piece % blocks) * plan.queryBlock, out);
    });
    threads.run(o.output.rows,
                [&](std::size_t begin, std::size_t end) { storeRows(o.output, out, begin, end); });
}

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

// SwiGLU of (gate, up) side by side, or the error-function GELU of one branch; in place in the first `width`.
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

struct Assigned {
    std::size_t token;
    float weight;
};

std::vector<std::vector<Assigned>> routeTokens(const Task& task, const Operands& o,
                                               const std::vector<float>& x)
{
    std::vector<std::vector<Assigned>> out(std::size_t(task.experts));
    std::vector<float> scratch;
    const MatrixView router(widened(o.router, 0, o.router.rows, scratch), task.experts, task.k);
    const Matrix scores = MatrixView(x.data(), task.m, task.k) * router.transpose();
    for (std::int64_t token = 0; token < task.m; ++token) {
        const float* const row = scores.row(token).data();
        const Route route = routeOf(task, {row, row + task.experts});
        for (std::size_t i = 0; i < route.experts.size(); ++i)
            out[std::size_t(route.experts[i])].push_back({std::size_t(token), float(route.weights[i])});
    }
    return out;
}

void runExperts(const Task& task, Operands& o, CpuThreads& threads)
{
    const auto n = std::size_t(task.n);
    const auto k = std::size_t(task.k);
    const std::size_t branches = task.gated ? 2 : 1;
    const std::vector<float> x = loadAll(o.input);
    const auto assigned = routeTokens(task, o, x);
    std::vector<float> out(o.output.size());
    for (std::size_t expert = 0; expert < assigned.size(); ++expert) {
        const auto& tokens = assigned[expert];
        const std::size_t rows = tokens.size();
        if (rows == 0)
            continue;
        std::vector<float> gathered(rows * k);
        std::vector<float> inner(rows * branches * n);
        std::vector<float> down(rows * k);
        for (std::size_t i = 0; i < rows; ++i)
            std::memcpy(gathered.data() + i * k, x.data() + tokens[i].token * k, k * sizeof(float));
        threads.run(branches * n, [&](std::size_t begin, std::size_t end) {
            multiplyShare(gathered.data(), rows, o.weights, expert * branches * n + begin,
                          expert * branches * n + end, inner.data() + begin, branches * n);
        });
        std::vector<float> narrow(rows * n);
        for (std::size_t i = 0; i < rows; ++i) {
            const auto row = std::span(inner).subspan(i * branches * n, branches * n);
            activateRow(row, n, task.gated);
            std::copy_n(row.begin(), n, narrow.begin() + std::ptrdiff_t(i * n));
        }
        threads.run(k, [&](std::size_t begin, std::size_t end) {
            multiplyShare(narrow.data(), rows, o.downWeights, expert * k + begin, expert * k + end,
                          down.data() + begin, k);
        });
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < k; ++j)
                out[tokens[i].token * k + j] += tokens[i].weight * down[i * k + j];
    }
    threads.run(o.output.rows,
                [&](std::size_t begin, std::size_t end) { storeRows(o.output, out, begin, end); });
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

} // namespace

void HEADROOM_CPU_LEVEL(const Task& task, Operands& operands, CpuThreads& threads)
{
    switch (task.kernel) {
    case Kernel::Gemm:
        return runGemm(operands, threads);
    case Kernel::PrefillAttention:
    case Kernel::DecodeAttention:
    case Kernel::DecodeLatent:
        return runAttention(task, operands, threads);
    case Kernel::NormResidual:
        return runNorm(operands, threads);
    case Kernel::RopeAppend:
        return runRope(task, operands, threads);
    case Kernel::GatedActivation:
        return runActivation(task, operands, threads);
    case Kernel::Experts:
        return runExperts(task, operands, threads);
    case Kernel::Sampling:
        return runSampling(operands, threads);
    case Kernel::Read:
        return runRead(operands, threads);
    case Kernel::Copy:
        return runCopy(operands, threads);
    case Kernel::Empty:
        return threads.run(std::size_t(threads.count()), [](std::size_t, std::size_t) {});
    case Kernel::AllReduce:
    case Kernel::AllGather:
    case Kernel::AllToAll:
    case Kernel::SendRecv:
        return; // refused by obstacle()
    }
}

} // namespace headroom::kernels
