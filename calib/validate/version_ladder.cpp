#include "calib/validate/version_ladder.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace headroom {
namespace {

void sortByVersion(std::vector<VersionedValue>& classes)
{
    std::sort(classes.begin(), classes.end(),
              [](const VersionedValue& a, const VersionedValue& b) { return a.version < b.version; });
}

} // namespace

std::vector<int> newestVersion(std::string_view text)
{
    constexpr std::string_view range = " to ";
    if (const std::size_t to = text.find(range); to != std::string_view::npos)
        text = text.substr(to + range.size());
    std::vector<int> out;
    std::size_t at = 0;
    while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0) {
        int number = 0;
        while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0)
            number = number * 10 + (text[at++] - '0');
        out.push_back(number);
        if (at < text.size() && text[at] == '.')
            ++at;
    }
    return out;
}

std::vector<double> lnGains(std::vector<VersionedValue> classes)
{
    sortByVersion(classes);
    std::vector<double> out;
    for (std::size_t i = 1; i < classes.size(); ++i)
        if (classes[i - 1].version < classes[i].version)
            out.push_back(std::log(classes[i - 1].value / classes[i].value));
    return out;
}

std::optional<double> beforeTheOldest(const std::vector<VersionedValue>& classes,
                                      const std::vector<int>& version, double lnGain)
{
    const auto oldest = std::min_element(
        classes.begin(), classes.end(),
        [](const VersionedValue& a, const VersionedValue& b) { return a.version < b.version; });
    if (oldest == classes.end() || !(version < oldest->version))
        return std::nullopt;
    return oldest->value * std::exp(std::max(0.0, lnGain));
}

} // namespace headroom
