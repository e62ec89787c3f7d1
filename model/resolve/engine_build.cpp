#include "model/resolve/engine_build.h"

#include "model/catalogue/engine_releases.h"
#include "model/deploy/range_parts.h"
#include "model/resolve/resolve.h"

#include <cmath>
#include <optional>
#include <string>

namespace headroom {
namespace {

// "0.11" of "vllm 0.11" and "vllm-0.11.2": the last word of it.
std::string_view versionIn(std::string_view name)
{
    const std::size_t last = name.find_last_of(" -:=@");
    return last == std::string_view::npos ? std::string_view() : name.substr(last + 1);
}

// A month as it is, a version by the engine's list.
std::string_view monthOfBuild(const Engine& engine, std::string_view version)
{
    if (version.empty())
        return newestMonth(engine);
    return monthNumber(version) ? version : monthOf(engine, version);
}

} // namespace

void takeVersionOf(std::string_view typed, Resolved& out)
{
    const Engine* const engine = out.deployment.engine;
    const std::string_view version = versionIn(typed);
    if (engine != nullptr && out.scenario.engineVersion.empty() && !monthOf(*engine, version).empty())
        out.scenario.engineVersion = version;
}

void dateBuild(Resolved& out, Problems& problems)
{
    Deployment& d = out.deployment;
    if (d.engine == nullptr)
        return;
    const std::string& stated = out.scenario.engineVersion;
    const std::string month(monthOfBuild(*d.engine, stated));
    if (month.empty() && !stated.empty())
        problems.push_back({"engine-version", say("no version '{}' of {} is known", stated, d.engine->name),
                            "the month of the build says as much, for example 2025-10"});
    if (d.llm == nullptr || !d.llm->hasExperts())
        return;
    const std::optional<int> built = monthNumber(month);
    const std::optional<int> released = monthNumber(d.llm->released);
    if (!built || !released || *built - *released > monthsOfNewExperts)
        return;
    d.newExperts = true;
    if (!d.engine->ownDecodes())
        out.warnings.push_back(
            say("{} came out in {} and this build of {} in {}: its kernels may not be tuned for these "
                "experts yet, and "
                "servers up to {:.2f} times slower are allowed for; `engine-version` names another build",
                d.llm->name, d.llm->released, d.engine->name, month,
                std::exp(deviationsToNinetieth * lnSpreadOfNewExperts)));
}

} // namespace headroom
