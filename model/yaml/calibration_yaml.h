#pragma once

#include "model/efficiency/calibration_record.h"
#include "model/yaml/reader.h"
#include "model/yaml/writer.h"

#include <optional>

namespace headroom {

// The groups `machine`, `run`, `hold_out` and `gates` of a calibration; absent from fits to published tables.
[[nodiscard]] std::optional<CalibrationRecord> readCalibrationRecord(MapReader& in, SourceReader& cited);
void writeCalibrationRecord(MapWriter& out, const SourceWriter& cited, const CalibrationRecord& record);

// The group `links`.
[[nodiscard]] std::optional<LinksRecord> readLinksRecord(MapReader& in, SourceReader& cited);
void writeLinksRecord(MapWriter& out, const SourceWriter& cited, const LinksRecord& record);

// The group `engine_runs`.
[[nodiscard]] std::optional<EngineRecord> readEngineRecord(MapReader& in, SourceReader& cited);
void writeEngineRecord(MapWriter& out, const SourceWriter& cited, const EngineRecord& record);

} // namespace headroom
