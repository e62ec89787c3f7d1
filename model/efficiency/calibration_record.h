#pragma once

#include "model/base/dtype.h"
#include "model/base/units.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace headroom {

// How moving grows with its size: t = (bytes + half) / full. Zero where it was not measured.
struct Ramp {
    BytesPerSecond full; // of the largest
    Bytes half;          // a move of this size reaches half of it

    friend bool operator==(const Ramp&, const Ramp&) = default;
};

// What a recorded graph of empty launches takes from its start until it is known to have ended: base + nodes
// * perNode. Zero where none was measured.
struct GraphCost {
    Seconds base;
    Seconds perNode;

    friend bool operator==(const GraphCost&, const GraphCost&) = default;
};

// The device a calibration was measured on, and what it sustains. Zero where it was not measured.
struct MeasuredMachine {
    std::string kind; // "cpu", "cuda"
    std::string name; // "NVIDIA H200"
    std::string driver;
    std::string libraries;
    std::string uuidHash; // tells two cards of one type apart
    int units = 0;        // multiprocessors, or cores in use
    Bytes memory;
    Bytes cache; // last level
    BytesPerSecond read;
    BytesPerSecond copy; // bytes read and written
    Ramp reads;
    Ramp copies;
    Seconds emptyLaunch;
    GraphCost graph;
    std::array<FlopsPerSecond, mathUnitCount> sustained{}; // large matrix products, one after another
    std::array<FlopsPerSecond, mathUnitCount> burst{};     // the same of a device that has just rested
    // Share of a burst's rate that whole layers keep when they follow each other; zero: not measured.
    std::array<double, mathUnitCount> settled{};

    friend bool operator==(const MeasuredMachine&, const MeasuredMachine&) = default;
};

// How it was measured.
struct CalibrationRun {
    std::string created; // date
    std::string tool;    // "headroom 0.1.0"
    std::string mode;    // "quick", "generic", "qwen2.5-0.5b"
    std::int64_t seed = 0;
    std::int64_t samples = 0; // points that count
    std::int64_t planned = 0;
    std::int64_t refused = 0;
    std::int64_t noisy = 0;
    double anchorDrift = 0;  // largest over a block, as a fraction
    double coreClockLow = 0; // Hz while measuring; 0: unknown
    double coreClockHigh = 0;
    std::string throttle; // reasons seen; empty: none or unknown

    friend bool operator==(const CalibrationRun&, const CalibrationRun&) = default;
};

// How the exchanges of its collective forms were measured: between which ranks, in which machines.
struct LinksRecord {
    std::string created;
    std::string tool;
    std::string node; // id of the machine whose links the efficiencies are of
    std::string device;
    std::string driver;
    std::string library; // "NCCL 2.28.9"
    std::int64_t ranks = 0;
    std::int64_t nodes = 0;
    std::int64_t samples = 0;
    std::int64_t planned = 0;
    std::int64_t refused = 0;

    friend bool operator==(const LinksRecord&, const LinksRecord&) = default;
};

// What an engine's own benchmark runs decided: whose kernels the forms are, and what the engine does beside
// them.
struct EngineRecord {
    std::string engine; // id
    std::string created;
    std::string tool;
    std::vector<std::string> runs; // names of the files they were read from
    std::int64_t points = 0;
    Seconds perStep; // host time of a step, whatever the batch
    Seconds perStepAndSequence;
    double lnSpreadPrefill = 0; // of whole steps whose point was left out of the fit
    double lnSpreadDecode = 0;
    double medianError = 0; // of |predicted / measured - 1| of the same
    double p90Error = 0;

    friend bool operator==(const EngineRecord&, const EngineRecord&) = default;
};

// Whole layers that no fit saw, predicted and measured.
struct HoldOutRecord {
    std::int64_t layers = 0;
    double median = 0; // of |predicted / measured - 1|
    double mean = 0;
    double worst = 0;
    double coverage = 0;      // share of layers inside their 90 % interval
    double intervalRatio = 1; // by how much intervals would have to be wider to hold 90 % of the layers

    friend bool operator==(const HoldOutRecord&, const HoldOutRecord&) = default;
};

// One of the conditions a trusted calibration meets (docs/executor.md).
struct GateRecord {
    std::string name; // "whole layer, mean error"
    double value = 0;
    double least = 0; // passed when least <= value <= most
    double most = 0;

    [[nodiscard]] bool passed() const { return value >= least && value <= most; }
    friend bool operator==(const GateRecord&, const GateRecord&) = default;
};

// What a calibration by the executor tells beside its forms.
struct CalibrationRecord {
    MeasuredMachine machine;
    CalibrationRun run;
    HoldOutRecord holdOut;
    std::vector<GateRecord> gates;

    friend bool operator==(const CalibrationRecord&, const CalibrationRecord&) = default;
};

} // namespace headroom
