// The program's counts of 2,000 seeded deployments against the calculator's.
#include "cases.h"
#include "model/cost/step_cost.h"
#include "model/count/cache.h"
#include "model/count/operators.h"
#include "model/count/weights.h"
#include "model/memory/memory_plan.h"
#include "model/yaml/catalogue.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

using namespace headroom;
using namespace headroom::twin;

namespace {

using Keep = std::function<bool(const Case&)>;

// Both sides of every case of a selection within the tolerance of each other; says the worst that is not.
struct Comparison {
    int compared = 0;
    int off = 0;
    double worst = 0;
    std::string where;

    void add(const Case& c, double program, double calculator)
    {
        ++compared;
        const double difference = calculator == 0 ? (program == 0 ? 0 : 1) : program / calculator - 1;
        off += std::abs(difference) > agreement ? 1 : 0;
        if (std::abs(difference) > std::abs(worst)) {
            worst = difference;
            where = c.words();
        }
    }
    void check(int atLeast) const
    {
        CAPTURE(compared);
        CAPTURE(worst);
        CAPTURE(where);
        CHECK(compared >= atLeast);
        CHECK(off == 0);
    }
};

bool chunks(const Case& c)
{
    return std::any_of(c.spec->layers.begin(), c.spec->layers.end(),
                       [](const LayerSpec& l) { return l.chunk > 0; });
}
bool recurs(const Case& c)
{
    return std::any_of(c.spec->layers.begin(), c.spec->layers.end(),
                       [](const LayerSpec& l) { return stateBytes(l) > 0; });
}
bool indexes(const Case& c)
{
    return std::any_of(c.spec->layers.begin(), c.spec->layers.end(),
                       [](const LayerSpec& l) { return l.indexHeads > 0; });
}

Step decodes(const Case& c) { return {.decodes = c.batch, .context = c.context}; }
Step prompts(const Case& c) { return {.prompts = 2, .promptTokens = c.prompt}; }

StepShape shapeOf(const Step& step)
{
    return {.prefillTokens = step.prompts * step.promptTokens,
            .prefillSequences = step.prompts,
            .prefillPast = step.past,
            .decodeSequences = step.decodes,
            .decodeContext = step.context,
            .sampledRows = step.sampled()};
}

// What the program counts on one GPU of a stage.
struct Counted {
    double flops = 0, weights = 0, cache = 0, index = 0, states = 0;
};
Counted counted(const Case& c, int stage, const Step& step)
{
    Counted sum;
    const auto take = [&](const Op& op) {
        sum.flops += op.count * op.flops.base();
        sum.weights += op.count * op.weightBytes.base();
        const double kv = op.count * op.kvBytes.base();
        (op.name == OpName::Scan ? sum.states : op.name == OpName::Indexer ? sum.index : sum.cache) += kv;
    };
    forEachOperator(c.deployment, stageLayers(*c.deployment.llm, c.spread.stages, stage), shapeOf(step),
                    take);
    return sum;
}

void compareWork(const Keep& keep, const std::function<Step(const Case&)>& step, double Counted::*program,
                 const std::function<double(const Work&)>& calculator, int atLeast)
{
    Comparison comparison;
    for (const Case& c : cases()) {
        if (!keep(c))
            continue;
        for (int stage = 0; stage < c.spread.stages; ++stage)
            comparison.add(c, counted(c, stage, step(c)).*program,
                           calculator(workOf(*c.spec, c.weights, c.kvBytes, c.spread, stage, step(c))));
    }
    comparison.check(atLeast);
}

// A scale for each row, which is more than nothing where rows are short.
bool scaledRows(const Case& c) { return c.weights == "int8" || c.weights == "fp6"; }
// The checkpoint's own groups, 32 values and not the usual 128.
bool ownGroups(const Case& c) { return c.spec->shipped.type == c.weights && c.spec->shipped.group > 0; }
bool holdsExperts(const Case& c)
{
    return std::any_of(c.spec->layers.begin(), c.spec->layers.end(),
                       [](const LayerSpec& l) { return l.experts > 0; });
}
// Where llama.cpp tells blocks apart that are equally wide (Q4_K and Q4_0 are 4.5 bits both): rows that
// blocks of 256 values do not fit, and the better blocks of 70B and of eight experts.
bool tellsBlocksApart(const Case& c)
{
    const LayerSpec& first = c.spec->layers.front();
    const bool better = first.experts == 8 || (c.spec->layers.size() == 80 && first.heads == 64);
    const std::vector<Tensor> tensors = tensorsOf(*c.spec);
    return (better && c.weights == "q4_0")
        || std::any_of(tensors.begin(), tensors.end(),
                       [](const Tensor& t) { return !t.isVector() && std::fmod(t.cols, 256) != 0; });
}

// Ranks that no link joins cannot exchange anything: such a layout has no time.
bool linked(const Case& c)
{
    return c.spread.tensor * c.spread.stages == 1 || c.deployment.node->gpusPerNode > 1
        || c.deployment.node->inter.topology != LinkTopology::None;
}

double weightsOf(const Work& work) { return work.weightBytes; }

} // namespace

TEST_CASE("a checkpoint of any storage type has the same bytes, whole and on the GPUs of every stage")
{
    Comparison whole;
    Comparison dealt;
    for (const Case& c : cases()) {
        if (isGguf(c.weights) && tellsBlocksApart(c)) // below
            continue;
        const Llm& llm = *c.deployment.llm;
        whole.add(c, countWeights(llm, c.deployment.weights).total().base(),
                  checkpointBytes(*c.spec, c.weights));
        if (c.weights == "mxfp4") // its kernels pad columns when they load them
            continue;
        for (int stage = 0; stage < c.spread.stages; ++stage)
            dealt.add(c, weightBytesPerGpu(llm, c.deployment.weights, c.deployment.layout, stage).base(),
                      bytesPerGpu(*c.spec, c.weights, c.spread, stage));
    }
    whole.check(1500);
    dealt.check(2500);
}

TEST_CASE(
    "blocks of one width are told apart: rows that are no multiple of 256, better blocks of some models")
{
    Comparison whole;
    for (const Case& c : cases())
        if (isGguf(c.weights) && tellsBlocksApart(c))
            whole.add(c, countWeights(*c.deployment.llm, c.deployment.weights).total().base(),
                      checkpointBytes(*c.spec, c.weights));
    whole.check(50);
}

TEST_CASE("a token of cache and a whole sequence have the same bytes, windows, chunks and states included")
{
    Comparison token;
    Comparison sequence;
    Comparison onGpu;
    for (const Case& c : cases()) {
        if (indexes(c))
            continue;
        const Llm& llm = *c.deployment.llm;
        token.add(c, kvBytesPerToken(llm, c.deployment.kv).base(), cacheBytesPerToken(*c.spec, c.kvBytes));
        sequence.add(c, headroom::cacheBytes(llm, c.deployment.kv, c.context).base(),
                     twin::cacheBytes(*c.spec, c.kvBytes, c.context));
        for (int stage = 0; stage < c.spread.stages; ++stage)
            onGpu.add(
                c,
                headroom::cacheBytesPerGpu(llm, c.deployment.kv, c.deployment.layout, stage, c.context, 0)
                    .base(),
                twin::cacheBytesPerGpu(*c.spec, c.kvBytes, c.spread, stage, c.context));
    }
    token.check(1500);
    sequence.check(1500);
    onGpu.check(1500);
}

TEST_CASE("as many tokens fit beside the weights as the memory says")
{
    Comparison comparison;
    for (const Case& c : cases()) {
        if (indexes(c) || c.weights == "mxfp4" || (isGguf(c.weights) && tellsBlocksApart(c)))
            continue;
        const MemoryPlan plan = planMemory(c.deployment, {.sequences = 1, .maxContext = c.context});
        double tokens = 1e300;
        for (int stage = 0; stage < c.spread.stages; ++stage) {
            const double room
                = c.deployment.gpu->memoryUsable.base() - bytesPerGpu(*c.spec, c.weights, c.spread, stage);
            const double one = twin::cacheBytesPerGpu(*c.spec, c.kvBytes, c.spread, stage, c.context);
            if (one > 0)
                tokens = std::min(tokens, std::max(0.0, room) / one * c.context);
        }
        if (tokens > 1e4 && tokens < 1e300) // few tokens: rounding to whole ones is more than the tolerance
            comparison.add(c, plan.kvCapacityTokens, tokens);
    }
    comparison.check(900);
}

TEST_CASE("prompts and decodes are as many operations")
{
    const auto flops = [](const Work& work) { return work.flops(); };
    const auto keep = [](const Case& c) { return !chunks(c); };
    compareWork(keep, decodes, &Counted::flops, flops, 2000);
    compareWork(keep, prompts, &Counted::flops, flops, 2000);
}

TEST_CASE("a step reads as many bytes of weights, of a mixture those of the experts that are met")
{
    const auto keep = [](const Case& c) { return !isGguf(c.weights) && !ownGroups(c) && !scaledRows(c); };
    compareWork(keep, decodes, &Counted::weights, weightsOf, 1000);
    compareWork(keep, prompts, &Counted::weights, weightsOf, 1000);
}

// The program takes the mean of the file's blocks for every layer; which layers have the better ones moves
// bytes from stage to stage and none in sum.
TEST_CASE("of a llama.cpp file a step reads what the file holds, better blocks included")
{
    Comparison comparison;
    for (const Case& c : cases()) {
        // Latent attention copies some matrices to every rank and deals out others: their mean is not that of
        // a rank.
        if (!isGguf(c.weights) || c.spread.tensor > 1)
            continue;
        double program = 0;
        double calculator = 0;
        for (int stage = 0; stage < c.spread.stages; ++stage) {
            program += counted(c, stage, decodes(c)).weights;
            calculator += workOf(*c.spec, c.weights, c.kvBytes, c.spread, stage, decodes(c)).weightBytes;
        }
        comparison.add(c, program, calculator);
    }
    comparison.check(200);
}

TEST_CASE("the scales of rows and of a checkpoint's own groups are read too")
{
    compareWork([](const Case& c) { return scaledRows(c) || ownGroups(c); }, decodes, &Counted::weights,
                weightsOf, 100);
}

TEST_CASE("in chunks a position sees those before it in its chunk")
{
    const auto flops = [](const Work& work) { return work.flops(); };
    const auto step = [](const Case&) { return Step{.prompts = 1, .promptTokens = 20000}; };
    compareWork(chunks, step, &Counted::flops, flops, 10);
}

TEST_CASE("recurrent states are moved in the type they are stored in")
{
    const auto states = [](const Work& work) { return work.stateTraffic; };
    compareWork(recurs, decodes, &Counted::states, states, 150);
}

TEST_CASE("decodes read and write as many bytes of cache")
{
    const auto keep = [](const Case& c) { return !chunks(c); };
    compareWork(
        keep, decodes, &Counted::cache, [](const Work& work) { return work.cacheBytes; }, 2000);
}

TEST_CASE("a lone user of a large dense model waits for its bytes and for nothing else")
{
    for (const Case& drawn : cases()) {
        Case c = drawn;
        c.deployment.weights = DType::Bf16;
        c.deployment.compute = MathUnit::Bf16;
        c.deployment.kv = DType::Bf16;
        c.deployment.layout = {};
        const bool plain = !chunks(c) && !recurs(c) && !holdsExperts(c) && parameters(*c.spec) > 6e9;
        if (!plain || c.machine().sixteenPeak < 50 * c.machine().bandwidth) // computing takes as long there
            continue;
        CAPTURE(c.words());
        const Step one{.decodes = 1, .context = 1000};
        const Work work = workOf(*c.spec, "bf16", 2, {}, 0, one);
        const double ideal = StepTimer(c.deployment).cost(shapeOf(one)).rate.value.base();
        const double floor = floorSeconds(work, c.machine());
        CHECK(ideal >= floor * (1 - 1e-6));
        CHECK(ideal <= floor * (1 + agreement));
    }
}

TEST_CASE("no step is shorter than its bytes and its operations take, at the fast end of a range neither")
{
    int compared = 0;
    int ranges = 0;
    for (const Case& c : cases()) {
        if (isGguf(c.weights) || !linked(c))
            continue;
        CAPTURE(c.words());
        const StepTimer timer(c.deployment);
        double decode = 0;
        double slowest = 0;
        Step part = decodes(c);
        part.decodes = std::max(1.0, c.batch / c.spread.stages);
        for (int stage = 0; stage < c.spread.stages; ++stage) {
            decode += floorSeconds(workOf(*c.spec, c.weights, c.kvBytes, c.spread, stage, part), c.machine());
            const Work prompt = workOf(*c.spec, c.weights, c.kvBytes, c.spread, stage, prompts(c));
            slowest = std::max(slowest, floorSeconds(prompt, c.machine()));
        }
        constexpr double rounding = 1 - agreement;
        if (!chunks(c) && !recurs(c) && !indexes(c)) {
            CHECK(timer.cost(shapeOf(decodes(c))).rate.value.base() >= decode * rounding);
            CHECK(timer.cost(shapeOf(prompts(c))).rate.value.base() >= slowest * rounding);
            ++compared;
            Deployment served = c.deployment;
            served.engine = shippedCatalogue().engine("vllm").value();
            if (const auto efficiency = shippedCatalogue().efficiency(*served.gpu, *served.engine)) {
                served.efficiency = *efficiency;
                CHECK(StepTimer(served).cost(shapeOf(decodes(c))).rate.low.base() >= decode * rounding);
                ++ranges;
            }
        }
    }
    CHECK(compared >= 400);
    CHECK(ranges >= 300);
}
