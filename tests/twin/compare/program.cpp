#include "program.h"

#include "headroom_source_dir.h"
#include "model/closed_form/prediction.h"
#include "model/closed_form/token_time.h"
#include "model/cost/forms.h"
#include "model/cost/step_cost.h"
#include "model/count/op_work.h"
#include "model/count/weights.h"
#include "model/resolve/compute_unit.h"
#include "model/serve/serving_setup.h"
#include "model/serve/simulate.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <stdexcept>

namespace headroom::twin {

namespace {

const Catalogue& shippedCatalogue()
{
    static const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
    if (!catalogue)
        throw std::runtime_error("the catalogue of the source tree cannot be read");
    return **catalogue;
}

template <typename T>
T found(Result<T> result, const std::string& name)
{
    if (!result)
        throw std::runtime_error(name + ": " + result.error().front().what.english());
    return *result;
}

// Nothing of it waits for anything but the GPUs.
Engine withoutHost(const Engine& engine)
{
    Engine out = engine;
    out.limitsByCard.clear();
    out.latent = {};
    out.prefixCache = false;
    out.watermark = 0;
    out.stepHostTime = out.stepHostTimePerSequence = out.requestHostTime = out.tokeniseTime = {};
    out.rankHostTime = out.boxesHostTime = out.kernelGap = {};
    out.admissionSteps = 0;
    return out;
}

StepShape shapeOf(const MicroBatch& work)
{
    StepShape shape{.prefillTokens = static_cast<double>(work.promptTokens),
                    .prefillSequences = static_cast<double>(work.prompts),
                    .decodeSequences = static_cast<double>(work.decodes),
                    .sampledRows = static_cast<double>(work.sampled)};
    if (work.prompts > 0) { // equal chunks that have as many pairs together
        const double each = shape.prefillTokens / shape.prefillSequences;
        shape.prefillPast
            = std::max(0.0, static_cast<double>(work.pairs) / (2 * shape.prefillTokens) - each / 2);
    }
    if (work.decodes > 0)
        shape.decodeContext = static_cast<double>(work.context) / shape.decodeSequences;
    return shape;
}

// One stage as a model of its own.
struct Stage {
    Llm llm;
    Deployment deployment;
    std::unique_ptr<StepTimer> timer;
    bool last = true;
    std::size_t like = 0;   // the first stage that is the same
    MicroBatch latest = {}; // of the first of its like: what it was asked last
    double took = -1;
};

serve::Workload workloadOf(const std::vector<Request>& requests, int users)
{
    serve::Workload workload;
    workload.users = users;
    for (const Request& request : requests) {
        serve::Request one;
        one.promptTokens = static_cast<std::int32_t>(request.prompt);
        one.outputTokens = static_cast<std::int32_t>(request.output);
        workload.requests.push_back(one);
    }
    return workload;
}

constexpr std::int64_t roomForAll = 1'000'000'000; // tokens

} // namespace

std::string Question::words() const
{
    char line[160];
    std::snprintf(line, sizeof line, "%-18s %-28s %-12s tp%d pp%d dp%-2d after %d users %-4d %lld/%lld",
                  model.c_str(), gpu.c_str(), engine.c_str(), tp, pp, dp, admissionSteps, users,
                  static_cast<long long>(prompt), static_cast<long long>(output));
    return line;
}

Subject::Subject(const Question& question)
{
    const Catalogue& catalogue = shippedCatalogue();
    Deployment& d = m_deployment;
    d.llm = found(catalogue.model(question.model), question.model);
    d.gpu = found(catalogue.gpu(question.gpu), question.gpu);
    d.node = found(catalogue.node(d.gpu->defaultNode), question.gpu);
    const Engine& engine = *found(catalogue.engine(question.engine), question.engine);
    const StepLimits limits = engine.limitsFor(d.gpu->memoryUsable, d.gpu->family);
    m_engine = std::make_shared<Engine>(withoutHost(engine));
    m_engine->admissionSteps = question.admissionSteps;
    m_engine->maxBatchedTokens = m_budget = limits.maxBatchedTokens;
    m_engine->maxSequences = m_maxSequences = limits.maxSequences;
    d.engine = m_engine.get();
    d.efficiency = found(catalogue.efficiency(*d.gpu, engine), question.gpu);
    d.layout = {.tp = question.tp,
                .pp = question.pp,
                .ep = question.dp > 1 ? question.tp * question.dp : 1,
                .dp = question.dp};
    d.weights = question.weights;
    d.kv = DType::Bf16;
    d.compute = computeUnitFor(question.weights, *d.gpu);
    const double perGpu = weightBytesPerGpu(*d.llm, d.weights, d.layout, 0).base();
    m_possible = layoutObstacle(*d.llm, d.layout).empty() && perGpu < 0.9 * d.gpu->memoryUsable.base()
        && question.tp <= d.node->gpusPerNode
        && (boxes() == 1 || d.node->inter.perGpuPerDirection.base() > 0);
}

int Subject::boxes() const
{
    const int gpus = m_deployment.layout.gpusPerReplica();
    return (gpus + m_deployment.node->gpusPerNode - 1) / m_deployment.node->gpusPerNode;
}

StageTime Subject::stageTime() const
{
    auto stages = std::make_shared<std::vector<Stage>>(static_cast<std::size_t>(m_deployment.layout.pp));
    for (int i = 0; i < m_deployment.layout.pp; ++i) {
        Stage& stage = (*stages)[static_cast<std::size_t>(i)];
        const StageRange range
            = stageRange(static_cast<int>(m_deployment.llm->layerCount()), m_deployment.layout.pp, i);
        stage.llm = *m_deployment.llm;
        stage.llm.layers.assign(m_deployment.llm->layers.begin() + range.first,
                                m_deployment.llm->layers.begin() + range.end);
        stage.deployment = m_deployment;
        stage.deployment.llm = &stage.llm;
        stage.deployment.layout.pp = 1;
        stage.timer = std::make_unique<StepTimer>(stage.deployment);
        stage.last = i == m_deployment.layout.pp - 1;
        while ((*stages)[stage.like].last != stage.last
               || (*stages)[stage.like].llm.layers != stage.llm.layers)
            ++stage.like;
    }
    return [stages](int i, const MicroBatch& work) {
        Stage& stage = (*stages)[(*stages)[static_cast<std::size_t>(i)].like];
        if (stage.took >= 0 && stage.latest == work)
            return stage.took;
        stage.latest = work;
        StepShape shape = shapeOf(work);
        if (!stage.last) // no head there
            shape.sampledRows = 0;
        return stage.took = stage.timer->rate(shape).base();
    };
}

HopTime Subject::hopTime() const
{
    const Deployment d = m_deployment;
    const std::shared_ptr<Engine> engine = m_engine;
    return [d, engine](int stage, const MicroBatch& work) {
        // Stages stand in their order, so many to a box; each rank sends its slice to its equal.
        const int boxOfThis = stage * d.layout.tp / d.node->gpusPerNode;
        const int boxOfNext = (stage + 1) * d.layout.tp / d.node->gpusPerNode;
        const double bytes
            = static_cast<double>(work.tokens()) * static_cast<double>(d.llm->hidden) * 2 / d.layout.tp;
        const Op op = collectiveOp(OpName::SendRecv, CollectiveClass::SendRecv, bytes, 2,
                                   boxOfThis == boxOfNext ? 1 : 2);
        return timeOp(op, *d.gpu, *d.node, *d.efficiency).total.base();
    };
}

RanksTime Subject::ranksTime() const
{
    const auto timer = std::make_shared<StepTimer>(m_deployment);
    return [timer](const std::vector<MicroBatch>& works) {
        std::int64_t tokens = 0;
        for (const MicroBatch& work : works)
            tokens += work.tokens();
        const auto ranks = static_cast<double>(works.size());
        std::map<std::array<std::int64_t, 6>, double> known; // ranks that do the same
        double slowest = 0;
        for (const MicroBatch& work : works) {
            const auto [place, fresh] = known.try_emplace(
                {work.promptTokens, work.prompts, work.pairs, work.decodes, work.context, work.sampled});
            if (fresh && work.tokens() > 0) {
                StepShape shape = shapeOf(work);
                for (double* all : {&shape.prefillTokens, &shape.prefillSequences, &shape.decodeSequences,
                                    &shape.sampledRows})
                    *all *= ranks; // as if all were as busy
                shape.allTokens = static_cast<double>(tokens);
                place->second = timer->rate(shape).base();
            }
            slowest = std::max(slowest, place->second);
        }
        return slowest;
    };
}

PipelineRules Subject::rules() const
{
    PipelineRules rules = rulesOfEngine();
    rules.admissionSteps = static_cast<std::int64_t>(m_engine->admissionSteps);
    return rules;
}

PipelineRules Subject::rulesOfEngine() const
{
    const int stages = m_deployment.layout.pp;
    const std::string& id = m_engine->id;
    if (id.rfind("sglang", 0) == 0)
        return sglangPipeline(stages, m_budget, m_maxSequences);
    if (id.rfind("tensorrt", 0) == 0)
        return tensorRtPipeline(stages, m_budget, m_maxSequences);
    if (id.rfind("llama", 0) == 0)
        return llamaCppPipeline(stages, m_budget, m_maxSequences);
    return vllmPipeline(stages, m_budget, m_maxSequences);
}

std::vector<Request> requestsOf(const Question& question, int draw)
{
    std::mt19937_64 random(question.seed + static_cast<std::uint64_t>(draw));
    std::vector<Request> requests;
    // A fifth to both sides, so that users do not move in step.
    const auto about = [&](std::int64_t mean) {
        if (question.users == 1) // nobody to be out of step with
            return mean;
        const std::int64_t spread = mean / 5;
        return mean - spread
            + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * spread + 1));
    };
    for (std::int64_t i = 0; i < question.requests; ++i)
        requests.push_back({0, about(question.prompt), about(question.output)});
    return requests;
}

namespace {

// As if one run had followed the other: as many answers of each.
Steady together(const std::vector<Steady>& runs)
{
    const auto count = static_cast<double>(runs.size());
    Steady out;
    double secondsOfAToken = 0;
    double secondsOfARequest = 0;
    for (const Steady& run : runs) {
        secondsOfAToken += 1 / run.outputRate / count;
        secondsOfARequest += 1 / run.requestRate / count;
        out.ttft += run.ttft / count;
        out.tpot += run.tpot / count;
    }
    out.outputRate = 1 / secondsOfAToken;
    out.requestRate = 1 / secondsOfARequest;
    return out;
}

Steady simulated(const Question& question, const serve::ServingSetup& setup,
                 const std::vector<Request>& requests)
{
    const auto simulation = serve::simulate(setup, workloadOf(requests, question.users));
    if (!simulation)
        throw std::runtime_error(question.words() + ": " + simulation.error().front().what.english());
    std::vector<Served> served;
    for (const serve::Outcome& one : simulation->outcomes)
        served.push_back({one.arrival.base(), one.start.base(), one.firstToken.base(), one.end.base()});
    return steadyOf(requests, served);
}

} // namespace

Compared compare(const Question& question, const Subject& subject)
{
    const Deployment& d = subject.deployment();
    const Load load{.batch = static_cast<double>(question.users),
                    .promptTokens = static_cast<double>(question.prompt),
                    .outputTokens = static_cast<double>(question.output)};
    serve::ServingSetup setup{.pool = serve::poolOf(d, load)};
    setup.reception.intake.steps = d.engine->admissionSteps;
    setup.pool.scheduling.kvTokens = roomForAll;
    std::vector<Steady> twin;
    std::vector<Steady> simulator;
    for (int draw = 0; draw < question.draws; ++draw) {
        const std::vector<Request> requests = requestsOf(question, draw);
        const PipelineRun run = question.dp > 1
            ? runRanks(subject.rules(), question.dp, subject.ranksTime(), requests, question.users)
            : runPipeline(subject.rules(), subject.stageTime(), subject.hopTime(), requests, question.users);
        twin.push_back(steadyOf(requests, run.served));
        simulator.push_back(simulated(question, setup, requests));
    }
    Compared out{.twin = together(twin), .simulator = together(simulator)};
    const Prediction closed = predict(d, load);
    out.closedRate = closed.service.outputTokensPerSecond.value.base();
    // Nobody's own prompt is between his tokens.
    out.closedTpot
        = tokenTimeBeside(d, load, question.users, closed.tpot, closed.tpotUnderLoad, closed.gathered)
              .value.base();
    out.closedTtft = closed.ttft.value.base();
    return out;
}

} // namespace headroom::twin
