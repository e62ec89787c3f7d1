#pragma once

#include "model/resolve/calibrated.h"
#include "model/resolve/machine_rates.h"

#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// A calibration while it is brought to one engine on one accelerator: the steps of applyCalibration().
class CalibrationUse {
public:
    CalibrationUse(const EfficiencySet& measured, const EfficiencySet& known, const Gpu& gpu,
                   const Node& node, const Engine& engine);

    void tellWidening(); // of another card, of another version, of missed conditions
    void adoptMachine(); // rates, the host's launches
    void tellLinks();
    void chooseForms();     // each by whose kernels it is
    void adoptEngineRuns(); // what the engine does beside its kernels
    [[nodiscard]] Calibrated take() { return std::move(m_out); }

private:
    // How much wider figures are on another card than on the one they were measured on: the spread's factor,
    // and what is not known of their middle (docs/executor.md, "Transfer").
    struct Widening {
        double factor = 1;
        double bias = 0;
        Source source = Source::MeasuredHere;
        Message because;
    };
    [[nodiscard]] static Widening wideningFor(const EfficiencySet& measured, const Gpu& gpu);
    [[nodiscard]] bool thisCard() const { return m_widening.source == Source::MeasuredHere; }
    [[nodiscard]] bool ofThisEngine() const;
    [[nodiscard]] bool otherLinks() const;
    void adopt(const FormSlot& slot, std::string_view origin);
    void tellForms();

    const EfficiencySet& m_measured;
    const EfficiencySet& m_known;
    const Gpu& m_gpu;
    const Node& m_node;
    const Engine& m_engine;
    Widening m_widening;
    double m_factor = 1; // of all spreads, but for missed conditions
    RateRatios m_ratios;
    std::vector<std::string> m_ofLibraries;
    bool m_scaled = false;
    Calibrated m_out;
};

} // namespace headroom
