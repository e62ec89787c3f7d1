#pragma once

#include "calib/validate/prepared_runs.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <fmt/format.h>
#include <string>

// Rows of runs as a server with known times would have been measured.
namespace headroom::tests {

inline MeasuredRow row(const std::string& source, const std::string& model, int users, Metric metric)
{
    MeasuredRow out;
    out.id = fmt::format("{}-{}-{}-{}", source, model, users, metricName(metric));
    out.source = source;
    out.engine = "vLLM";
    out.engineVersion = "0.11.0";
    out.model = model;
    out.gpu = "H100-SXM";
    out.gpus = 1;
    out.tp = 1;
    out.weightDtype = "bf16";
    out.inputLength = "1000";
    out.outputLength = "100";
    out.load = std::to_string(users);
    out.metric = metric;
    out.value = 1;
    return out;
}

// As measured by a server that costs so much beside its kernels.
inline void measure(PreparedRuns& prepared, std::size_t place, const EngineTimes& times)
{
    REQUIRE(prepared.cases[place].has_value());
    Engine engine = *prepared.cases[place]->deployment().engine;
    static_cast<EngineTimes&>(engine) = times;
    const RowCase run = prepared.cases[place]->with(engine);
    prepared.rows[place].row.value = figureOf(runFigures(run), run, prepared.rows[place].row).value;
}

inline EngineTimes stepsOf(double milliseconds)
{
    return {.stepHostTime = Seconds(milliseconds * 1e-3),
            .stepHostTimePerSequence = Seconds(9e-6),
            .requestHostTime = Seconds(15e-3),
            .eagerLaunch = Seconds(0),
            .admissionSteps = 3,
            .expertTime = 1};
}

} // namespace headroom::tests
