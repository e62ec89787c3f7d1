#include "model/yaml/engine_yaml.h"

#include "model/yaml/reader.h"
#include "model/yaml/writer.h"

#include <array>

namespace headroom {

namespace {

constexpr auto schedulers = [] {
    std::array<Choice<SchedulerKind>, schedulerCount> choices{};
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

void readScheduler(MapReader in, Engine& engine, SourceReader& sources)
{
    engine.scheduler = chosen(in, "kind", schedulers);
    engine.maxBatchedTokens = in.whole("max_batched_tokens");
    engine.maxSequences = in.whole("max_sequences");
    engine.receiveInterval = in.maybeNumber("receive_interval", {1, 1000}).value_or(1);
    engine.fewUsers = in.maybeWhole("few_users").value_or(0);
    engine.receiveIntervalOfFew = in.maybeNumber("receive_interval_of_few", {1, 1000}).value_or(1);
    for (MapReader& card : in.maybeMaps("by_card")) {
        engine.limitsByCard.push_back(
            {.memoryFrom = card.quantity<Dim{.byte = 1}>("memory_from"),
             .notFamilies = card.maybeTexts("not_families"),
             .maxBatchedTokens = card.whole("max_batched_tokens"),
             .maxSequences = card.whole("max_sequences"),
             .receiveInterval = card.maybeNumber("receive_interval", {1, 1000}).value_or(1),
             .fewUsers = card.maybeWhole("few_users").value_or(0),
             .receiveIntervalOfFew = card.maybeNumber("receive_interval_of_few", {1, 1000}).value_or(1)});
        card.finish();
    }
    engine.splitsPrompts = in.maybeFlag("splits_prompts").value_or(false);
    engine.balanceSteps = in.maybeWhole("balance_steps").value_or(0);
    if (auto latent = in.maybeMap("latent")) {
        engine.latent.promptsPerStep = latent->maybeNumber("prompts_per_step", {0, 1000}).value_or(0);
        engine.latent.answerSteps = latent->maybeNumber("answer_steps", {0, 1000}).value_or(0);
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

constexpr Between expertTimes{0.25, 10};

// Times and spreads that a family does not state are those of the engine.
EngineOnFamilies readOnFamilies(MapReader& in, const Engine& engine)
{
    const auto time = [&](std::string_view key, Seconds usual) {
        return in.maybeQuantity<Dim{.second = 1}>(key).value_or(usual);
    };
    const auto number = [&](std::string_view key, double most, double usual) {
        return in.maybeNumber(key, {0, most}).value_or(usual);
    };
    EngineOnFamilies out{
        .families = in.maybeTexts("families"),
        .stepHostTime = time("per_step", engine.stepHostTime),
        .stepHostTimePerSequence = time("per_step_and_sequence", engine.stepHostTimePerSequence),
        .requestHostTime = time("per_request", engine.requestHostTime),
        .eagerLaunch = time("eager_launch", engine.eagerLaunch),
        .admissionSteps = number("admission_steps", 1000, engine.admissionSteps),
        .expertTime = in.maybeNumber("expert_time", expertTimes).value_or(engine.expertTime),
        .lnSpreadPrefill = number("ln_spread_prefill", 2, engine.lnSpreadPrefill),
        .lnSpreadDecode = number("ln_spread_decode", 2, engine.lnSpreadDecode),
        .lnSpreadSourcePrefill = number("ln_spread_source_prefill", 2, engine.lnSpreadSourcePrefill),
        .lnSpreadSourceDecode = number("ln_spread_source_decode", 2, engine.lnSpreadSourceDecode)};
    if (out.families.empty())
        in.report("families", "names no family of accelerators");
    in.finish();
    return out;
}

void readHost(MapReader in, Engine& engine, SourceReader& sources)
{
    engine.stepHostTime = in.quantity<Dim{.second = 1}>("per_step");
    engine.stepHostTimePerSequence = in.quantity<Dim{.second = 1}>("per_step_and_sequence");
    engine.requestHostTime = in.quantity<Dim{.second = 1}>("per_request");
    if (const auto tokenising = in.maybeQuantity<Dim{.second = 1}>("per_prompt_token"))
        engine.tokeniseTime = *tokenising;
    engine.hostOverlap = in.number("overlap", Between::share());
    engine.collectiveOverlap = in.number("collective_overlap", Between::share());
    engine.graphs = in.flag("captured_graphs");
    engine.customAllReduce = in.flag("custom_all_reduce");
    if (const auto launch = in.maybeQuantity<Dim{.second = 1}>("eager_launch"))
        engine.eagerLaunch = *launch;
    engine.admissionSteps = in.maybeNumber("admission_steps", {0, 1000}).value_or(0);
    engine.expertTime = in.maybeNumber("expert_time", expertTimes).value_or(1);
    engine.fusesQuantise = in.maybeFlag("fuses_quantise").value_or(false);
    engine.kernels = in.maybeTexts("kernels");
    engine.lnSpreadPrefill = in.maybeNumber("ln_spread_prefill", {0, 2}).value_or(0);
    engine.lnSpreadDecode = in.maybeNumber("ln_spread_decode", {0, 2}).value_or(0);
    engine.lnSpreadSourcePrefill = in.maybeNumber("ln_spread_source_prefill", {0, 2}).value_or(0);
    engine.lnSpreadSourceDecode = in.maybeNumber("ln_spread_source_decode", {0, 2}).value_or(0);
    for (MapReader& family : in.maybeMaps("on_families"))
        engine.onFamilies.push_back(readOnFamilies(family, engine));
    sources.cite(in, "host");
    in.finish();
}

void readTypes(MapReader in, Engine& engine, SourceReader& sources)
{
    engine.weightTypes = in.dtypes("weights");
    engine.kvTypes = in.dtypes("kv");
    sources.cite(in, "types");
    in.finish();
}

void readParallel(MapReader in, Engine& engine, SourceReader& sources)
{
    engine.tensorParallel = in.flag("tensor");
    engine.pipelineParallel = in.flag("pipeline");
    engine.pipelineMicroBatches = in.flag("pipeline_micro_batches");
    engine.pipelinePiece = in.maybeWhole("pipeline_piece").value_or(0);
    engine.expertParallel = in.flag("expert");
    engine.fillsRanks = in.maybeFlag("fills_ranks").value_or(false);
    engine.overlapsExperts = in.maybeFlag("overlaps_experts").value_or(false);
    engine.dynamicChunks = in.maybeFlag("dynamic_chunks").value_or(false);
    engine.dataParallelAttention = in.flag("data_attention");
    engine.disaggregates = in.maybeFlag("disaggregated").value_or(false);
    sources.cite(in, "parallel");
    in.finish();
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
    group(file, "scheduler", [&](MapWriter& out) {
        out.text("kind", nameOf(schedulers, engine.scheduler));
        out.whole("max_batched_tokens", engine.maxBatchedTokens);
        out.whole("max_sequences", engine.maxSequences);
        if (engine.receiveInterval > 1)
            out.number("receive_interval", engine.receiveInterval);
        if (engine.fewUsers > 0) {
            out.whole("few_users", engine.fewUsers);
            out.number("receive_interval_of_few", engine.receiveIntervalOfFew);
        }
        if (!engine.limitsByCard.empty())
            out.maps("by_card", engine.limitsByCard, [](MapWriter& card, const EngineLimits& limits) {
                card.quantity("memory_from", limits.memoryFrom);
                if (!limits.notFamilies.empty())
                    card.texts("not_families", limits.notFamilies);
                card.whole("max_batched_tokens", limits.maxBatchedTokens);
                card.whole("max_sequences", limits.maxSequences);
                if (limits.receiveInterval > 1)
                    card.number("receive_interval", limits.receiveInterval);
                if (limits.fewUsers > 0) {
                    card.whole("few_users", limits.fewUsers);
                    card.number("receive_interval_of_few", limits.receiveIntervalOfFew);
                }
            });
        if (engine.splitsPrompts)
            out.flag("splits_prompts", true);
        if (engine.balanceSteps > 0)
            out.whole("balance_steps", engine.balanceSteps);
        if (engine.latent != LatentLaunch{})
            group(out, "latent", [&](MapWriter& latent) {
                if (engine.latent.promptsPerStep > 0)
                    latent.number("prompts_per_step", engine.latent.promptsPerStep);
                if (engine.latent.answerSteps > 0)
                    latent.number("answer_steps", engine.latent.answerSteps);
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
        if (engine.unifiedPages)
            out.flag("unified_pages", true);
        if (engine.chunksHoldAll)
            out.flag("chunks_hold_all", true);
        if (engine.bufferTokens > 0)
            out.whole("buffer_tokens", engine.bufferTokens);
        if (engine.cellPadding > 1)
            out.whole("cell_padding", engine.cellPadding);
        if (engine.processorRuntime)
            out.quantity("processor_runtime", *engine.processorRuntime);
        if (!engine.repackedOnProcessors.empty())
            out.dtypes("repacked_on_processors", engine.repackedOnProcessors);
    });
    group(file, "host", [&](MapWriter& out) {
        out.quantity("per_step", engine.stepHostTime);
        out.quantity("per_step_and_sequence", engine.stepHostTimePerSequence);
        out.quantity("per_request", engine.requestHostTime);
        if (engine.tokeniseTime.base() > 0)
            out.quantity("per_prompt_token", engine.tokeniseTime);
        out.number("overlap", engine.hostOverlap);
        out.number("collective_overlap", engine.collectiveOverlap);
        out.flag("captured_graphs", engine.graphs);
        out.flag("custom_all_reduce", engine.customAllReduce);
        if (engine.eagerLaunch.base() > 0)
            out.quantity("eager_launch", engine.eagerLaunch);
        if (engine.admissionSteps > 0)
            out.number("admission_steps", engine.admissionSteps);
        if (engine.expertTime != 1)
            out.number("expert_time", engine.expertTime);
        if (engine.fusesQuantise)
            out.flag("fuses_quantise", true);
        if (!engine.kernels.empty())
            out.texts("kernels", engine.kernels);
        if (engine.lnSpreadPrefill > 0)
            out.number("ln_spread_prefill", engine.lnSpreadPrefill);
        if (engine.lnSpreadDecode > 0)
            out.number("ln_spread_decode", engine.lnSpreadDecode);
        if (engine.lnSpreadSourcePrefill > 0)
            out.number("ln_spread_source_prefill", engine.lnSpreadSourcePrefill);
        if (engine.lnSpreadSourceDecode > 0)
            out.number("ln_spread_source_decode", engine.lnSpreadSourceDecode);
        if (!engine.onFamilies.empty())
            out.maps("on_families", engine.onFamilies,
                     [&engine](MapWriter& family, const EngineOnFamilies& on) {
                         family.texts("families", on.families);
                         family.quantity("per_step", on.stepHostTime);
                         family.quantity("per_step_and_sequence", on.stepHostTimePerSequence);
                         family.quantity("per_request", on.requestHostTime);
                         if (on.eagerLaunch.base() > 0)
                             family.quantity("eager_launch", on.eagerLaunch);
                         family.number("admission_steps", on.admissionSteps);
                         if (on.expertTime != engine.expertTime)
                             family.number("expert_time", on.expertTime);
                         family.number("ln_spread_prefill", on.lnSpreadPrefill);
                         family.number("ln_spread_decode", on.lnSpreadDecode);
                         family.number("ln_spread_source_prefill", on.lnSpreadSourcePrefill);
                         family.number("ln_spread_source_decode", on.lnSpreadSourceDecode);
                     });
    });
    group(file, "types", [&](MapWriter& out) {
        out.dtypes("weights", engine.weightTypes);
        out.dtypes("kv", engine.kvTypes);
    });
    group(file, "parallel", [&](MapWriter& out) {
        out.flag("tensor", engine.tensorParallel);
        out.flag("pipeline", engine.pipelineParallel);
        out.flag("pipeline_micro_batches", engine.pipelineMicroBatches);
        if (engine.pipelinePiece > 0)
            out.whole("pipeline_piece", engine.pipelinePiece);
        out.flag("expert", engine.expertParallel);
        if (engine.fillsRanks)
            out.flag("fills_ranks", true);
        if (engine.overlapsExperts)
            out.flag("overlaps_experts", true);
        if (engine.dynamicChunks)
            out.flag("dynamic_chunks", true);
        out.flag("data_attention", engine.dataParallelAttention);
        if (engine.disaggregates)
            out.flag("disaggregated", true);
    });
    sources.finish(file);
    return file.yaml();
}

} // namespace headroom
