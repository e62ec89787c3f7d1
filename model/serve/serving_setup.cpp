#include "model/serve/serving_setup.h"

#include "model/base/figure_text.h"
#include "model/closed_form/hand_over.h"
#include "model/closed_form/step_budget.h"
#include "model/cost/decode_steps.h"
#include "model/cost/step_cost.h"
#include "model/memory/memory_plan.h"
#include "model/serve/remembered_steps.h"
#include "model/serve/verdict.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <utility>

namespace headroom::serve {

namespace {

// Where nothing is said of the load: busy, but with room for bursts.
constexpr double usualLoad = 0.8;

StepShape decodesOf(const StepShape& shape)
{
    StepShape decodes = shape;
    decodes.prefillTokens = decodes.prefillSequences = decodes.prefillPast = 0;
    decodes.sampledRows = shape.decodeSequences * shape.decodeQueries;
    return decodes;
}

TrafficClass classOf(const Scenario& scenario)
{
    TrafficClass one;
    one.promised = {.name = scenario.name.empty() ? "all" : scenario.name, .targets = scenario.targets};
    one.prompt = scenario.prompt;
    one.output = scenario.output;
    one.cachedShare = scenario.prefixCached;
    return one;
}

// About the time of one answer.
Seconds answerTime(const Deployment& deployment, const Load& load, double users, double outputTokens)
{
    Load one = load;
    one.batch = std::max(1.0, users / deployment.layout.replicas);
    const Seconds step = StepTimer(deployment).cost(decodeStep(deployment, one)).rate.value;
    return step * (outputTokens / tokensPerStep(deployment.speculative));
}

// People's answers are not alike to the token. Where they are, whoever begins in one step ends in one step
// and asks again in one step, or is replaced by those who came meanwhile: groups only grow, and every prompt
// waits for those of its group. How far lengths are apart is chosen here, a fifth to both sides, so that the
// mean stays what was asked; public benchmarks vary them about as much, downwards (InferenceX: random range
// ratio 0.8). A twentieth where a time is promised for whole answers: it keeps them apart, and hardly makes
// the promise one for longer answers than were asked. Lengths that were written as a range are taken as they
// are: "uniform:256-256" is 256 each time.
void varyAnswers(ServingPlan& plan, const Scenario& scenario)
{
    const double spread = scenario.targets.latency ? 0.05 : 0.2;
    const double mean = scenario.output.mean();
    using Kind = LengthDistribution::Kind;
    const bool alike = scenario.output.kind == Kind::Fixed && scenario.prompt.kind == Kind::Fixed;
    if (!alike || mean * spread < 1)
        return;
    plan.traffic.classes.front().output
        = LengthDistribution::uniform(std::ceil(mean * (1 - spread)), std::floor(mean * (1 + spread)));
    plan.assumptions.push_back(
        say("answers within {:.0f} % of their length, so that users do not move in step", spread * 100));
}

bool drafts(const Deployment& deployment)
{
    const auto kind = deployment.speculative.kind;
    return kind == SpeculativeDecoding::Kind::DraftModel || kind == SpeculativeDecoding::Kind::Mtp;
}

// Into which chunk a sequence's next token falls hangs on its length: how unlike they are matters.
bool looksIntoChunks(const Llm& llm)
{
    return std::any_of(llm.kinds.begin(), llm.kinds.end(), [](const LayerKind& kind) {
        const auto* const attention = std::get_if<Attention>(&kind.mixer);
        return attention != nullptr && attention->chunk > 0;
    });
}

// Requests that stand for the traffic's mix where only its means matter.
Result<Workload> sampleOf(Traffic traffic)
{
    constexpr std::int64_t enough = 2000;
    traffic.requests = std::min(traffic.requests, enough);
    traffic.rate = RequestsPerSecond(1);
    if (traffic.arrivals.kind == ArrivalShape::Kind::Closed)
        traffic.users = 1;
    return makeWorkload(traffic);
}

} // namespace

StepTime stepTimeOf(const Deployment& deployment)
{
    if (const auto passes = passTimeOf(deployment)) // a lane's, while the others are like it
        return [passes, stages = deployment.layout.pp](const StepShape& shape) {
            const StagePass pass = passes(shape);
            return std::max(pass.latency(), pass.slowest() * stages + pass.host);
        };
    DecodeSteps steps(std::make_shared<const StepTimer>(deployment));
    const bool spans = looksIntoChunks(*deployment.llm);
    if (!drafts(deployment))
        return [steps, known = RememberedSteps<Seconds>(spans)](const StepShape& shape) mutable {
            return known.of(shape, [&steps](const StepShape& s) { return steps.rate(s); });
        };
    return [steps, known = RememberedSteps<Seconds>(spans)](const StepShape& shape) mutable {
        return known.of(shape, [&steps](const StepShape& s) {
            const Seconds step = steps.rate(s);
            return s.decodeSequences > 0 ? step + draftTime(steps.timer().deployment(), decodesOf(s)).value
                                         : step;
        });
    };
}

PassTime passTimeOf(const Deployment& deployment)
{
    if (deployment.layout.pp <= 1 || !deployment.engine->pipelineMicroBatches)
        return {};
    return [steps = DecodeSteps(std::make_shared<const StepTimer>(deployment)),
            known
            = RememberedSteps<StagePass>(looksIntoChunks(*deployment.llm))](const StepShape& shape) mutable {
        return known.of(shape, [&steps](const StepShape& s) {
            StagePass pass = steps.pass(s);
            const Deployment& piped = steps.timer().deployment();
            if (s.decodeSequences > 0 && drafts(piped)) // on the last stage
                pass.host += draftTime(piped, decodesOf(s)).value;
            return pass;
        });
    };
}

Scheduling schedulingOf(const Deployment& deployment, const Load& load)
{
    const Engine& engine = *deployment.engine;
    const StepLimits limits = engine.limitsFor(deployment.gpu->memoryUsable, deployment.gpu->family);
    const MemoryPlan memory = planMemory(deployment, memoryDemand(deployment, load));
    Scheduling scheduling;
    scheduling.kind = engine.scheduler;
    // Every data-parallel rank is a scheduler of its own.
    scheduling.ranks = deployment.layout.dp;
    scheduling.lanes = engine.pipelineMicroBatches ? deployment.layout.pp : 1;
    scheduling.maxSequences = limits.maxSequences * deployment.layout.dp;
    scheduling.maxBatchedTokens
        = std::llround(stepBudget(deployment, load.promptTokens, load.batch / deployment.layout.dp))
        * deployment.layout.dp;
    scheduling.receiveInterval
        = static_cast<std::int32_t>(std::lround(limits.intervalFor(load.batch * deployment.layout.replicas)));
    scheduling.splitsPrompts = engine.splitsPrompts;
    scheduling.productsPerPair = productsPerPair(deployment);
    scheduling.balanceSteps = engine.balanceSteps;
    scheduling.kvTokens = static_cast<std::int64_t>(std::max(0.0, memory.kvCapacityTokens));
    scheduling.blockTokens = load.blockTokens >= 0 ? load.blockTokens : engine.blockTokens;
    scheduling.prefixCache = engine.prefixCache || load.prefixCached > 0;
    scheduling.preemption = engine.preemption;
    scheduling.watermark = std::min(engine.watermark, 0.99);
    if (engine.preemption == PreemptionKind::Swap) {
        const double links = deployment.layout.tp * deployment.layout.pp;
        scheduling.swapPerToken = Seconds(memory.kvBytesPerToken.base()
                                          / (links * deployment.node->host.perGpuPerDirection.base()));
        // vLLM V0's swap space, 4 GiB for each GPU (facts of the preset).
        constexpr double swapSpace = 4.0 * 1073741824.0;
        scheduling.swapTokens = static_cast<std::int64_t>(swapSpace * deployment.layout.gpusPerReplica()
                                                          / std::max(memory.kvBytesPerToken.base(), 1.0));
    }
    scheduling.beams = std::max(1, deployment.beams);
    if (deployment.speculative.kind != SpeculativeDecoding::Kind::None)
        scheduling.speculation = {.draftTokens = deployment.speculative.draftTokens,
                                  .acceptance = deployment.speculative.acceptance,
                                  .sampled = true};
    return scheduling;
}

// Ranks of data-parallel attention wait for one another instead.
HeldPrompts heldBy(const Engine& engine, const Scheduling& scheduling)
{
    if (scheduling.ranks > 1)
        return {};
    return {.steps = engine.promptWait.steps,
            .tokens = static_cast<std::int64_t>(
                std::ceil(engine.promptWait.share * static_cast<double>(scheduling.maxBatchedTokens)))};
}

ReplicaPool poolOf(const Deployment& deployment, const Load& load)
{
    ReplicaPool pool{.scheduling = schedulingOf(deployment, load),
                     .stepTime = stepTimeOf(deployment),
                     .replicas = std::max(1, deployment.layout.replicas),
                     .passTime = passTimeOf(deployment),
                     .roundsContext = true,
                     .held = heldBy(*deployment.engine, schedulingOf(deployment, load))};
    const int ranks = pool.scheduling.ranks;
    if (ranks == 1 || deployment.llm->hasExperts())
        return pool;
    // Ranks that share no experts never wait for one another: each is an engine of its own, timed as if the
    // others did the same beside it.
    pool.scheduling = pool.scheduling.ofOneRank();
    pool.replicas *= ranks;
    const auto asOthers = [ranks](StepShape shape) {
        shape.prefillTokens *= ranks;
        shape.prefillSequences *= ranks;
        shape.decodeSequences *= ranks;
        shape.sampledRows *= ranks;
        return shape;
    };
    pool.stepTime = [together = std::move(pool.stepTime), asOthers](const StepShape& shape) mutable {
        return together(asOthers(shape));
    };
    if (pool.passTime)
        pool.passTime = [together = std::move(pool.passTime), asOthers](const StepShape& shape) mutable {
            return together(asOthers(shape));
        };
    return pool;
}

KvLink kvLinkBetween(const Deployment& from, const Deployment& to, Bytes token)
{
    const auto& form = from.efficiency->interNode[static_cast<std::size_t>(CollectiveClass::SendRecv)];
    const auto rateOf = [](const Deployment& d) {
        return d.node->inter.perGpuPerDirection.base() * d.layout.tp * d.layout.pp;
    };
    const double rate = std::min(rateOf(from), rateOf(to)) * form.linkEfficiency;
    return {.latency = from.node->inter.latency + form.floorBase, .perToken = Seconds(token.base() / rate)};
}

Message handOverTold()
{
    return say(
        "{:.0f} steps of those who decode pass until a prompt that was handed over is among them, in the "
        "middle of public runs; ranges of first tokens allow for {:.1f} times as many or as few",
        handOverSteps, std::exp(deviationsToNinetieth * lnSpreadOfHandOver));
}

PrefillPool prefillPoolOf(const Deployment& prompts, const Load& load, const Deployment& decodes)
{
    return {.pool = poolOf(prompts, load),
            .link = kvLinkBetween(prompts, decodes, planMemory(prompts, {}).kvBytesPerToken)};
}

namespace {

// What does not depend on how requests come.
ServingPlan planOf(const Scenario& scenario, const Deployment& deployment, const Load& load)
{
    ServingPlan plan;
    plan.setup.pool = poolOf(deployment, load);
    const bool tool = scenario.loadTool != LoadTool::No;
    if (tool)
        plan.setup.pool.scheduling.prefixCache = scenario.prefixCached > 0; // its prompts are random
    plan.setup.reception = {
        .perPromptToken = deployment.engine->tokeniseTime,
        .lines = std::max(1, deployment.layout.replicas),
        .intake = {.host = deployment.engine->requestHostTime, .steps = deployment.engine->admissionSteps}};
    plan.setup.seed = scenario.seed;
    if (scenario.loadTool == LoadTool::Offline)
        plan.setup.reception.perPromptToken = Seconds{};
    if (tool)
        plan.around.warmUp = 0;
    plan.ends = tool;
    plan.around.intake = plan.setup.reception.intake;
    plan.around.besideFirst = tokensBesideFirst(deployment, std::numeric_limits<double>::infinity());
    plan.traffic.classes = {classOf(scenario)};
    plan.traffic.requests = scenario.requests;
    plan.traffic.seed = scenario.seed;
    return plan;
}

// So many users as are told take turns.
Result<ServingPlan> closedLoop(ServingPlan plan, const Scenario& scenario, const Deployment& deployment,
                               const Load& load, double users)
{
    Traffic& traffic = plan.traffic;
    if (users < 1)
        return refuse("traffic", "a closed loop needs the number of its users", "give --concurrency");
    traffic.users = static_cast<std::int32_t>(std::min(users, 1e6));
    plan.assumptions.push_back(traffic.users == 1
                                   ? Message("one user waits for the answer and asks again")
                                   : say("{} users wait for their answer and ask again", traffic.users));
    if (traffic.arrivals.think == Seconds() && scenario.loadTool == LoadTool::No) {
        traffic.startOver = answerTime(deployment, load, traffic.users, scenario.output.mean());
        varyAnswers(plan, scenario);
    }
    return plan;
}

// A load tool sends no more than so many at once, whatever its rate. Without one, users and their rate are
// two needs of one service: requests that come by the clock do not wait for each other.
void boundInFlight(ServingPlan& plan, const Scenario& scenario)
{
    if (!scenario.concurrency || !scenario.requestsPerSecond)
        return;
    if (scenario.loadTool == LoadTool::No) {
        plan.assumptions.push_back(say("requests come at their rate, however many are at work: `--load-tool "
                                       "online` keeps {} in flight at most",
                                       fewDigits(*scenario.concurrency, 4)));
        return;
    }
    constexpr double most = 1e6;
    plan.traffic.mostInFlight
        = static_cast<std::int32_t>(std::clamp(std::round(*scenario.concurrency), 1.0, most));
    plan.assumptions.push_back(
        say("{} in flight at most, the others wait in the load tool", plan.traffic.mostInFlight));
}

} // namespace

Result<ServingPlan> servingPlan(const Scenario& scenario, const Deployment& deployment, const Load& load,
                                RequestsPerSecond carries)
{
    ServingPlan plan = planOf(scenario, deployment, load);
    Traffic& traffic = plan.traffic;
    const bool tool = scenario.loadTool != LoadTool::No;
    Problems problems;
    Result<ArrivalShape> arrivals = arrivalsFromText(scenario.traffic);
    if (!arrivals) {
        for (Problem& problem : arrivals.error())
            problems.push_back({"traffic", problem.what, problem.hint});
        return refuse(std::move(problems));
    }
    traffic.arrivals = *arrivals;
    const double batch = scenario.batch ? *scenario.batch * deployment.layout.replicas : 0;
    const double users = scenario.concurrency.value_or(batch);
    bool closed = traffic.arrivals.kind == ArrivalShape::Kind::Closed;
    if (!closed && !scenario.requestsPerSecond && users >= 1
        && traffic.arrivals == ArrivalShape{}) { // as many as are told take turns
        traffic.arrivals.kind = ArrivalShape::Kind::Closed;
        closed = true;
    }
    if (closed)
        return closedLoop(std::move(plan), scenario, deployment, load, users);
    if (traffic.arrivals.kind == ArrivalShape::Kind::AtOnce)
        return plan;
    if (!tool)
        varyAnswers(plan, scenario);
    traffic.spansRate = tool;
    boundInFlight(plan, scenario);
    if (scenario.requestsPerSecond) {
        traffic.rate = RequestsPerSecond(*scenario.requestsPerSecond * scenario.peakFactor);
        if (scenario.peakFactor != 1)
            plan.assumptions.push_back(
                say("{} requests/s, the busy hour of the stated load", fewDigits(traffic.rate.base(), 4)));
    } else {
        const Result<Workload> sample = sampleOf(traffic);
        if (!sample)
            return refuse(sample.error());
        if (!serve::problemsOf(plan.setup.pool.scheduling).empty())
            return plan; // the simulation says what is wrong
        const bool within = scenario.targets.any() && carries.base() > 0;
        traffic.rate
            = (within ? carries : capacityOf(plan.setup, *sample, scenario.prefixCached).rate) * usualLoad;
        plan.assumptions.push_back(
            say("{} requests/s: no load was given, so it is offered {:.0f} % of what it {}",
                fewDigits(traffic.rate.base(), 4), usualLoad * 100,
                within ? Message("carries within the targets") : "can serve"));
    }
    plan.offered = traffic.rate;
    return plan;
}

// Both servers take the request in, and a user reads the answer of the one that decodes, its first token too:
// sgl-project/sglang sgl-router/py_src/sglang_router/mini_lb.py (generate_stream yields the decode server's
// chunks), NVIDIA/TensorRT-LLM@0434b982:docs/source/features/disagg-serving.md (the context server's response
// goes to the orchestrator, the generation server answers). That answer's first piece is not held back as
// `answer_steps` says of servers that do both: public runs of TensorRT-LLM that stream pieces of 20 and 95
// tokens show the first after 115 ms at 6.3 ms a token, and 91 ms at 5.9 ms (InferenceX, GB200 and B300).
void addPrefillPool(ServingPlan& plan, const Deployment& prompts, const Load& load, const Deployment& decodes)
{
    plan.setup.prefill = prefillPoolOf(prompts, load, decodes);
    Intake& intake = plan.setup.reception.intake;
    intake.host = intake.host + prompts.engine->requestHostTime;
    intake.steps = 0; // prompts are seen by the other pool
    intake.handOverSteps = handOverSteps;
    plan.around.intake = intake;
    plan.around.besideFirst = 0;
    plan.setup.pool.scheduling.balanceSteps = 0; // of prompts, which its ranks have none of
}

} // namespace headroom::serve
