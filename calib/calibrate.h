#pragma once

#include "model/base/result.h"
#include "model/base/run_control.h"
#include "model/base/units.h"
#include "model/efficiency/efficiency_set.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace headroom {

class Catalogue;

// A device that could be calibrated here, for lists; `obstacle` says why not.
struct CalibrationTarget {
    std::string device; // what CalibrationOptions::device takes: "cpu", "cuda:0"
    std::string name;   // "AMD EPYC", "NVIDIA H200"; empty when there is an obstacle
    Message obstacle;
};
[[nodiscard]] std::vector<CalibrationTarget> calibrationTargets();

struct CalibrationOptions {
    std::string device = "cpu"; // or "cuda:N"
    std::string gpu;            // id in the catalogue, where the device's name does not tell; else empty
    std::string
        node; // id of the machine whose links are measured; empty: the one the accelerator usually stands in
    bool links = false; // the links between devices and nothing else
    std::string
        meet; // of several processes: HOST:PORT of the first, or a file that all see; empty: beside `file`
    bool quick = false;
    std::string model; // id in the catalogue: its own matrices are measured too; empty: generic
    std::optional<Seconds>
        budget;          // of measuring; 20 s when quick, else 90 s, of a GPU 75; 10 s more for a model
    bool resume = false; // go on with the samples that `file`'s CSV holds
    std::filesystem::path refit; // samples of an earlier run: nothing is measured
    std::uint64_t seed = 7;      // of the order and the data
    std::filesystem::path file;  // the calibration; its samples go to samplesBeside(file)
    std::string toolVersion;
    std::string created; // "2026-11-21", as the file shall say
};
[[nodiscard]] std::filesystem::path samplesBeside(const std::filesystem::path& file);
[[nodiscard]] std::filesystem::path
samplesOf(const CalibrationOptions& options); // those of links have a file of their own

enum class CalibrationStage : std::uint8_t { Starting, Measuring, Fitting, Writing };
[[nodiscard]] Code calibrationStageName(CalibrationStage stage);

// One finished point as a person sees it. Refused points have a reason and no time that counts.
struct CalibrationPoint {
    std::string what; // "gemm bf16 m=16 n=4096 k=4096"; "layer smollm2-135m decode …" for a held-out layer
    std::string form; // the form it is for: "gemm 16-bit"; "held out" for a whole layer
    Seconds time;     // of one launch
    double lnSpread = 0;  // of its repeats
    double intensity = 0; // FLOPs per byte: where it stands under the roofline
    double ofPeak = 0; // time the measured peaks would take over the time taken: achieved share of the bound
    bool memoryBound = false;
    bool noisy = false;
    std::string refused;
};

struct CalibrationProgress {
    CalibrationStage stage = CalibrationStage::Starting;
    std::size_t finished = 0; // points, those of a resumed file included
    std::size_t planned = 0;
    double fraction = 0; // of points or of time, whichever is nearer its end
    Seconds spent;
    Seconds left;                          // until the deadline or the last point, whichever comes first
    std::optional<CalibrationPoint> point; // what just finished
    Message note;                          // "anchor drifted by 4.1 %: block 2 is measured again"
};
using CalibrationListener = std::function<void(const CalibrationProgress&)>;

// A whole layer that no fit has seen.
struct LayerError {
    std::string what;
    Seconds measured;
    Seconds predicted;
    double lnSpread = 0; // of the prediction
};

struct CalibrationReport {
    EfficiencySet set; // as written
    std::filesystem::path file;
    std::filesystem::path samples;
    bool cancelled = false; // stopped by its user: what was measured is fitted and written all the same
    bool deadline = false;  // the time was up before the plan was
    std::size_t measured = 0;
    std::size_t planned = 0;
    std::vector<LayerError> layers;
    std::vector<std::string> refused; // "decode_attention …: error 0.3 against the reference, allowed 0.01"
    std::vector<Message> notes;
};

// What is wrong with the options alone.
[[nodiscard]] Problems calibrationObjections(const CalibrationOptions& options);

// The machine cannot do it: no device, a full disk, a clock that lies. One sentence; finished points are
// kept.
struct CalibrationBroken : std::runtime_error {
    explicit CalibrationBroken(const Message& why) : std::runtime_error(why.english()), sentence(why) {}
    Message sentence;
};

// Some process of a job cannot go on, and all of them know why.
struct JobBroken : CalibrationBroken {
    using CalibrationBroken::CalibrationBroken;
};

// Measures, fits, judges and writes `options.file` with its samples beside it. Refused: bad options, a file
// of another device, samples that do not belong to this run. `control` stops it between two points, keeping
// everything that was finished; `listener` is called from this thread after each point.
[[nodiscard]] Result<CalibrationReport> calibrate(const CalibrationOptions& options,
                                                  const Catalogue& catalogue, const RunControl& control,
                                                  const CalibrationListener& listener = {});

} // namespace headroom
