#include "model/resolve/used_calibration.h"

#include "model/resolve/calibrated.h"
#include "model/yaml/catalogue.h"

#include <fmt/format.h>

namespace headroom {

void useCalibration(Resolved& out, const EfficiencySet& measured)
{
    Deployment& d = out.deployment;
    Calibrated calibrated = applyCalibration(measured, *d.efficiency, *d.gpu, *d.node, *d.engine);
    if (d.engine->id != "ideal") { // the physical floor of the machine that was measured has no kernels in it
        auto own = std::make_shared<EfficiencySet>(std::move(calibrated.efficiency));
        d.efficiency = own.get();
        out.ownEfficiency = std::move(own);
    }
    if (calibrated.gpu) {
        auto gpu = std::make_shared<Gpu>(std::move(*calibrated.gpu));
        d.gpu = gpu.get();
        out.ownGpu = std::move(gpu);
    }
    if (calibrated.engine) {
        auto engine = std::make_shared<Engine>(std::move(*calibrated.engine));
        d.engine = engine.get();
        out.ownEngine = std::move(engine);
    }
    out.assumptions.insert(out.assumptions.end(), calibrated.assumptions.begin(),
                           calibrated.assumptions.end());
    out.warnings.insert(out.warnings.end(), calibrated.warnings.begin(), calibrated.warnings.end());
}

bool namesCalibration(std::string_view text) { return !text.empty() && text != noCalibration; }

std::string deviceOfCalibration(const Scenario& scenario, const Catalogue& catalogue)
{
    if (!namesCalibration(scenario.calibration))
        return {};
    const Result<const EfficiencySet*> set = catalogue.calibration(scenario.calibration);
    return set ? (*set)->gpu : std::string(); // what cannot be read is told where it is used
}

void takeDeviceOfCalibration(Resolved& out, const Catalogue& catalogue)
{
    Scenario& s = out.scenario;
    const std::string device = deviceOfCalibration(s, catalogue);
    if (!s.gpus.empty() || device.empty())
        return;
    s.gpus = {device};
    out.assumptions.push_back(say("on {}, which the calibration is of", device));
}

Problems useCalibrations(Resolved& out, const Catalogue& catalogue)
{
    const std::string& file = out.scenario.calibration;
    const Deployment& d = out.deployment;
    if (namesCalibration(file)) {
        const Result<const EfficiencySet*> named = catalogue.calibration(file);
        if (!named)
            return named.error();
        useCalibration(out, **named);
    }
    if (!file.empty())
        return {};
    for (const std::string& unread : catalogue.unreadCalibrations())
        out.warnings.push_back(say("your calibration {} cannot be read: `headroom check` says why", unread));
    if (const OwnCalibrations::Found* const own = catalogue.ownCalibration(*d.gpu, *d.node, *d.engine)) {
        out.assumptions.push_back(say("your calibration of this machine is used: {} (--calibration "
                                      "none leaves it out)",
                                      own->file.string()));
        useCalibration(out, own->set);
    }
    return {};
}

} // namespace headroom
