#pragma once

#include "model/ask/text.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headroom::ask {

// What a phrase of the language means, before the grammar puts phrases together.
enum class Meaning : std::uint8_t {
    Filler, // carries nothing that a plan depends on
    Comma,  // ends a group of words
    // the kind of question
    HowMany,
    Which,
    CanRun,
    Enough,
    HowFast,
    WhatGives,
    MemoryWord,
    CostWord,
    YesNo,
    // relations
    AtMost,
    AtLeast,
    About,
    Equals,
    Per,
    Each,
    Every,
    In,
    Out,
    Or,
    Not,
    Only,
    Total,
    // units; `value` is the factor to base units
    Time,
    PerTime, // "monthly"
    Token,
    Kilo,
    TokenRate,
    Request,
    RequestRate,
    User,
    Concurrent,
    Card,
    Box,
    Percent,
    Dollar,
    Cent,
    Yuan,
    OtherMoney, // that amounts are not converted from
    Kwh,
    Times,
    Words,
    // topics a number belongs to
    Ttft,
    Tpot,
    Latency,
    Speed,
    Throughput,
    Prompt,
    Output,
    Context,
    PrefixHit,
    Batch,
    Tp,
    Pp,
    Ep,
    Dp,
    Replicas,
    KvCache,
    Weights,
    Budget,
    Price,
    Buy,
    Electricity,
    Pue,
    Peak,
    Spare,
    Growth,
    ThinkTime, // what a user waits before the next question
    Headroom,
    Utilisation,
    Amortise,
    Percentile,
    Mean,
    Bits,
    Seed,
    // whole phrases
    ReadSilently,
    ReadListening,
    ReadFast,
    Cheapest,
    CheapestTokens,
    BestValue, // the most for the money
    Fewest,
    LeastEnergy,
    Fastest,
    MostThroughput,
    Number,
    Vendor,
    TrafficPoisson,
    TrafficConstant,
    TrafficClosed,
    Quantised,
    MostUsers, // how many at most
    Pools,     // prompts and decodes on GPUs of their own
    Allowed,   // may be tried
    Tune,
    Daily, // a load that moves over the day
    PowerDraw,
    Speculation,
    AtHome,  // not every accelerator can stand there
    UseCase, // what the service is for: lengths that are usual there
    Vague
};

struct Word {
    Meaning meaning = Meaning::Filler;
    std::string phrase; // as listed: what a refusal offers
    double value = 0;
    std::vector<std::string> atoms;
};

// The phrases of both languages.
class Lexicon {
public:
    Lexicon();

    struct Match {
        const Word* word = nullptr;
        std::size_t atoms = 0;
    };
    // The longest phrase that begins at `first`; latin words match whole, CJK anywhere.
    [[nodiscard]] std::optional<Match> longest(const std::vector<Atom>& atoms, std::size_t first) const;
    // Phrases that carry meaning and look most like `text`, best first; empty when nothing is near.
    [[nodiscard]] std::vector<std::string> nearest(std::string_view text) const;

private:
    std::vector<Word> m_words;
    std::vector<std::string> m_meaningful; // phrases a refusal may offer
    std::unordered_map<std::string, std::vector<std::size_t>> m_byFirstAtom;
};

} // namespace headroom::ask
