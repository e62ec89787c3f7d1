#include "calib/validate/needed_spread.h"

#include "model/base/estimate.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace headroom {
namespace {

constexpr double inside = 0.8; // what a 10-90 % interval holds
// Chosen by the score of intervals (width, and ten times what lies beyond) of rows whose source was left out:
// 1.28 with 12, 1.24 with 24, 1.23 with 36, 1.22 with 48, 1.20 where engines' own groups say nothing; of
// configurations left out it is the same from 12 to 48 and worse beyond. Of sources that the fit never saw
// ranges of throughput are a tenth narrower with 36 than with 12, those of first tokens a twentieth; with 48
// one source of 23 rows is held no better than three in five.
constexpr double groupsOfParent = 36;

using Rows = std::vector<const SpreadEvidence*>;

struct Weighted {
    double value;
    double weight;
};

double quantile(std::vector<Weighted> values, double fraction)
{
    std::sort(values.begin(), values.end(),
              [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
    double whole = 0;
    for (const Weighted& each : values)
        whole += each.weight;
    double sum = 0;
    for (const Weighted& each : values)
        if ((sum += each.weight) >= fraction * whole)
            return each.value;
    return 0;
}

// Squares of the spread, and how many groups speak of each.
struct Variances {
    double prefill = 0;
    double decode = 0;
    double prefillGroups = 0;
    double decodeGroups = 0;
};

// What a row's operators answer for is in the range of any row that is judged, by its own operators: were it
// left in here, it would be there twice.
double needed(const SpreadEvidence& row)
{
    const double z = row.lnError / deviationsToNinetieth;
    return z * z - row.lnSpread * row.lnSpread;
}

// A group of many rows says more than one of few, but not as many times more as it has rows: its weight is
// their number to the power of two thirds, for which ranges hold 75 to 85 % of each metric's rows whether the
// source, the vendor or the generation was left out; with 0.75 a vendor's times of tokens stand at the upper
// end, with 0.6 a source's first tokens above it.
std::map<std::string, double> weightsOf(const Rows& rows)
{
    std::map<std::string, double> weights;
    for (const SpreadEvidence* row : rows)
        ++weights[row->group];
    for (auto& [group, weight] : weights)
        weight = 1 / std::cbrt(weight);
    return weights;
}

// The prompts' part comes from times to the first token, the decodes' part from everything else, less the
// prompts in it: these rows' own, or what ranges will have for them if that is told. Where nothing tells the
// two apart, one spread for both.
Variances variancesOf(const Rows& rows, std::optional<double> prefill = std::nullopt)
{
    const std::map<std::string, double> weights = weightsOf(rows);
    std::vector<Weighted> first, rest;
    std::set<std::string> firstGroups, restGroups;
    for (const SpreadEvidence* row : rows)
        if (row->firstToken) {
            first.push_back({needed(*row) / (row->ofFirstToken * row->ofFirstToken), weights.at(row->group)});
            firstGroups.insert(row->group);
        }
    Variances out;
    out.prefill = std::max(0.0, quantile(first, inside));
    const double ofPrompts = prefill.value_or(out.prefill);
    const bool apart = prefill || !first.empty();
    for (const SpreadEvidence* row : rows) {
        const double share = row->prefillShare;
        constexpr double allPrompt = 0.9;
        if (row->firstToken || (share >= allPrompt && apart))
            continue;
        const double answers = (1 - share) * (1 - share) * row->ofDecodes * row->ofDecodes;
        const double prompts = share * share * row->ofFirstToken * row->ofFirstToken;
        const double value
            = apart ? (needed(*row) - ofPrompts * prompts) / answers : needed(*row) / (prompts + answers);
        rest.push_back({value, weights.at(row->group)});
        restGroups.insert(row->group);
    }
    out.decode = std::max(0.0, quantile(rest, inside));
    out.prefillGroups = double(firstGroups.size());
    out.decodeGroups = double(restGroups.size());
    return out;
}

// How much farther than a normal distribution's the ninetieth percentile is of so many: Student's t, by the
// first terms of its expansion about the normal one.
double studentFactor(double groups)
{
    constexpr double z = deviationsToNinetieth;
    const double degrees = std::max(groups - 1, 1.0);
    const double first = (z * z * z + z) / 4;
    const double second = (5 * std::pow(z, 5) + 16 * std::pow(z, 3) + 3 * z) / 96;
    return 1 + (first + second / degrees) / (degrees * z);
}

Variances shrunk(const Variances& own, const Variances& parent)
{
    const auto mixed = [](double value, double groups, double above) {
        return (groups * value + groupsOfParent * above) / (groups + groupsOfParent);
    };
    return {.prefill = mixed(own.prefill, own.prefillGroups, parent.prefill),
            .decode = mixed(own.decode, own.decodeGroups, parent.decode)};
}

} // namespace

EngineSpread neededSpread(const std::vector<SpreadEvidence>& evidence, const std::string& engine,
                          bool stranger)
{
    Rows all, strangers, family, own;
    for (const SpreadEvidence& row : evidence) {
        all.push_back(&row);
        if (row.stranger)
            strangers.push_back(&row);
        if (row.stranger != stranger)
            continue; // of its kin, those that were known as little
        if (familyOf(row.engine) == familyOf(engine))
            family.push_back(&row);
        if (row.engine == engine)
            own.push_back(&row);
    }
    const Variances ofStrangers = variancesOf(strangers);
    const auto found = [&](std::optional<double> prefill) {
        const Variances whole = variancesOf(all, prefill);
        const Variances parent = stranger ? shrunk(variancesOf(strangers, prefill), whole) : whole;
        return shrunk(variancesOf(own, prefill), shrunk(variancesOf(family, prefill), parent));
    };
    // A range has this spread of prompts, whatever other groups' prompts need: decodes need what is beside
    // it.
    const Variances apart = found(std::nullopt);
    const double prefill = apart.prefill;
    const double decode = prefill > 0 ? found(prefill).decode : apart.decode;
    const double few = stranger ? studentFactor(ofStrangers.decodeGroups) : 1;
    return {.prefill = std::sqrt(prefill), .decode = std::sqrt(decode) * few};
}

std::string_view familyOf(std::string_view engine)
{
    engine = engine.substr(0, engine.find(" on ")); // a build for a family of accelerators
    // "vllm-2026-08" and "vllm-v0" are classes of "vllm".
    for (;;) {
        const std::size_t dash = engine.rfind('-');
        const bool version = dash != std::string_view::npos && dash + 1 < engine.size()
            && std::isdigit(static_cast<unsigned char>(engine.back())) != 0;
        if (!version)
            return engine;
        engine = engine.substr(0, dash);
    }
}

} // namespace headroom
