#include "model/import/bench_run.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace headroom {

void BenchRun::add(Metric metric, std::optional<double> value, double factor)
{
    if (!value || *value == 0)
        return;
    const double scaled = *value * factor;
    if (!std::isnormal(scaled) || scaled < 0) { // what a number of this machine cannot hold is no figure
        problems.push_back({name, say("{} of {} cannot be", asIs(metricName(metric)), scaled), {}});
        return;
    }
    MeasuredRow row = about;
    row.metric = metric;
    row.value = scaled;
    rows.push_back(std::move(row));
}

std::optional<double> BenchRun::number(JsonValue value)
{
    if (!value || value.isNull() || value.type() == JsonType::NonFinite)
        return std::nullopt;
    const auto number = value.number();
    if (!number)
        fail(value, say("expected a number, got {}", value.shown()));
    return number;
}

std::string BenchRun::text(JsonValue value)
{
    if (!value || value.isNull())
        return {};
    const auto text = value.text();
    if (!text)
        fail(value, say("expected text in quotes, got {}", value.shown()));
    return std::string(text.value_or(""));
}

void BenchRun::fail(JsonValue value, Message what, Message hint)
{
    problems.push_back({value.place(), std::move(what), std::move(hint)});
}

std::string lengthText(double tokens, bool same)
{
    if (!std::isfinite(tokens) || tokens < 0)
        return {};
    const double rounded = std::round(tokens * 100) / 100;
    return fmt::format("{}{}", rounded, same ? "" : " (mean)");
}

std::string lengthText(std::optional<double> total, std::optional<double> requests, JsonValue each)
{
    if (!total || !requests || *requests <= 0)
        return {};
    bool same = each.size() > 0;
    const auto first = each.firstChild().number();
    for (JsonValue length = each.firstChild(); length && same; length = length.next())
        same = length.number() == first;
    return lengthText(*total / *requests, same);
}

std::string servedLoad(std::optional<double> concurrency, std::optional<double> rate, bool unlimited,
                       std::optional<double> requests)
{
    const bool capped = concurrency && *concurrency > 0;
    const bool paced = rate && *rate > 0 && !unlimited;
    if (capped && paced)
        return fmt::format("qps {} with at most {} at once", *rate, *concurrency);
    if (capped)
        return loadText({.kind = LoadKind::Concurrency, .amount = *concurrency});
    if (paced)
        return loadText({.kind = LoadKind::RequestRate, .amount = *rate});
    if (unlimited && requests && *requests > 0)
        return loadText({.kind = LoadKind::Burst, .amount = *requests});
    return {};
}

void addLlamaBench(BenchRun& run, double prompt, double generated, double depth, double tokensPerSecond)
{
    run.about.load = "1";
    if (prompt > 0 && generated > 0) {
        run.warnings.emplace_back(
            "a test of prompt and generation together has no figure of its own: passed over");
        return;
    }
    run.about.inputLength = lengthText(prompt > 0 ? prompt : depth, true);
    run.about.outputLength = lengthText(generated, true);
    run.about.cachedTokens = prompt > 0 ? depth : 0;
    if (prompt > 0 && depth > 0)
        run.about.notes = fmt::format("prompt read behind {} cached tokens", depth);
    run.add(prompt > 0 ? Metric::TotalThroughput : Metric::DecodeRatePerUser, tokensPerSecond);
    run.about.notes.clear();
    run.about.cachedTokens = 0;
}

void setLlamaGpus(MeasuredRow& about, std::string_view gpuInfo, std::string_view splitMode)
{
    constexpr std::string_view between = ", ";
    const std::string_view first = gpuInfo.substr(0, gpuInfo.find(between));
    about.gpu = first;
    if (first.empty())
        return;
    int gpus = 1;
    for (std::size_t at = gpuInfo.find(between); at != std::string_view::npos;
         at = gpuInfo.find(between, at + 1))
        gpus += splitMode != "none" && gpuInfo.substr(at + between.size()).starts_with(first) ? 1 : 0;
    about.gpus = gpus;
}

void setLlamaModel(MeasuredRow& about, std::string_view modelType)
{
    struct Spelling {
        std::string_view shown; // llama_ftype_name of llama.cpp
        std::string_view type;
    };
    constexpr std::array spellings{
        Spelling{" Q2_K - Medium", "q2_k"},
        Spelling{" Q2_K - Small", "q2_k_s"},
        Spelling{" Q3_K - Small", "q3_k_s"},
        Spelling{" Q3_K - Medium", "q3_k_m"},
        Spelling{" Q3_K - Large", "q3_k_l"},
        Spelling{" Q4_K - Small", "q4_k_s"},
        Spelling{" Q4_K - Medium", "q4_k_m"},
        Spelling{" Q5_K - Small", "q5_k_s"},
        Spelling{" Q5_K - Medium", "q5_k_m"},
        Spelling{" MXFP4 MoE", "mxfp4"},
        Spelling{" all F32", "fp32"},
        Spelling{" Q6_K", "q6_k"},
        Spelling{" Q8_0", "q8_0"},
        Spelling{" Q5_0", "q5_0"},
        Spelling{" Q5_1", "q5_1"},
        Spelling{" Q4_0", "q4_0"},
        Spelling{" Q4_1", "q4_1"},
        Spelling{" BF16", "bf16"},
        Spelling{" F16", "fp16"},
    };
    about.model = modelType;
    for (const Spelling& known : spellings)
        if (modelType.ends_with(known.shown)) {
            about.weightDtype = known.type;
            about.model = modelType.substr(0, modelType.size() - known.shown.size());
            return;
        }
}

} // namespace headroom
