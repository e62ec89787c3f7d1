#pragma once

#include "model/base/result.h"
#include "model/catalogue/engine.h"
#include "model/catalogue/gpu.h"
#include "model/catalogue/llm.h"
#include "model/catalogue/name_match.h"
#include "model/catalogue/node.h"
#include "model/efficiency/efficiency_set.h"
#include "model/yaml/own_calibrations.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// All machines, models and engines that ship with the program (and those a user names by file). Lazy: one
// alias index is read at the start, a file only when it is asked for. References stay valid as long as the
// catalogue lives; reading is safe from several threads.
class Catalogue {
public:
    // `root` holds hw_profiles/, models/ and resources/.
    // `own`: calibrations of this machine that are used unasked; none for whoever wants the same answer
    // everywhere.
    static Result<std::shared_ptr<const Catalogue>> open(const std::filesystem::path& root,
                                                         OwnCalibrations own = {});
    // HEADROOM_DATA, else beside the executable (../share/headroom), else the source tree it was built from.
    static std::filesystem::path defaultRoot();
    ~Catalogue();

    [[nodiscard]] const std::vector<std::string>& gpuIds() const;
    [[nodiscard]] const std::vector<std::string>& nodeIds() const;
    [[nodiscard]] const std::vector<std::string>& modelIds() const;
    [[nodiscard]] const std::vector<std::string>& engineIds() const;

    // Tolerant lookup: ids, aliases, other spellings. A miss names the nearest ids in its hint.
    [[nodiscard]] Result<NameMatch> findGpu(std::string_view text) const;
    [[nodiscard]] Result<NameMatch> findNode(std::string_view text) const;
    [[nodiscard]] Result<NameMatch> findModel(std::string_view text) const;
    [[nodiscard]] Result<NameMatch> findEngine(std::string_view text) const;

    // The same lookup for every phrase of a sentence: a miss is empty, and found out at once.
    [[nodiscard]] std::optional<NameMatch> matchGpu(std::string_view text) const;
    [[nodiscard]] std::optional<NameMatch> matchModel(std::string_view text) const;
    [[nodiscard]] std::optional<NameMatch> matchEngine(std::string_view text) const;
    // An accelerator's name, from the index: no file is read for it.
    [[nodiscard]] std::string gpuName(std::string_view id) const;
    // The cards that a vendor makes, the newest first; no file is read for it.
    [[nodiscard]] std::vector<std::string> gpusOfVendor(std::string_view vendor) const;
    // In which names a run of letters or of figures stands; in all where it is in one and says nothing:
    // "nvidia".
    [[nodiscard]] NameKinds inNames(std::string_view piece) const;

    // By exact id, or a path to a YAML file of that kind.
    [[nodiscard]] Result<const Gpu*> gpu(const std::string& id) const;
    [[nodiscard]] Result<const Node*> node(const std::string& id) const;
    [[nodiscard]] Result<const Llm*> model(const std::string& id) const;
    [[nodiscard]] Result<const Engine*> engine(const std::string& id) const;

    // Best set for this accelerator and the engine's kernels: published calibration, else its family's, else
    // the prior.
    [[nodiscard]] Result<const EfficiencySet*> efficiency(const Gpu& gpu, const Engine& engine) const;
    // All published calibrations that ship.
    [[nodiscard]] Result<std::vector<EfficiencySet>> publishedCalibrations() const;
    // A calibration file the user names.
    [[nodiscard]] Result<const EfficiencySet*> calibration(const std::string& file) const;
    // The user's own calibration of this machine for this accelerator in this box: runs of that engine first.
    // Null: there is none.
    [[nodiscard]] const OwnCalibrations::Found* ownCalibration(const Gpu& gpu, const Node& node,
                                                               const Engine& engine) const;
    // Files among the user's calibrations that could not be read.
    [[nodiscard]] const std::vector<std::string>& unreadCalibrations() const;

private:
    struct State;
    explicit Catalogue(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace headroom
