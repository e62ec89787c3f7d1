#pragma once

#include "model/base/dtype.h"
#include "model/base/price_kind.h"
#include "model/base/units.h"
#include "model/base/wide_parts.h"
#include "model/deploy/layout.h"
#include "model/scenario/length_distribution.h"
#include "model/scenario/objective.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

// What the figures of an answer may rest on.
enum class EvidenceFloor : std::uint8_t {
    Any,
    Family,  // timings of the accelerator or of its family
    Measured // timings of this very accelerator
};

struct Targets {
    std::optional<double> tokensPerSecond; // each user's stream
    std::optional<Seconds> ttft;
    std::optional<Seconds> tpot;
    std::optional<Seconds> latency;
    double percentile = 90;

    [[nodiscard]] bool any() const { return tokensPerSecond || ttft || tpot || latency; }
    friend bool operator==(const Targets&, const Targets&) = default;
};

// Dollars for a million tokens.
struct ApiPrice {
    double input = 0;
    double output = 0;
    friend bool operator==(const ApiPrice&, const ApiPrice&) = default;
};

struct Money {
    std::optional<DollarsPerSecond> gpuPrice; // overrides the catalogue
    bool buy
        = false; // own the machines: purchase price over amortisation, power and electricity instead of rent
    std::optional<Dollars> purchasePrice; // one GPU; overrides the catalogue when the machines are bought
    double amortisationYears = 4;
    double electricityPerKwh
        = 0.12; // US industrial average order; shown as an assumption whenever it is used
    double pue = 1.3;
    std::optional<double> budgetPerHour;
    std::optional<Dollars> purchaseBudget; // most that all boxes may cost when they are bought
    std::string provider;                  // whose prices; empty: the catalogue's usual ones
    std::optional<PriceKind> priceKind;
    std::optional<Dollars> serverPrice; // of one box without its accelerators; overrides the catalogue
    double hoursPerDay = 24;            // that rented machines run
    double daysPerWeek = 7;
    std::optional<double> years;      // that costs are told over; empty: as long as a purchase is written off
    double hostingPerKwMonth = 0;     // dollars for the room of a kW, without its electricity
    double staffShare = 0;            // of the purchase in a year: people, repairs, insurance
    double residualShare = 0;         // of the purchase that is got back in the end
    double interestPerYear = 0;       // of a loan that pays the purchase; 0: paid at once
    std::optional<ApiPrice> apiPrice; // what others ask for tokens of this model
    friend bool operator==(const Money&, const Money&) = default;
};

// Whether prompts may be computed by GPUs of their own, their cache sent to those that decode.
enum class Disaggregation : std::uint8_t { No, Try, Only };

// The pool that computes prompts; what is left open is searched.
struct PrefillChoice {
    Disaggregation pools = Disaggregation::No;
    std::string gpu; // empty: the accelerator that decodes
    std::optional<int> tp, pp, ep, dp;
    std::optional<int> replicas;

    [[nodiscard]] bool statesWidths() const { return tp || pp || ep || dp; }
    friend bool operator==(const PrefillChoice&, const PrefillChoice&) = default;
};

// What a search may change of the model's types and the engine's settings; nothing unless the user says so.
struct AllowedDeviations {
    std::vector<DType> weights; // besides the stated or published type
    std::vector<DType> kv;
    bool tune = false; // the engine's batch limit and chunk size
    friend bool operator==(const AllowedDeviations&, const AllowedDeviations&) = default;
};

// Of what was said as a range ("20-30" tokens/s for each user) the end that takes less; planned for is the
// other. Empty: one number was said.
struct EasierEnds {
    std::optional<double> concurrency;
    std::optional<double> requestsPerSecond;
    std::optional<double> tokensPerSecond;
    std::optional<Seconds> ttft;
    std::optional<Seconds> tpot;
    std::optional<Seconds> latency;

    [[nodiscard]] bool any() const
    {
        return concurrency || requestsPerSecond || tokensPerSecond || ttft || tpot || latency;
    }
    friend bool operator==(const EasierEnds&, const EasierEnds&) = default;
};

// Whose habits the load has: people's, or those of a program that measures a server. Such a program lets all
// its users begin in one moment, keeps lengths as stated, counts every request, and scales the arrivals of a
// stated rate so that they take exactly as long as the rate says.
enum class LoadTool : std::uint8_t {
    No,
    Online, // over the network
    Offline // in the engine's own process: prompts are handed over as tokens
};

// A way to spread a replica that was named; what is empty is left open.
struct StatedLayout {
    std::optional<int> tp, pp, ep, dp, replicas;
    friend bool operator==(const StatedLayout&, const StatedLayout&) = default;
};

// What a user asks, as he would write it in a file: ids and numbers, nothing resolved yet. An empty optional
// means "choose for me", and the choice is listed among the assumptions.
struct Scenario {
    std::string name;
    std::string model;
    std::vector<std::string>
        gpus; // candidates; `predict` takes the first; empty in `size`: all of the catalogue
    std::optional<int> gpuCount; // "2x H200": the service has this many
    std::vector<int>
        gpuCounts; // "8x H100 or 4x B200": of each of `gpus` its own; empty: they share `gpuCount`
    // "2 boxes of 8 H100 or 3 of 4 GH200": of each of `gpus` its own; empty: they share `gpusPerBox`. None of
    // one: as many as its box holds.
    std::vector<std::optional<int>> boxSizes;
    std::string node;
    std::optional<int> gpusPerBox; // "2 boxes of 4"; empty: as many as the box holds
    std::string engine;            // empty: the usual one of the accelerator
    std::string engineVersion; // of its build, or the month of it; empty: the newest that its preset lists
    std::optional<BytesPerSecond> storageRead; // one box reads weights so fast; empty: as its entry says
    std::string calibration;                   // file, empty: the best the catalogue ships

    std::optional<int> tp, pp, ep, dp, replicas;
    std::vector<StatedLayout> layouts; // "TP 8 x PP 2 or TP 16": which of them is better is asked
    // "16 H200 in TP 8 x PP 2 or 72 GB200": of each of `gpus` its own, of one without parts every layout is
    // tried; empty: they share what is stated.
    std::vector<StatedLayout> gpuLayouts;
    int redundantExperts = 0;
    std::optional<ExpertBalance> expertBalance; // empty: balanced where experts are redundant
    bool dynamicChunks = false;   // later parts of a long prompt are shorter: each takes as long
    bool overlapsBatches = false; // two micro-batches of a step hide exchanges of experts
    bool eager = false;           // kernels launched one by one: the engine captures no graphs
    std::optional<DType> weights, kv;
    std::vector<DType>
        weightTypes;            // "bf16 or fp8": which of them is better is asked; then `weights` is empty
    WideParts keepsWide;        // layers of a narrow checkpoint that stay in 16 bits
    std::optional<DType> state; // of recurrent layers
    std::optional<MathUnit> compute;
    PrefillChoice prefill;
    AllowedDeviations allowed;

    LengthDistribution prompt = LengthDistribution::of(1024);
    LengthDistribution output = LengthDistribution::of(256);
    double prefixCached = 0;           // share of the prompt found in the prefix cache
    std::optional<double> batch;       // concurrent sequences in one replica
    std::optional<double> concurrency; // users at once, whole service
    std::optional<double> requestsPerSecond;
    std::optional<double> messagesPerMinute; // of each user: `concurrency` users ask so often
    std::optional<double> tokensPerMonth;    // prompts and answers together, the whole service
    std::optional<double> jobTokens;         // a job: so many tokens, prompts and answers together
    std::optional<double> jobRequests;       // or so many requests
    std::optional<Seconds> deadline;         // by which a job must be done
    Targets targets;
    EasierEnds easier;
    Money money;
    Objective objective = Objective::FewestGpus;
    EvidenceFloor evidence = EvidenceFloor::Any;

    double headroom = 0.1; // share of capacity kept free
    double peakFactor = 1; // busy hour over the stated load
    int spares = 0;        // N+k: replicas that may fail
    double growthPerYear = 0;
    std::optional<Watts> powerCap; // most that the machines may draw
    std::optional<int> mostGpus;
    std::optional<int> mostBoxes;

    std::optional<double> memoryFraction;
    std::optional<std::int64_t> maxBatchedTokens;
    std::optional<std::int64_t> maxSequences;
    std::optional<int> blockTokens;
    std::optional<int> receiveInterval;    // steps of decodes between two looks at what has arrived
    std::optional<int> promptWait;         // steps that prompts are held back for others to come
    std::optional<double> promptWaitShare; // of the largest step: prompts that fill it wait for no others
    std::string scheduler;                 // empty: the engine's
    std::string speculation; // "", "draft:llama-3.2-1b:g=4,a=0.7", "ngram:g=4,a=0.4", "mtp:g=1,a=0.8"
    int loraAdapters = 0;
    int loraRank = 16;
    int beams = 1;
    double overheadMultiplier = 1;
    double prefillSkipped = 0;

    std::string traffic = "poisson"; // poisson, constant, gamma:cv=2, weibull:…, closed
    LoadTool loadTool = LoadTool::No;
    std::string trace; // file
    std::uint64_t seed = 1;
    std::int64_t requests = 2000; // simulated

    friend bool operator==(const Scenario&, const Scenario&) = default;
};

} // namespace headroom
