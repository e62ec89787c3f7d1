#include "kernels/cpu/level/operators.h"
#include "kernels/cpu/load_row.h"
#include "kernels/cpu/reference.h"

#include <algorithm>
#include <cstring>

namespace headroom::kernels::HEADROOM_CPU_SPACE {

namespace {

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

} // namespace

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

} // namespace headroom::kernels::HEADROOM_CPU_SPACE
