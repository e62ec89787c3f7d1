#include "kernels/cpu/operands.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headroom::kernels {

namespace {

// splitmix64 (Steele, Lea, Flood 2014): small, portable, good enough for operands.
class Random {
public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}
    std::uint64_t next()
    {
        std::uint64_t z = m_state += 0x9E3779B97F4A7C15ULL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    float symmetric() { return float(double(next() >> 11) * 0x1p-52 - 1.0); }

private:
    std::uint64_t m_state;
};

Tensor random(Random& source, std::size_t rows, std::size_t columns, DType type, int groupSize = 0,
              float scale = 1)
{
    std::vector<float> values(rows * columns);
    for (float& value : values)
        value = source.symmetric() * scale;
    return store(values, rows, columns, type, groupSize);
}

Tensor blank(std::size_t rows, std::size_t columns, DType type)
{
    Tensor out = store(std::vector<float>(rows * columns), rows, columns, type, 0);
    poison(out);
    return out;
}

PagedCache makeCache(const Task& task, Random& source)
{
    const bool latent = task.kernel == Kernel::DecodeLatent;
    PagedCache cache{.kvHeads = latent ? 1 : task.kvHeads, .pageTokens = task.pageTokens};
    const auto batch = std::size_t(task.batch);
    const std::int64_t fresh = std::max<std::int64_t>(task.queryTokens, 1);
    const std::int64_t longest = task.past + fresh;
    cache.pagesPerSequence = std::size_t((longest + task.pageTokens - 1) / task.pageTokens);
    const std::size_t pages = batch * cache.pagesPerSequence;
    cache.table.resize(pages);
    std::iota(cache.table.begin(), cache.table.end(), 0);
    for (std::size_t i = pages; i > 1; --i) // Fisher and Yates
        std::swap(cache.table[i - 1], cache.table[source.next() % i]);
    for (std::size_t s = 0; s < batch; ++s)
        cache.length.push_back(pastOf(task, s) + fresh);
    const std::size_t rows = pages * std::size_t(cache.kvHeads) * std::size_t(cache.pageTokens);
    const auto width = std::size_t(latent ? task.latent + task.rope : task.headDim);
    cache.keys = random(source, rows, width, task.kv);
    if (!latent)
        cache.values = random(source, rows, width, task.kv);
    return cache;
}

} // namespace

std::vector<float> ropeAngles(const Task& task)
{
    const int half = task.headDim / 2;
    std::vector<float> out;
    for (std::int64_t position = 0; position < task.past + task.m; ++position)
        for (int i = 0; i < half; ++i) {
            const double angle = double(position) * std::pow(10000.0, -double(i) / half);
            out.push_back(float(std::cos(angle)));
            out.push_back(float(std::sin(angle)));
        }
    return out;
}

std::size_t Operands::bytes() const
{
    std::size_t sum = cache.keys.bytes.size() + cache.values.bytes.size();
    for (const Tensor* tensor : {&input, &second, &weights, &downWeights, &router, &output, &secondOutput})
        sum += tensor->bytes.size();
    return sum;
}

void poison(Tensor& tensor)
{
    const std::vector<float> nan(tensor.columns, std::numeric_limits<float>::quiet_NaN());
    if (tensor.type == DType::Int8 || tensor.type == DType::Int4)
        return; // no NaN to store; such tensors are never outputs
    for (std::size_t row = 0; row < tensor.rows; ++row)
        storeRow(tensor, row, nan);
}

std::int64_t pastOf(const Task& task, std::size_t sequence)
{
    if (!task.ragged || task.batch < 2)
        return task.past;
    return task.past - task.past / 2 * std::int64_t(sequence) / (task.batch - 1);
}

double routingBias(const Task& task, int expert)
{
    return task.routingSkew > 0 ? -task.routingSkew * std::log(double(expert) + 1) : 0;
}

namespace {

void fillAttention(Operands& out, const Task& task, Random& source)
{
    const DType act = task.activations;
    const auto rows = std::size_t(task.batch * std::max<std::int64_t>(task.queryTokens, 1));
    const bool latent = task.kernel == Kernel::DecodeLatent;
    const auto heads = std::size_t(task.queryHeads);
    out.input = random(source, rows, heads * std::size_t(latent ? task.latent + task.rope : task.headDim),
                       act, 0, float(task.queryScale));
    out.cache = makeCache(task, source);
    out.output = blank(rows, heads * std::size_t(latent ? task.latent : task.headDim), act);
}

void fillRope(Operands& out, const Task& task, Random& source)
{
    const DType act = task.activations;
    const auto m = std::size_t(task.m);
    out.input = random(source, m, std::size_t(task.queryHeads * task.headDim), act);
    out.second = random(source, m, std::size_t(2 * task.kvHeads * task.headDim), act);
    out.output = blank(m, std::size_t(task.queryHeads * task.headDim), act);
    Task one = task;
    one.batch = 1;
    one.queryTokens = task.m;
    out.cache = makeCache(one, source);
    out.angles = ropeAngles(task);
}

void fillExperts(Operands& out, const Task& task, Random& source)
{
    const DType act = task.activations;
    const auto m = std::size_t(task.m);
    const auto n = std::size_t(task.n);
    const auto k = std::size_t(task.k);
    const auto experts = std::size_t(task.experts);
    const std::size_t branches = task.gated ? 2 : 1;
    const float depth = 1 / std::sqrt(float(task.k));
    out.input = random(source, m, k, act);
    out.router = random(source, experts, k, DType::Fp32, 0, depth * 4);
    out.weights = random(source, experts * branches * n, k, task.weights, task.groupSize, depth);
    out.downWeights = random(source, experts * k, n, task.weights, task.groupSize);
    out.output = blank(m, k, act);
}

} // namespace

Operands makeOperands(const Task& task, std::uint64_t seed)
{
    Random source(seed);
    Operands out;
    const auto m = std::size_t(task.m);
    const auto n = std::size_t(task.n);
    const auto k = std::size_t(task.k);
    const DType act = task.activations;
    switch (task.kernel) {
    case Kernel::Gemm:
        out.input = random(source, m, k, act);
        out.weights = random(source, n, k, task.weights, task.weights == DType::Int4 ? task.groupSize : 0);
        out.output = blank(m, n, act == DType::Fp8 || act == DType::Int8 ? DType::Bf16 : act);
        break;
    case Kernel::PrefillAttention:
    case Kernel::DecodeAttention:
    case Kernel::DecodeLatent:
        fillAttention(out, task, source);
        break;
    case Kernel::NormResidual:
        out.input = random(source, m, k, act);
        out.second = random(source, m, k, act);
        out.weights = random(source, 1, k, act);
        out.output = blank(m, k, act);
        out.secondOutput = blank(m, k, act);
        break;
    case Kernel::RopeAppend:
        fillRope(out, task, source);
        break;
    case Kernel::GatedActivation:
        out.input = random(source, m, (task.gated ? 2 : 1) * n, act, 0, 4);
        out.output = blank(m, n, act);
        break;
    case Kernel::Experts:
        fillExperts(out, task, source);
        break;
    case Kernel::Sampling:
        out.input = random(source, m, n, DType::Fp32, 0, 8);
        out.output = blank(m, 1, DType::Fp32);
        break;
    case Kernel::Read:
    case Kernel::Copy:
        out.input = random(source, 1, std::size_t(task.bytes) / 4, DType::Fp32);
        out.output = blank(1, task.kernel == Kernel::Copy ? std::size_t(task.bytes) / 4 : 1, DType::Fp32);
        break;
    default:
        break;
    }
    return out;
}

} // namespace headroom::kernels
