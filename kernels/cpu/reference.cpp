#include "kernels/cpu/reference.h"

#include "model/count/op_work.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <numeric>
#include <thread>

namespace headroom::kernels {

namespace {

constexpr double normEpsilon = 1e-5;
constexpr double fullCheckFlops = 1e8; // below this every row is compared
constexpr std::size_t sampledRows = 64;

std::vector<float> rowOf(const Tensor& tensor, std::size_t row)
{
    std::vector<float> out(tensor.columns);
    load(tensor, row, 0, out);
    return out;
}

double dot(const float* a, const float* b, std::size_t size)
{
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i)
        sum += double(a[i]) * double(b[i]);
    return sum;
}

std::vector<double> times(const std::vector<double>& x, const Tensor& weights, std::size_t firstRow,
                          std::size_t rows)
{
    std::vector<double> out(rows);
    for (std::size_t r = 0; r < rows; ++r) {
        const std::vector<float> w = rowOf(weights, firstRow + r);
        for (std::size_t i = 0; i < x.size(); ++i)
            out[r] += x[i] * double(w[i]);
    }
    return out;
}

double silu(double x) { return x / (1 + std::exp(-x)); }
double gelu(double x) { return 0.5 * x * (1 + std::erf(x * std::sqrt(0.5))); }

std::vector<double> activate(const std::vector<double>& x, bool gated)
{
    const std::size_t width = gated ? x.size() / 2 : x.size();
    std::vector<double> out(width);
    for (std::size_t i = 0; i < width; ++i)
        out[i] = gated ? silu(x[i]) * x[width + i] : gelu(x[i]);
    return out;
}

std::vector<double> attentionRow(const Task& task, const Operands& o, std::size_t row)
{
    const bool latent = task.kernel == Kernel::DecodeLatent;
    const std::int64_t fresh = std::max<std::int64_t>(task.queryTokens, 1);
    const std::size_t sequence = row / std::size_t(fresh);
    const std::int64_t seen = pastOf(task, sequence) + std::int64_t(row % std::size_t(fresh)) + 1;
    const auto keyDim = std::size_t(latent ? task.latent + task.rope : task.headDim);
    const auto valueDim = std::size_t(latent ? task.latent : task.headDim);
    const int group = latent ? task.queryHeads : task.queryHeads / task.kvHeads;
    const std::vector<float> query = rowOf(o.input, row);
    std::vector<double> out(std::size_t(task.queryHeads) * valueDim);
    const double scale = 1 / std::sqrt(double(keyDim));
    for (int head = 0; head < task.queryHeads; ++head) {
        std::vector<double> scores;
        for (std::int64_t token = 0; token < seen; ++token) {
            const std::vector<float> key = rowOf(o.cache.keys, o.cache.row(sequence, head / group, token));
            scores.push_back(scale * dot(query.data() + std::size_t(head) * keyDim, key.data(), keyDim));
        }
        const double largest = *std::max_element(scores.begin(), scores.end());
        double sum = 0;
        for (double& score : scores)
            sum += score = std::exp(score - largest);
        for (std::int64_t token = 0; token < seen; ++token) {
            const std::vector<float> value
                = rowOf(latent ? o.cache.keys : o.cache.values, o.cache.row(sequence, head / group, token));
            for (std::size_t i = 0; i < valueDim; ++i)
                out[std::size_t(head) * valueDim + i] += scores[std::size_t(token)] / sum * double(value[i]);
        }
    }
    return out;
}

std::vector<double> residualSum(const Operands& o, std::size_t row)
{
    const std::vector<float> x = rowOf(o.input, row);
    const std::vector<float> residual = rowOf(o.second, row);
    std::vector<double> out(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        out[i] = double(x[i]) + double(residual[i]);
    return out;
}

std::vector<double> normRow(const Operands& o, std::size_t row)
{
    std::vector<double> out = residualSum(o, row);
    const double square = std::inner_product(out.begin(), out.end(), out.begin(), 0.0) / double(out.size());
    const std::vector<float> weight = rowOf(o.weights, 0);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] *= double(weight[i]) / std::sqrt(square + normEpsilon);
    return out;
}

// Rotates pairs (i, i + half) of each head of `x` by the angles of `position`.
std::vector<double> rotated(const Task& task, const Operands& o, const std::vector<float>& x,
                            std::int64_t position)
{
    const auto dim = std::size_t(task.headDim);
    const std::size_t half = dim / 2;
    std::vector<double> out(x.begin(), x.end());
    const float* const angles = o.angles.data() + std::size_t(position) * dim;
    for (std::size_t head = 0; head < x.size() / dim; ++head)
        for (std::size_t i = 0; i < half; ++i) {
            const double cosine = double(angles[2 * i]);
            const double sine = double(angles[2 * i + 1]);
            const double a = double(x[head * dim + i]);
            const double b = double(x[head * dim + half + i]);
            out[head * dim + i] = a * cosine - b * sine;
            out[head * dim + half + i] = b * cosine + a * sine;
        }
    return out;
}

std::vector<double> expertRow(const Task& task, const Operands& o, std::size_t row)
{
    const std::vector<float> stored = rowOf(o.input, row);
    const std::vector<double> x(stored.begin(), stored.end());
    const auto n = std::size_t(task.n);
    const auto k = std::size_t(task.k);
    const std::size_t branches = task.gated ? 2 : 1;
    const Route route = routeOf(task, times(x, o.router, 0, std::size_t(task.experts)));
    std::vector<double> out(k);
    for (std::size_t i = 0; i < route.experts.size(); ++i) {
        const auto expert = std::size_t(route.experts[i]);
        const std::vector<double> inner
            = activate(times(x, o.weights, expert * branches * n, branches * n), task.gated);
        const std::vector<double> down = times(inner, o.downWeights, expert * k, k);
        for (std::size_t j = 0; j < k; ++j)
            out[j] += route.weights[i] * down[j];
    }
    return out;
}

std::vector<double> gemmRow(const Operands& o, std::size_t row)
{
    const std::vector<float> x = rowOf(o.input, row);
    return times({x.begin(), x.end()}, o.weights, 0, o.weights.rows);
}

struct Difference {
    double square = 0;
    double reference = 0;
    void add(const std::vector<float>& output, const std::vector<double>& expected)
    {
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const double gap = double(output[i]) - expected[i];
            square += std::isfinite(gap) ? gap * gap : std::numeric_limits<double>::infinity();
            reference += expected[i] * expected[i];
        }
    }
    [[nodiscard]] double relative() const { return std::sqrt(square / std::max(reference, 1e-300)); }
};

void addCacheRow(const Task& task, const Operands& o, std::size_t row, Difference& difference)
{
    const auto dim = std::size_t(task.headDim);
    const std::size_t width = std::size_t(task.kvHeads) * dim;
    const std::vector<float> both = rowOf(o.second, row);
    const std::int64_t position = task.past + std::int64_t(row);
    const std::vector<double> keys
        = rotated(task, o, {both.begin(), both.begin() + std::ptrdiff_t(width)}, position);
    for (int head = 0; head < task.kvHeads; ++head) {
        const std::size_t at = std::size_t(head) * dim;
        const std::size_t cached = o.cache.row(0, head, position);
        difference.add(rowOf(o.cache.keys, cached),
                       {keys.begin() + std::ptrdiff_t(at), keys.begin() + std::ptrdiff_t(at + dim)});
        const auto* const value = both.data() + width + at;
        difference.add(rowOf(o.cache.values, cached), {value, value + dim});
    }
}

} // namespace

Route routeOf(const Task& task, const std::vector<double>& scores)
{
    std::vector<int> order(scores.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<double> biased(scores);
    for (std::size_t e = 0; e < biased.size(); ++e)
        biased[e] += routingBias(task, int(e));
    std::partial_sort(order.begin(), order.begin() + task.expertsPerToken, order.end(), [&](int a, int b) {
        return biased[std::size_t(a)] != biased[std::size_t(b)]
            ? biased[std::size_t(a)] > biased[std::size_t(b)]
            : a < b;
    });
    Route out;
    double sum = 0;
    for (int i = 0; i < task.expertsPerToken; ++i) {
        const auto expert = order[std::size_t(i)];
        out.experts.push_back(expert);
        out.weights.push_back(std::exp(biased[std::size_t(expert)] - biased[std::size_t(order[0])]));
        sum += out.weights.back();
    }
    for (double& weight : out.weights)
        weight /= sum;
    return out;
}

std::vector<double> referenceRow(const Task& task, const Operands& o, std::size_t row)
{
    switch (task.kernel) {
    case Kernel::Gemm:
        return gemmRow(o, row);
    case Kernel::PrefillAttention:
    case Kernel::DecodeAttention:
    case Kernel::DecodeLatent:
        return attentionRow(task, o, row);
    case Kernel::NormResidual:
        return normRow(o, row);
    case Kernel::RopeAppend:
        return rotated(task, o, rowOf(o.input, row), task.past + std::int64_t(row));
    case Kernel::GatedActivation: {
        const std::vector<float> x = rowOf(o.input, row);
        return activate({x.begin(), x.end()}, task.gated);
    }
    case Kernel::Experts:
        return expertRow(task, o, row);
    case Kernel::Sampling: {
        const std::vector<float> logits = rowOf(o.input, row);
        return {double(std::max_element(logits.begin(), logits.end()) - logits.begin())};
    }
    case Kernel::Read: {
        const std::vector<float> x = rowOf(o.input, 0);
        return {std::accumulate(x.begin(), x.end(), 0.0)};
    }
    case Kernel::Copy: {
        const std::vector<float> x = rowOf(o.input, 0);
        return {x.begin(), x.end()};
    }
    default:
        return {};
    }
}

std::vector<std::size_t> rowsToCheck(const Task& task, const Operands& operands)
{
    const std::size_t rows = operands.output.rows;
    const bool whole = rows <= sampledRows || workOf(task).flops.base() < fullCheckFlops;
    std::vector<std::size_t> out;
    const std::size_t wanted = whole ? rows : sampledRows;
    for (std::size_t i = 0; i < wanted; ++i) // first and last row always among them
        out.push_back(wanted > 1 ? i * (rows - 1) / (wanted - 1) : 0);
    return out;
}

double errorAgainstReference(const Task& task, const Operands& operands)
{
    const std::vector<std::size_t> rows = rowsToCheck(task, operands);
    std::vector<Difference> ofRow(rows.size());
    const auto compare = [&](std::size_t i) {
        ofRow[i].add(rowOf(operands.output, rows[i]), referenceRow(task, operands, rows[i]));
        if (task.kernel == Kernel::NormResidual)
            ofRow[i].add(rowOf(operands.secondOutput, rows[i]), residualSum(operands, rows[i]));
        if (task.kernel == Kernel::RopeAppend)
            addCacheRow(task, operands, rows[i], ofRow[i]);
    };
    constexpr double worthThreads = 1e7; // operations: some milliseconds
    const bool large = workOf(task).flops.base() > worthThreads;
    const std::size_t threads = large ? std::max(1U, std::thread::hardware_concurrency()) : 1;
    std::vector<std::future<void>> others;
    const auto share = [&](std::size_t first) {
        for (std::size_t i = first; i < rows.size(); i += threads)
            compare(i);
    };
    for (std::size_t thread = 1; thread < std::min(threads, rows.size()); ++thread)
        others.push_back(std::async(std::launch::async, share, thread));
    share(0);
    for (std::future<void>& other : others)
        other.get();
    Difference difference;
    for (const Difference& part : ofRow) { // in their order, so that the sum does not depend on the threads
        difference.square += part.square;
        difference.reference += part.reference;
    }
    return difference.relative();
}

} // namespace headroom::kernels
