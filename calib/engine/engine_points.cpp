#include "calib/engine/engine_points.h"

#include "calib/engine/run_machine.h"
#include "model/closed_form/prediction.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

namespace headroom {

namespace {

// One run of a tool: its rows tell different figures of the same work.
using RunKey = std::tuple<std::string, std::string, std::string, std::string, std::string, double>;
RunKey runOf(const MeasuredRow& row)
{
    return {row.model, row.weightDtype, row.inputLength, row.outputLength, row.load, row.cachedTokens};
}

double tokensIn(const std::string& text)
{
    const std::optional<TokenLength> length = readTokenLength(text);
    return length ? length->tokens : -1;
}

// What runs of one machine have in common.
using MachineKey = std::tuple<std::array<std::string, 6>, std::array<std::optional<int>, 3>>;
MachineKey keyOf(const MeasuredRow& row)
{
    return {{row.model, row.weightDtype, row.kvDtype, row.gpu, row.engine, row.engineVersion},
            {row.tp, row.pp, row.ep}};
}

// Metrics of each run: the time of a whole request says nothing more where both its parts are known.
using KnownMetrics = std::map<RunKey, std::set<Metric>>;

struct Reading {
    TimedPart part = TimedPart::DecodeStep;
    double seconds = 0;
    Message whyNot; // not empty: says nothing
};
Reading nothing(Message why) { return {.whyNot = std::move(why)}; }

// Tools that run one batch which nobody joins or leaves.
bool runsOneBatch(std::string_view tool)
{
    constexpr std::array<std::string_view, 3> words{"llama-ba", "bench_one_batch", "bench latency"};
    return tool.starts_with("llama-bench")
        || std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return tool.find(word) != std::string_view::npos; });
}

// Engines that admit nobody before the whole batch has ended.
bool runsOneBatch(const Engine& engine) { return engine.scheduler == SchedulerKind::Static; }

// A row and how the tool that wrote it makes its load.
struct ToolRow {
    const MeasuredRow& row;
    MeasuredLoad load;
    bool oneBatch = false;
    const std::set<Metric>& known; // figures of the same run
};

// Whether others' prompts may be read among the tokens, which depends on the engine.
bool joins(const ToolRow& from)
{
    return from.load.kind == LoadKind::Concurrency && from.load.amount > 1 && !from.oneBatch;
}

Reading readPrompt(const ToolRow& from)
{
    const MeasuredRow& row = from.row;
    const double users = from.load.amount;
    const double prompt = tokensIn(row.inputLength);
    if (row.metric == Metric::TotalThroughput) // prompts alone: nothing is generated
        return {.part = TimedPart::Prompts, .seconds = prompt * users / row.value};
    if (users > 1 && !from.oneBatch)
        return nothing("the first token of several users waits for the others' prompts, not for kernels");
    return {.part = TimedPart::Prompts, .seconds = row.value * 1e-3};
}

Reading readLoaded(const ToolRow& from)
{
    const MeasuredRow& row = from.row;
    const std::set<Metric>& known = from.known;
    const bool joined = from.load.amount > 1 && !from.oneBatch;
    const bool parts = known.contains(Metric::Ttft) && known.contains(Metric::Tpot);
    switch (row.metric) {
    case Metric::Tpot:
        return {.part = joined ? TimedPart::LoadedStep : TimedPart::DecodeStep, .seconds = row.value * 1e-3};
    case Metric::DecodeRatePerUser:
        return {.part = TimedPart::DecodeStep, .seconds = 1 / row.value};
    case Metric::Latency:
        if (parts)
            return nothing("its parts are known by themselves");
        if (joined)
            return nothing("the latency of a closed loop is no batch's");
        return {.part = TimedPart::Batch, .seconds = row.value};
    case Metric::RequestRate:
        return {.part = TimedPart::Service, .seconds = 1 / row.value};
    case Metric::OutputThroughput:
    case Metric::TotalThroughput:
        if (parts || known.contains(Metric::RequestRate))
            return nothing("the run tells its times themselves");
        return {.part = TimedPart::Service,
                .seconds = (tokensIn(row.outputLength)
                            + (row.metric == Metric::TotalThroughput ? tokensIn(row.inputLength) : 0))
                    / row.value};
    case Metric::InterToken:
        return nothing("of all gaps of all requests TPOT says what a step takes");
    case Metric::Ttft:
        break;
    }
    return nothing("no time of a step");
}

Reading readingOf(const ToolRow& from)
{
    const MeasuredRow& row = from.row;
    const double prompt = tokensIn(row.inputLength);
    const double output = tokensIn(row.outputLength);
    if (!(row.value > 0))
        return nothing("no positive figure");
    if (prompt < 0 || output < 0)
        return nothing("lengths are not stated: --prompt and --output say them");
    switch (from.load.kind) {
    case LoadKind::Unknown:
        return nothing("how many ran at once is not stated: --concurrency says it");
    case LoadKind::RequestRate:
        return nothing("arrivals at a rate say as much of the queue as of the engine");
    case LoadKind::Concurrency:
        if (row.metric == Metric::Ttft || (row.metric == Metric::TotalThroughput && output == 0))
            return readPrompt(from);
        return readLoaded(from);
    case LoadKind::Saturated:
    case LoadKind::Burst:
        if (row.metric == Metric::RequestRate || row.metric == Metric::OutputThroughput
            || row.metric == Metric::TotalThroughput)
            return readLoaded(from);
        return nothing("times under saturation are the queue's");
    }
    return nothing("no load that is known");
}

Message whatOf(const EnginePoint& point, const MeasuredRow& row)
{
    const Message users
        = point.sequences > 0 ? say("{:g} at once", point.sequences) : say("as many at once as fit");
    return say("{} {}: {}, {}, prompt {:g}, behind {:g}, output {:g}", row.model, row.weightDtype,
               timedPartName(point.part), users, point.prompt, point.cached, point.output);
}

Message skippedText(const MeasuredRow& row, const Message& why)
{
    std::string of;
    for (const std::string& word : {row.model, row.weightDtype})
        if (!word.empty())
            of += (of.empty() ? "" : " ") + word;
    const Message metric = asIs(metricName(row.metric));
    return of.empty() ? say("{}: {}", metric, why) : say("{} of {}: {}", metric, of, why);
}

Estimate<double> inSeconds(const Estimate<Seconds>& time)
{
    return {time.value.base(), time.low.base(), time.high.base(), time.source};
}

EnginePoint pointOf(const MeasuredRow& row, const MeasuredLoad& load, const Reading& reading)
{
    const double prompt = tokensIn(row.inputLength);
    EnginePoint point{
        .part = reading.part, .sequences = std::max(load.amount, 1.0), .seconds = reading.seconds};
    point.prompt = prompt;
    point.output = tokensIn(row.outputLength);
    point.cached = row.cachedTokens;
    if (reading.part == TimedPart::Service && load.kind != LoadKind::Concurrency)
        point.sequences = 0;                     // as many as the engine runs
    if (reading.part == TimedPart::DecodeStep) { // in the middle of its answer
        point.cached = prompt + point.output / 2;
        point.prompt = 0;
    }
    point.what = whatOf(point, row);
    return point;
}

} // namespace

Code timedPartName(TimedPart part)
{
    constexpr std::array<Code, 5> names{"prompts", "a decode step", "a batch", "a decode step among prompts",
                                        "a full service"};
    return names[static_cast<std::size_t>(part)];
}

Result<EnginePoints> enginePoints(const std::vector<ImportedBench>& files, const Scenario& asked,
                                  const Catalogue& catalogue)
{
    EnginePoints out;
    std::map<MachineKey, std::shared_ptr<const Resolved>> machines;
    for (const ImportedBench& file : files) {
        if (Problems several = severalModels(file.rows, asked); !several.empty())
            return refuse(std::move(several));
        KnownMetrics metrics;
        for (const MeasuredRow& row : file.rows)
            metrics[runOf(row)].insert(row.metric);
        for (const MeasuredRow& row : file.rows) {
            ToolRow from{.row = row,
                         .load = readLoad(row.load),
                         .oneBatch = runsOneBatch(file.format),
                         .known = metrics[runOf(row)]};
            if (const Reading alone = readingOf(from); !alone.whyNot.empty() && !joins(from)) {
                out.skipped.push_back(skippedText(row, alone.whyNot));
                continue;
            }
            auto& machine = machines[keyOf(row)];
            if (!machine) {
                Result<std::shared_ptr<const Resolved>> found = runMachine(row, asked, catalogue);
                if (!found)
                    return refuse(found.error());
                machine = *found;
            }
            from.oneBatch = from.oneBatch || runsOneBatch(*machine->deployment.engine);
            const Reading reading = readingOf(from);
            if (!reading.whyNot.empty()) {
                out.skipped.push_back(skippedText(row, reading.whyNot));
                continue;
            }
            EnginePoint point = pointOf(row, from.load, reading);
            point.machine = machine;
            out.points.push_back(std::move(point));
        }
    }
    return out;
}

Estimate<double> predictedTime(const EnginePoint& point, const Deployment& deployment)
{
    const double users = std::max(point.sequences, 1.0);
    const Load load{.batch = users, .promptTokens = point.prompt, .outputTokens = point.output};
    const StepShape prompts{.prefillTokens = point.prompt * users,
                            .prefillSequences = users,
                            .prefillPast = point.cached,
                            .sampledRows = users};
    switch (point.part) {
    case TimedPart::Prompts:
        return inSeconds(StepTimer(deployment).rateWithInterval(prompts));
    case TimedPart::DecodeStep:
        return inSeconds(
            StepTimer(deployment)
                .rateWithInterval(
                    {.decodeSequences = users, .decodeContext = point.cached, .sampledRows = users}));
    case TimedPart::Batch: {
        const StepTimer timer(deployment);
        const Estimate<double> reading = inSeconds(timer.rateWithInterval(prompts));
        const Estimate<double> step
            = inSeconds(timer.rateWithInterval({.decodeSequences = users,
                                                .decodeContext = point.prompt + point.output / 2,
                                                .sampledRows = users}));
        const double steps = std::max(point.output - 1, 0.0);
        return sum(reading, step, steps);
    }
    case TimedPart::LoadedStep:
        return inSeconds(Predictor(deployment, load).timesAt(users).tpotUnderLoad);
    case TimedPart::Service: {
        const Predictor predictor(deployment, load);
        const auto most = static_cast<double>(deployment.engine->maxSequences);
        const double held = std::max(1.0, predictor.memoryAt(1).maxBatch);
        const double full = most > 0 ? std::min(most, held) : held;
        const Estimate<RequestsPerSecond> rate
            = predictor.at(point.sequences > 0 ? users : full, 1).requestsPerSecond;
        const auto each = [](RequestsPerSecond r) { return r.base() > 0 ? 1 / r.base() : 0; };
        return {each(rate.value), each(rate.high), each(rate.low), rate.source};
    }
    }
    return {};
}

} // namespace headroom
