#include "model/scenario/arrival_shape.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

namespace headroom::serve {

namespace {

using Kind = ArrivalShape::Kind;

struct Name {
    std::string_view text;
    Kind kind;
};
constexpr Name names[]{{"poisson", Kind::Poisson}, {"constant", Kind::Constant}, {"gamma", Kind::Gamma},
                       {"weibull", Kind::Weibull}, {"at-once", Kind::AtOnce},    {"closed", Kind::Closed}};

std::optional<double> numberFrom(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

// CV of a Weibull law with this shape.
double variationOf(double shape)
{
    return std::sqrt(std::exp(std::lgamma(1 + 2 / shape) - 2 * std::lgamma(1 + 1 / shape)) - 1);
}

// One "key=value" of a shape; the problem, or nothing.
std::optional<Message> apply(ArrivalShape& shape, std::string_view key, double value)
{
    const bool bursts = shape.kind == Kind::Gamma || shape.kind == Kind::Weibull;
    const bool open = shape.kind != Kind::Closed && shape.kind != Kind::AtOnce;
    const auto within
        = [&](bool takes, double low, double high, const Message& what) -> std::optional<Message> {
        if (!takes)
            return say("'{}' does not go with this kind of arrivals", asIs(key));
        if (value < low || value > high)
            return say("expected {} from {} to {}, got {}", what, low, high, value);
        return std::nullopt;
    };
    if (key == "cv") {
        shape.variation = value;
        return within(bursts, 0.05, 20, "a coefficient of variation");
    }
    if (key == "shape") {
        const auto problem = within(bursts, 0.2, 50, "a shape");
        if (!problem) // of a gamma law the variance is its mean squared over the shape
            shape.variation = shape.kind == Kind::Gamma ? 1 / std::sqrt(value) : variationOf(value);
        return problem;
    }
    if (key == "think") {
        shape.think = Seconds(value);
        return within(shape.kind == Kind::Closed, 0, 1e6, "seconds");
    }
    if (key == "peak") {
        shape.peak = value;
        return within(open, 1, 20, "a peak over the mean");
    }
    if (key == "hour") {
        shape.peakHour = value;
        return within(open, 0, 24, "an hour of the day");
    }
    return say("unknown setting '{}'", asIs(key));
}

} // namespace

Result<ArrivalShape> arrivalsFromText(std::string_view text)
{
    constexpr Code examples = "write poisson, constant, gamma:cv=2, gamma:shape=0.7, weibull:cv=3, "
                              "at-once, closed or closed:think=20; "
                              "a day of traffic is poisson:peak=2.5,hour=14";
    const std::size_t colon = text.find(':');
    const std::string_view word = text.substr(0, colon);
    const Name* known = nullptr;
    for (const Name& name : names)
        if (name.text == word)
            known = &name;
    if (known == nullptr)
        return refuse("", say("expected a kind of arrivals, got '{}'", asIs(word)), examples);
    ArrivalShape shape{.kind = known->kind};
    Problems problems;
    std::vector<std::string_view> said;
    for (std::size_t begin = colon; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin + 1), text.size());
        const std::string_view pair = text.substr(begin + 1, end - begin - 1);
        begin = end;
        const std::size_t equals = pair.find('=');
        const std::string_view key = pair.substr(0, equals);
        const std::optional<double> value
            = equals == std::string_view::npos ? std::nullopt : numberFrom(pair.substr(equals + 1));
        if (!value)
            problems.push_back({"", say("expected a setting such as cv=2, got '{}'", asIs(pair)), examples});
        else if (std::find(said.begin(), said.end(), key) != said.end())
            problems.push_back({"", say("'{}' is said twice", asIs(key)), examples});
        else if (const auto problem = apply(shape, key, *value))
            problems.push_back({"", *problem, examples});
        said.push_back(key);
    }
    if (!problems.empty())
        return refuse(std::move(problems));
    return shape;
}

} // namespace headroom::serve
