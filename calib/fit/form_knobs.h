#pragma once

#include "model/efficiency/efficiency_set.h"
#include "model/efficiency/form_slot.h"

#include <functional>
#include <string>
#include <vector>

namespace headroom {

// One number of a form that a fit may move. Deviations are the priors' of docs/executor.md (section 3.4).
struct Knob {
    std::string name;
    double lnSpread;
    double low;
    double high;
    std::function<double(const EfficiencySet&)> read;
    std::function<void(EfficiencySet&, double)> write;
};

// The numbers of a slot's form that samples may move. `start` is only read: an exchange that knows several
// ways has their rates in place of a sharpness, a latent kernel of tiles what reading again costs.
[[nodiscard]] std::vector<Knob> knobsOf(EfficiencySet& start, const FormSlot& slot);

// The form that a slot names.
[[nodiscard]] GemmForm& gemmAt(EfficiencySet& set, const FormSlot& slot);
[[nodiscard]] GroupedGemmForm& groupedAt(EfficiencySet& set, const FormSlot& slot);
[[nodiscard]] PrefillAttentionForm& prefillAt(EfficiencySet& set, const FormSlot& slot);
[[nodiscard]] DecodeAttentionForm& decodeAt(EfficiencySet& set, const FormSlot& slot);
[[nodiscard]] StreamForm& streamAt(EfficiencySet& set, const FormSlot& slot);
[[nodiscard]] CollectiveForm& collectiveAt(EfficiencySet& set, const FormSlot& slot);

} // namespace headroom
