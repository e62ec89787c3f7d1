#include "app/cli/interrupt.h"
#include "app/cli/scenario_flags.h"
#include "app/cli/verbs.h"
#include "app/cli/verbs/probe_plan.h"
#include "app/cli/verbs/probe_text.h"
#include "app/probe/search.h"
#include "app/probe/server.h"

#include <algorithm>
#include <fmt/format.h>
#include <ostream>
#include <random>
#include <stdexcept>

namespace headroom::cli {

namespace {

// The model is the server's own name for it: no catalogue knows it.
Result<Scenario> wordsOf(const Arguments& arguments, Console& console)
{
    ScenarioReading said = saidScenario(arguments);
    console.places = said.places;
    if (!said.problems.empty())
        return refuse(std::move(said.problems));
    return std::move(said.scenario);
}

std::vector<Message> unusedNotes(const Console& console)
{
    std::vector<std::string> said;
    for (const auto& [key, place] : console.places)
        said.push_back(key);
    const std::vector<std::string> unused = unusedKeys(said);
    if (unused.empty())
        return {};
    return {say("the server is what it is, so these say nothing here: {}", joinedNames(unused, ", "))};
}

// Two runs of one seed must not meet in the server's prefix cache.
std::uint64_t freshNumber()
{
    std::random_device device;
    return (std::uint64_t(device()) << 32U) | device();
}

probe::ProbeReport probed(probe::Transport& transport, const ProbeWish& wish, const probe::ProbeHooks& hooks)
{
    if (wish.requestsPerSecond > 0)
        return probeAt(transport, wish.plan, {.users = 0, .requestsPerSecond = wish.requestsPerSecond},
                       hooks);
    if (wish.users > 0)
        return probeAt(transport, wish.plan, {.users = wish.users}, hooks);
    return probeUpTo(transport, wish.plan, wish.most, hooks);
}

// The levels went to standard error as they ended; a full disk takes the table only.
void write(const ProbeOutcome& outcome, Console& console)
{
    console.out() << probeText(outcome, console.format, console.language) << std::flush;
    if (console.out().good())
        return;
    console.err() << probeText(outcome, Format::Text, console.language);
    throw std::runtime_error(
        console.told("the results cannot be written to standard output; they stand above"));
}

// Why the levels are no answer of the server's; empty: they are.
Message brokenBy(const probe::ProbeReport& report)
{
    if (report.highest > 0)
        return {};
    if (report.partial())
        return "interrupted before a level was measured";
    if (isClients(report.limitedBy))
        return "this machine cannot hold the load";
    const auto answers = [](const probe::ProbeLevel& level) { return level.failed < level.requests; };
    if (std::any_of(report.levels.begin(), report.levels.end(), answers))
        return {};
    const probe::FailureCount* const failure = report.levels.front().commonestFailure();
    return say("the server answered no request: {}",
               failure != nullptr ? failure->example : Message("none was ended"));
}

Exit runProbe(const Arguments& arguments, Console& console)
{
    const Result<Scenario> scenario = wordsOf(arguments, console);
    Result<ProbeWish> wish = probeWish(arguments, scenario.value_or(Scenario{}));
    if (const Problems problems = joined(scenario, wish); !problems.empty())
        return console.refuse(problems);
    InterruptStops interrupt;
    const probe::StopAsked stop = [&interrupt] {
        interrupt.poll();
        return interrupt.token().stop_requested();
    };
    probe::CurlTransport transport(wish->connection);
    probe::Server server(transport, wish->plan.secrets, wish->plan.deadlines, stop);
    if (wish->plan.model.empty()) {
        const Result<std::string> served = server.servedModel();
        if (!served)
            return console.refuse(served.error());
        wish->plan.model = *served;
    }
    wish->plan.prompts = server.prompts(wish->plan.model, wish->sharedPart, freshNumber());
    const probe::ProbeHooks hooks{.counters = [&] { return server.counters(); },
                                  .onLevel =
                                      [&](const probe::ProbeLevel& level) {
                                          console.note(levelSentence(level));
                                          console.err() << std::flush;
                                      },
                                  .stop = stop};
    ProbeOutcome outcome{.url = wish->connection.address.text(),
                         .plan = wish->plan,
                         .report = probed(transport, *wish, hooks),
                         .notes = unusedNotes(console)};
    outcome.broken = brokenBy(outcome.report);
    write(outcome, console);
    if (!outcome.broken.empty())
        throw std::runtime_error(console.told(outcome.broken));
    return outcome.report.highest > 0 ? Exit::Done : Exit::No;
}

} // namespace

Verb probeVerb()
{
    return {.name = "probe",
            .group = VerbGroup::Measure,
            .summary
            = "loads a live OpenAI-compatible server: percentiles, and the most users that meet the targets",
            .example = "probe http://localhost:8000 --ttft 1 --tps 20",
            .run = runProbe,
            .scenario = true,
            .formats = true,
            .languages = true,
            .flags = probeFlags(),
            .words
            = {"URL", "the server, such as http://localhost:8000; --model is the server's name for its model",
               1, 1}};
}

} // namespace headroom::cli
