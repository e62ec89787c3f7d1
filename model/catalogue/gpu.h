#pragma once

#include "model/base/dtype.h"
#include "model/base/units.h"
#include "model/catalogue/citation.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

// One accelerator as sold. Peaks are dense, link figures per direction, memory as the driver offers it.
struct Gpu {
    std::string id;
    std::string name;
    std::string vendor;
    std::string formFactor;
    std::string architecture;
    std::string
        family; // efficiency family: which measured GPUs it may borrow from ("hopper", "geforce-ada", …)
    std::vector<std::string> aliases;

    double computeCapability = 0; // CUDA only
    int smCount = 0;              // compute units; 0 where unknown
    double boostClockHz = 0;      // 0 where unknown
    Bytes memorySold;
    Bytes memoryUsable;             // what the driver offers
    bool memoryUsableKnown = false; // false: estimated from `memorySold`, and said so
    std::string memoryType;
    BytesPerSecond memoryBandwidth;
    Bytes l2Cache;

    std::array<FlopsPerSecond, mathUnitCount> peaks{}; // dense; zero means the hardware has no such unit
    std::array<double, mathUnitCount> perSmClock{}; // dense operations of one SM per clock; 0 where unknown
    std::vector<MathUnit> outOfOrder; // peaks that are lower than wider types' on purpose (a cut int8 path)
    [[nodiscard]] FlopsPerSecond peak(MathUnit unit) const { return peaks[static_cast<std::size_t>(unit)]; }
    [[nodiscard]] bool has(MathUnit unit) const { return peak(unit).base() > 0; }

    // A processor in its socket: its memory is the machine's, and no GPU's runtime stands in it.
    [[nodiscard]] bool processor() const { return formFactor.starts_with("Socket"); }

    std::string linkName; // "NVLink 4"; empty where GPUs meet only over PCIe
    BytesPerSecond linkPerDirection;
    int linkDomain = 1; // GPUs that the link joins
    std::string pcieName;
    BytesPerSecond pciePerDirection;

    Watts tdp;
    std::optional<DollarsPerSecond> cloudPrice; // on-demand list, one GPU
    std::string cloudPriceRange;
    std::optional<Dollars> purchasePrice;
    int releaseYear = 0;

    std::string defaultNode; // id of the node profile this GPU usually comes in
    Confidence confidence = Confidence::Medium;
    std::vector<Citation> citations;
    std::string notes;

    friend bool operator==(const Gpu&, const Gpu&) = default;
};

} // namespace headroom
