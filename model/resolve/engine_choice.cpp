#include "model/resolve/engine_choice.h"

#include "model/resolve/resolve.h"

#include <algorithm>
#include <vector>

namespace headroom {

namespace {

bool runs(const Engine& engine, const std::optional<DType>& weights)
{
    const std::vector<DType>& types = engine.weightTypes;
    return !weights || types.empty() || std::find(types.begin(), types.end(), *weights) != types.end();
}

void takeUsual(Resolved& out, const Catalogue& catalogue)
{
    Scenario& s = out.scenario;
    const Gpu& gpu = *out.deployment.gpu;
    const std::string_view mostUsed = platformRow(gpu.platform)->usualEngines.front();
    s.engine = usualEngine(catalogue, gpu.platform, s.weights);
    out.assumptions.push_back(gpu.platform == Platform::Other
                                  ? say("engine {}: nothing is known of engines on {}", s.engine, gpu.name)
                                  : s.engine == mostUsed
                                  ? say("engine {}", s.engine)
                                  : say("engine {}: {} does not run {} weights", s.engine,
                                        std::string(mostUsed), asIs(name(*s.weights))));
}

// What plays the engine's part on the platform: vLLM's build for TPUs has a preset of its own.
const Engine* standIn(const Engine& asked, Platform platform, const Catalogue& catalogue)
{
    for (const std::string& id : catalogue.engineIds())
        if (const Result<const Engine*> other = catalogue.engine(id); other && !(*other)->insteadOf.empty()
            && (*other)->runsOn(platform)
            && (asked.id == (*other)->insteadOf || asked.id.starts_with((*other)->insteadOf + "-")))
            return *other;
    return nullptr;
}

Message enginesFor(Platform platform, const Catalogue& catalogue)
{
    std::vector<std::string> able;
    for (const std::string& id : catalogue.engineIds())
        if (const Result<const Engine*> engine = catalogue.engine(id);
            engine && !(*engine)->platforms.empty() && (*engine)->runsOn(platform))
            able.push_back(id);
    return able.empty() ? say("'ideal' is the physical floor") : say("on it run {}", joinedNames(able, ", "));
}

} // namespace

std::string usualEngine(const Catalogue& catalogue, Platform platform, const std::optional<DType>& weights)
{
    const auto usual = platformRow(platform)->usualEngines;
    const std::vector<std::string>& known = catalogue.engineIds();
    for (const std::string_view each : usual) {
        const std::string id(each);
        if (std::find(known.begin(), known.end(), id) == known.end())
            continue;
        // One whose file cannot be read is refused with the reason, not passed over for the next.
        if (const auto engine = catalogue.engine(id); !engine || runs(**engine, weights))
            return id;
    }
    return std::string(usual.front()); // which then says what it does not run
}

void chooseEngine(Resolved& out, const Catalogue& catalogue, Problems& problems)
{
    Scenario& s = out.scenario;
    Deployment& d = out.deployment;
    if (s.engine.empty() && d.gpu != nullptr)
        takeUsual(out, catalogue);
    if (s.engine.empty())
        return; // without an accelerator, which is told
    const Result<const Engine*> engine = catalogue.engine(s.engine);
    if (!engine) {
        for (Problem problem : engine.error()) {
            if (problem.where.empty())
                problem.where = "engine";
            problems.push_back(std::move(problem));
        }
        return;
    }
    d.engine = *engine;
    if (d.gpu == nullptr || d.engine->runsOn(d.gpu->platform))
        return;
    if (const Engine* const other = standIn(*d.engine, d.gpu->platform, catalogue)) {
        out.assumptions.push_back(say("engine {}: what {} is on {}", other->id, d.engine->name, d.gpu->name));
        d.engine = other;
        s.engine = other->id;
        return;
    }
    problems.push_back({"engine", say("{} does not run on {}", d.engine->name, d.gpu->name),
                        enginesFor(d.gpu->platform, catalogue)});
}

} // namespace headroom
