#include "app/cli/interrupt.h"
#include "app/cli/progress_bar.h"
#include "app/cli/resolved.h"
#include "app/cli/scenario_flags.h"
#include "app/cli/verbs.h"
#include "model/base/three_digits.h"
#include "model/import/trace.h"
#include "model/json/simulate_json.h"
#include "model/report/serving_text.h"
#include "model/resolve/prompt_pool.h"
#include "model/resolve/used_calibration.h"
#include "model/search/answer_traffic.h"
#include "model/serve/class_text.h"
#include "model/serve/serving_run.h"
#include "model/text/write_file.h"
#include "model/yaml/catalogue.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <utility>

namespace headroom::cli {

namespace {

constexpr std::array simulateFlags{
    Flag{"--class", "\"NAME KEY=VALUE …\"",
         "one kind of request in a mix, with any of share, prompt, output, system, turns, follow-up, think, "
         "ttft, tpot, tps, latency, percentile",
         true},
    Flag{"--routing", "RULE",
         "how requests are dealt out to replicas: round-robin, least-loaded or prefix-aware; default: "
         "least-loaded"},
    Flag{"--network", "SECONDS", "round trip between client and engine, added to what the client sees"},
    Flag{"--mask-time", "SECONDS", "guided decoding: time to mask one row of logits"},
    Flag{"--forced-share", "FRACTION",
         "guided decoding: share of output tokens that the grammar leaves no choice for"},
    Flag{"--no-wall", "", "leave wall_s out of --json, so that two runs give the same document"},
    Flag{"--timeline", "FILE", "write one CSV row per request: arrival, prefill start, first token, end"},
};

constexpr double longestNetwork = 60; // seconds; nobody waits longer for a packet
constexpr double longestMask = 1;     // seconds for one row
constexpr double mostForced = 0.99;

// Reads flags of this verb, and remembers everything that is wrong with them.
class OwnFlags {
public:
    explicit OwnFlags(const Arguments& arguments) : m_arguments(arguments) {}

    [[nodiscard]] std::optional<double> number(const char* flag, double low, double high)
    {
        const std::optional<std::string> text = m_arguments.text(flag);
        if (!text)
            return std::nullopt;
        double value = 0;
        const char* const last = text->data() + text->size();
        const auto [end, error] = std::from_chars(text->data(), last, value);
        if (error == std::errc{} && end == last && value >= low && value <= high)
            return value;
        problems.push_back({flag, say("expected a number from {} to {}, got '{}'", low, high, *text), {}});
        return std::nullopt;
    }
    [[nodiscard]] serve::Routing routing()
    {
        const std::string text = m_arguments.text("--routing").value_or("least-loaded");
        if (text == "round-robin")
            return serve::Routing::RoundRobin;
        if (text == "prefix-aware")
            return serve::Routing::PrefixAware;
        if (text != "least-loaded")
            problems.push_back({"--routing", say("unknown rule '{}'", text),
                                "one of round-robin, least-loaded, prefix-aware"});
        return serve::Routing::LeastLoaded;
    }
    void add(Problems more) { problems.insert(problems.end(), more.begin(), more.end()); }

    Problems problems;

private:
    const Arguments& m_arguments;
};

// What is simulated, with all names looked up. The deployments point into the console's catalogue.
struct Question {
    Scenario asked;
    Resolved resolved;
    serve::ServingPlan plan;
    std::optional<Resolved> prefill;
    std::optional<serve::Workload> recorded;
};

constexpr std::array poolKeys{"--prefill-gpu", "--prefill-tp", "--prefill-pp", "--prefill-ep",
                              "--prefill-dp"};

// Keys that describe a pool of which nobody said that it is there.
void noPool(OwnFlags& own, const std::array<bool, poolKeys.size()>& said)
{
    for (std::size_t i = 0; i < poolKeys.size(); ++i)
        if (said.at(i))
            own.problems.push_back(
                {poolKeys.at(i), "describes a pool that is not there", "add --prefill-replicas"});
}

void addPrefillPool(Question& question, OwnFlags& own, const Catalogue& catalogue)
{
    const PrefillChoice& prefill = question.asked.prefill;
    if (!prefill.replicas && prefill.pools == Disaggregation::No)
        return noPool(own,
                      {!prefill.gpu.empty(), prefill.tp.has_value(), prefill.pp.has_value(),
                       prefill.ep.has_value(), prefill.dp.has_value()});
    Result<Resolved> pool = resolvePromptPool(question.resolved.scenario, catalogue);
    if (!pool)
        return own.add(pool.error());
    const Deployment& d = pool->deployment;
    serve::addPrefillPool(question.plan, d, pool->load, question.resolved.deployment);
    question.plan.assumptions.push_back(
        say("prompts on {} × {}, their cache sent over {} in {} us a token", d.layout.gpus(), d.gpu->name,
            d.node->inter.name, threeDigits(question.plan.setup.prefill->link.perToken.base() * 1e6)));
    question.plan.assumptions.push_back(serve::handOverTold());
    question.prefill = std::move(*pool);
}

void addTrace(Question& question, OwnFlags& own, const Arguments& arguments)
{
    const Scenario& asked = question.asked;
    if (asked.trace.empty())
        return;
    Result<serve::Workload> trace = readTraceFile(asked.trace);
    if (!trace)
        return own.add(trace.error());
    for (serve::RequestClass& one : trace->classes)
        one.targets = asked.targets;
    if (arguments.has("--requests") && static_cast<std::size_t>(asked.requests) < trace->requests.size()) {
        trace->requests.resize(static_cast<std::size_t>(asked.requests));
        if (!trace->recorded.empty())
            trace->recorded.resize(trace->requests.size());
    }
    if (asked.requestsPerSecond) {
        serve::rescaleArrivals(*trace, RequestsPerSecond(*asked.requestsPerSecond));
        question.plan.assumptions.push_back(
            say("the trace is played at {} requests/s", fewDigits(*asked.requestsPerSecond, 4)));
    }
    if (trace->sharesPrefixes() && !question.plan.setup.pool.scheduling.prefixCache)
        question.plan.assumptions.push_back(
            "the engine has no prefix cache: what prompts share is computed each time");
    question.recorded = std::move(*trace);
}

void addClasses(Question& question, OwnFlags& own, const Arguments& arguments)
{
    std::vector<serve::TrafficClass> classes;
    for (const std::string& text : arguments.all("--class")) {
        Result<serve::TrafficClass> one
            = serve::trafficClassFromText(text, question.plan.traffic.classes.front());
        if (one) {
            classes.push_back(std::move(*one));
            continue;
        }
        for (Problem& problem : one.error())
            own.problems.push_back({"--class", std::move(problem.what), std::move(problem.hint)});
    }
    if (!classes.empty())
        question.plan.traffic.classes = std::move(classes);
}

// What can be judged without the scenario, for a scenario that is refused.
void judgeAlone(OwnFlags& own, const Arguments& arguments)
{
    (void)own.routing();
    (void)own.number("--network", 0, longestNetwork);
    (void)own.number("--mask-time", 0, longestMask);
    (void)own.number("--forced-share", 0, mostForced);
    for (const std::string& text : arguments.all("--class"))
        if (const Result<serve::TrafficClass> one = serve::trafficClassFromText(text, {}); !one)
            for (const Problem& problem : one.error())
                own.problems.push_back({"--class", problem.what, problem.hint});
    if (!arguments.text("--prefill-replicas") && !arguments.text("--disaggregate")) {
        std::array<bool, poolKeys.size()> said{};
        std::transform(poolKeys.begin(), poolKeys.end(), said.begin(),
                       [&](const char* key) { return arguments.text(key).has_value(); });
        noPool(own, said);
    }
    if (const auto trace = arguments.text("--trace"))
        if (const Result<serve::Workload> read = readTraceFile(*trace); !read)
            own.add(read.error());
}

Result<Question> questionFrom(const Arguments& arguments, Console& console)
{
    Question question;
    OwnFlags own(arguments);
    Result<Scenario> asked = singleScenarioFrom(arguments, console);
    const auto catalogue = console.catalogue();
    if (!catalogue)
        return refuse(catalogue.error());
    Result<Resolved> resolved = asked ? resolve(*asked, **catalogue) : refuse(asked.error());
    if (!resolved) {
        own.add(resolved.error());
        judgeAlone(own, arguments);
        return refuse(std::move(own.problems));
    }
    question.asked = std::move(*asked);
    question.resolved = std::move(*resolved);
    const Resolved& machine = question.resolved;
    Result<serve::ServingPlan> plan = trafficOn(asItIs(machine, question.asked), question.asked);
    if (plan)
        question.plan = std::move(*plan);
    else
        own.add(plan.error());
    // Said of a single step, where no load was given; here some load always is.
    std::erase_if(question.resolved.assumptions,
                  [](const Remark& each) { return each.kind == RemarkKind::OneSequence; });
    question.plan.setup.routing = own.routing();
    question.plan.around.network = Seconds(own.number("--network", 0, longestNetwork).value_or(0));
    question.plan.setup.pool.scheduling.guided
        = {.maskPerRow = Seconds(own.number("--mask-time", 0, longestMask).value_or(0)),
           .forcedShare = own.number("--forced-share", 0, mostForced).value_or(0)};
    if (!question.asked.trace.empty()) // they tell of traffic that is made up; what is played was recorded
        question.plan.assumptions.clear();
    addPrefillPool(question, own, **catalogue);
    addTrace(question, own, arguments);
    addClasses(question, own, arguments);
    if (!own.problems.empty())
        return refuse(std::move(own.problems));
    return question;
}

// Nothing to simulate: the cache has no room for a single block.
Exit withoutRoom(const Question& question, Console& console)
{
    const Deployment& d = question.resolved.deployment;
    const Message reason = say("does not fit: {} leaves no room for any KV cache on {} × {}", d.llm->name,
                               d.layout.gpus(), d.gpu->name);
    if (console.format == Format::Json)
        console.out() << simulateJsonWithoutRoom(question.resolved, reason.english()) << '\n';
    else
        console.out() << console.told(reason) << '\n';
    return Exit::No;
}

Exit runSimulate(const Arguments& arguments, Console& console)
{
    const Result<Question> question = questionFrom(arguments, console);
    if (!question)
        return console.refuse(question.error());
    const serve::Scheduling& scheduling = question->plan.setup.pool.scheduling;
    if (scheduling.kvTokens < scheduling.pageTokens())
        return withoutRoom(*question, console);
    const auto begin = std::chrono::steady_clock::now();
    Result<serve::ServingRun> run = [&] {
        InterruptStops interrupt;
        ProgressBar bar(console);
        const RunControl control{.stop = interrupt.token(),
                                 .progress = [&](double fraction, std::string_view stage) {
                                     interrupt.poll();
                                     bar.show(fraction, stage);
                                 }};
        return question->recorded ? serve::makeServingRun(question->plan, *question->recorded, control)
                                  : serve::makeServingRun(question->plan, control);
    }();
    if (!run)
        return console.refuse(run.error());
    const Seconds wall(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    if (const auto file = arguments.text("--timeline"))
        writeFile(*file, csvTable(timelineTable(*run)));
    const Resolved& machine = question->resolved;
    std::optional<PlayedOn> prompts;
    if (question->prefill)
        prompts.emplace(PlayedOn{question->prefill->deployment, question->prefill->load});
    const ServedRanges ranges(machine.scenario, {machine.deployment, machine.load}, prompts, question->plan,
                              *run);
    switch (console.format) {
    case Format::Json:
        console.out() << simulateJson(question->resolved, *run, ranges,
                                      arguments.has("--no-wall") ? std::nullopt : std::optional(wall))
                      << '\n';
        break;
    case Format::Csv:
        console.out() << csvTable(servingTable(*run, ranges));
        break;
    case Format::Markdown:
        console.out() << servingMarkdown(question->resolved, *run, ranges, console.language);
        break;
    case Format::Text:
        console.out() << servingText(question->resolved, *run, ranges, console.language);
        break;
    }
    return run->answersYes() ? Exit::Done : Exit::No;
}

} // namespace

Verb simulateVerb()
{
    return {.name = "simulate",
            .summary = "plays traffic on such a deployment: percentiles, goodput, stable or overloaded",
            .example = "simulate --model llama-3.1-8b --gpu l40s --tp 1 --rps 2",
            .run = runSimulate,
            .scenario = true,
            .money = true,
            .formats = true,
            .languages = true,
            .flags = simulateFlags};
}

} // namespace headroom::cli
