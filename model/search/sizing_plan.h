#pragma once

#include "model/resolve/money.h"
#include "model/resolve/tco.h"
#include "model/scenario/scenario.h"
#include "model/search/candidate.h"
#include "model/search/load_curve.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

// A small change of the question that would have an answer, and the answer.
struct Remedy {
    Message change;    // "fp8 KV cache"
    Message effect;    // "2 x H100 at 31 tokens/s"
    double size = 0;   // how far it goes from the question: the order they are offered in
    Scenario scenario; // changed
    Candidate answer;
    // More of something that was limited: how much is what the answer takes.
    enum class Amount : std::uint8_t { None, HourlyBudget, PurchaseBudget, Gpus };
    Amount amount = Amount::None;
};

// What was not asked for and would save much of the price, or carry much more. It stood a replay where the
// answer had to.
struct Hint {
    enum class Kind : std::uint8_t { Pools, Types, Drafts, Settings, Target, Machine };
    Kind kind = Kind::Types;
    Message change;    // "fp8 weights"
    std::string flags; // how it is asked for: "--weights fp8"
    Scenario scenario; // changed
    Candidate answer;  // to it
    Candidate instead; // of this: the answer, or what costs less and is as little sure as that to the hint
    double saved
        = 0;         // share of the price of an hour, of the GPUs where no price is known; 0: it carries more
    double more = 0; // of the users, or of the work, over what is carried
};

// What one input does to the answer when it is halved, doubled or known less well.
struct Sensitivity {
    Message input;   // "prompt tokens"
    Message lowText; // "512"
    Message highText;
    int gpusLow = 0; // 0: nothing meets the targets there
    int gpusHigh = 0;
    double speedLow = 0; // tokens/s for each user on the answer as it stands
    double speedHigh = 0;
};

// "above 3,100 prompt tokens 4 are needed".
struct BreakPoint {
    Message input;
    double from = 0; // first value at which the answer changes
    int gpus = 0;    // needed there; 0: nothing meets the targets
};

struct ParetoPoint {
    Layout layout;
    double users = 1; // of one replica
    double tokensPerSecondPerUser = 0;
    double tokensPerSecondPerGpu = 0;
};

struct YearOfGrowth {
    int year = 0;
    int gpus = 0;
    double usdPerHour = 0;
};

// How many users at once the answer carries. One number leads, wherever it is told.
struct UsersCarried {
    double told = 0;       // the safe ones where more is a gamble
    double mostLikely = 0; // the most; on another layout where `elsewhere` is one
    bool safe = false;     // `told` is nine in ten sure, and fewer than the most
    const Candidate* elsewhere = nullptr;
};

// The answer to a sizing question. Immutable; valid as long as the catalogue lives.
struct SizingPlan {
    Scenario scenario; // ids in place of names
    Targets assumed;   // of its targets: no speed was asked for
    bool meets = false;
    Message reason;                  // why nothing meets
    Candidate answer;                // the best, or the nearest miss
    std::optional<Candidate> safe;   // nine in ten sure, where what costs least is not; it may be the answer
    bool saferSought = true;         // all that may be surer was tried; false: the runs were spent before
    std::optional<Candidate> likely; // three in four sure and better than the safe answer, where that one
                                     // stands in the place of a gamble
    std::optional<Candidate> mostLikely; // carries most users, where the answer is what is safe of them
    std::optional<Candidate> cheapest;   // costs least of what works, where the answer is another
    std::optional<Candidate> surest;     // the best on timings of its own card, where the answer's are not
    std::optional<Candidate> elsewhere;  // the best on another accelerator
    std::vector<Candidate> unpriced;     // work, but nobody knows for how much
    std::optional<double> safeUsers;     // no load was stated: as many the answer carries nine in ten sure
    bool mostReplayed = false;           // the most the answer carries stood a replay
    std::vector<Candidate> candidates;   // best first, the answer among them
    std::vector<Candidate> weighed; // of machines and layouts that were named each one's best, best first
    std::vector<Remedy> remedies;
    std::vector<Hint> hints; // most first
    std::vector<Sensitivity> sensitivity;
    std::vector<BreakPoint> breakPoints;
    bool breaksSought = true; // of every input
    std::vector<ParetoPoint> pareto;
    std::vector<YearOfGrowth> growth;
    std::optional<RentOrOwn> rentOrOwn; // of the answer's machines, where both prices are known
    std::optional<CostOverYears> costs; // over years, where a price is known
    std::optional<FleetDay> day;        // of a load that is not the same all day
    std::vector<Message> assumptions;
    std::vector<Message> warnings;
    std::size_t evaluated = 0; // layouts that were judged

    [[nodiscard]] UsersCarried usersCarried() const;
};

} // namespace headroom
