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
// Chosen by the score of intervals (width, and ten times what lies beyond) of rows that were left out by
// source, by vendor and by generation, summed: 3.393 with 12, 3.380 with 24, 3.375 with 36, 3.373 with 60 and
// with 100.
constexpr double groupsOfParent = 60;
// The values about a quantile are its mean over so much to either side: one group more or less moves it less.
constexpr double aboutQuantile = 0.05;

using Rows = std::vector<const SpreadEvidence*>;

struct Weighted {
    double value;
    double weight;
};

double quantile(std::vector<Weighted> values, double fraction)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end(),
              [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
    double whole = 0;
    for (const Weighted& each : values)
        whole += each.weight;
    const double from = (fraction - aboutQuantile) * whole;
    const double to = (fraction + aboutQuantile) * whole;
    double before = 0, sum = 0;
    for (const Weighted& each : values) {
        sum += each.value * std::max(0.0, std::min(before + each.weight, to) - std::max(before, from));
        before += each.weight;
    }
    return sum / (to - from);
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
    const double even = (z * z - row.lnSpreadOfSide * row.lnSpreadOfSide) / (row.ofSide * row.ofSide);
    return even - row.lnSpread * row.lnSpread;
}

// A group of many rows says more than one of few, but not as many times more as it has rows: its weight is
// their number to the power of 0.6. The score is flat from 0.5 to two thirds.
constexpr double weightOfRows = 0.6;

std::map<std::string, double> weightsOf(const Rows& rows)
{
    std::map<std::string, double> weights;
    for (const SpreadEvidence* row : rows)
        ++weights[row->group];
    for (auto& [group, weight] : weights)
        weight = std::pow(weight, weightOfRows - 1); // of each row
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
    return {.prefill = std::sqrt(prefill), .decode = std::sqrt(decode)};
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
