#include "calib/validate/elder_families.h"

namespace headroom {

PreparedRuns asIfUnseen(PreparedRuns prepared, const Catalogue& catalogue)
{
    const auto forget = [&](RowCase& run) {
        Gpu gpu = *run.deployment().gpu;
        gpu.id += " of an unseen generation";
        gpu.family = elderOf(gpu.family);
        if (const auto elder = catalogue.efficiency(gpu, *run.deployment().engine))
            run.machine.deployment.efficiency = *elder;
    };
    for (RowCase& run : prepared.runs)
        forget(run);
    for (std::optional<RowCase>& run : prepared.cases)
        if (run)
            forget(*run);
    return prepared;
}

} // namespace headroom
