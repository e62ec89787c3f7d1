#include "model/serve/class_text.h"

#include <array>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <string>

namespace headroom::serve {

namespace {

struct NumberKey {
    std::string_view name;
    double low;
    double high;
    void (*set)(TrafficClass&, double);
};
constexpr std::array numberKeys{
    NumberKey{"share", 0, 1e9, [](TrafficClass& c, double v) { c.share = v; }},
    NumberKey{"system", 0, 1e7, [](TrafficClass& c, double v) { c.systemTokens = v; }},
    NumberKey{"turns", 1, 1e4, [](TrafficClass& c, double v) { c.turns = static_cast<int>(v); }},
    NumberKey{"think", 0, 1e6, [](TrafficClass& c, double v) { c.think = Seconds(v); }},
    NumberKey{"ttft", 0, 1e6, [](TrafficClass& c, double v) { c.promised.targets.ttft = Seconds(v); }},
    NumberKey{"tpot", 0, 1e6, [](TrafficClass& c, double v) { c.promised.targets.tpot = Seconds(v); }},
    NumberKey{"latency", 0, 1e6, [](TrafficClass& c, double v) { c.promised.targets.latency = Seconds(v); }},
    NumberKey{"tps", 0, 1e6, [](TrafficClass& c, double v) { c.promised.targets.tokensPerSecond = v; }},
    NumberKey{"percentile", 1, 99.99, [](TrafficClass& c, double v) { c.promised.targets.percentile = v; }},
};
struct LengthKey {
    std::string_view name;
    LengthDistribution TrafficClass::*field;
};
constexpr std::array lengthKeys{
    LengthKey{"prompt", &TrafficClass::prompt},
    LengthKey{"output", &TrafficClass::output},
    LengthKey{"follow-up", &TrafficClass::followUp},
};

std::optional<Message> apply(TrafficClass& one, std::string_view key, std::string_view value)
{
    for (const NumberKey& known : numberKeys) {
        if (known.name != key)
            continue;
        double number = 0;
        const char* const last = value.data() + value.size();
        const auto [end, error] = std::from_chars(value.data(), last, number);
        if (error != std::errc{} || end != last || !(number >= known.low && number <= known.high))
            return say("{}: expected a number from {} to {}, got '{}'", asIs(key), known.low, known.high,
                       asIs(value));
        known.set(one, number);
        return std::nullopt;
    }
    for (const LengthKey& known : lengthKeys) {
        if (known.name != key)
            continue;
        Result<LengthDistribution> lengths = lengthsFromText(value);
        if (!lengths)
            return say("{}: {}", asIs(key), Message(lengths.error().front().what));
        if (lengths->kind == LengthDistribution::Kind::Empirical)
            return say("{}: lengths of a class cannot come from a file", asIs(key));
        one.*known.field = std::move(*lengths);
        return std::nullopt;
    }
    return say("unknown setting '{}'", asIs(key));
}

} // namespace

Result<TrafficClass> trafficClassFromText(std::string_view text, const TrafficClass& otherwise)
{
    constexpr Code example
        = "for example \"chat share=0.6 prompt=1024 output=256 ttft=0.5 tpot=0.05\"; settings: "
          "share, prompt, output, system, turns, follow-up, think, ttft, tpot, tps, latency, "
          "percentile";
    TrafficClass one = otherwise;
    Problems problems;
    bool named = false;
    while (!text.empty()) {
        const std::size_t space = text.find(' ');
        const std::string_view word = text.substr(0, space);
        text = space == std::string_view::npos ? std::string_view{} : text.substr(space + 1);
        if (word.empty())
            continue;
        const std::size_t equals = word.find('=');
        if (!named && equals == std::string_view::npos) {
            one.promised.name = std::string(word);
            named = true;
            continue;
        }
        if (equals == std::string_view::npos)
            problems.push_back(
                {"", say("expected a setting such as share=0.6, got '{}'", asIs(word)), example});
        else if (const auto problem = apply(one, word.substr(0, equals), word.substr(equals + 1)))
            problems.push_back({"", *problem, example});
    }
    if (!named)
        problems.push_back({"", "a class starts with its name", example});
    if (one.systemTokens > one.prompt.mean())
        problems.push_back({"",
                            say("system: {:.0f} tokens are part of every prompt, which has {:.0f}",
                                one.systemTokens, one.prompt.mean()),
                            "prompt counts the system prompt"});
    if (!problems.empty())
        return refuse(std::move(problems));
    return one;
}

} // namespace headroom::serve
