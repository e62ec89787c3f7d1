#include "model/yaml/engine_yaml.h"

#include "model/catalogue/engine_releases.h"
#include "model/yaml/engine_host_yaml.h"
#include "model/yaml/platform_words.h"
#include "model/yaml/reader.h"
#include "model/yaml/scale_words.h"
#include "model/yaml/writer.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom {

namespace {

constexpr auto schedulers = [] {
    std::array<Choice<SchedulerKind>, allSchedulers.size()> choices{};
    for (std::size_t i = 0; i < choices.size(); ++i)
        choices[i] = {schedulerRow(allSchedulers[i])->inFile, allSchedulers[i]};
    return choices;
}();
constexpr std::array memoryBases{Choice<MemoryBase>{"of_total", MemoryBase::OfTotal},
                                 Choice<MemoryBase>{"of_free_after_weights", MemoryBase::OfFreeAfterWeights}};
constexpr std::array preemptions{Choice<PreemptionKind>{"none", PreemptionKind::None},
                                 Choice<PreemptionKind>{"recompute", PreemptionKind::Recompute},
                                 Choice<PreemptionKind>{"swap", PreemptionKind::Swap}};

template <typename E, std::size_t N>
E chosen(MapReader& in, std::string_view key, const std::array<Choice<E>, N>& choices)
{
    return in.choice(key, std::span<const Choice<E>>(choices));
}

void readPlatforms(MapReader in, Engine& engine, SourceReader& sources)
{
    for (const std::string& word : in.texts("platforms")) {
        const auto known = std::find_if(platformWords.begin(), platformWords.end(),
                                        [&](const Choice<Platform>& one) { return one.name == word; });
        if (known != platformWords.end())
            engine.platforms.push_back(known->value);
        else
            in.report("platforms", say("knows no '{}'", word), say("one of {}", asIs(platformList.text())));
    }
    engine.insteadOf = in.maybeText("instead_of").value_or("");
    sources.cite(in, "runs_on");
    in.finish();
}

void readReleases(MapReader in, Engine& engine, SourceReader& sources)
{
    for (MapReader& each : in.maybeMaps("versions")) {
        EngineRelease one{each.text("version"), each.text("month")};
        if (!monthNumber(one.month))
            each.report("month", say("'{}' is no month", one.month), "for example 2025-10");
        else if (!engine.releases.empty() && one.month < engine.releases.back().month)
            each.report("month", "comes after a younger version: the oldest stands first");
        engine.releases.push_back(std::move(one));
        each.finish();
    }
    if (engine.releases.empty())
        in.report("versions", "lists no version");
    sources.cite(in, "releases");
    in.finish();
}

StepLimits readLimits(MapReader& in)
{
    constexpr Between steps{1, 1000};
    return {.maxBatchedTokens = in.whole("max_batched_tokens"),
            .maxSequences = in.whole("max_sequences"),
            .receiveInterval = in.maybeNumber("receive_interval", steps).value_or(1),
            .fewUsers = in.maybeWhole("few_users").value_or(0),
            .receiveIntervalOfFew = in.maybeNumber("receive_interval_of_few", steps).value_or(1)};
}

void writeLimits(MapWriter& out, const StepLimits& limits)
{
    out.whole("max_batched_tokens", limits.maxBatchedTokens);
    out.whole("max_sequences", limits.maxSequences);
    if (limits.receiveInterval > 1)
        out.number("receive_interval", limits.receiveInterval);
    if (limits.fewUsers > 0) {
        out.whole("few_users", limits.fewUsers);
        out.number("receive_interval_of_few", limits.receiveIntervalOfFew);
    }
}

void readScheduler(MapReader in, Engine& engine, SourceReader& sources)
{
    engine.scheduler = chosen(in, "kind", schedulers);
    static_cast<StepLimits&>(engine) = readLimits(in);
    for (MapReader& card : in.maybeMaps("by_card")) {
        engine.limitsByCard.push_back({.memoryFrom = card.quantity<Dim{.byte = 1}>("memory_from"),
                                       .notFamilies = card.maybeTexts("not_families"),
                                       .limits = readLimits(card)});
        card.finish();
    }
    engine.splitsPrompts = in.maybeFlag("splits_prompts").value_or(false);
    engine.balanceSteps = in.maybeWhole("balance_steps").value_or(0);
    if (auto latent = in.maybeMap("latent")) {
        engine.latent.promptsPerStep = latent->maybeNumber("prompts_per_step", {0, 1000}).value_or(0);
        engine.latent.answerSteps = latent->maybeNumber("answer_steps", {0, 1000}).value_or(0);
        engine.latent.heads = latent->maybeNumbers("heads", {1, 1000});
        engine.latent.absorbsPromptsOn = latent->maybeTexts("absorbs_prompts_on");
        latent->finish();
    }
    engine.preemption = chosen(in, "preemption", preemptions);
    engine.watermark = in.maybeNumber("watermark", Between::share()).value_or(0);
    engine.prefixCache = in.flag("prefix_cache");
    engine.speculative = in.flag("speculative");
    if (mixesPrompts(engine.scheduler) && engine.maxBatchedTokens == 0 && engine.id != "ideal")
        in.report("max_batched_tokens", "a scheduler that splits prompts needs a token budget");
    sources.cite(in, "scheduler");
    in.finish();
}

void readMemory(MapReader in, Engine& engine, SourceReader& sources)
{
    engine.memoryBase = chosen(in, "base", memoryBases);
    engine.memoryFraction = in.number("fraction", {positive.low, 1});
    engine.blockTokens = in.count("block_tokens", 0, 1 << 20);
    engine.runtimeMemory = in.quantity<Dim{.byte = 1}>("runtime");
    engine.graphMemory = in.quantity<Dim{.byte = 1}>("graphs");
    engine.activationFactor = in.number("activation_factor", {0, 100});
    engine.logitsCopies = in.maybeNumber("logits_copies", {0, 100}).value_or(1);
    engine.unifiedPages = in.maybeFlag("unified_pages").value_or(false);
    engine.chunksHoldAll = in.maybeFlag("chunks_hold_all").value_or(false);
    engine.bufferTokens = in.maybeWhole("buffer_tokens").value_or(0);
    if (in.has("cell_padding"))
        engine.cellPadding = in.count("cell_padding", 1, 1 << 20);
    engine.processorRuntime = in.maybeQuantity<Dim{.byte = 1}>("processor_runtime");
    if (in.has("repacked_on_processors"))
        engine.repackedOnProcessors = in.dtypes("repacked_on_processors");
    sources.cite(in, "memory");
    in.finish();
}

void readTypes(MapReader in, Engine& engine, SourceReader& sources)
{
    engine.weightTypes = in.dtypes("weights");
    engine.kvTypes = in.dtypes("kv");
    for (MapReader& each : in.maybeMaps("unpacked")) {
        engine.unpacked.push_back({each.maybeTexts("families"), each.dtypes("weights")});
        if (engine.unpacked.back().families.empty())
            each.report("families", "names no family of accelerators");
        each.finish();
    }
    if (in.has("fp8_checkpoint_scales"))
        engine.fp8Scales = in.choice<ScaleSpan>("fp8_checkpoint_scales", scaleSpans);
    if (std::optional<MapReader> ordered = in.maybeMap("ordered_experts")) {
        engine.orderedExperts
            = OrderedExperts{ordered->maybeTexts("families"), ordered->number("kernels", {1, 100})};
        if (engine.orderedExperts->families.empty())
            ordered->report("families", "names no family of accelerators");
        ordered->finish();
    }
    sources.cite(in, "types");
    in.finish();
}

void readParallel(MapReader in, Engine& engine, SourceReader& sources)
{
    engine.tensorParallel = in.flag("tensor");
    engine.pipelineParallel = in.flag("pipeline");
    engine.pipelineMicroBatches = in.flag("pipeline_micro_batches");
    engine.pipelineWaitsForHost = in.maybeFlag("pipeline_waits_for_host").value_or(false);
    engine.pipelinePiece = in.maybeWhole("pipeline_piece").value_or(0);
    engine.expertParallel = in.flag("expert");
    engine.fillsRanks = in.maybeFlag("fills_ranks").value_or(false);
    engine.balancesExperts = in.maybeFlag("balances_experts").value_or(false);
    engine.overlapsExperts = in.maybeFlag("overlaps_experts").value_or(false);
    engine.ownExchangedExperts = in.maybeFlag("own_exchanged_experts").value_or(false);
    engine.libraryUnpacksExperts = in.maybeFlag("library_unpacks_experts").value_or(false);
    engine.dynamicChunks = in.maybeFlag("dynamic_chunks").value_or(false);
    engine.dataParallelAttention = in.flag("data_attention");
    engine.disaggregates = in.maybeFlag("disaggregated").value_or(false);
    sources.cite(in, "parallel");
    in.finish();
}

void flagIfSo(MapWriter& out, std::string_view key, bool is)
{
    if (is)
        out.flag(key, true);
}

} // namespace

std::string_view name(SchedulerKind kind) { return nameOf(schedulers, kind); }

Result<Engine> readEngine(const std::string& text, const std::string& file)
{
    return readYaml(text, file, [](MapReader& in) {
        Engine engine;
        engine.id = in.identifier("id");
        engine.name = in.name("name");
        engine.version = in.text("version");
        engine.aliases = in.maybeTexts("aliases");
        engine.notes = in.maybeText("notes").value_or("");
        SourceReader sources(in);
        if (auto platforms = in.maybeMap("runs_on"))
            readPlatforms(*platforms, engine, sources);
        if (auto releases = in.maybeMap("releases"))
            readReleases(*releases, engine, sources);
        readScheduler(in.map("scheduler"), engine, sources);
        readMemory(in.map("memory"), engine, sources);
        readHost(in.map("host"), engine, sources);
        readTypes(in.map("types"), engine, sources);
        readParallel(in.map("parallel"), engine, sources);
        engine.citations = sources.finish();
        return engine;
    });
}

std::string writeEngine(const Engine& engine)
{
    const SourceWriter sources(engine.citations);
    const auto group = [&](MapWriter& file, std::string_view name, auto write) {
        file.map(name, [&](MapWriter& out) {
            write(out);
            sources.cite(out, name);
        });
    };
    MapWriter file;
    file.text("id", engine.id);
    file.text("name", engine.name);
    file.text("version", engine.version);
    if (!engine.aliases.empty())
        file.texts("aliases", engine.aliases);
    if (!engine.notes.empty())
        file.text("notes", engine.notes);
    if (!engine.platforms.empty())
        group(file, "runs_on", [&](MapWriter& out) {
            std::vector<std::string> words;
            for (const Platform platform : engine.platforms)
                words.emplace_back(nameOf(platformWords, platform));
            out.texts("platforms", words);
            if (!engine.insteadOf.empty())
                out.text("instead_of", engine.insteadOf);
        });
    if (!engine.releases.empty())
        group(file, "releases", [&](MapWriter& out) {
            out.maps("versions", engine.releases, [](MapWriter& each, const EngineRelease& one) {
                each.text("version", one.version);
                each.text("month", one.month);
            });
        });
    group(file, "scheduler", [&](MapWriter& out) {
        out.text("kind", nameOf(schedulers, engine.scheduler));
        writeLimits(out, engine);
        if (!engine.limitsByCard.empty())
            out.maps("by_card", engine.limitsByCard, [](MapWriter& card, const EngineLimits& on) {
                card.quantity("memory_from", on.memoryFrom);
                if (!on.notFamilies.empty())
                    card.texts("not_families", on.notFamilies);
                writeLimits(card, on.limits);
            });
        flagIfSo(out, "splits_prompts", engine.splitsPrompts);
        if (engine.balanceSteps > 0)
            out.whole("balance_steps", engine.balanceSteps);
        if (engine.latent != LatentLaunch{})
            group(out, "latent", [&](MapWriter& latent) {
                if (engine.latent.promptsPerStep > 0)
                    latent.number("prompts_per_step", engine.latent.promptsPerStep);
                if (engine.latent.answerSteps > 0)
                    latent.number("answer_steps", engine.latent.answerSteps);
                if (!engine.latent.heads.empty())
                    latent.numbers("heads", engine.latent.heads);
                if (!engine.latent.absorbsPromptsOn.empty())
                    latent.texts("absorbs_prompts_on", engine.latent.absorbsPromptsOn);
            });
        out.text("preemption", nameOf(preemptions, engine.preemption));
        if (engine.watermark > 0)
            out.number("watermark", engine.watermark);
        out.flag("prefix_cache", engine.prefixCache);
        out.flag("speculative", engine.speculative);
    });
    group(file, "memory", [&](MapWriter& out) {
        out.text("base", nameOf(memoryBases, engine.memoryBase));
        out.number("fraction", engine.memoryFraction);
        out.whole("block_tokens", engine.blockTokens);
        out.quantity("runtime", engine.runtimeMemory);
        out.quantity("graphs", engine.graphMemory);
        out.number("activation_factor", engine.activationFactor);
        if (engine.logitsCopies != 1)
            out.number("logits_copies", engine.logitsCopies);
        flagIfSo(out, "unified_pages", engine.unifiedPages);
        flagIfSo(out, "chunks_hold_all", engine.chunksHoldAll);
        if (engine.bufferTokens > 0)
            out.whole("buffer_tokens", engine.bufferTokens);
        if (engine.cellPadding > 1)
            out.whole("cell_padding", engine.cellPadding);
        if (engine.processorRuntime)
            out.quantity("processor_runtime", *engine.processorRuntime);
        if (!engine.repackedOnProcessors.empty())
            out.dtypes("repacked_on_processors", engine.repackedOnProcessors);
    });
    group(file, "host", [&](MapWriter& out) { writeHost(out, engine); });
    group(file, "types", [&](MapWriter& out) {
        out.dtypes("weights", engine.weightTypes);
        out.dtypes("kv", engine.kvTypes);
        if (!engine.unpacked.empty())
            out.maps("unpacked", engine.unpacked, [](MapWriter& each, const UnpackedWeights& on) {
                each.texts("families", on.families);
                each.dtypes("weights", on.weights);
            });
        if (engine.fp8Scales)
            out.text("fp8_checkpoint_scales", nameOf(scaleSpans, *engine.fp8Scales));
        if (engine.orderedExperts)
            out.map("ordered_experts", [&](MapWriter& ordered) {
                ordered.texts("families", engine.orderedExperts->families);
                ordered.number("kernels", engine.orderedExperts->kernels);
            });
    });
    group(file, "parallel", [&](MapWriter& out) {
        out.flag("tensor", engine.tensorParallel);
        out.flag("pipeline", engine.pipelineParallel);
        out.flag("pipeline_micro_batches", engine.pipelineMicroBatches);
        flagIfSo(out, "pipeline_waits_for_host", engine.pipelineWaitsForHost);
        if (engine.pipelinePiece > 0)
            out.whole("pipeline_piece", engine.pipelinePiece);
        out.flag("expert", engine.expertParallel);
        flagIfSo(out, "fills_ranks", engine.fillsRanks);
        flagIfSo(out, "balances_experts", engine.balancesExperts);
        flagIfSo(out, "overlaps_experts", engine.overlapsExperts);
        flagIfSo(out, "own_exchanged_experts", engine.ownExchangedExperts);
        flagIfSo(out, "library_unpacks_experts", engine.libraryUnpacksExperts);
        flagIfSo(out, "dynamic_chunks", engine.dynamicChunks);
        out.flag("data_attention", engine.dataParallelAttention);
        flagIfSo(out, "disaggregated", engine.disaggregates);
    });
    sources.finish(file);
    return file.yaml();
}

} // namespace headroom
