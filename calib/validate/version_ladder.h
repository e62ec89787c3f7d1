#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace headroom {

// The newest version that a class covers, number by number: 0.27 of "0.14 to 0.27 (2026)".
[[nodiscard]] std::vector<int> newestVersion(std::string_view text);

// A version class of an engine, with one of its fitted numbers.
struct VersionedValue {
    std::vector<int> version;
    double value = 0;
};

// By what factor a number falls from one class to the next, on average of an engine's `classes`, each pair in
// ln; none of a single class.
[[nodiscard]] std::vector<double> lnGains(std::vector<VersionedValue> classes);

// What a class has that is older than all of these: what the oldest has, longer by a `lnGain`. None of a
// class that is not: those on both sides of it say more together than the one or two next to it (left out by
// source, throughput is off by 12.9 % with all of them, by 13.9 % with the neighbours alone).
[[nodiscard]] std::optional<double> beforeTheOldest(const std::vector<VersionedValue>& classes,
                                                    const std::vector<int>& version, double lnGain);

} // namespace headroom
