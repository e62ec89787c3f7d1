#include "calib/validate/row_load.h"

#include "calib/validate/load_tool.h"
#include "calib/validate/row_words.h"
#include "model/scenario/text_lengths.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom {
namespace {

// Synthetic prompts are of one length, and a mean close to a round number betrays them.
bool nearRound(double tokens)
{
    const double nearest
        = tokens >= 950 ? std::round(tokens / 1000) * 1000 : std::exp2(std::round(std::log2(tokens)));
    return std::abs(tokens - nearest) < 0.005 * nearest;
}

LengthDistribution syntheticLengths(const TokenLength& length, double rangeRatio)
{
    const double most = std::max(1.0, length.tokens);
    return rangeRatio > 0 && rangeRatio < 1
        ? LengthDistribution::uniform(std::max(1.0, rangeRatio * length.tokens), most)
        : LengthDistribution::of(most);
}

// "bursty arrivals, gamma shape 0.7": as vLLM's load tool calls its --burstiness.
std::string arrivalsOf(const std::string& notes)
{
    for (const std::string_view key : {"gamma shape ", "--burstiness "})
        if (const auto shape = numberAfter(notes, key); shape && *shape > 0 && *shape != 1)
            return fmt::format("gamma:shape={}", *shape);
    return says(notes, "constant arrivals") || says(notes, "constant rate") ? "constant" : "poisson";
}

bool isStatic(const MeasuredRow& row, const Engine& engine, double amount)
{
    const std::string notes = lowered(row.notes);
    const bool loops = says(notes, "closed-loop") || says(notes, "closed loop");
    if (keepsBatch(engine.scheduler))
        return true;
    if (says(notes, "static batch") || says(notes, "static batching") || says(notes, "static inference")
        || says(notes, "batched requests"))
        return true;
    // Latency of a whole request is published for static batches; so is a single sequence.
    return !loops && (amount <= 1 || row.metric == Metric::Latency);
}

std::optional<Message> readKind(const MeasuredRow& row, const Engine& engine, RowLoad& out)
{
    const MeasuredLoad load = readLoad(row.load);
    out.amount = load.amount;
    switch (load.kind) {
    case LoadKind::Unknown:
        return say("the load is not stated in numbers: '{}'", row.load);
    case LoadKind::Saturated:
        out.kind = RunKind::Saturated;
        break;
    case LoadKind::RequestRate:
        if (!(load.amount > 0))
            return "a request rate of zero or without bound says nothing of the load";
        out.kind = RunKind::OpenLoop;
        out.arrivals = arrivalsOf(row.notes);
        out.mostInFlight = numberAfter(row.notes, "cap ").value_or(0);
        break;
    case LoadKind::Burst:
        out.kind = RunKind::Burst;
        break;
    case LoadKind::Concurrency:
        out.kind = isStatic(row, engine, load.amount) ? RunKind::Static : RunKind::ClosedLoop;
        if (row.notes.find("at once") != std::string::npos)
            out.kind = RunKind::Burst;
        // "closed by --max-concurrency 25 with 1.5/s offered": users who begin one after the other.
        if (out.kind == RunKind::ClosedLoop)
            out.offered = decimalBefore(row.notes, "/s offered").value_or(0);
        if (out.offered > 0)
            out.arrivals = arrivalsOf(row.notes);
        break;
    }
    out.finiteRequests = numberBefore(row.notes, " requests").value_or(0);
    return std::nullopt;
}

std::optional<Message> readLengths(const MeasuredRow& row, RowLoad& out)
{
    const std::optional<TokenLength> input = readTokenLength(row.inputLength);
    const std::optional<TokenLength> output = readTokenLength(row.outputLength);
    if (!input || !output)
        return "the lengths are not stated in numbers";
    const bool timesOnly
        = row.metric == Metric::Ttft || row.metric == Metric::Tpot || row.metric == Metric::InterToken;
    if ((input->bound || output->bound) && !timesOnly)
        return "lengths are only bounded, and throughput depends on their mean";
    const double ratio = numberAfter(row.notes, "range ratio ").value_or(0);
    const bool chosen = row.notes.find("real prompts") != std::string::npos;
    const bool synthetic = !chosen && nearRound(input->tokens);
    const auto lengths = [&](const TokenLength& length, auto ofChosen, auto ofAny) {
        if (synthetic || !length.mean)
            return syntheticLengths(length, ratio);
        out.lengthsGuessed = true;
        return chosen ? ofChosen(length.tokens) : ofAny(length.tokens);
    };
    out.prompt = lengths(*input, chosenQuestionLengths, questionLengths);
    out.output = lengths(*output, cutAnswerLengths, answerLengths);
    return std::nullopt;
}

} // namespace

std::variant<RowLoad, Message> rowLoadOf(const MeasuredRow& row, const Engine& engine)
{
    RowLoad out;
    if (std::optional<Message> why = readKind(row, engine, out))
        return std::move(*why);
    if (std::optional<Message> why = readLengths(row, out))
        return std::move(*why);
    if (out.kind == RunKind::Saturated && out.finiteRequests == 0)
        out.finiteRequests = documentedRequests(row.notes, out.prompt.mean(), out.output.mean());
    return out;
}

} // namespace headroom
