#include "calib/fit/robust_fit.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <map>
#include <random>

namespace headroom {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// The task in ln(value): unbounded search, clamped where it is evaluated.
class LnTask {
public:
    explicit LnTask(const FitTask& task) : m_task(task), m_variance(task.lnMeasured.size())
    {
        for (std::size_t i = 0; i < m_variance.size(); ++i) {
            const double own = task.lnSpread.empty() ? 0 : task.lnSpread[i];
            m_variance[i] = task.modelSpread * task.modelSpread + own * own;
        }
    }

    [[nodiscard]] Eigen::Index samples() const { return static_cast<Eigen::Index>(m_variance.size()); }
    [[nodiscard]] Eigen::Index parameters() const
    {
        return static_cast<Eigen::Index>(m_task.parameters.size());
    }

    [[nodiscard]] std::vector<double> values(const Vector& x) const
    {
        std::vector<double> result(m_task.parameters.size());
        for (std::size_t j = 0; j < result.size(); ++j)
            result[j] = std::clamp(std::exp(x[static_cast<Eigen::Index>(j)]), m_task.parameters[j].low,
                                   m_task.parameters[j].high);
        return result;
    }

    // Residuals in standard deviations.
    [[nodiscard]] Vector residuals(const Vector& x) const
    {
        std::vector<double> ln(m_variance.size());
        m_task.predictLn(values(x), ln);
        Vector r(samples());
        for (std::size_t i = 0; i < ln.size(); ++i)
            r[static_cast<Eigen::Index>(i)] = (ln[i] - m_task.lnMeasured[i]) / std::sqrt(m_variance[i]);
        return r;
    }

    [[nodiscard]] double cost(const Vector& x, const Vector& r) const
    {
        double sum = 0;
        for (const double e : r) {
            const double a = std::abs(e);
            sum += a <= m_task.huber ? a * a : 2 * m_task.huber * a - m_task.huber * m_task.huber;
        }
        for (Eigen::Index j = 0; j < parameters(); ++j) {
            const double p = priorResidual(x, j);
            sum += p * p;
        }
        return std::isfinite(sum) ? sum : 1e300;
    }

    [[nodiscard]] double priorResidual(const Vector& x, Eigen::Index j) const
    {
        const FitParameter& p = m_task.parameters[static_cast<std::size_t>(j)];
        return (x[j] - std::log(p.prior)) / p.lnSpread;
    }

    // Normal equations of the reweighted problem: J'WJ + P and J'Wr + P(x - prior).
    void normalEquations(const Vector& x, const Vector& r, Matrix& hessian, Vector& gradient) const
    {
        const Eigen::Index n = parameters();
        Matrix jacobian(samples(), n);
        constexpr double step = 1e-4; // of ln(value)
        for (Eigen::Index j = 0; j < n; ++j) {
            Vector moved = x;
            moved[j] += step;
            jacobian.col(j) = (residuals(moved) - r) / step;
        }
        Vector weight(samples());
        for (Eigen::Index i = 0; i < samples(); ++i)
            weight[i] = std::abs(r[i]) <= m_task.huber ? 1 : m_task.huber / std::abs(r[i]);
        hessian = jacobian.transpose() * weight.asDiagonal() * jacobian;
        gradient = jacobian.transpose() * weight.asDiagonal() * r;
        for (Eigen::Index j = 0; j < n; ++j) {
            const double inverse = 1 / m_task.parameters[static_cast<std::size_t>(j)].lnSpread;
            hessian(j, j) += inverse * inverse;
            gradient[j] += priorResidual(x, j) * inverse;
        }
    }

private:
    const FitTask& m_task;
    std::vector<double> m_variance;
};

// One search downhill; what it has found so far.
struct Descent {
    Vector x;
    Vector residuals;
    double cost = 0;
    double damping = 1e-2;
    bool settled = false; // no step lowers the cost any more
};

Descent startOf(const LnTask& task, Vector x)
{
    Descent start{.x = std::move(x)};
    start.residuals = task.residuals(start.x);
    start.cost = task.cost(start.x, start.residuals);
    return start;
}

void descend(const LnTask& task, Descent& best, int rounds)
{
    Matrix hessian;
    Vector gradient;
    for (int round = 0; round < rounds && !best.settled; ++round) {
        task.normalEquations(best.x, best.residuals, hessian, gradient);
        bool improved = false;
        for (int attempt = 0; attempt < 8 && !improved; ++attempt) {
            Matrix damped = hessian;
            damped.diagonal() += best.damping * hessian.diagonal();
            Vector stride = damped.ldlt().solve(-gradient);
            stride = stride.cwiseMax(-1).cwiseMin(1); // no parameter leaps by more than a factor e
            const Vector x = best.x + stride;
            const Vector r = task.residuals(x);
            const double cost = task.cost(x, r);
            if (cost < best.cost) {
                const double gain = (best.cost - cost) / (best.cost + 1e-12);
                best = {.x = x, .residuals = r, .cost = cost, .damping = std::max(best.damping / 5, 1e-9)};
                improved = true;
                best.settled = gain < 1e-9;
            } else {
                best.damping *= 6;
            }
        }
        best.settled = best.settled || !improved;
    }
}

// Every start goes a few rounds downhill; the best two go on to the end, and the better one is taken.
Descent bestDescent(const LnTask& task, std::vector<Descent> starts)
{
    constexpr int firstRounds = 8;
    constexpr int mostRounds = 60;
    constexpr std::size_t finalists = 2;
    for (Descent& start : starts)
        descend(task, start, firstRounds);
    const auto cheaper = [](const Descent& a, const Descent& b) { return a.cost < b.cost; };
    std::stable_sort(starts.begin(), starts.end(), cheaper);
    starts.resize(std::min(starts.size(), finalists));
    for (Descent& start : starts)
        descend(task, start, mostRounds - firstRounds);
    return *std::min_element(starts.begin(), starts.end(), cheaper);
}

double quantileOfSorted(const std::vector<double>& sorted, double fraction)
{
    const double place = fraction * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double part = place - static_cast<double>(below);
    return sorted[below] * (1 - part) + sorted[above] * part;
}

FitTask subset(const FitTask& task, const FitOutcome& whole, const std::vector<std::size_t>& kept)
{
    FitTask part = task;
    part.starts = task.starts > 1 ? 1 : 0;
    part.from = whole.values;
    part.lnMeasured.clear();
    part.lnSpread.clear();
    for (const std::size_t i : kept) {
        part.lnMeasured.push_back(task.lnMeasured[i]);
        if (!task.lnSpread.empty())
            part.lnSpread.push_back(task.lnSpread[i]);
    }
    const std::size_t all = task.lnMeasured.size();
    part.predictLn = [&task, kept, all](std::span<const double> values, std::span<double> out) {
        std::vector<double> full(all);
        task.predictLn(values, full);
        for (std::size_t i = 0; i < kept.size(); ++i)
            out[i] = full[kept[i]];
    };
    return part;
}

} // namespace

FitOutcome fitRobustly(const FitTask& task)
{
    assert(!task.parameters.empty());
    const LnTask ln(task);
    std::mt19937_64 random(20240601); // any fixed seed: the same samples always give the same fit
    std::normal_distribution<double> normal;
    std::vector<Descent> starts;
    const auto startAt = [&](const std::function<double(const FitParameter&, std::size_t)>& lnOf) {
        Vector x(ln.parameters());
        for (Eigen::Index j = 0; j < x.size(); ++j) {
            const FitParameter& p = task.parameters[static_cast<std::size_t>(j)];
            x[j] = std::clamp(lnOf(p, static_cast<std::size_t>(j)), std::log(std::max(p.low, 1e-300)),
                              std::log(p.high));
        }
        starts.push_back(startOf(ln, std::move(x)));
    };
    for (int start = 0; start < std::max(task.starts, task.from.empty() ? 1 : 0); ++start)
        startAt([&](const FitParameter& p, std::size_t) {
            return std::log(p.prior) + (start == 0 ? 0 : 0.7 * p.lnSpread * normal(random));
        });
    if (!task.from.empty())
        startAt([&](const FitParameter&, std::size_t j) { return std::log(task.from[j]); });
    const Descent best = bestDescent(ln, std::move(starts));

    Matrix hessian;
    Vector gradient;
    ln.normalEquations(best.x, best.residuals, hessian, gradient);
    const Matrix covariance = hessian.ldlt().solve(Matrix::Identity(ln.parameters(), ln.parameters()));
    FitOutcome outcome{.values = ln.values(best.x), .lnDeviation = {}, .residuals = {}, .cost = best.cost};
    for (Eigen::Index j = 0; j < ln.parameters(); ++j)
        outcome.lnDeviation.push_back(std::sqrt(std::max(0.0, covariance(j, j))));
    std::vector<double> predicted(task.lnMeasured.size());
    task.predictLn(outcome.values, predicted);
    for (std::size_t i = 0; i < predicted.size(); ++i)
        outcome.residuals.push_back(task.lnMeasured[i] - predicted[i]);
    return outcome;
}

GroupedErrors crossValidate(const FitTask& task, const FitOutcome& whole, std::span<const int> fold)
{
    assert(fold.size() == task.lnMeasured.size());
    std::vector<double> errors;
    const int folds = fold.empty() ? 0 : *std::max_element(fold.begin(), fold.end()) + 1;
    std::vector<double> predicted(task.lnMeasured.size());
    for (int left = 0; left < folds; ++left) {
        std::vector<std::size_t> kept;
        std::vector<std::size_t> judged;
        for (std::size_t i = 0; i < fold.size(); ++i)
            (fold[i] == left ? judged : kept).push_back(i);
        if (judged.empty())
            continue;
        const FitOutcome outcome = fitRobustly(subset(task, whole, kept));
        task.predictLn(outcome.values, predicted);
        for (const std::size_t i : judged)
            errors.push_back(task.lnMeasured[i] - predicted[i]);
    }
    return summarise(std::move(errors));
}

GroupedErrors summarise(std::vector<double> lnErrors)
{
    GroupedErrors result;
    if (lnErrors.empty())
        return result;
    std::vector<double> relative;
    for (const double e : lnErrors)
        relative.push_back(std::abs(std::expm1(-e))); // |predicted / measured - 1|
    std::sort(relative.begin(), relative.end());
    for (const double e : relative)
        result.mean += e / static_cast<double>(relative.size());
    result.median = quantileOfSorted(relative, 0.5);
    result.p90 = quantileOfSorted(relative, 0.9);
    result.worst = relative.back();
    std::vector<double> sorted = lnErrors;
    std::sort(sorted.begin(), sorted.end());
    result.lnBias = quantileOfSorted(sorted, 0.5);
    result.lnErrors = std::move(lnErrors);
    return result;
}

std::vector<int> dealFolds(std::span<const std::string> groups, int folds)
{
    std::map<std::string, int> fold;
    for (const std::string& group : groups)
        fold.emplace(group, 0);
    int next = 0;
    for (auto& [group, number] : fold)
        number = next++ % folds;
    std::vector<int> result;
    for (const std::string& group : groups)
        result.push_back(fold.at(group));
    return result;
}

LnInterval conformal(std::vector<double> lnErrors, double coverage)
{
    if (lnErrors.empty())
        return {};
    std::sort(lnErrors.begin(), lnErrors.end());
    // Finite-sample correction of split-conformal prediction: the (n + 1)-th quantile.
    const double n = static_cast<double>(lnErrors.size());
    const double tail = std::max(0.0, 1 - (1 - (1 - coverage) / 2) * (n + 1) / n);
    return {quantileOfSorted(lnErrors, tail), quantileOfSorted(lnErrors, 1 - tail)};
}

double lnSpreadOf(std::vector<double> lnErrors)
{
    constexpr double normalRange = 2.5631; // distance of a unit normal's 10th and 90th percentile
    const LnInterval range = conformal(std::move(lnErrors), 0.8);
    return (range.high - range.low) / normalRange;
}

double coveringSpread(std::vector<double> lnErrors, double widened)
{
    if (lnErrors.empty())
        return 0;
    constexpr double ofNinety = 1.6448536269514722; // half width of a normal's 90 % interval
    constexpr double least = 0.88;
    constexpr double most = 0.92;
    const double byRange = lnSpreadOf(lnErrors) * widened;
    for (double& error : lnErrors)
        error = std::abs(error);
    std::sort(lnErrors.begin(), lnErrors.end());
    return std::clamp(byRange, quantileOfSorted(lnErrors, least) / ofNinety,
                      quantileOfSorted(lnErrors, most) / ofNinety);
}

} // namespace headroom
