#include "app/cli/probe/load.h"
#include "app/cli/resolved.h"
#include "app/cli/scenario_flags.h"
#include "app/cli/verbs.h"
#include "model/figure_text.h"
#include "model/json/probe_json.h"
#include "model/quantity_text.h"
#include "model/report/columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <ostream>
#include <stdexcept>

namespace headroom::cli {

namespace {

// Each user is a thread with a connection; more of them measure this machine and not the server.
constexpr int mostUsers = 4096;
// Without targets there is nothing to stop at: enough to see the curve bend on one GPU.
constexpr int usersWithoutTargets = 64;

constexpr std::array flags{
    Flag{"--header", "LINE", "a further HTTP header, such as \"Authorization: Bearer KEY\"", true},
    Flag{"--max-concurrency", "N", "most users to try; default 4096 with targets, 64 without"},
};

Column<ProbeLevel> timeColumn(const char* key, const char* title, Seconds serve::Spread::*percentile,
                              serve::Spread ProbeLevel::*spread)
{
    return {{key, title, Measure::Time}, [=](const ProbeLevel& level) {
                const serve::Spread& times = level.*spread;
                return times.count > 0 ? Cell((times.*percentile).base()) : Cell();
            }};
}

const Columns<ProbeLevel>& columns()
{
    using Spread = serve::Spread;
    using Level = ProbeLevel;
    static const Columns<Level> all{
        {{"concurrency", "users", Measure::Whole}, [](const Level& l) { return double(l.concurrency); }},
        {{"requests", "requests", Measure::Whole}, [](const Level& l) { return double(l.requests); }},
        {{"failed", "failed", Measure::Whole}, [](const Level& l) { return double(l.failed); }},
        timeColumn("ttft_p50_s", "TTFT p50", &Spread::p50, &Level::ttft),
        timeColumn("ttft_p90_s", "p90", &Spread::p90, &Level::ttft),
        timeColumn("ttft_p99_s", "p99", &Spread::p99, &Level::ttft),
        timeColumn("tpot_p50_s", "TPOT p50", &Spread::p50, &Level::tpot),
        timeColumn("tpot_p90_s", "p90", &Spread::p90, &Level::tpot),
        timeColumn("tpot_p99_s", "p99", &Spread::p99, &Level::tpot),
        timeColumn("latency_p50_s", "request p50", &Spread::p50, &Level::latency),
        timeColumn("latency_p90_s", "p90", &Spread::p90, &Level::latency),
        {{"output_tokens_per_s", "output", Measure::TokenRate},
         [](const Level& l) { return l.outputTokensPerSecond; }},
        {{"requests_per_s", "rate", Measure::RequestRate},
         [](const Level& l) { return l.requestsPerSecond; }},
        {{"prompt_tokens", "prompt", Measure::Count}, [](const Level& l) { return l.meanPromptTokens; }},
        {{"output_tokens", "answer", Measure::Count}, [](const Level& l) { return l.meanOutputTokens; }},
        {{"slo_attainment", "in time", Measure::Share}, [](const Level& l) { return l.attainment; }},
        {{"meets", "meets"}, [](const Level& l) { return l.meets; }},
    };
    return all;
}

Result<ProbePlan> planFrom(const Arguments& arguments, const Scenario& scenario)
{
    Result<Url> url = urlFromText(arguments.words.front());
    if (!url)
        return refuse(url.error());
    ProbePlan plan{
        .url = *url, .prompt = scenario.prompt, .output = scenario.output, .targets = scenario.targets};
    plan.seed = scenario.seed;
    if (arguments.has("--requests"))
        plan.requests = int(std::min<std::int64_t>(scenario.requests, 1'000'000));
    for (const std::string& line : arguments.all("--header")) {
        if (line.find(':') == std::string::npos || line.find_first_of("\r\n") != std::string::npos)
            return refuse("--header",
                          "expected a header line such as 'Authorization: Bearer KEY', got '" + line + "'");
        plan.header += line + "\r\n";
    }
    plan.model = scenario.model;
    if (plan.model.empty()) {
        const Result<std::string> served = servedModel(plan.url, plan.header);
        if (!served)
            return refuse(served.error());
        plan.model = *served;
    }
    return plan;
}

Result<int> mostFrom(const Arguments& arguments, const Scenario& scenario)
{
    const auto typed = arguments.text("--max-concurrency");
    if (!typed)
        return scenario.targets.any() ? mostUsers : usersWithoutTargets;
    const Result<double> number = numberFromText(*typed);
    if (!number || *number < 1 || *number > mostUsers || *number != std::floor(*number))
        return refuse("--max-concurrency",
                      fmt::format("expected a whole number from 1 to {}, got '{}'", mostUsers, *typed));
    return static_cast<int>(*number);
}

// The model is the server's own name for it: no catalogue knows it.
Result<Scenario> wordsOf(const Arguments& arguments, Console& console)
{
    ScenarioReading said = saidScenario(arguments);
    console.places = said.places;
    if (!said.problems.empty())
        return refuse(std::move(said.problems));
    return std::move(said.scenario);
}

void print(const ProbePlan& plan, const ProbeReport& report, Console& console)
{
    Table table = tableOf(columns(), report.levels);
    switch (console.format) {
    case Format::Json:
        console.out() << probeJson({.url = "http://" + plan.url.host + ':' + plan.url.port + plan.url.path,
                                    .model = plan.model,
                                    .targets = plan.targets.any(),
                                    .highestConcurrency = report.highest},
                                   table)
                      << '\n';
        return;
    default:
        console.out() << inFormat(table, console.format);
    }
    if (console.format != Format::Text)
        return;
    if (report.highest == 0)
        console.out() << "No level meets the targets.\n";
    else if (plan.targets.any())
        console.out() << fmt::format("At most {} at once, with the targets met for {:g} % of requests.\n",
                                     counted(report.highest, "user", "users"), plan.targets.percentile);
}

Exit run(const Arguments& arguments, Console& console)
{
    const Result<Scenario> scenario = wordsOf(arguments, console);
    const Result<int> most = mostFrom(arguments, scenario.value_or(Scenario{}));
    if (const Problems problems = joined(scenario, most); !problems.empty())
        return console.refuse(problems);
    const Result<ProbePlan> plan = planFrom(arguments, *scenario);
    if (!plan)
        return console.refuse(plan.error());
    const auto tell = [&console](const ProbeLevel& level) {
        console.err() << fmt::format(
            "headroom: {}: {} of {} requests answered{}\n", counted(level.concurrency, "user", "users"),
            level.requests - level.failed, level.requests,
            level.firstFailure.empty() ? "" : "; first failure: " + level.firstFailure);
    };
    ProbeReport report;
    if (scenario->concurrency) {
        report.levels.push_back(probeLevel(*plan, std::min(mostUsers, int(*scenario->concurrency))));
        tell(report.levels.front());
        report.highest = report.levels.front().meets ? report.levels.front().concurrency : 0;
    } else {
        report = probeUpTo(*plan, *most, tell);
    }
    print(*plan, report, console);
    const bool anyAnswer = std::any_of(report.levels.begin(), report.levels.end(),
                                       [](const ProbeLevel& level) { return level.failed < level.requests; });
    if (!anyAnswer)
        throw std::runtime_error("the server answered no request: " + report.levels.front().firstFailure);
    return report.highest > 0 ? Exit::Done : Exit::No;
}

} // namespace

Verb probeVerb()
{
    return {.name = "probe",
            .summary
            = "loads a live OpenAI-compatible server: percentiles, and the most users that meet the targets",
            .run = run,
            .scenario = true,
            .formats = true,
            .flags = flags,
            .words = {"URL", "such as http://localhost:8000; --model is the server's name for it", 1, 1}};
}

} // namespace headroom::cli
