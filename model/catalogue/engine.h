#pragma once

#include "model/base/dtype.h"
#include "model/base/scheduler_kind.h"
#include "model/base/units.h"
#include "model/catalogue/citation.h"
#include "model/catalogue/platform.h"
#include "model/catalogue/scale_span.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// Which fraction of which memory an engine fills.
enum class MemoryBase : std::uint8_t {
    OfTotal,           // vLLM: fraction of the whole card covers everything
    OfFreeAfterWeights // TensorRT-LLM, LMDeploy: fraction of what is left becomes KV
};

enum class PreemptionKind : std::uint8_t { None, Recompute, Swap };

struct StepLimits {
    std::int64_t maxBatchedTokens = 0; // per step; 0: no budget
    std::int64_t maxSequences = 0;     // running at once in one replica; 0: no limit
    double receiveInterval = 1;        // steps of decodes between two looks at what has arrived
    std::int64_t fewUsers = 0;         // below so many at once
    double receiveIntervalOfFew = 1;   // it is this instead

    [[nodiscard]] double intervalFor(double users) const
    {
        return users < static_cast<double>(fewUsers) ? receiveIntervalOfFew : receiveInterval;
    }
    // A request comes at any time between two looks.
    [[nodiscard]] double stepsUnseen(double users) const { return (intervalFor(users) - 1) / 2; }

    friend bool operator==(const StepLimits&, const StepLimits&) = default;
};

// Limits that an engine sets by the card it finds itself on.
struct EngineLimits {
    Bytes memoryFrom;                     // holds for cards that offer at least this much
    std::vector<std::string> notFamilies; // and are of none of these families
    StepLimits limits;

    friend bool operator==(const EngineLimits&, const EngineLimits&) = default;
};

// How public launch scripts start models of latent attention (DeepSeek and its kin), where that differs.
struct LatentLaunch {
    double promptsPerStep = 0; // that a step has room for beside the running sequences; 0: the budget alone
    double answerSteps = 0;    // that pass between the first token and the piece of the answer that shows it
    std::vector<double> heads; // of one GPU that the kernels of its library are for; others run a general one
    // Accelerators on which prompts attend in the latent space, by a general kernel: what is captured as a
    // graph cannot expand keys of who knows how many earlier parts.
    std::vector<std::string> absorbsPromptsOn;

    [[nodiscard]] bool hasKernelFor(double ofOneGpu) const
    {
        return heads.empty() || std::find(heads.begin(), heads.end(), ofOneGpu) != heads.end();
    }
    [[nodiscard]] bool absorbsPrompts(std::string_view family) const
    {
        return std::find(absorbsPromptsOn.begin(), absorbsPromptsOn.end(), family) != absorbsPromptsOn.end();
    }

    friend bool operator==(const LatentLaunch&, const LatentLaunch&) = default;
};

// Prompts that are held back while others decode, for more of them to begin in one step: so many steps at
// most, or until they and the decodes fill this share of the largest step. TensorRT-LLM's
// batch_wait_timeout_iters and batch_wait_max_tokens_ratio (tensorrt_llm/_torch/pyexecutor/py_executor.py,
// _waiting_requests).
struct PromptWait {
    std::int64_t steps = 0; // 0: nobody waits
    double share = 1;

    friend bool operator==(const PromptWait&, const PromptWait&) = default;
};

// What an engine costs beside its kernels, and which no engine publishes: fitted to published runs.
struct EngineTimes {
    Seconds stepHostTime; // scheduling, sampling, detokenising: per step, whatever the batch
    Seconds stepHostTimePerSequence;
    Seconds requestHostTime;   // admission and the first answer's way back, per request
    Seconds eagerLaunch;       // of one operator where no graph holds it; zero: the calibration's
    double admissionSteps = 0; // steps that pass before a new request is in one, the wait for a look aside
    double expertTime = 1;     // of its expert layers, in that of the kernels that were timed for it
    Seconds kernelGap{};       // between a kernel of a step and the next, beyond what the forms hold
    bool measured = true;      // some published run speaks of them; else they are its relatives'

    // A build with a gap of its own runs the host that the engine has elsewhere: what its steps take more
    // than on other platforms grows with their kernels.
    [[nodiscard]] bool sharesHost() const { return kernelGap.base() > 0; }
    friend bool operator==(const EngineTimes&, const EngineTimes&) = default;
};

// How much of what an engine misses of first tokens it misses where few stand before one: on an idle server,
// and where requests come by themselves. Users who take turns on a full server wait for steps, admission and
// places, and that is missed in whole. Of rows that were left out by source first tokens of one batch or one
// burst, 482 of 14 sources, need 0.21, those of users who come while others are served, 661 of 9 sources,
// 0.40. Rounded. Of 228 rows of requests that come by themselves, one operator's, whichever was left out,
// source, vendor or generation, the score of intervals (width, and ten times what lies beyond) is 1.03, 0.99
// and 0.94 with this and 1.56, 1.38 and 1.29 with all of the spread.
constexpr double ofFirstTokenWhereFewWait = 0.5;
// And how much of what an engine misses of decodes it misses of times of tokens, for how many users there are
// was said: less than of throughput, where how many are there at once is unsure too. Chosen by the score of
// intervals (width, and ten times what lies beyond) of rows that were left out by source, vendor, generation,
// load and configuration, together with 1.4 of it for a full server: better in each of the five, 6.52 for
// 6.55 together, and flat from 0.75 to 0.85.
constexpr double ofTokenTimes = 0.8;

// What whole runs miss beyond the spread of their operators: standard deviations of ln(measured / predicted).
struct EngineSpreads {
    double lnSpreadPrefill = 0;
    double lnSpreadDecode = 0;
    // And what differs between those who set such a server up, with the same engine on the same card: a
    // stranger's server is off by this besides. None of it is left in an engine fitted to one's own runs.
    double lnSpreadSourcePrefill = 0;
    double lnSpreadSourceDecode = 0;
    // Of either of the first kind, and of either of the second; one's own runs were timed where few wait, and
    // token by token: they tell both whole.
    double partWhereFewWait = ofFirstTokenWhereFewWait;
    double partOfTokenTimes = ofTokenTimes;

    [[nodiscard]] bool ownPrompts() const { return partWhereFewWait == 1; }
    [[nodiscard]] bool ownDecodes() const { return partOfTokenTimes == 1; }
    friend bool operator==(const EngineSpreads&, const EngineSpreads&) = default;
};

// Both on accelerators of some families, where the engine's builds for them differ, or of a whole platform.
struct EngineOnFamilies {
    std::vector<std::string> families;
    std::optional<Platform> platform; // in place of families
    EngineTimes times;
    EngineSpreads spreads;

    // "gb10", "rocm".
    [[nodiscard]] std::string name() const
    {
        std::string out(platform ? platformRow(*platform)->word : "");
        for (const std::string& family : families)
            out += (out.empty() ? "" : ", ") + family;
        return out;
    }
    [[nodiscard]] bool holdsFor(std::string_view family, Platform its) const
    {
        return its == platform || std::find(families.begin(), families.end(), family) != families.end();
    }
    friend bool operator==(const EngineOnFamilies&, const EngineOnFamilies&) = default;
};

// Weights that an engine unpacks on cards of some families and multiplies in 16 bits, though the cards have
// arithmetic of their kind: nobody wrote the kernels that would use it.
struct UnpackedWeights {
    std::vector<std::string> families;
    std::vector<DType> weights;

    friend bool operator==(const UnpackedWeights&, const UnpackedWeights&) = default;
};

// Experts whose FP8 weights have a scale for each row, where they are multiplied by a library that wants the
// rows of each expert one after the other: so many kernels more put them in order, say where each expert
// begins and gather the scales.
struct OrderedExperts {
    std::vector<std::string> families;
    double kernels = 0;

    friend bool operator==(const OrderedExperts&, const OrderedExperts&) = default;
};

// When a version came out: "0.11" and "2025-10". A release candidate may stand beside its version.
struct EngineRelease {
    std::string version;
    std::string month;

    friend bool operator==(const EngineRelease&, const EngineRelease&) = default;
};

// A serving engine's behaviour as presets: every figure cited in its file or marked as an estimate there.
struct Engine : StepLimits, EngineTimes, EngineSpreads {
    std::string id;
    std::string name;
    std::string version; // what the figures were read from
    std::vector<std::string> aliases;
    std::vector<EngineRelease> releases; // oldest first; empty: nobody noted them
    std::vector<Platform> platforms;     // that it has builds for; empty: not known, or any
    std::string insteadOf;               // the engine whose part it plays there; empty: none's

    SchedulerKind scheduler = SchedulerKind::ChunkedPrefill;
    bool splitsPrompts = false; // whole prompts go first, but one longer than the budget is cut to it
    std::vector<EngineLimits> limitsByCard; // the first that fits takes the place of its own
    // Data-parallel ranks begin prompts together: who has one waits so many steps for the others. 0: nobody
    // waits.
    std::int64_t balanceSteps = 0;
    PromptWait promptWait; // no file says it: whoever starts the engine may ask for it
    LatentLaunch latent;
    int blockTokens = 16; // KV page; 1: token granular; 0: contiguous, reserved for the longest
    bool prefixCache = false;
    PreemptionKind preemption = PreemptionKind::Recompute;
    double watermark = 0; // share of the cache kept free when a prompt joins running ones

    MemoryBase memoryBase = MemoryBase::OfTotal;
    double memoryFraction = 0.9;
    Bytes runtimeMemory;         // context, communication buffers, allocator slack, per GPU
    Bytes graphMemory;           // captured graphs, per GPU
    double activationFactor = 1; // multiplies the counted peak of live activations
    double logitsCopies = 1;     // of the sampled rows' fp32 logits that sampling holds at its peak
    bool unifiedPages = false;   // hybrid models: one page size and one pool for all kinds of layer (vLLM)
    bool chunksHoldAll = false;  // layers that attend in chunks keep the whole sequence all the same
    // Compute buffers are made at the start for so many tokens in 32 bit, each with logits of its own; 0:
    // they are the live set of the largest step.
    std::int64_t bufferTokens = 0;
    int cellPadding = 1;                   // tokens that the cache of a sequence is rounded up to
    std::optional<Bytes> processorRuntime; // of a program without a GPU's runtime; none: as on a GPU
    std::vector<DType>
        repackedOnProcessors; // kept as stored and once more as kernels of processors want them

    Seconds rankHostTime;   // of a step, for each rank after the first that its controller calls in turn
    Seconds boxesHostTime;  // of a step whose ranks stand in several boxes, and are called over the network
    double hostOverlap = 0; // share of the host time hidden behind the GPU
    Seconds tokeniseTime;   // per token of a prompt, one prompt after the other
    double collectiveOverlap = 0; // share of collective time hidden behind compute
    bool graphs = true;           // decode through captured graphs
    Seconds eagerStepLaunch; // of a kernel where it was told to capture none; zero: as of other eager ones
    bool customAllReduce = true; // one-/two-shot kernels inside a node
    bool nativeHost = false;     // what goes on between two steps is compiled code, else Python

    bool fusesQuantise = false; // activations are narrowed inside the kernel before, not by one of their own

    std::vector<std::string>
        kernels; // implementation classes of calibrations that are its own, closest first

    std::vector<EngineOnFamilies> onFamilies; // takes the place of its times and spreads there

    std::vector<DType> weightTypes;
    std::vector<DType> kvTypes;
    std::vector<UnpackedWeights> unpacked;
    // Of FP8 checkpoints that its documentation serves in place of those of the models' makers.
    std::optional<ScaleSpan> fp8Scales;
    std::optional<OrderedExperts> orderedExperts;
    bool tensorParallel = true;
    bool pipelineParallel = true;
    bool expertParallel = true;
    bool dataParallelAttention = false;
    bool pipelineMicroBatches = true; // full pipeline; false: one batch at a time
    // A stage does its host work for a micro-batch before it looks at the next; else beside the GPU's work.
    bool pipelineWaitsForHost = false;
    std::int64_t pipelinePiece
        = 0;                      // tokens of such a batch that go through the stages together; 0: all of it
    bool dynamicChunks = false;   // can make later parts of a long prompt shorter
    bool fillsRanks = false;      // adds heads and columns until all tensor-parallel ranks have as many
    bool balancesExperts = false; // moves experts, with copies of some, to where the load is
    bool overlapsExperts = false; // two micro-batches: one exchanges tokens while the other computes
    // Ranks that exchange tokens run its own kernels for experts too, not those of the exchange's library.
    bool ownExchangedExperts = false;
    // Experts whose weights alone are narrow are multiplied by a library (Marlin), not by the engine's own
    // kernels: how long those take in its version says nothing of them.
    bool libraryUnpacksExperts = false;
    bool speculative = false;
    bool disaggregates = false; // prompts on servers of their own, their cache sent over

    std::vector<Citation> citations;
    std::string notes;

    [[nodiscard]] bool runsOn(Platform platform) const
    {
        return platforms.empty()
            || std::find(platforms.begin(), platforms.end(), platform) != platforms.end();
    }

    [[nodiscard]] bool unpacks(DType type, std::string_view family) const
    {
        const auto has = [](const auto& all, const auto& one) {
            return std::find(all.begin(), all.end(), one) != all.end();
        };
        return std::any_of(unpacked.begin(), unpacked.end(), [&](const UnpackedWeights& each) {
            return has(each.families, family) && has(each.weights, type);
        });
    }
    // Kernels of an expert layer beside those of its form, where FP8 weights have a scale for each row.
    [[nodiscard]] double kernelsThatOrder(std::string_view family) const
    {
        return orderedExperts
                && std::find(orderedExperts->families.begin(), orderedExperts->families.end(), family)
                    != orderedExperts->families.end()
            ? orderedExperts->kernels
            : 0;
    }
    // The step's token budget and the most sequences at once on a card of this memory and family.
    [[nodiscard]] StepLimits limitsFor(Bytes memory, std::string_view gpuFamily) const
    {
        for (const EngineLimits& card : limitsByCard)
            if (memory >= card.memoryFrom
                && std::find(card.notFamilies.begin(), card.notFamilies.end(), gpuFamily)
                    == card.notFamilies.end())
                return card.limits;
        return *this;
    }
    // Until a new request is part of a step. Prompts that are held back are so for all of their steps here:
    // how soon others end that wait is for a replay to say.
    [[nodiscard]] double stepsToAdmission(Bytes memory, std::string_view gpuFamily, double users) const
    {
        const double held = users > 1 ? static_cast<double>(promptWait.steps) : 0;
        return admissionSteps + limitsFor(memory, gpuFamily).stepsUnseen(users) + held;
    }

    friend bool operator==(const Engine&, const Engine&) = default;
};

} // namespace headroom
