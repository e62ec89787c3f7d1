#include "calib/fit/robust_fit.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace headroom;

namespace {

// t = launch + work / rate: two numbers, the shape of every operator's time.
struct Planted {
    std::vector<double> work;
    double launch = 5e-6;
    double rate = 2e12;

    [[nodiscard]] FitTask task(double noise, int outliers, unsigned seed) const
    {
        FitTask task;
        task.parameters = {{.name = "launch", .prior = 3e-6, .lnSpread = 0.5},
                           {.name = "rate", .prior = 1.5e12, .lnSpread = 0.3}};
        const std::vector<double> w = work;
        task.predictLn = [w](std::span<const double> v, std::span<double> out) {
            for (std::size_t i = 0; i < w.size(); ++i)
                out[i] = std::log(v[0] + w[i] / v[1]);
        };
        std::mt19937_64 random(seed);
        std::normal_distribution<double> normal;
        for (std::size_t i = 0; i < w.size(); ++i) {
            double ln = std::log(launch + w[i] / rate) + noise * normal(random);
            if (static_cast<int>(i % 10) < outliers)
                ln += std::log(4.0);
            task.lnMeasured.push_back(ln);
        }
        return task;
    }
};

std::vector<double> geometric(double from, double to, int count)
{
    std::vector<double> values;
    for (int i = 0; i < count; ++i)
        values.push_back(from * std::pow(to / from, i / (count - 1.0)));
    return values;
}

} // namespace

TEST_CASE("a fit recovers the curve that made the samples")
{
    const Planted truth{.work = geometric(1e5, 1e10, 120)};
    const FitOutcome fit = fitRobustly(truth.task(0.02, 0, 1));
    CHECK(fit.values[0] == doctest::Approx(truth.launch).epsilon(0.02));
    CHECK(fit.values[1] == doctest::Approx(truth.rate).epsilon(0.02));
    CHECK(summarise(fit.residuals).median < 0.02);
}

TEST_CASE("one sample in ten four times too slow moves the fit by less than five percent")
{
    const Planted truth{.work = geometric(1e5, 1e10, 120)};
    const FitOutcome fit = fitRobustly(truth.task(0.02, 1, 2));
    CHECK(fit.values[0] == doctest::Approx(truth.launch).epsilon(0.05));
    CHECK(fit.values[1] == doctest::Approx(truth.rate).epsilon(0.05));
}

TEST_CASE("with no sample that tells, the prior stands and its deviation too")
{
    const Planted truth{.work = geometric(1e9, 1e10, 6)}; // all far above the launch
    const FitOutcome fit = fitRobustly(truth.task(0, 0, 3));
    CHECK(fit.values[0] == doctest::Approx(3e-6).epsilon(0.1));
    CHECK(fit.lnDeviation[0] == doctest::Approx(0.5).epsilon(0.1));
    CHECK(fit.lnDeviation[1] < 0.05);
}

TEST_CASE("twelve points are enough when the priors are fair")
{
    const Planted truth{.work = geometric(1e5, 1e10, 12)};
    const FitOutcome fit = fitRobustly(truth.task(0.05, 0, 4));
    CHECK(fit.values[0] == doctest::Approx(truth.launch).epsilon(0.1));
    CHECK(fit.values[1] == doctest::Approx(truth.rate).epsilon(0.1));
}

TEST_CASE("bounds are kept even when the samples pull beyond them")
{
    const Planted truth{.work = geometric(1e5, 1e10, 60)};
    FitTask task = truth.task(0, 0, 5);
    task.parameters[1].high = 1.8e12;
    CHECK(fitRobustly(task).values[1] <= 1.8e12);
}

TEST_CASE("the same samples always give the same fit")
{
    const Planted truth{.work = geometric(1e5, 1e10, 40)};
    const FitTask task = truth.task(0.1, 1, 6);
    CHECK(fitRobustly(task).values == fitRobustly(task).values);
}

TEST_CASE("cross-validation judges every group by a fit that never saw it")
{
    // Two groups with different rates: no fit on one predicts the other, so the honest error is the ratio of
    // the rates.
    const std::vector<double> work = geometric(1e9, 1e10, 20);
    FitTask task;
    task.parameters = {{.name = "rate", .prior = 1.4e12, .lnSpread = 3}};
    task.predictLn = [work](std::span<const double> v, std::span<double> out) {
        for (std::size_t i = 0; i < work.size(); ++i)
            out[i] = std::log(work[i] / v[0]);
    };
    std::vector<std::string> groups;
    for (std::size_t i = 0; i < work.size(); ++i) {
        groups.push_back(i % 2 == 0 ? "fast" : "slow");
        task.lnMeasured.push_back(std::log(work[i] / (i % 2 == 0 ? 2e12 : 1e12)));
    }
    const GroupedErrors errors = crossValidate(task, fitRobustly(task), dealFolds(groups, 2));
    REQUIRE(errors.lnErrors.size() == work.size());
    for (const double e : errors.lnErrors)
        CHECK(std::abs(e) == doctest::Approx(std::log(2.0)).epsilon(0.01));
}

TEST_CASE("a group is never split between folds")
{
    const std::vector<std::string> groups{"b", "a", "b", "c", "a", "c", "d"};
    const std::vector<int> fold = dealFolds(groups, 3);
    for (std::size_t i = 0; i < groups.size(); ++i)
        for (std::size_t j = 0; j < groups.size(); ++j)
            if (groups[i] == groups[j])
                CHECK(fold[i] == fold[j]);
}

TEST_CASE("the conformal interval covers new errors as often as it says")
{
    std::mt19937_64 random(7);
    std::lognormal_distribution<double> skewed(0, 0.4); // asymmetric on purpose
    int inside = 0;
    const int trials = 2000;
    for (int t = 0; t < trials; ++t) {
        std::vector<double> seen;
        for (int i = 0; i < 40; ++i)
            seen.push_back(skewed(random));
        const LnInterval range = conformal(seen, 0.8);
        const double fresh = skewed(random);
        inside += range.low <= fresh && fresh <= range.high ? 1 : 0;
    }
    CHECK(inside > 0.77 * trials);
    CHECK(inside < 0.86 * trials);
}

TEST_CASE("the spread of normal errors is their standard deviation")
{
    std::mt19937_64 random(8);
    std::normal_distribution<double> normal(0.2, 0.15);
    std::vector<double> errors;
    for (int i = 0; i < 20000; ++i)
        errors.push_back(normal(random));
    CHECK(lnSpreadOf(errors) == doctest::Approx(0.15).epsilon(0.03));
}

TEST_CASE("a spread covers heavy tails, and does not widen for light ones")
{
    std::mt19937_64 random(9);
    std::normal_distribution<double> normal(0, 0.1);
    std::vector<double> plain;
    std::vector<double> heavy;
    std::vector<double> light;
    for (int i = 0; i < 20000; ++i) {
        plain.push_back(normal(random));
        heavy.push_back(normal(random) * (i % 6 == 0 ? 8 : 1));
        light.push_back(std::clamp(normal(random), -0.13, 0.13));
    }
    const auto covered = [](const std::vector<double>& errors) {
        const double half = 1.645 * coveringSpread(errors, 1);
        const auto inside = std::count_if(errors.begin(), errors.end(),
                                          [&](double error) { return std::abs(error) <= half; });
        return double(inside) / double(errors.size());
    };
    CHECK(covered(plain) == doctest::Approx(0.9).epsilon(0.01));
    CHECK(covered(heavy) > 0.875);
    CHECK(covered(light) >= 0.92); // a clamped share is all at its edge
    CHECK(coveringSpread(light, 2) < lnSpreadOf(light) * 2);
}
