#pragma once

#include "model/catalogue/engine.h"
#include "model/efficiency/efficiency_set.h"
#include "model/efficiency/form_slot.h"

#include <functional>
#include <string>
#include <vector>

namespace headroom {

// A machine and an engine while their numbers are moved.
struct EngineState {
    EfficiencySet efficiency;
    Engine engine;
    // No kernel does more than a datasheet promises; a processor's entry is a stand-in, and files may say
    // twice of it.
    double mostShare = 1;
};

// One number that an engine's runs decide: 1 is what is known without them, 2 takes twice the time.
struct KernelNumber {
    Message name;          // "gemm 8-bit-weights, one row"
    double lnSpread = 0.3; // of what is known
    double usual = 1;      // value where the engine is as it is known
    double least = 0;      // below, a share would be more than files hold
    std::function<void(EngineState&, double value)> set;
};

// Forms that runs of an engine time, each with the few numbers that its phases need: for a type of matrix the
// pass over the weights and the arithmetic of its kernel for many rows and the rate of its kernel for one;
// the slope of attention with the context, of steps and of prompts; passes over activations and their
// launches; the host's time for a step and for a sequence.
[[nodiscard]] std::vector<KernelNumber> kernelNumbers(const EngineState& known,
                                                      const std::vector<FormSlot>& timed);

// A kernel for one row beside one for many, where `state` knows none: the same at first.
void splitOneRow(EfficiencySet& set, const std::vector<FormSlot>& timed);

} // namespace headroom
