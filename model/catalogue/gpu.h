#pragma once

#include "model/base/dtype.h"
#include "model/base/price_kind.h"
#include "model/base/units.h"
#include "model/catalogue/citation.h"
#include "model/catalogue/platform.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// What one place asks for an hour of one accelerator.
struct RentOffer {
    std::string provider;
    PriceKind kind = PriceKind::OnDemand;
    DollarsPerSecond price;
    int least = 1;    // accelerators of its smallest instance; larger ones are multiples
    std::string asOf; // "2026-08"
    std::string source;

    friend bool operator==(const RentOffer&, const RentOffer&) = default;
};

// What a buyer can order.
enum class SoldAs : std::uint8_t {
    Card,  // one by one, into a server that has room
    Box,   // modules on a board: the whole box
    Device // a machine of its own: the accelerator's price is all of it
};

// One accelerator as sold. Peaks are dense, link figures per direction, memory as the driver offers it.
struct Gpu {
    std::string id;
    std::string name;
    std::string vendor;
    std::string formFactor;
    std::string architecture;
    std::string
        family; // efficiency family: which measured GPUs it may borrow from ("hopper", "geforce-ada", …)
    Platform platform = Platform::Other;
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

    [[nodiscard]] SoldAs soldAs() const
    {
        for (const std::string_view module : {"SXM", "OAM", "Superchip"})
            if (formFactor.starts_with(module))
                return SoldAs::Box;
        return formFactor.starts_with("SoC") || formFactor.starts_with("Module") ? SoldAs::Device
                                                                                 : SoldAs::Card;
    }

    std::string linkName; // "NVLink 4"; empty where GPUs meet only over PCIe
    BytesPerSecond linkPerDirection;
    int linkDomain = 1; // GPUs that the link joins
    std::string pcieName;
    BytesPerSecond pciePerDirection;

    Watts tdp;
    std::optional<DollarsPerSecond> cloudPrice; // on-demand list, one GPU
    std::string cloudPriceRange;
    std::vector<RentOffer> offers; // by provider and kind; `cloudPrice` where none is asked for
    std::optional<Dollars> purchasePrice;
    int releaseYear = 0;

    std::string defaultNode; // id of the node profile this GPU usually comes in
    Confidence confidence = Confidence::Medium;
    std::vector<Citation> citations;
    std::string notes;

    friend bool operator==(const Gpu&, const Gpu&) = default;
};

} // namespace headroom
