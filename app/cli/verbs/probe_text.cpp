#include "app/cli/verbs/probe_text.h"

#include "app/cli/resolved.h"
#include "app/probe/level_table.h"
#include "model/base/figure_text.h"
#include "model/base/message.h"
#include "model/report/translation.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom::cli {

namespace {

using probe::CountedBy;
using probe::ProbeLevel;

Message range(const probe::ProbeReport& report)
{
    if (report.highestLow && report.highestHigh)
        return say("{} to {} users", groupedDigits(*report.highestLow), groupedDigits(*report.highestHigh));
    if (report.highestLow)
        return say("{} or more", counted(*report.highestLow, "{} user", "{} users"));
    return report.highestHigh ? say("{} or fewer", counted(*report.highestHigh, "{} user", "{} users"))
                              : Message();
}

// Of requests that arrive on their own.
Message rateText(const ProbeOutcome& outcome, const ProbeLevel& level)
{
    if (level.end == probe::LevelEnd::ClientLimit)
        return say(
            "At {:g} requests a second more of them were open at once than this machine may hold: it says "
            "nothing of the server.",
            level.rateAsked);
    if (!outcome.plan.targets.any() || level.end == probe::LevelEnd::Interrupted)
        return {};
    return level.meets ? say("At {:g} requests a second the targets are met.", level.rateAsked)
                       : say("At {:g} requests a second the targets are missed.", level.rateAsked);
}

Message limitText(const ProbeOutcome& outcome)
{
    using probe::LimitedBy;
    const probe::ProbeReport& report = outcome.report;
    if (!report.levels.empty() && report.levels.front().rateAsked > 0)
        return rateText(outcome, report.levels.front());
    const Message users = counted(report.highest, "{} user", "{} users");
    const bool any = report.highest > 0;
    switch (report.limitedBy) {
    case LimitedBy::Targets:
        return any ? say("At most {} at once, with the targets met for {:g} % of requests.", users,
                         outcome.plan.targets.percentile)
                   : say("No level meets the targets.");
    case LimitedBy::MostAsked:
        return outcome.plan.targets.any() ? say("At least {} at once; more were not tried.", users)
                                          : Message();
    case LimitedBy::ClientFiles:
        return say(
            "At least {} at once. The limit is this machine's, not the server's: it has no file or port "
            "for more connections (see 'ulimit -n').",
            users);
    case LimitedBy::ClientBusy:
        return say("At least {} at once. The limit is this machine's, not the server's: its processor is "
                   "busy; probe from a faster one, or from several.",
                   users);
    case LimitedBy::Failures:
        return say("At least {} at once; then the server answered no more.", users);
    case LimitedBy::Interrupted:
        break;
    }
    return any ? say("Interrupted; at least {} at once until then.", users)
               : say("Interrupted before any level met the targets.");
}

double allCounted(const probe::ProbeReport& report, CountedBy how)
{
    double all = 0;
    for (const ProbeLevel& level : report.levels)
        all += level.countedBy[static_cast<std::size_t>(how)];
    return all;
}

void addPromptNote(std::vector<Message>& notes, const ProbeOutcome& outcome)
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
        notes.push_back(
            say("prompts are {:.0f} tokens by the server's count, {:.0f} were asked for", most, asked));
}

// Tokens that the server's counters have and no answer of the probe: others use the server at the same time.
void addOthersNote(std::vector<Message>& notes, const probe::ProbeReport& report)
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
        detail.failures.push_back({failure.name, failure.count, failure.example.english()});
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
                      .notes = inEnglish(notesOf(outcome)),
                      .broken = outcome.broken.english()},
                     probe::levelTable(report, false), details)
        + '\n';
}

} // namespace

Message levelSentence(const ProbeLevel& level)
{
    const Message users = counted(level.concurrency, "{} user", "{} users");
    const int answered = level.requests - level.failed;
    Message text = level.end == probe::LevelEnd::Complete
        ? say("{}: {} of {} requests answered", users, answered, level.requests)
        : say("{}: {} of {} requests answered, ended early ({})", users, answered, level.requests,
              asIs(levelEndName(level.end)));
    for (const probe::FailureCount& failure : level.failures)
        text += say("; {} × {}", failure.count, failure.example);
    return text;
}

std::vector<Message> verdictOf(const ProbeOutcome& outcome)
{
    std::vector<Message> sentences;
    if (Message limit = limitText(outcome); !limit.empty())
        sentences.push_back(std::move(limit));
    if (const Message sure = range(outcome.report);
        outcome.plan.targets.any() && !sure.empty() && outcome.report.levels.front().rateAsked == 0)
        sentences.push_back(say("95 % sure: {}.", sure));
    for (const Message& note : notesOf(outcome))
        sentences.push_back(say("Note: {}.", note));
    return sentences;
}

std::vector<Message> notesOf(const ProbeOutcome& outcome)
{
    std::vector<Message> notes = outcome.notes;
    if (const double pieces = allCounted(outcome.report, CountedBy::Pieces); pieces > 0)
        notes.push_back(say("the server does not count the tokens of {}: pieces of text are counted, and "
                            "TPOT is too long where a piece holds several tokens",
                            counted(pieces, "{} answer", "{} answers")));
    if (const double lengths = allCounted(outcome.report, CountedBy::Length); lengths > 0)
        notes.push_back(say("the server does not count the tokens of {}: they are as long as asked, by its "
                            "finish_reason 'length'",
                            counted(lengths, "{} answer", "{} answers")));
    addPromptNote(notes, outcome);
    addOthersNote(notes, outcome.report);
    return notes;
}

std::string probeText(const ProbeOutcome& outcome, Format format, ask::Language language)
{
    if (format == Format::Json)
        return documentOf(outcome);
    const bool forPeople = format != Format::Csv;
    std::string text = inFormat(probe::levelTable(outcome.report, forPeople), format, language);
    if (format == Format::Text)
        for (const Message& sentence : verdictOf(outcome))
            text += (language == ask::Language::Chinese ? inChinese(sentence) : sentence.english()) + '\n';
    return text;
}

} // namespace headroom::cli
