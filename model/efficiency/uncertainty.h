#pragma once

#include "model/base/estimate.h"

namespace headroom {

// How sure a fitted form is: log-normal spread of its residuals, and what it was fitted to.
struct Uncertainty {
    double lnBias = 0;     // mean of ln(measured / predicted), applied as a correction
    double lnSpread = 0.3; // standard deviation of the same
    Source source = Source::Prior;
    bool trusted = true; // a measured form that missed a condition of form_gates.h is not

    friend bool operator==(const Uncertainty&, const Uncertainty&) = default;
};

// From measurements, of this machine or published, not from a prior.
[[nodiscard]] inline bool fitted(const Uncertainty& uncertainty)
{
    return uncertainty.source == Source::MeasuredHere || uncertainty.source == Source::MeasuredPublished;
}

} // namespace headroom
