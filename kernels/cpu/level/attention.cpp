#include "kernels/cpu/level/operators.h"
#include "kernels/cpu/load_row.h"
#include "kernels/cpu/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::kernels::HEADROOM_CPU_SPACE {

namespace {

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

} // namespace

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

} // namespace headroom::kernels::HEADROOM_CPU_SPACE
