#pragma once

#include "model/base/result.h"
#include "model/efficiency/efficiency_set.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// The machine that the program runs on, as far as a calibration must match it.
struct ThisMachine {
    std::string processor; // "AMD EPYC"
    int cores = 0;
    std::string driver; // of its GPUs; empty: there is none

    [[nodiscard]] static ThisMachine look();
};

// Calibrations that a user made of this machine: they are found where the program writes them.
class OwnCalibrations {
public:
    OwnCalibrations() = default; // none: what tests and servers ask for
    OwnCalibrations(std::filesystem::path folder, ThisMachine machine)
        : m_folder(std::move(folder)), m_machine(std::move(machine))
    {}
    // $XDG_DATA_HOME/headroom/calibrations, else ~/.local/share/…; empty where there is no home.
    [[nodiscard]] static std::filesystem::path usualFolder();
    // The same, made where it is missing. Throws CannotWrite where it cannot be made.
    [[nodiscard]] static std::filesystem::path folderToWrite();

    // Those of who runs the program, on the machine it runs on.
    [[nodiscard]] static OwnCalibrations ofUser() { return {usualFolder(), ThisMachine::look()}; }

    // A file that could be read and what it tells.
    struct Found {
        std::filesystem::path file;
        EfficiencySet set;
    };
    // All that are of this machine: same card or processor and same driver; newest first, and runs of an
    // engine before the machine alone. Files that cannot be read are passed over: `unread` names them.
    struct Known {
        std::vector<Found> found;
        std::vector<std::string> unread;
    };
    [[nodiscard]] Known look() const;

private:
    std::filesystem::path m_folder;
    ThisMachine m_machine;
};

// Whether a calibration was made on `machine`.
[[nodiscard]] bool madeOn(const EfficiencySet& set, const ThisMachine& machine);

} // namespace headroom
