#include "calib/validate/relatives.h"

#include "calib/validate/needed_spread.h"
#include "calib/validate/version_ladder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
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

// The generation of accelerators that a build for some is for, by its runs; empty where those are of several,
// and of the engine itself.
std::string generationOf(const std::string& build, const Fits& engines)
{
    return versionClassOf(build) == build ? std::string() : engines.at(build).generation();
}

// A class that tells no year is today's: as old as the newest that does.
int yearOfNewest(const EngineBuild& build, const Fits& engines)
{
    int newest = yearOf(*build.engine).value_or(0);
    for (const auto& [name, fit] : engines)
        newest = std::max(newest, yearOf(fit.engine()).value_or(0));
    return newest;
}

// By how much a number falls in a year, in ln: the middle of all lines, each of one engine's versions where
// their hosts are alike. Where classes grew slower, an older one is not taken to be faster.
double lnGainOf(const FittedNumber& number, const Numbers& known, const Fits& engines, int today)
{
    std::map<std::string, std::vector<DatedValue>> lines;
    for (const auto& [name, numbers] : known) {
        const EngineRefit& fit = engines.at(name);
        if (const double value = number.value(numbers); value > 0 && isFitted(number, numbers))
            lines[std::string(familyOf(name)) + "/" + std::to_string(int(fit.platform())) + "/"
                  + (versionClassOf(name) == name ? "" : "on " + generationOf(name, engines))]
                .push_back({yearOf(fit.engine()).value_or(today), value});
    }
    std::vector<double> gains;
    for (const auto& [line, classes] : lines)
        for (const double gain : lnGainsPerYear(classes))
            gains.push_back(gain);
    std::sort(gains.begin(), gains.end());
    return gains.empty() ? 0 : std::max(0.0, (gains[(gains.size() - 1) / 2] + gains[gains.size() / 2]) / 2);
}

// The newest versions of all classes of one engine whose runs are known.
std::set<std::vector<int>> versionsOf(std::string_view family, const Fits& engines)
{
    std::set<std::vector<int>> versions;
    for (const auto& [name, fit] : engines)
        if (familyOf(name) == family)
            versions.insert(newestVersionOf(fit.engine()));
    return versions;
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

// What is known of one number by those that may tell it.
struct Kin {
    std::array<std::vector<double>, nearnesses> near;
    std::vector<Relative> ofStepHere; // in place of the former where anybody is on the platform
    std::vector<Relative> ofIntake;   // and of how requests are taken in, wherever they are
    std::vector<double> all, telling;

    [[nodiscard]] std::vector<double> nearest(const FittedNumber& number) const
    {
        for (const std::vector<double>& values : near)
            if (!values.empty())
                return values;
        // One or two that are no kin say little: what is likely of any engine counts as one more there.
        std::vector<double> values = all;
        if (values.size() < fewest)
            values.push_back(middleOf(number));
        return values;
    }
};

Kin kinOf(const EngineBuild& build, const FittedNumber& number, const Numbers& known, const Fits& engines,
          int today)
{
    // What a step takes whatever its batch, kernel for kernel where a build shares its host, is the
    // platform's runtime and driver as much as the engine; the other numbers are the engine's own.
    const bool ofStep = number.name == "per_step" || number.name == "per_kernel";
    const std::set<std::vector<int>> versions = versionsOf(familyOf(build.name), engines);
    Kin out;
    for (const auto& [name, numbers] : known) {
        const EngineRefit& fit = engines.at(name);
        const double value = number.value(numbers);
        if (name == build.name || value <= 0 || !isFitted(number, numbers))
            continue;
        // A batch that a program hands to the engine in its own process tells nothing of how a server
        // takes requests in, nor the other way round.
        if (!number.inSteps && fit.serves() != build.serves)
            continue;
        out.all.push_back(value);
        const Nearness nearness = nearnessOf(name, build, engines);
        const std::string generation = generationOf(name, engines);
        Relative relative{.number = {yearOf(fit.engine()).value_or(today), value},
                          .sameEngine = familyOf(name) == familyOf(build.name),
                          .sameGeneration
                          = generation.empty() || build.generation.empty() || generation == build.generation,
                          .sameHost = fit.engine().nativeHost == build.engine->nativeHost,
                          .samePlatform = nearness <= Nearness::OthersHere};
        if (ofStep && relative.samePlatform)
            out.ofStepHere.push_back(relative);
        if (relative.sameEngine)
            relative.classesApart = classesApart(fit.engine(), *build.engine, versions);
        if (!number.inSteps)
            out.ofIntake.push_back(relative);
        if (nearness != Nearness::Anybody && nearness != Nearness::OthersHere)
            out.near[std::size_t(nearness)].push_back(value);
        if (number.name != "expert_time" || fit.runsExperts())
            out.telling.push_back(value);
    }
    // Others say little of an engine without kin there: what is likely of any counts as one of them.
    const auto isKin = [](const Relative& each) { return each.sameEngine; };
    if (!out.ofStepHere.empty() && std::none_of(out.ofStepHere.begin(), out.ofStepHere.end(), isKin))
        out.ofStepHere.push_back(
            {.number = {yearOf(*build.engine).value_or(today), middleOf(number)}, .sameEngine = false});
    return out;
}

// A server's code is its engine's, whatever it runs on; what passes before it looks at a request is as much
// its launch's. So a relative counts three tenths for each step away, where of a step's times it is a tenth.
// Of first tokens whose vendor was left out ranges hold 84.9 % so, and 90.1 % where the nearest alone told.
constexpr double fartherOfIntake = 0.3;

double likelyFor(const EngineBuild& build, const FittedNumber& number, const Kin& kin, const Numbers& known,
                 const Fits& engines, int today)
{
    const int year = yearOf(*build.engine).value_or(today);
    if (!kin.ofIntake.empty())
        return likelyIn(year, kin.ofIntake, 0, fartherOfIntake);
    if (!kin.ofStepHere.empty())
        return likelyIn(year, kin.ofStepHere, lnGainOf(number, known, engines, today));
    return median(kin.nearest(number));
}

} // namespace

UsualTimes timesOfOthers(const EngineBuild& build, const Numbers& known, const Fits& engines)
{
    UsualTimes out{.numbers = middleChoices(*build.engine), .lnDistance = {}};
    const int today = yearOfNewest(build, engines);
    for (std::size_t i = 0; i < fittedNumberCount; ++i) {
        const FittedNumber& number = fittedNumbers()[i];
        const Kin kin = kinOf(build, number, known, engines, today);
        if (number.unknown)
            number.set(out.numbers, *number.unknown);
        else if (number.value(out.numbers) > 0 && !kin.all.empty())
            number.set(out.numbers, likelyFor(build, number, kin, known, engines, today));
        out.lnDistance[i] = lnDistanceOf(kin.telling, number.unknown);
    }
    const auto elsewhere = known.find(std::string(versionClassOf(build.name)));
    if (build.engine->sharesHost() && elsewhere != known.end())
        out.numbers = withHostOf(elsewhere->second, out.numbers);
    out.numbers = nearestChoices(out.numbers);
    return out;
}

} // namespace headroom
