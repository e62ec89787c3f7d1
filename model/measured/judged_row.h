#pragma once

#include "model/base/estimate.h"
#include "model/base/message.h"
#include "model/measured/measured_row.h"
#include "model/measured/pair_order.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

// A measured figure beside the predicted one.
struct JudgedRow {
    MeasuredRow row;
    std::string operation; // of a single operator's row: what was timed, in place of a metric

    [[nodiscard]] std::string quantity() const
    {
        if (!operation.empty())
            return operation;
        const std::string metric(metricName(row.metric));
        return row.statistic == Statistic::Mean ? metric
                                                : metric + ' ' + std::string(statisticName(row.statistic));
    }
    std::string gpu; // ids of the catalogue; empty where a name is not known
    std::string model;
    std::string engine;
    std::string vendor;                // of the accelerator
    std::string generation;            // its family
    std::string regime;                // "one box", "pipeline", "split pools", …
    std::string run;                   // "static batch", "concurrency", "saturated", …
    bool used = false;                 // counts in the summary
    Message whySkipped;                // when not used
    Message assumed;                   // what the row does not state and was taken to be usual
    bool impossible = false;           // better than the hardware allows: listed, not used
    bool contradicted = false;         // another row states the same and a figure far from this: not used
    std::optional<std::size_t> readAs; // rows with the same number ask for the same prediction
    Estimate<double> predicted;        // in the row's unit; zero when there is none
    Message cause;                     // likely, of a large error

    [[nodiscard]] double error() const { return row.value > 0 ? predicted.value / row.value - 1 : 0; }
    [[nodiscard]] bool within() const { return predicted.low <= row.value && row.value <= predicted.high; }
};

struct ErrorSummary {
    std::size_t rows = 0;
    std::size_t used = 0;
    double medianAbsError = 0; // of |predicted / measured - 1|
    double mape = 0;
    double p90 = 0;
    double medianError = 0;    // signed: the bias
    double withinInterval = 0; // share of the used rows between the 10th and the 90th percentile
    // Standard error of that share. Rows of one engine, accelerator and model stand and fall together: it is
    // of so many configurations, not of so many rows. 0: one configuration tells nothing of it.
    double withinError = 0;
    double width = 0; // mean of ln(high / low) / 2: a range of 1.4 times to both sides is ln 1.4
};

[[nodiscard]] ErrorSummary summarise(const std::vector<const JudgedRow*>& rows);

// The same rows judged with numbers that were fitted without them.
struct HeldOut {
    std::string
        left; // "source", "configuration", "load", "vendor", "generation": left out whole, one at a time
    std::size_t folds = 0;
    std::map<std::string, ErrorSummary> byFigure; // of one kind, all metrics and percentiles of it
    std::map<std::string, ErrorSummary> byMetric;
    std::map<std::string, ErrorSummary> byEngine;
    std::map<std::string, ErrorSummary> byRegime; // and metric, as the report's
    std::map<std::string, ErrorSummary> byGroup;  // each of what was left out
    ErrorSummary all;
    OrderSummary order;
    // By metric: rows of engines that something else speaks of too, and rows of engines that then nothing
    // does.
    std::map<std::string, ErrorSummary> ofKnownEngines;
    std::map<std::string, ErrorSummary> ofStrangers;
};

// A number of an engine's file that the rows decide, and how far it moves when a configuration is left out.
struct FittedValue {
    std::string name;
    std::string unit;
    double shipped = 0;
    double fitted = 0;
    double low = 0;
    double high = 0;
};
struct FittedEngine {
    std::string engine;
    std::size_t rows = 0;
    std::vector<FittedValue> values;
};

// Summaries by what a row may be grouped by: "metric", "engine", "gpu", "vendor",
// "generation", "model", "load", "source".
struct ValidationReport {
    std::vector<JudgedRow> rows; // in the order they were given
    std::size_t repeated = 0;    // rows that were given twice and count once
    ErrorSummary all;
    OrderSummary order;
    std::map<std::string, std::map<std::string, ErrorSummary>> by;
    std::vector<HeldOut> heldOut; // empty unless the engines were refitted
    std::vector<FittedEngine> fitted;

    [[nodiscard]] std::vector<const JudgedRow*>
    worst(std::size_t count) const; // largest |ln(predicted / measured)| first
};
[[nodiscard]] ValidationReport reportOf(std::vector<JudgedRow> rows);

} // namespace headroom
