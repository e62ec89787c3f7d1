#pragma once

#include "calib/fit/robust_fit.h"
#include "model/base/units.h"
#include "model/catalogue/gpu.h"
#include "model/catalogue/node.h"
#include "model/count/op.h"
#include "model/efficiency/efficiency_set.h"
#include "model/efficiency/form_slot.h"

#include <string>
#include <vector>

namespace headroom {

// One timed operator, whoever timed it: the executor on this machine, or a published table.
struct OpSample {
    Op op;
    Seconds time;
    double lnSpread = 0; // of its repeats; 0: not known
    std::string group;   // a shape or head configuration: what cross-validation leaves out together
    std::string sweep{}; // one kernel on one shape, at different amounts of work; empty: not known
};

struct FormFit {
    FormSlot slot;
    FitOutcome outcome;
    std::vector<std::string> parameters; // what outcome.values are
    GroupedErrors crossValidated;
    std::size_t samples = 0; // given, before thinning
    std::size_t groups = 0;
};

struct FormFitOptions {
    std::size_t most = 1500; // samples a fit is made of; more are thinned evenly over the shuffled list
    int folds = 5;
    Source source = Source::MeasuredPublished;
    double priorSpread = 1; // times the priors' own spreads: above 1 where they come from unlike machines
};

// Fits the form of `slot` to the samples and writes it into `set`, whose present figures are the priors. All
// samples must be of that slot. The residual spread written is the cross-validated one.
[[nodiscard]] FormFit fitForm(EfficiencySet& set, const FormSlot& slot, const std::vector<OpSample>& samples,
                              const Gpu& gpu, const Node& node, const FormFitOptions& options = {});

} // namespace headroom
