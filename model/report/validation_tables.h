#pragma once

#include "model/measured/judged_row.h"
#include "model/report/measure.h"

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

// What a validation says, as tables of words before any format; the first row names the columns.
namespace headroom {

using Cells = std::vector<Message>;

// What rows are grouped by.
inline constexpr std::array validationDimensions{"metric", "load",       "regime", "engine", "gpu",
                                                 "vendor", "generation", "model",  "source"};

[[nodiscard]] std::vector<Cells> summaryTable(const ValidationReport& report, const std::string& dimension);
[[nodiscard]] std::vector<Cells> worstTable(const ValidationReport& report, std::size_t worst);
// Errors and how often intervals hold that never saw these rows, by what was left out: kinds of figures, and
// each metric and percentile of them.
[[nodiscard]] std::vector<Cells> figuresLeftOutTable(const ValidationReport& report);
[[nodiscard]] std::vector<Cells> heldOutTable(const ValidationReport& report);
// Pairs of runs of the same work: how many are predicted in the order that was measured.
[[nodiscard]] std::vector<Cells> orderTable(const ValidationReport& report);
// Pairs of figures of one set-up: how far publications are apart where nothing that they state differs.
[[nodiscard]] std::vector<Cells> repeatsTable(const ValidationReport& report);
// One kind of what was left out, each of it on a line.
[[nodiscard]] std::vector<Cells> leftTable(const HeldOut& held);
// Regimes and metrics, in sample and left out: errors and how often intervals hold.
[[nodiscard]] std::vector<Cells> regimesLeftOutTable(const ValidationReport& report);
// How much of the error is of engines that nothing else speaks of.
[[nodiscard]] std::vector<Cells> strangersTable(const HeldOut& held);
[[nodiscard]] std::vector<Cells> fittedTable(const ValidationReport& report);
[[nodiscard]] std::vector<Cells> skippedTable(const ValidationReport& report);
// What rows leave out and what was taken for it; empty where every row says all.
[[nodiscard]] std::vector<Cells> assumedTable(const ValidationReport& report);

[[nodiscard]] inline bool saysAnything(const std::vector<Cells>& rows) { return rows.size() > 1; }
// Of configurations there are too many to list.
[[nodiscard]] inline bool isListed(const HeldOut& held) { return held.left != "configuration"; }

// Reasons and how many rows each is told of.
[[nodiscard]] std::vector<std::pair<Message, std::size_t>> skippedRows(const ValidationReport& report);
[[nodiscard]] Message rowLabel(const JudgedRow& row);
// Four digits, without a power of ten where the digits before the point are more.
[[nodiscard]] std::string fourDigits(double value);

} // namespace headroom
