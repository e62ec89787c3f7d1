#include "calib/validate/row_case.h"

#include "calib/validate/launch_options.h"
#include "calib/validate/load_tool.h"
#include "calib/validate/row_engine.h"
#include "calib/validate/row_layout.h"
#include "calib/validate/row_words.h"
#include "model/resolve/prompt_pool.h"
#include "model/resolve/used_calibration.h"
#include "model/resolve/usual_box.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <vector>

namespace headroom {
namespace {

Message firstProblem(const Problems& problems)
{
    const Problem& p = problems.front();
    return p.hint.empty() ? Message(p.what) : say("{} ({})", Message(p.what), Message(p.hint));
}

// One thing more that a row leaves out.
void add(Message& assumed, const Message& more)
{
    if (!assumed.empty())
        assumed += asIs("; ");
    assumed += more;
}

PrefillChoice promptPoolOf(const MeasuredPool& pool, const Llm& llm)
{
    if (!pool.replicas)
        return {};
    PrefillChoice out{.pools = Disaggregation::Only};
    out.replicas = pool.replicas;
    out.tp = pool.tp.value_or(1);
    out.dp = pool.dp.value_or(1);
    out.ep = llm.hasExperts() ? std::min(pool.ep.value_or(1), *out.tp * *out.dp) : 1;
    return out;
}

// Of answers alone the source says how many run at once: their prompts were computed elsewhere.
bool answersAlone(const MeasuredRow& row, const RowLoad& load)
{
    return says(lowered(row.notes), "decode pool only") && load.output.mean() > 1;
}

// Servers for those prompts, laid out as those that answer, so many that nobody waits long.
PrefillChoice serversEnough(const Layout& l, const RowLoad& load)
{
    constexpr double few = 4; // prompts for each rank: about a hundredth of the time that their answers take
    PrefillChoice out{.pools = Disaggregation::Only, .tp = l.tp, .pp = l.pp, .ep = l.ep, .dp = l.dp};
    out.replicas = static_cast<int>(std::ceil(std::max(1.0, load.amount) / l.dp / few));
    return out;
}

// Chance of one drafted token at which a step yields so many tokens in the mean, of 1 + draft at most.
double acceptanceFor(double accepted, int draft)
{
    double low = 0, high = 1;
    for (int i = 0; i < 60; ++i) {
        const double a = (low + high) / 2;
        double yield = 0;
        for (int k = 0; k <= draft; ++k)
            yield += std::pow(a, k);
        (yield < accepted ? low : high) = a;
    }
    return low;
}

// Multi-token prediction: a run with it can be predicted once it is known how much was accepted.
std::variant<std::string, Problems> speculationOf(const std::string& notes)
{
    const std::string text = lowered(notes);
    const bool drafts = (says(text, "mtp") || says(text, "multi-token prediction")) && !says(text, "no mtp")
        && text.find("perhaps a run with multi-token prediction") == std::string::npos;
    if (!drafts)
        return std::string();
    const auto steps = numberBefore(text, " draft steps");
    const auto accepted = numberAfter(text, "accepted length ");
    const auto rate = numberAfter(text, "acceptance rate ");
    const int draft = static_cast<int>(steps.value_or(1));
    if (accepted && *accepted >= 1 && *accepted <= draft + 1)
        return fmt::format("mtp:g={},a={}", draft, acceptanceFor(*accepted, draft));
    if (rate && *rate > 0 && *rate <= 1)
        return fmt::format("mtp:g={},a={}", draft, *rate);
    return Problems{{"", "multi-token prediction, and how much of it was accepted is not stated", {}}};
}

// The machine that the row names ("machine=dgx-h200"), else the usual one of its accelerator.
Result<const Node*> machineOf(const MeasuredRow& row, const Gpu& gpu, int together,
                              const Catalogue& catalogue)
{
    if (const auto named = wordAfter(row.notes, "machine="))
        return catalogue.node(*named);
    return usualBox(catalogue, gpu, together);
}

void setLoad(Scenario& s, const RowLoad& load, double requests)
{
    const auto whole = [](double count) { return std::max<std::int64_t>(1, std::llround(count)); };
    s.requests = whole(requests);
    s.loadTool = LoadTool::Online;
    switch (load.kind) {
    case RunKind::Static:
        s.scheduler = "static";
        s.loadTool = LoadTool::Offline;
        s.traffic = "at-once";
        s.concurrency = std::max(1.0, load.amount);
        break;
    case RunKind::ClosedLoop:
        s.traffic = load.offered > 0 ? load.arrivals : "closed";
        s.concurrency = std::max(1.0, std::round(load.amount));
        if (load.offered > 0)
            s.requestsPerSecond = load.offered;
        break;
    case RunKind::Saturated:
        s.loadTool = LoadTool::Offline;
        s.traffic = "at-once";
        break;
    case RunKind::Burst:
        s.traffic = "at-once";
        s.concurrency = std::max(1.0, load.amount);
        break;
    case RunKind::OpenLoop:
        s.traffic = load.arrivals;
        s.requestsPerSecond = load.amount;
        if (load.mostInFlight > 0)
            s.concurrency = load.mostInFlight;
        break;
    }
}

// A run so many times longer than its engine is wide is steady: what fills and drains is a part of a tenth.
constexpr double steadyRounds = 10;

// How many the run had if it says so, else enough that its start is forgotten.
double requestsOf(const RowLoad& load, double room, double replicas)
{
    constexpr double rounds = 10; // usual of load tools: ten prompts for each user
    constexpr double openLoop = 500;
    switch (load.kind) {
    case RunKind::Static:
    case RunKind::Burst:
        return load.amount;
    case RunKind::Saturated:
        if (load.finiteRequests > 0 && load.finiteRequests < steadyRounds * room * replicas)
            return load.finiteRequests;
        return std::clamp(3 * room, 16.0, 12000.0) * replicas;
    case RunKind::ClosedLoop:
        return load.finiteRequests > 0 ? load.finiteRequests
                                       : std::clamp(rounds * load.amount, 16.0, 12000.0 * replicas);
    case RunKind::OpenLoop:
        return load.finiteRequests > 0 ? load.finiteRequests : openLoop;
    }
    return load.amount;
}

// Sequences that one replica runs at once, by its memory and its engine.
double roomOf(const RowCase& run)
{
    const Deployment& d = run.deployment();
    const StepLimits limits = d.engine->limitsFor(d.gpu->memoryUsable, d.gpu->family);
    const double slots = limits.maxSequences > 0 ? double(limits.maxSequences) * d.layout.dp : 1e9;
    return std::max(1.0, std::floor(std::min(memoryOf(run, 1).maxBatch, slots)));
}

// Prompts of a static batch that are more than a step of the engine holds: its own scheduler splits them.
bool takesInTurns(const Scenario& s, const RowLoad& load, const Engine& engine, const Gpu& gpu)
{
    const double tokens
        = std::ceil(load.amount / s.replicas.value_or(1)) * std::ceil(load.prompt.quantile(1));
    const double budget = double(
        s.maxBatchedTokens.value_or(engine.limitsFor(gpu.memoryUsable, gpu.family).maxBatchedTokens));
    return !keepsBatch(engine.scheduler) && budget > 0 && tokens > budget;
}

Result<Scenario> askedBy(const MeasuredRow& row, const RowLoad& load, const Llm& llm, const Gpu& gpu,
                         const Engine& engine, const Catalogue& catalogue, Message& assumed)
{
    const auto sayWhy = [](const Message& why) { return refuse("", why); };
    Scenario s;
    s.calibration = noCalibration; // who validates did not measure these rows on his own machine
    const auto layout = layoutOf(row, llm);
    if (const auto* why = std::get_if<Message>(&layout))
        return sayWhy(*why);
    const Layout& l = std::get<Layout>(layout);
    const auto types = typesOf(row, llm, gpu, engine);
    if (const auto* why = std::get_if<Message>(&types))
        return sayWhy(*why);
    const RowTypes& t = std::get<RowTypes>(types);
    assumed = t.assumed;
    const auto speculation = speculationOf(row.notes);
    if (const auto* why = std::get_if<Problems>(&speculation))
        return refuse(*why);
    s.prefill = answersAlone(row, load) ? serversEnough(l, load) : promptPoolOf(row.prompts, llm);
    const int promptRanks = s.prefill.tp.value_or(1) * s.prefill.dp.value_or(1);
    const auto node = machineOf(row, gpu, std::max(l.tp * l.pp * l.dp, promptRanks), catalogue);
    if (!node)
        return sayWhy(say("node: {}", firstProblem(node.error())));
    s.model = llm.id;
    s.gpus = {gpu.id};
    s.node = (*node)->id;
    s.engine = engine.id;
    s.engineVersion = monthOfBuild(row, engine);
    s.tp = l.tp;
    s.pp = l.pp;
    s.ep = l.ep;
    s.dp = l.dp;
    s.replicas = l.replicas;
    s.redundantExperts = fillingExperts(llm, l.ep);
    if (s.redundantExperts > 0)
        add(assumed, say("{} redundant experts, so that every rank has as many", s.redundantExperts));
    s.weights = t.weights;
    s.kv = t.kv;
    s.compute = t.compute;
    s.prompt = load.prompt;
    s.output = load.output;
    s.speculation = std::get<std::string>(speculation);
    s = withLaunchOptions(std::move(s), row.notes);
    if (load.kind == RunKind::Saturated && !s.memoryFraction)
        s.memoryFraction = documentedCacheShare(row.notes);
    setLoad(s, load, requestsOf(load, 1, l.replicas));
    if (load.kind == RunKind::Static && keepsOwnBatch(row.notes))
        s.maxSequences = s.concurrency ? std::llround(*s.concurrency) : 1;
    else if (load.kind == RunKind::Static && takesInTurns(s, load, engine, gpu))
        s.scheduler.clear();
    return s;
}

// What was measured had room for one of its requests: where the engine's usual share of the card has not, the
// server was given more than the row says.
Scenario withRoom(const RowCase& run, const Engine& preset, bool shareStated)
{
    constexpr double largestShare = 0.97;
    Scenario wider = run.scenario;
    if (!shareStated && run.scenario.memoryFraction.value_or(preset.memoryFraction) < largestShare
        && !memoryOf(run, 1).fits)
        wider.memoryFraction = largestShare;
    return wider;
}

// The number of requests of a saturated run depends on how many run at once.
Scenario saturated(const RowCase& run)
{
    Scenario s = run.scenario;
    const double replicas = run.deployment().layout.replicas;
    const double room = roomOf(run);
    s.requests = std::max<std::int64_t>(1, std::llround(requestsOf(run.load, room, replicas)));
    s.concurrency = room * replicas;
    return s;
}

std::optional<Message> settle(RowCase& run, Scenario scenario, const Catalogue& catalogue)
{
    Result<Resolved> machine = resolve(scenario, catalogue);
    if (!machine)
        return say("{}: {}", machine.error().front().where, firstProblem(machine.error()));
    std::optional<Resolved> prompts;
    if (scenario.prefill.replicas) {
        Result<Resolved> pool = resolvePromptPool(machine->scenario, catalogue);
        if (!pool)
            return say("pool for prompts: {}", firstProblem(pool.error()));
        prompts = std::move(*pool);
    }
    run.scenario = std::move(scenario);
    run.machine = std::move(*machine);
    run.prompts = std::move(prompts);
    return std::nullopt;
}

// Machines of one accelerator stand alone, on any network, in pairs, in fours or on NVLink switches (GH200):
// nothing is usual.
bool joinedSomehow(const RowCase& run, const MeasuredRow& row, const Catalogue& catalogue)
{
    const Deployment& d = run.deployment();
    const Result<const Node*> usual = catalogue.node(d.gpu->defaultNode);
    if (!usual || (*usual)->gpusPerNode > 1 || d.layout.gpusPerReplica() == 1)
        return false;
    const std::string notes = lowered(row.notes);
    if (wordAfter(notes, "machine="))
        return false;
    constexpr std::array<std::string_view, 6> networks{"gbe",        "gb/s",   "roce",
                                                       "infiniband", "nvlink", "ethernet"};
    return std::none_of(networks.begin(), networks.end(),
                        [&](std::string_view word) { return notes.find(word) != std::string::npos; });
}

std::optional<Message> settleRoom(RowCase& run, const Engine& preset, bool shareStated,
                                  const Catalogue& catalogue)
{
    if (Scenario wider = withRoom(run, preset, shareStated); wider != run.scenario) {
        RowCase other = run;
        if (!settle(other, std::move(wider), catalogue) && memoryOf(other, 1).fits) {
            add(other.assumed,
                say("{:.0f} % of the memory for the engine: it ran, and the usual share does not hold it",
                    100 * *other.scenario.memoryFraction));
            run = std::move(other);
        }
    }
    return run.load.kind == RunKind::Saturated ? settle(run, saturated(run), catalogue) : std::nullopt;
}

} // namespace

RowCase RowCase::with(const Engine& engine) const
{
    RowCase out = *this;
    out.machine.deployment.engine = &engine;
    if (out.prompts)
        out.prompts->deployment.engine = &engine;
    return out;
}

MemoryPlan memoryOf(const RowCase& run, double sequences)
{
    const RowLoad& load = run.load;
    return planMemory(run.deployment(),
                      {.sequences = sequences,
                       .meanContext = load.prompt.mean() + load.output.mean() / 2,
                       .maxContext = load.prompt.mean() + load.output.mean()});
}

std::variant<RowCase, Message> caseOf(const MeasuredRow& row, const Catalogue& catalogue)
{
    const auto gpuName = catalogue.findGpu(row.gpu);
    if (!gpuName)
        return say("accelerator: {}", firstProblem(gpuName.error()));
    const auto modelName = catalogue.findModel(row.model);
    if (!modelName)
        return say("model: {}", firstProblem(modelName.error()));
    if (!modelName->isNamed())
        return say("model: there is no model '{}'; '{}' is the nearest", row.model, modelName->id);
    const auto gpu = catalogue.gpu(gpuName->id);
    if (!gpu)
        return say("accelerator: {}", firstProblem(gpu.error()));
    const auto llm = catalogue.model(modelName->id);
    if (!llm)
        return say("model: {}", firstProblem(llm.error()));
    const std::string version
        = row.engineVersion.empty() ? likelyRelease(row, **llm, **gpu) : row.engineVersion;
    const auto engine = engineOf(catalogue, row.engine, version, (*gpu)->platform);
    if (!engine)
        return say("engine: {}", firstProblem(engine.error()));
    auto load = rowLoadOf(row, **engine);
    if (const auto* why = std::get_if<Message>(&load))
        return *why;
    RowCase out{.load = std::move(std::get<RowLoad>(load))};
    Result<Scenario> asked = askedBy(row, out.load, **llm, **gpu, **engine, catalogue, out.assumed);
    if (!asked)
        return firstProblem(asked.error());
    const auto newest = engineOf(catalogue, row.engine, {});
    if (row.engineVersion.empty() && newest && *newest != *engine)
        add(out.assumed,
            say("the engine of {}, as old as its run, or its model and card: its version is not stated",
                version));
    if (auto why = settle(out, std::move(*asked), catalogue))
        return *why;
    const bool shareStated = withLaunchOptions({}, row.notes).memoryFraction.has_value();
    if (auto why = settleRoom(out, **engine, shareStated, catalogue))
        return *why;
    if (joinedSomehow(out, row, catalogue))
        return "how its machines of one accelerator are joined is not stated";
    out.answersAlone = answersAlone(row, out.load);
    out.inTurn = out.answersAlone || says(lowered(row.notes), "round robin");
    out.rateIncludesPrefill = row.notes.find("prefill included") != std::string::npos;
    return out;
}

} // namespace headroom
