#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace headroom {

// A positive number to be fitted, with what is believed of it before any measurement: log-normal around
// `prior`.
struct FitParameter {
    std::string name;
    double prior = 1;
    double lnSpread = 0.3; // standard deviation of ln(value) before measuring
    double low = 0;        // physical bounds: an efficiency cannot exceed what the hardware gives
    double high = 1e300;
};

// `predictLn(values, out)` writes ln of the predicted figure of every sample; it must be smooth enough for
// differences.
struct FitTask {
    std::vector<FitParameter> parameters;
    std::function<void(std::span<const double> values, std::span<double> lnPredicted)> predictLn;
    std::vector<double> lnMeasured;
    std::vector<double> lnSpread; // of each measurement (repeats); empty: none known
    double modelSpread = 0.08;    // what the form itself misses, added to every measurement's own spread
    double huber = 1.25;          // in standard deviations: 0.1 in ln at the default spread
    int starts = 8;               // the priors, and others around them
    std::vector<double> from; // one more start: the values of a fit to nearly the same samples; empty: none
};

struct FitOutcome {
    std::vector<double> values;
    std::vector<double> lnDeviation; // of each parameter after the fit
    std::vector<double> residuals;   // ln(measured / predicted)
    double cost = 0;
};

// Maximum a posteriori by Levenberg-Marquardt over ln(value), Huber's loss by reweighting, several starts
// drawn from the priors; deterministic.
[[nodiscard]] FitOutcome fitRobustly(const FitTask& task);

// Which samples a group holds; groups are shapes, head configurations or sources, never random rows.
struct GroupedErrors {
    std::vector<double> lnErrors; // ln(measured / predicted) of every sample, predicted without its own group
    double median = 0;            // of |measured / predicted - 1|, as all below
    double mean = 0;
    double p90 = 0;
    double worst = 0;
    double lnBias = 0; // median of lnErrors
};

// `fold[i]` says in which fold sample i is left out; samples with a negative fold are always used and never
// judged. `whole` is the fit to all samples: a fit without some of them starts there,
// and at the priors where the task has several starts.
[[nodiscard]] GroupedErrors crossValidate(const FitTask& task, const FitOutcome& whole,
                                          std::span<const int> fold);

[[nodiscard]] GroupedErrors summarise(std::vector<double> lnErrors);

// Deals group labels to `folds` folds so that a group is never split; stable under reordering of the samples.
[[nodiscard]] std::vector<int> dealFolds(std::span<const std::string> groups, int folds);

// Split-conformal interval: the errors' quantiles, widened for the finite number of them.
struct LnInterval {
    double low = 0;
    double high = 0;
};
[[nodiscard]] LnInterval conformal(std::vector<double> lnErrors, double coverage);

// Standard deviation of a normal that has the same 10-90 % range as the errors around their median.
[[nodiscard]] double lnSpreadOf(std::vector<double> lnErrors);

// The same, `widened`, as far as the 90 % interval around no error that it gives then holds 88 to 92 % of the
// errors: tails heavier or lighter than a normal's would leave it too few or too many.
[[nodiscard]] double coveringSpread(std::vector<double> lnErrors, double widened);

} // namespace headroom
