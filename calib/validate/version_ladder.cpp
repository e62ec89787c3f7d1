#include "calib/validate/version_ladder.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <map>
#include <string_view>

namespace headroom {
namespace {

bool isNumeral(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// The newest year of this century that stands by itself in a text; zero where none does.
int newestYearIn(std::string_view text)
{
    constexpr std::size_t digits = 4;
    constexpr int first = 2000, last = 2099;
    int newest = 0;
    for (std::size_t i = 0; i < text.size();) {
        if (!isNumeral(text[i])) {
            ++i;
            continue;
        }
        const std::size_t begin = i;
        while (i < text.size() && isNumeral(text[i]))
            ++i;
        int year = 0;
        if (i - begin == digits)
            std::from_chars(text.data() + begin, text.data() + i, year);
        if (first <= year && year <= last)
            newest = std::max(newest, year);
    }
    return newest;
}

} // namespace

std::optional<int> yearOf(const Engine& engine)
{
    int newest = std::max(newestYearIn(engine.id), newestYearIn(engine.version));
    for (const std::string& alias : engine.aliases)
        newest = std::max(newest, newestYearIn(alias));
    return newest > 0 ? std::optional(newest) : std::nullopt;
}

std::vector<int> newestVersionOf(const Engine& engine)
{
    const std::string_view text = std::string_view(engine.version).substr(0, engine.version.find('('));
    const char* const end = text.data() + text.size();
    std::vector<int> newest;
    for (const char* at = text.data(); at < end;) {
        if (!isNumeral(*at)) {
            const auto isLetter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
            const bool word = isLetter(*at++); // "post1" and "b6000" are words
            while (word && at < end && (isLetter(*at) || isNumeral(*at)))
                ++at;
            continue;
        }
        std::vector<int> parts;
        for (bool more = true; more; at += more ? 1 : 0) {
            at = std::from_chars(at, end, parts.emplace_back()).ptr;
            more = end - at > 1 && *at == '.' && isNumeral(at[1]);
        }
        newest = std::max(newest, parts);
    }
    return newest;
}

int classesApart(const Engine& a, const Engine& b, const std::set<std::vector<int>>& versions)
{
    const std::vector<int> one = newestVersionOf(a), other = newestVersionOf(b);
    if (one == other)
        return 0;
    const auto& [elder, younger] = std::minmax(one, other);
    // Those behind the elder, up to the younger, which need not be among them.
    return 1 + int(std::distance(versions.upper_bound(elder), versions.lower_bound(younger)));
}

std::vector<double> lnGainsPerYear(const std::vector<DatedValue>& classes)
{
    std::map<int, std::vector<double>> years;
    for (const DatedValue& each : classes)
        years[each.year].push_back(std::log(each.value));
    const auto mean = [](const std::vector<double>& values) {
        double sum = 0;
        for (const double value : values)
            sum += value;
        return sum / double(values.size());
    };
    std::vector<double> out;
    for (auto older = years.begin(); older != years.end(); ++older)
        if (const auto newer = std::next(older); newer != years.end())
            out.push_back((mean(older->second) - mean(newer->second)) / (newer->first - older->first));
    return out;
}

double likelyIn(int year, const std::vector<Relative>& relatives, double lnGain, double farther)
{
    double weights = 0, sum = 0;
    for (const Relative& each : relatives) {
        const int younger = each.number.year - year;
        int distance = each.classesApart.value_or(std::abs(younger));
        for (const bool same : {each.sameEngine, each.sameGeneration, each.sameHost, each.samePlatform})
            distance += same ? 0 : 1;
        const double weight = std::pow(farther, distance);
        weights += weight;
        sum += weight * (std::log(each.number.value) + lnGain * younger);
    }
    return std::exp(sum / weights);
}

} // namespace headroom
