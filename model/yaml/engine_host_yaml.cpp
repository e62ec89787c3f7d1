#include "model/yaml/engine_host_yaml.h"

#include "model/yaml/platform_words.h"

namespace headroom {

namespace {

// An engine states its times; a family those that differ from the engine's.
EngineTimes readTimes(MapReader& in, const EngineTimes* engine = nullptr)
{
    const EngineTimes usual = engine != nullptr ? *engine : EngineTimes{};
    const auto time = [&](std::string_view key, Seconds otherwise) {
        return in.maybeQuantity<Dim{.second = 1}>(key).value_or(otherwise);
    };
    const auto host = [&](std::string_view key, Seconds otherwise) {
        return engine != nullptr ? time(key, otherwise) : in.quantity<Dim{.second = 1}>(key);
    };
    return {.stepHostTime = host("per_step", usual.stepHostTime),
            .stepHostTimePerSequence = host("per_step_and_sequence", usual.stepHostTimePerSequence),
            .requestHostTime = host("per_request", usual.requestHostTime),
            .eagerLaunch = time("eager_launch", usual.eagerLaunch),
            .admissionSteps = in.maybeNumber("admission_steps", {0, 1000}).value_or(usual.admissionSteps),
            .expertTime = in.maybeNumber("expert_time", {0.25, 10}).value_or(usual.expertTime),
            .kernelGap = time("per_kernel", usual.kernelGap),
            .measured = in.maybeFlag("measured").value_or(true)};
}

void writeTimes(MapWriter& out, const EngineTimes& times, const EngineTimes* engine = nullptr)
{
    const EngineTimes usual = engine != nullptr ? *engine : EngineTimes{};
    const auto time = [&](std::string_view key, Seconds EngineTimes::*field) {
        if (times.*field != usual.*field)
            out.quantity(key, times.*field);
    };
    const auto host = [&](std::string_view key, Seconds EngineTimes::*field) {
        if (engine == nullptr || times.*field != usual.*field)
            out.quantity(key, times.*field);
    };
    const auto number = [&](std::string_view key, double EngineTimes::*field) {
        if (times.*field != usual.*field)
            out.number(key, times.*field);
    };
    host("per_step", &EngineTimes::stepHostTime);
    host("per_step_and_sequence", &EngineTimes::stepHostTimePerSequence);
    host("per_request", &EngineTimes::requestHostTime);
    time("eager_launch", &EngineTimes::eagerLaunch);
    number("admission_steps", &EngineTimes::admissionSteps);
    number("expert_time", &EngineTimes::expertTime);
    time("per_kernel", &EngineTimes::kernelGap);
    if (!times.measured)
        out.flag("measured", false);
}

EngineSpreads readSpreads(MapReader& in, const EngineSpreads& usual)
{
    const auto spread = [&](std::string_view key, double otherwise) {
        return in.maybeNumber(key, {0, 2}).value_or(otherwise);
    };
    return {.lnSpreadPrefill = spread("ln_spread_prefill", usual.lnSpreadPrefill),
            .lnSpreadDecode = spread("ln_spread_decode", usual.lnSpreadDecode),
            .lnSpreadSourcePrefill = spread("ln_spread_source_prefill", usual.lnSpreadSourcePrefill),
            .lnSpreadSourceDecode = spread("ln_spread_source_decode", usual.lnSpreadSourceDecode),
            .partWhereFewWait
            = in.maybeNumber("part_where_few_wait", Between::share()).value_or(usual.partWhereFewWait),
            .partOfTokenTimes
            = in.maybeNumber("part_of_token_times", Between::share()).value_or(usual.partOfTokenTimes)};
}

void writeSpreads(MapWriter& out, const EngineSpreads& spreads, const EngineSpreads& usual)
{
    const auto spread = [&](std::string_view key, double EngineSpreads::*field) {
        if (spreads.*field != usual.*field)
            out.number(key, spreads.*field);
    };
    spread("ln_spread_prefill", &EngineSpreads::lnSpreadPrefill);
    spread("ln_spread_decode", &EngineSpreads::lnSpreadDecode);
    spread("ln_spread_source_prefill", &EngineSpreads::lnSpreadSourcePrefill);
    spread("ln_spread_source_decode", &EngineSpreads::lnSpreadSourceDecode);
    spread("part_where_few_wait", &EngineSpreads::partWhereFewWait);
    spread("part_of_token_times", &EngineSpreads::partOfTokenTimes);
}

EngineOnFamilies readOnFamilies(MapReader& in, const Engine& engine)
{
    EngineOnFamilies out{.families = in.maybeTexts("families"),
                         .platform
                         = in.maybeChoice("platform", std::span<const Choice<Platform>>(platformWords)),
                         .times = readTimes(in, &engine),
                         .spreads = readSpreads(in, engine)};
    if (out.families.empty() == !out.platform)
        in.report("families", "names either families of accelerators or a platform");
    in.finish();
    return out;
}

} // namespace

void readHost(MapReader in, Engine& engine, SourceReader& sources)
{
    static_cast<EngineTimes&>(engine) = readTimes(in);
    if (const auto tokenising = in.maybeQuantity<Dim{.second = 1}>("per_prompt_token"))
        engine.tokeniseTime = *tokenising;
    if (const auto calling = in.maybeQuantity<Dim{.second = 1}>("per_step_and_rank"))
        engine.rankHostTime = *calling;
    if (const auto calling = in.maybeQuantity<Dim{.second = 1}>("per_step_across_boxes"))
        engine.boxesHostTime = *calling;
    engine.hostOverlap = in.number("overlap", Between::share());
    engine.collectiveOverlap = in.number("collective_overlap", Between::share());
    engine.graphs = in.flag("captured_graphs");
    if (const auto launch = in.maybeQuantity<Dim{.second = 1}>("eager_step_launch"))
        engine.eagerStepLaunch = *launch;
    engine.customAllReduce = in.flag("custom_all_reduce");
    engine.nativeHost = in.maybeFlag("native").value_or(false);
    engine.fusesQuantise = in.maybeFlag("fuses_quantise").value_or(false);
    engine.kernels = in.maybeTexts("kernels");
    static_cast<EngineSpreads&>(engine) = readSpreads(in, {});
    for (MapReader& family : in.maybeMaps("on_families"))
        engine.onFamilies.push_back(readOnFamilies(family, engine));
    sources.cite(in, "host");
    in.finish();
}

void writeHost(MapWriter& out, const Engine& engine)
{
    writeTimes(out, engine);
    if (engine.tokeniseTime.base() > 0)
        out.quantity("per_prompt_token", engine.tokeniseTime);
    if (engine.rankHostTime.base() > 0)
        out.quantity("per_step_and_rank", engine.rankHostTime);
    if (engine.boxesHostTime.base() > 0)
        out.quantity("per_step_across_boxes", engine.boxesHostTime);
    out.number("overlap", engine.hostOverlap);
    out.number("collective_overlap", engine.collectiveOverlap);
    out.flag("captured_graphs", engine.graphs);
    if (engine.eagerStepLaunch.base() > 0)
        out.quantity("eager_step_launch", engine.eagerStepLaunch);
    out.flag("custom_all_reduce", engine.customAllReduce);
    if (engine.nativeHost)
        out.flag("native", true);
    if (engine.fusesQuantise)
        out.flag("fuses_quantise", true);
    if (!engine.kernels.empty())
        out.texts("kernels", engine.kernels);
    writeSpreads(out, engine, {});
    if (!engine.onFamilies.empty())
        out.maps("on_families", engine.onFamilies, [&engine](MapWriter& family, const EngineOnFamilies& on) {
            if (on.platform)
                family.text("platform", platformRow(*on.platform)->word);
            else
                family.texts("families", on.families);
            writeTimes(family, on.times, &engine);
            writeSpreads(family, on.spreads, engine);
        });
}

} // namespace headroom
