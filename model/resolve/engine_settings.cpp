#include "model/resolve/engine_settings.h"

#include <optional>

namespace headroom {

namespace {

// Its build for the accelerator's family, where that is another.
void takeFamily(Engine& own, const Gpu& gpu)
{
    for (const EngineOnFamilies& on : own.onFamilies)
        if (on.holdsFor(gpu.family, gpu.platform)) {
            static_cast<EngineTimes&>(own) = on.times;
            static_cast<EngineSpreads&>(own) = on.spreads;
            break;
        }
    own.onFamilies.clear(); // settled
}

// Who says how many tokens a step takes says it of the pieces that it is computed in, too (llama.cpp: -b and
// -ub), and of what their buffers hold.
void takePieces(Engine& own, std::int64_t tokens)
{
    if (own.pipelinePiece > 0)
        own.pipelinePiece = tokens;
    if (own.pipelinePiece > 0 && own.bufferTokens > 0)
        own.bufferTokens = tokens;
}

// Without captured graphs. What launches a kernel then is not the compiled step that runs prompts otherwise.
void runEagerly(Engine& own)
{
    own.graphs = false;
    if (own.eagerStepLaunch.base() > 0)
        own.eagerLaunch = own.eagerStepLaunch;
}

} // namespace

std::shared_ptr<Engine> settledEngine(const Engine& preset, const Gpu& gpu, const Scenario& scenario,
                                      Problems& problems)
{
    const StepLimits card = preset.limitsFor(gpu.memoryUsable, gpu.family);
    auto own = std::make_shared<Engine>(preset);
    own->memoryFraction = scenario.memoryFraction.value_or(preset.memoryFraction);
    own->maxBatchedTokens = scenario.maxBatchedTokens.value_or(card.maxBatchedTokens);
    if (scenario.maxBatchedTokens) {
        own->latent.promptsPerStep = 0; // what is asked for counts
        takePieces(*own, *scenario.maxBatchedTokens);
    }
    own->maxSequences = scenario.maxSequences.value_or(card.maxSequences);
    own->blockTokens = scenario.blockTokens.value_or(preset.blockTokens);
    own->receiveInterval = card.receiveInterval;
    own->fewUsers = card.fewUsers;
    own->receiveIntervalOfFew = card.receiveIntervalOfFew;
    if (scenario.receiveInterval)
        own->receiveInterval = own->receiveIntervalOfFew = *scenario.receiveInterval;
    own->promptWait.steps = scenario.promptWait.value_or(preset.promptWait.steps);
    own->promptWait.share = scenario.promptWaitShare.value_or(preset.promptWait.share);
    own->limitsByCard.clear(); // settled
    takeFamily(*own, gpu);
    if (scenario.eager)
        runEagerly(*own);
    if (!scenario.scheduler.empty()) {
        const std::optional<SchedulerKind> kind = schedulerNamed(scenario.scheduler);
        if (kind)
            own->scheduler = *kind;
        else
            problems.push_back({"scheduler", say("unknown scheduler '{}'", scenario.scheduler),
                                say("one of {}", asIs(schedulerNames.text()))});
    }
    return own;
}

} // namespace headroom
