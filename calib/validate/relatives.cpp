#include "calib/validate/relatives.h"

#include "calib/validate/needed_spread.h"
#include "calib/validate/version_ladder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace headroom {
namespace {

// Of an even number what lies between the two in the middle, in the logarithm: host times differ by factors.
double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return std::sqrt(values[(values.size() - 1) / 2] * values[values.size() / 2]);
}

double middleOf(const FittedNumber& number) { return number.choices[number.choices.size() / 2]; }

// The middle of the choices, where nothing is known of any engine.
EngineTimes middleChoices(EngineTimes numbers)
{
    for (const FittedNumber& number : fittedNumbers())
        if (number.value(numbers) > 0)
            number.set(numbers, middleOf(number));
    return numbers;
}

// Of fewer nobody knows what is usual.
constexpr std::size_t fewest = 3;

// How far values are from their middle, in ln: the root of the mean square. Of very few nobody knows: a
// factor of e. No nearer than a step of the finest choices.
double lnDistanceOf(const std::vector<double>& values, std::optional<double> center)
{
    constexpr double finest = 0.1;
    if (values.size() < fewest)
        return 1;
    const double middle = center ? *center : median(values);
    double sum = 0;
    for (const double value : values)
        sum += std::log(value / middle) * std::log(value / middle);
    return std::max(finest, std::sqrt(sum / double(values.size())));
}

// The versions of one engine that the same software programs, where their hosts are alike.
std::string lineOf(const std::string& engine, const Fits& engines)
{
    const bool elsewhere = versionClassOf(engine) != engine;
    return std::string(familyOf(engine)) + "/" + std::to_string(int(engines.at(engine).platform()))
        + (elsewhere ? engine.substr(engine.find(" on ")) : "");
}

// By how much a number falls from one version class to the next, in ln: the middle of all lines.
double lnGainOf(const FittedNumber& number, const Numbers& known, const Fits& engines)
{
    std::map<std::string, std::vector<VersionedValue>> lines;
    for (const auto& [name, numbers] : known)
        if (const double value = number.value(numbers); value > 0)
            lines[lineOf(name, engines)].push_back({newestVersion(engines.at(name).engine().version), value});
    std::vector<double> gains;
    for (const auto& [line, classes] : lines)
        for (const double gain : lnGains(classes))
            gains.push_back(gain);
    std::sort(gains.begin(), gains.end());
    return gains.empty() ? 0 : (gains[(gains.size() - 1) / 2] + gains[gains.size() / 2]) / 2;
}

// How near a relative is, nearest first. "Here" is on accelerators that the same software programs, where
// hosts are alike.
enum class Nearness : std::uint8_t {
    ClassHere,
    EngineHere,
    OthersHere,
    ClassElsewhere,
    EngineElsewhere,
    Anybody
};
constexpr std::size_t nearnesses = 6;

// A build for a family of the platform that the engine itself runs on has a host of its own.
bool hasOwnHost(const std::string& build, Platform platform, const Fits& engines)
{
    const auto engine = engines.find(std::string(versionClassOf(build)));
    return engine != engines.end() && engine->first != build && engine->second.platform() == platform;
}

Nearness nearnessOf(const std::string& other, const EngineBuild& build, const Fits& engines)
{
    const Platform its = engines.at(other).platform();
    const bool sameHosts = hasOwnHost(other, its, engines) == hasOwnHost(build.name, build.platform, engines);
    const bool here = its == build.platform && sameHosts;
    if (familyOf(other) != familyOf(build.name))
        return here ? Nearness::OthersHere : Nearness::Anybody;
    if (versionClassOf(other) == versionClassOf(build.name))
        return here ? Nearness::ClassHere : Nearness::ClassElsewhere;
    return here ? Nearness::EngineHere : Nearness::EngineElsewhere;
}

} // namespace

UsualTimes timesOfOthers(const EngineBuild& build, const Numbers& known, const Fits& engines)
{
    UsualTimes out{.numbers = middleChoices(*build.engine), .lnDistance = {}};
    for (std::size_t i = 0; i < fittedNumberCount; ++i) {
        const FittedNumber& number = fittedNumbers()[i];
        // What a step takes whatever its batch, kernel for kernel where a build shares its host, is the
        // platform's runtime and driver as much as the engine; the other numbers are the engine's own.
        const bool ofStep = number.name == "per_step" || number.name == "per_kernel";
        std::array<std::vector<double>, nearnesses> near;
        std::vector<double> all, telling;
        std::vector<VersionedValue> line; // other classes of the engine there
        for (const auto& [name, numbers] : known) {
            const double value = number.value(numbers);
            if (name == build.name || value <= 0 || !isFitted(number, numbers))
                continue;
            // A batch that a program hands to the engine in its own process tells nothing of how a server
            // takes requests in, nor the other way round.
            if (!number.inSteps && engines.at(name).serves() != build.serves)
                continue;
            all.push_back(value);
            const Nearness nearness = nearnessOf(name, build, engines);
            if (nearness != Nearness::Anybody && (ofStep || nearness != Nearness::OthersHere))
                near[std::size_t(nearness)].push_back(value);
            if (nearness == Nearness::EngineHere)
                line.push_back({newestVersion(engines.at(name).engine().version), value});
            if (number.name != "expert_time" || engines.at(name).runsExperts())
                telling.push_back(value);
        }
        const auto nearest = std::find_if(near.begin(), near.end(), [](const auto& v) { return !v.empty(); });
        std::vector<double> values = nearest != near.end() ? *nearest : all;
        // One or two that are no kin say little: what is likely of any engine counts as one more there.
        if (nearest == near.end() && !all.empty() && all.size() < fewest)
            values.push_back(middleOf(number));
        if (number.unknown)
            number.set(out.numbers, *number.unknown);
        else if (!values.empty() && number.value(out.numbers) > 0) {
            std::optional<double> aged;
            // What a step takes whatever its batch fell from class to class; the other numbers rose as often.
            if (nearest - near.begin() == std::ptrdiff_t(Nearness::EngineHere) && ofStep)
                aged = beforeTheOldest(line, newestVersion(build.engine->version),
                                       lnGainOf(number, known, engines));
            number.set(out.numbers, aged ? *aged : median(values));
        }
        out.lnDistance[i] = lnDistanceOf(telling, number.unknown);
    }
    const auto elsewhere = known.find(std::string(versionClassOf(build.name)));
    if (build.engine->sharesHost() && elsewhere != known.end())
        out.numbers = withHostOf(elsewhere->second, out.numbers);
    out.numbers = nearestChoices(out.numbers);
    return out;
}

} // namespace headroom
