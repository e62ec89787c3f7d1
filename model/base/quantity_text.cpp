#include "model/base/quantity_text.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <vector>

namespace headroom {

namespace {

// A unit is a multiple or a part of the base unit: "us" divides by 1e6, so that "4.5 us" is exactly 4.5e-6.
struct Unit {
    Dim dim;
    std::string_view name;
    double times = 1;
    double over = 1;
    bool written = true; // false: understood, but never chosen for writing
};

constexpr Dim byte{.byte = 1}, byteRate{.byte = 1, .second = -1};
constexpr Dim flop{.flop = 1}, flopRate{.flop = 1, .second = -1};
constexpr Dim second{.second = 1}, frequency{.second = -1};
constexpr Dim energy{.joule = 1}, power{.second = -1, .joule = 1};
constexpr Dim dollar{.dollar = 1}, dollarRate{.second = -1, .dollar = 1};
constexpr Dim token{.token = 1}, tokenRate{.second = -1, .token = 1};
constexpr Dim request{.request = 1}, requestRate{.second = -1, .request = 1};

constexpr std::array units{
    Unit{byte, "B"},
    Unit{byte, "KB", 1e3},
    Unit{byte, "MB", 1e6},
    Unit{byte, "GB", 1e9},
    Unit{byte, "TB", 1e12},
    Unit{byte, "KiB", 0x1p10},
    Unit{byte, "MiB", 0x1p20},
    Unit{byte, "GiB", 0x1p30},
    Unit{byte, "TiB", 0x1p40},
    Unit{byteRate, "B/s"},
    Unit{byteRate, "KB/s", 1e3},
    Unit{byteRate, "MB/s", 1e6},
    Unit{byteRate, "GB/s", 1e9},
    Unit{byteRate, "TB/s", 1e12},
    Unit{byteRate, "GiB/s", 0x1p30, 1, false},
    Unit{flop, "FLOP"},
    Unit{flop, "GFLOP", 1e9},
    Unit{flop, "TFLOP", 1e12},
    Unit{flop, "PFLOP", 1e15},
    Unit{flopRate, "FLOP/s"},
    Unit{flopRate, "GFLOP/s", 1e9},
    Unit{flopRate, "TFLOP/s", 1e12},
    Unit{flopRate, "PFLOP/s", 1e15},
    Unit{flopRate, "TOP/s", 1e12, 1, false},
    Unit{flopRate, "POP/s", 1e15, 1, false},
    Unit{second, "s"},
    Unit{second, "ms", 1, 1e3},
    Unit{second, "us", 1, 1e6},
    Unit{second, "ns", 1, 1e9},
    Unit{second, "min", 60, 1, false},
    Unit{second, "h", 3600, 1, false},
    Unit{frequency, "Hz"},
    Unit{frequency, "MHz", 1e6},
    Unit{frequency, "GHz", 1e9},
    Unit{frequency, "1/s", 1, 1, false},
    Unit{energy, "J"},
    Unit{energy, "mJ", 1, 1e3},
    Unit{energy, "Wh", 3600, 1, false},
    Unit{energy, "kWh", 3.6e6, 1, false},
    Unit{power, "W"},
    Unit{power, "kW", 1e3},
    Unit{power, "MW", 1e6},
    Unit{power, "mW", 1, 1e3, false},
    Unit{dollar, "USD"},
    Unit{dollarRate, "USD/h", 1, secondsPerHour},
    Unit{dollarRate, "USD/s", 1, 1, false},
    Unit{token, "tokens"},
    Unit{tokenRate, "tokens/s"},
    Unit{tokenRate, "tok/s", 1, 1, false},
    Unit{request, "requests"},
    Unit{requestRate, "requests/s"},
    Unit{requestRate, "req/s", 1, 1, false},
};

struct Example {
    Dim dim;
    Code what;
    Code text;
};
constexpr std::array examples{
    Example{byte, "a size", "80 GiB"},           Example{byteRate, "a rate", "4.8 TB/s"},
    Example{flop, "a count", "140 GFLOP"},       Example{flopRate, "a dense peak", "989.4 TFLOP/s"},
    Example{second, "a time", "4.5 us"},         Example{frequency, "a frequency", "1980 MHz"},
    Example{energy, "an energy", "3 J"},         Example{power, "a power", "700 W"},
    Example{dollar, "a price", "30000 USD"},     Example{dollarRate, "a price of time", "2.46 USD/h"},
    Example{token, "a length", "1024 tokens"},   Example{tokenRate, "a speed", "20 tokens/s"},
    Example{request, "a count", "100 requests"}, Example{requestRate, "a load", "5 requests/s"},
};

double inBase(double number, const Unit& unit) { return number * unit.times / unit.over; }

Message expected(Dim dim, std::string_view got)
{
    Message what = "expected a quantity";
    for (const Example& example : examples)
        if (example.dim == dim)
            what = say("expected {} such as '{}'", example.what, asIs(example.text.text));
    return say("{}, got '{}'", what, asIs(got.substr(0, 60)));
}

bool sameLetters(std::string_view a, std::string_view b)
{
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (std::tolower(static_cast<unsigned char>(a[i])) != std::tolower(static_cast<unsigned char>(b[i])))
            return false;
    return true;
}

struct Bit {
    std::string_view name;
    double bits;
};
constexpr std::array bitRates{Bit{"Gb/s", 1e9},  Bit{"Gbit/s", 1e9},  Bit{"Gbps", 1e9},
                              Bit{"Mb/s", 1e6},  Bit{"Mbit/s", 1e6},  Bit{"Mbps", 1e6},
                              Bit{"Tb/s", 1e12}, Bit{"Tbit/s", 1e12}, Bit{"Tbps", 1e12}};
constexpr std::array bitSizes{Bit{"Gb", 1e9}, Bit{"Gbit", 1e9}, Bit{"Mb", 1e6}, Bit{"Mbit", 1e6},
                              Bit{"Gib", 0x1p30}};

Message bitHint(double number, std::string_view unit, Dim dim)
{
    const std::span<const Bit> known
        = dim == byteRate ? std::span<const Bit>(bitRates) : std::span<const Bit>(bitSizes);
    for (const Bit& bit : known)
        if (bit.name == unit)
            return say("a bit is not a unit here: write '{}'", quantityText(number * bit.bits / 8, dim));
    return {};
}

Message unitHint(double number, std::string_view unit, Dim dim)
{
    if (unit.empty())
        return "a number needs its unit, after a blank";
    if (dim == byte || dim == byteRate) {
        if (Message hint = bitHint(number, unit, dim); !hint.empty())
            return hint;
    }
    if (dim == flopRate && (unit.ends_with("FLOPS") || unit.ends_with("FLOPs") || unit.ends_with("OPS")))
        return say("write '{}'; peaks are dense: halve a figure quoted with sparsity",
                   quantityText(number * 1e12, dim));
    for (const Unit& known : units)
        if (known.dim == dim && sameLetters(known.name, unit))
            return say("write '{}'", asIs(known.name));
    for (const Unit& known : units)
        if (known.name == unit)
            return say("'{}' measures something else", asIs(unit));
    std::string names;
    for (const Unit& known : units)
        if (known.dim == dim)
            names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
    return names.empty() ? Message() : say("units: {}", names);
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

struct Leading {
    double number = 0;
    std::string_view rest;
};

Result<Leading> leadingNumber(std::string_view text)
{
    Leading out;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), out.number);
    if (status == std::errc::result_out_of_range)
        return refuse("", say("'{}' is beyond the range of numbers", asIs(text.substr(0, 60))));
    if (status != std::errc{})
        return refuse("", "");
    if (!std::isfinite(out.number))
        return refuse("", say("'{}' is not a finite number", asIs(text.substr(0, 60))));
    out.rest = text.substr(static_cast<std::size_t>(end - text.data()));
    return out;
}

double parsed(const std::string& text)
{
    double number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

std::optional<std::string> exactText(double base, const Unit& unit)
{
    const double number = base * unit.over / unit.times;
    for (const int digits : {15, 16, 17})
        for (const double shifted : {number, std::nextafter(number, 0.0), std::nextafter(number, HUGE_VAL)}) {
            const std::string text = numberText(parsed(fmt::format("{:.{}g}", shifted, digits)));
            if (inBase(parsed(text), unit) == base)
                return fmt::format("{} {}", text, unit.name);
        }
    return std::nullopt;
}

} // namespace

Result<double> quantityFromText(std::string_view raw, Dim dim)
{
    const std::string_view text = trimmed(raw);
    const Result<Leading> leading = leadingNumber(text);
    if (!leading)
        return leading.error().front().what.empty() ? refuse("", expected(dim, text))
                                                    : refuse(leading.error());
    const std::string_view unit = trimmed(leading->rest);
    for (const Unit& known : units) {
        if (known.dim != dim || known.name != unit || leading->rest.front() != ' ')
            continue;
        const double base = inBase(leading->number, known);
        if (!std::isfinite(base))
            return refuse("", say("'{}' is beyond the range of numbers", asIs(text)));
        return base;
    }
    return refuse("", expected(dim, text), unitHint(leading->number, unit, dim));
}

std::string quantityText(double base, Dim dim)
{
    std::string best;
    double bestRank = HUGE_VAL;
    for (const Unit& unit : units) {
        if (unit.dim != dim || !unit.written)
            continue;
        const std::optional<std::string> text = exactText(base, unit);
        if (!text)
            continue;
        const double number = std::abs(base * unit.over / unit.times);
        const bool handy
            = base == 0 ? unit.times == 1 && unit.over <= secondsPerHour : number >= 1 && number < 10000;
        // Short text wins; among equals the unit whose number is of everyday size.
        const double rank
            = (handy ? 0 : 100) + static_cast<double>(text->size()) + (number >= 1000 ? 0.5 : 0);
        if (rank < bestRank) {
            bestRank = rank;
            best = *text;
        }
    }
    if (best.empty()) // the base unit is always exact
        for (const Unit& unit : units)
            if (unit.dim == dim && unit.times == 1 && unit.over == 1)
                return fmt::format("{} {}", numberText(base), unit.name);
    return best;
}

Result<double> numberFromText(std::string_view raw)
{
    const std::string_view text = trimmed(raw);
    const Result<Leading> leading = leadingNumber(text);
    if (leading && leading->rest.empty())
        return leading->number;
    if (!leading && !leading.error().front().what.empty())
        return refuse(leading.error());
    const bool grouped = text.find(',') != std::string_view::npos || text.find('_') != std::string_view::npos;
    return refuse("", say("expected a number, got '{}'", asIs(text.substr(0, 60))),
                  grouped ? say("write digits without separators") : Message());
}

std::string numberText(double value) { return fmt::format("{}", value); }

} // namespace headroom
