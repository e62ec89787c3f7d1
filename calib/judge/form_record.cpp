#include "calib/judge/form_record.h"

#include "model/base/estimate.h"
#include "model/efficiency/form_gates.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom {

namespace {

constexpr double ofNinety = 1.6448536269514722;

std::string domainOf(const std::vector<OpSample>& samples)
{
    const auto range = [&](auto value) {
        const auto [low, high]
            = std::minmax_element(samples.begin(), samples.end(), [&](const OpSample& a, const OpSample& b) {
                  return value(a.op) < value(b.op);
              });
        return fmt::format("{:.4g} to {:.4g}", value(low->op), value(high->op));
    };
    const auto rows = [](const Op& op) { return op.m; };
    const auto matrix = [](const Op& op) { return op.n * op.k; };
    switch (samples.front().op.cls) {
    case OpClass::Gemm:
        return fmt::format("rows {}, n*k {}", range(rows), range(matrix));
    case OpClass::GroupedGemm:
        return fmt::format("rows of an expert {}, n*k {}, experts {}", range(rows), range(matrix),
                           range([](const Op& op) { return op.experts; }));
    case OpClass::Collective:
        return fmt::format("bytes {}, ranks {}", range([](const Op& op) { return op.message.base(); }),
                           range([](const Op& op) { return double(op.ranks); }));
    case OpClass::Stream:
    case OpClass::Scan:
        return fmt::format("bytes {}", range([](const Op& op) { return op.bytes().base(); }));
    default:
        break;
    }
    return fmt::format("sequences {}, keys {}", range([](const Op& op) { return op.batch; }),
                       range([](const Op& op) { return op.context; }));
}

// The spread of a normal around no error whose 80 and 90 % intervals hold as many of the errors.
double spreadThatHolds(const std::vector<double>& lnErrors)
{
    std::vector<double> sizes;
    for (const double error : lnErrors)
        sizes.push_back(std::abs(error));
    std::sort(sizes.begin(), sizes.end());
    const auto holding = [&](double part) {
        return sizes[static_cast<std::size_t>(std::ceil(part * double(sizes.size()))) - 1];
    };
    return std::max(holding(0.8) / deviationsToNinetieth, holding(0.9) / ofNinety);
}

} // namespace

FormRecord recordForm(EfficiencySet& set, const FormFit& fit, const std::vector<OpSample>& samples,
                      std::string origin, JudgedBy by)
{
    Uncertainty& uncertainty = uncertaintyOf(set, fit.slot);
    const GroupedErrors& errors = fit.crossValidated;
    const auto inside = std::count_if(errors.lnErrors.begin(), errors.lnErrors.end(), [&](double error) {
        return std::abs(error) <= ofNinety * uncertainty.lnSpread;
    });
    FormRecord record{.form = slotName(fit.slot),
                      .samples = static_cast<std::int64_t>(fit.samples),
                      .groups = static_cast<std::int64_t>(fit.groups),
                      .medianError = rounded(errors.median),
                      .meanError = rounded(errors.mean),
                      .p90Error = rounded(errors.p90),
                      .worstError = rounded(errors.worst),
                      .coverage
                      = rounded(double(inside) / double(std::max<std::size_t>(errors.lnErrors.size(), 1))),
                      .domain = domainOf(samples),
                      .origin = std::move(origin)};
    uncertainty.trusted = by == JudgedBy::Layers || meetsGates(fit.slot, record);
    if (!uncertainty.trusted && !errors.lnErrors.empty())
        uncertainty.lnSpread = std::max(uncertainty.lnSpread, spreadThatHolds(errors.lnErrors));
    return record;
}

} // namespace headroom
