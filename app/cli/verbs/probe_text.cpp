#include "app/cli/verbs/probe_text.h"

#include "app/cli/resolved.h"
#include "app/probe/level_table.h"
#include "model/base/figure_text.h"
#include "model/base/message.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom::cli {

namespace {

using probe::CountedBy;
using probe::ProbeLevel;

std::string range(const probe::ProbeReport& report)
{
    if (report.highestLow && report.highestHigh)
        return fmt::format("{} to {} users", groupedDigits(*report.highestLow),
                           groupedDigits(*report.highestHigh));
    if (report.highestLow)
        return fmt::format("{} or more", counted(*report.highestLow, "{} user", "{} users").english());
    return report.highestHigh
        ? fmt::format("{} or fewer", counted(*report.highestHigh, "{} user", "{} users").english())
        : "";
}

// Of requests that arrive on their own.
std::string rateText(const ProbeOutcome& outcome, const ProbeLevel& level)
{
    if (level.end == probe::LevelEnd::ClientLimit)
        return fmt::format(
            "At {:g} requests a second more of them were open at once than this machine may hold: it says "
            "nothing of the server.\n",
            level.rateAsked);
    if (!outcome.plan.targets.any() || level.end == probe::LevelEnd::Interrupted)
        return "";
    return fmt::format("At {:g} requests a second the targets are {}.\n", level.rateAsked,
                       level.meets ? "met" : "missed");
}

std::string limitText(const ProbeOutcome& outcome)
{
    using probe::LimitedBy;
    const probe::ProbeReport& report = outcome.report;
    if (!report.levels.empty() && report.levels.front().rateAsked > 0)
        return rateText(outcome, report.levels.front());
    const std::string users = counted(report.highest, "{} user", "{} users").english();
    const bool any = report.highest > 0;
    switch (report.limitedBy) {
    case LimitedBy::Targets:
        return any ? fmt::format("At most {} at once, with the targets met for {:g} % of requests.\n", users,
                                 outcome.plan.targets.percentile)
                   : "No level meets the targets.\n";
    case LimitedBy::MostAsked:
        return outcome.plan.targets.any() ? fmt::format("At least {} at once; more were not tried.\n", users)
                                          : "";
    case LimitedBy::ClientFiles:
        return fmt::format(
            "At least {} at once. The limit is this machine's, not the server's: it has no file or port "
            "for more connections (see 'ulimit -n').\n",
            users);
    case LimitedBy::ClientBusy:
        return fmt::format(
            "At least {} at once. The limit is this machine's, not the server's: its processor is "
            "busy; probe from a faster one, or from several.\n",
            users);
    case LimitedBy::Failures:
        return fmt::format("At least {} at once; then the server answered no more.\n", users);
    case LimitedBy::Interrupted:
        break;
    }
    return any ? fmt::format("Interrupted; at least {} at once until then.\n", users)
               : "Interrupted before any level met the targets.\n";
}

double allCounted(const probe::ProbeReport& report, CountedBy how)
{
    double all = 0;
    for (const ProbeLevel& level : report.levels)
        all += level.countedBy[static_cast<std::size_t>(how)];
    return all;
}

void addPromptNote(std::vector<std::string>& notes, const ProbeOutcome& outcome)
{
    if (outcome.plan.prompts.scale().counted == probe::WordsCounted::Not)
        notes.emplace_back("the server does not count prompts: a word is taken for a token");
    double most = 0;
    for (const ProbeLevel& level : outcome.report.levels)
        if (level.meanPromptTokens > 0)
            most = std::max(most, level.meanPromptTokens);
    const double asked = outcome.plan.prompt.mean();
    constexpr double noteworthy = 0.1;
    if (most > 0 && outcome.plan.prompt.kind == LengthDistribution::Kind::Fixed
        && std::abs(most / asked - 1) > noteworthy)
        notes.push_back(fmt::format("prompts are {:.0f} tokens by the server's count, {:.0f} were asked for",
                                    most, asked));
}

// Tokens that the server's counters have and no answer of the probe: others use the server at the same time.
void addOthersNote(std::vector<std::string>& notes, const probe::ProbeReport& report)
{
    constexpr double noteworthy = 1.5;
    for (const ProbeLevel& level : report.levels) {
        // All requests of the level, those of its warm-up and those that held the load included.
        const double own = level.meanOutputTokens * (level.requests + level.warmUp + level.concurrency);
        if (level.server && level.server->outputTokens && own > 0
            && *level.server->outputTokens > noteworthy * own) {
            notes.emplace_back(
                "the server made far more tokens than were asked of it here: others use it at the same time");
            return;
        }
    }
}

ProbeLevelDetail detailOf(const ProbeLevel& level)
{
    ProbeLevelDetail detail;
    for (const probe::FailureCount& failure : level.failures)
        detail.failures.push_back({failure.name, failure.count, failure.example});
    if (!level.server)
        return detail;
    const probe::ServerCounters& server = *level.server;
    const auto add = [&](const char* name, const std::optional<double>& count) {
        if (count)
            detail.server.emplace_back(name, *count);
    };
    add("prompt_tokens", server.promptTokens);
    add("output_tokens", server.outputTokens);
    add("preemptions", server.preemptions);
    add("prefix_cache_queries", server.prefixQueries);
    add("prefix_cache_hits", server.prefixHits);
    add("running", server.running);
    add("waiting", server.waiting);
    add("kv_cache_used", server.kvUsed);
    return detail;
}

std::string_view countedName(probe::WordsCounted counted)
{
    switch (counted) {
    case probe::WordsCounted::ByTokenizer:
        return "tokenizer";
    case probe::WordsCounted::ByUsage:
        return "usage";
    case probe::WordsCounted::Not:
        break;
    }
    return "words";
}

std::string documentOf(const ProbeOutcome& outcome)
{
    const probe::ProbeReport& report = outcome.report;
    std::vector<ProbeLevelDetail> details;
    std::string server;
    for (const ProbeLevel& level : report.levels) {
        details.push_back(detailOf(level));
        if (level.server)
            server = probe::serverKindName(level.server->kind);
    }
    return probeJson({.url = outcome.url,
                      .model = outcome.plan.model,
                      .targets = outcome.plan.targets.any(),
                      .highestConcurrency = report.highest,
                      .highestLow = report.highestLow,
                      .highestHigh = report.highestHigh,
                      .limitedBy = std::string(limitName(report.limitedBy)),
                      .partial = report.partial(),
                      .server = server,
                      .promptsCountedBy = std::string(countedName(outcome.plan.prompts.scale().counted)),
                      .notes = notesOf(outcome),
                      .broken = outcome.broken},
                     probe::levelTable(report, false), details)
        + '\n';
}

} // namespace

std::string levelSentence(const ProbeLevel& level)
{
    std::string text = fmt::format("{}: {} of {} requests answered",
                                   counted(level.concurrency, "{} user", "{} users").english(),
                                   level.requests - level.failed, level.requests);
    if (level.end != probe::LevelEnd::Complete)
        text += fmt::format(", ended early ({})", levelEndName(level.end));
    for (const probe::FailureCount& failure : level.failures)
        text += fmt::format("; {} × {}", failure.count, failure.example);
    return text;
}

std::string verdictText(const ProbeOutcome& outcome)
{
    std::string text = limitText(outcome);
    if (const std::string sure = range(outcome.report);
        outcome.plan.targets.any() && !sure.empty() && outcome.report.levels.front().rateAsked == 0)
        text += fmt::format("95 % sure: {}.\n", sure);
    for (const std::string& note : notesOf(outcome))
        text += "Note: " + note + ".\n";
    return text;
}

std::vector<std::string> notesOf(const ProbeOutcome& outcome)
{
    std::vector<std::string> notes = outcome.notes;
    if (const double pieces = allCounted(outcome.report, CountedBy::Pieces); pieces > 0)
        notes.push_back(
            fmt::format("the server does not count the tokens of {}: pieces of text are counted, and "
                        "TPOT is too long where a piece holds several tokens",
                        counted(pieces, "{} answer", "{} answers").english()));
    if (const double lengths = allCounted(outcome.report, CountedBy::Length); lengths > 0)
        notes.push_back(
            fmt::format("the server does not count the tokens of {}: they are as long as asked, by its "
                        "finish_reason 'length'",
                        counted(lengths, "{} answer", "{} answers").english()));
    addPromptNote(notes, outcome);
    addOthersNote(notes, outcome.report);
    return notes;
}

std::string probeText(const ProbeOutcome& outcome, Format format)
{
    if (format == Format::Json)
        return documentOf(outcome);
    const bool forPeople = format != Format::Csv;
    std::string text = inFormat(probe::levelTable(outcome.report, forPeople), format, ask::Language::English);
    if (format == Format::Text)
        text += verdictText(outcome);
    return text;
}

} // namespace headroom::cli
