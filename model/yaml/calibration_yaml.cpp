#include "model/yaml/calibration_yaml.h"

namespace headroom {

namespace {

constexpr Dim rateOfBytes{.byte = 1, .second = -1};
constexpr Dim rateOfFlops{.flop = 1, .second = -1};
constexpr Between atLeastOne{1};

Ramp readRamp(MapReader& in, std::string_view full, std::string_view half)
{
    return {.full = in.maybeQuantity<rateOfBytes>(full).value_or(BytesPerSecond{}),
            .half = in.maybeQuantity<Dim{.byte = 1}>(half).value_or(Bytes{})};
}

void writeRamp(MapWriter& out, const Ramp& ramp, std::string_view full, std::string_view half)
{
    if (ramp.full.base() <= 0)
        return;
    out.quantity(full, ramp.full);
    out.quantity(half, ramp.half);
}

std::string burstKey(MathUnit unit) { return "burst_" + std::string(name(unit)); }
std::string settledKey(MathUnit unit) { return "settled_" + std::string(name(unit)); }

MeasuredMachine readMachine(MapReader& in)
{
    MeasuredMachine machine;
    machine.kind = in.text("kind");
    if (machine.kind != "cpu" && machine.kind != "cuda")
        in.report("kind", say("expected cpu or cuda, got '{}'", machine.kind));
    machine.name = in.text("name");
    machine.driver = in.maybeText("driver").value_or("");
    machine.libraries = in.maybeText("libraries").value_or("");
    machine.uuidHash = in.maybeText("uuid_hash").value_or("");
    machine.units = in.count("units", 1);
    machine.memory = in.quantity<Dim{.byte = 1}>("memory", positive);
    machine.cache = in.maybeQuantity<Dim{.byte = 1}>("cache").value_or(Bytes{});
    machine.read = in.quantity<rateOfBytes>("read", positive);
    machine.copy = in.maybeQuantity<rateOfBytes>("copy").value_or(BytesPerSecond{});
    machine.emptyLaunch = in.maybeQuantity<Dim{.second = 1}>("empty_launch").value_or(Seconds{});
    machine.reads = readRamp(in, "read_full", "read_half");
    machine.copies = readRamp(in, "copy_full", "copy_half");
    machine.graph.base = in.maybeQuantity<Dim{.second = 1}>("graph_base").value_or(Seconds{});
    machine.graph.perNode = in.maybeQuantity<Dim{.second = 1}>("graph_per_node").value_or(Seconds{});
    for (std::size_t i = 0; i < mathUnitCount; ++i)
        machine.sustained[i]
            = in.maybeQuantity<rateOfFlops>(name(static_cast<MathUnit>(i))).value_or(FlopsPerSecond{});
    for (std::size_t i = 0; i < mathUnitCount; ++i)
        machine.burst[i]
            = in.maybeQuantity<rateOfFlops>(burstKey(static_cast<MathUnit>(i))).value_or(FlopsPerSecond{});
    for (std::size_t i = 0; i < mathUnitCount; ++i) {
        const std::string key = settledKey(static_cast<MathUnit>(i));
        machine.settled[i] = in.maybeNumber(key).value_or(0);
        if (machine.settled[i] < 0 || machine.settled[i] > 1)
            in.report(key, "expected a share from 0 to 1");
    }
    return machine;
}

void writeMachine(MapWriter& out, const MeasuredMachine& machine)
{
    out.text("kind", machine.kind);
    out.text("name", machine.name);
    for (const auto& [key, text] : {std::pair{"driver", &machine.driver},
                                    {"libraries", &machine.libraries},
                                    {"uuid_hash", &machine.uuidHash}})
        if (!text->empty())
            out.text(key, *text);
    out.whole("units", machine.units);
    out.quantity("memory", machine.memory);
    out.quantity("cache", machine.cache);
    out.quantity("read", machine.read);
    out.quantity("copy", machine.copy);
    out.quantity("empty_launch", machine.emptyLaunch);
    writeRamp(out, machine.reads, "read_full", "read_half");
    writeRamp(out, machine.copies, "copy_full", "copy_half");
    if (machine.graph.base.base() > 0 || machine.graph.perNode.base() > 0) {
        out.quantity("graph_base", machine.graph.base);
        out.quantity("graph_per_node", machine.graph.perNode);
    }
    for (std::size_t i = 0; i < mathUnitCount; ++i)
        if (machine.sustained[i].base() > 0)
            out.quantity(name(static_cast<MathUnit>(i)), machine.sustained[i]);
    for (std::size_t i = 0; i < mathUnitCount; ++i)
        if (machine.burst[i].base() > 0)
            out.quantity(burstKey(static_cast<MathUnit>(i)), machine.burst[i]);
    for (std::size_t i = 0; i < mathUnitCount; ++i)
        if (machine.settled[i] > 0)
            out.number(settledKey(static_cast<MathUnit>(i)), machine.settled[i]);
}

CalibrationRun readRun(MapReader& in)
{
    CalibrationRun run;
    run.created = in.text("created");
    run.tool = in.text("tool");
    run.mode = in.text("mode");
    run.seed = in.whole("seed");
    run.samples = in.whole("samples");
    run.planned = in.whole("planned");
    run.refused = in.whole("refused");
    run.noisy = in.whole("noisy");
    run.anchorDrift = in.number("anchor_drift");
    run.coreClockLow = in.maybeNumber("core_clock_low_mhz").value_or(0) * 1e6;
    run.coreClockHigh = in.maybeNumber("core_clock_high_mhz").value_or(0) * 1e6;
    run.throttle = in.maybeText("throttle").value_or("");
    return run;
}

void writeRun(MapWriter& out, const CalibrationRun& run)
{
    out.text("created", run.created);
    out.text("tool", run.tool);
    out.text("mode", run.mode);
    out.whole("seed", run.seed);
    out.whole("samples", run.samples);
    out.whole("planned", run.planned);
    out.whole("refused", run.refused);
    out.whole("noisy", run.noisy);
    out.number("anchor_drift", run.anchorDrift);
    if (run.coreClockHigh > 0) {
        out.number("core_clock_low_mhz", run.coreClockLow / 1e6);
        out.number("core_clock_high_mhz", run.coreClockHigh / 1e6);
    }
    if (!run.throttle.empty())
        out.text("throttle", run.throttle);
}

HoldOutRecord readHoldOut(MapReader& in)
{
    HoldOutRecord record;
    record.layers = in.whole("layers");
    record.median = in.number("median_error");
    record.mean = in.number("mean_error");
    record.worst = in.number("worst_error");
    record.coverage = in.number("coverage", Between::share());
    record.intervalRatio = in.number("interval_ratio", atLeastOne);
    return record;
}

void writeHoldOut(MapWriter& out, const HoldOutRecord& record)
{
    out.whole("layers", record.layers);
    out.number("median_error", record.median);
    out.number("mean_error", record.mean);
    out.number("worst_error", record.worst);
    out.number("coverage", record.coverage);
    out.number("interval_ratio", record.intervalRatio);
}

} // namespace

std::optional<CalibrationRecord> readCalibrationRecord(MapReader& in, SourceReader& cited)
{
    std::optional<MapReader> machine = in.maybeMap("machine");
    if (!machine)
        return std::nullopt;
    CalibrationRecord record;
    record.machine = readMachine(*machine);
    cited.cite(*machine, "machine");
    machine->finish();
    MapReader run = in.map("run");
    record.run = readRun(run);
    cited.cite(run, "run");
    run.finish();
    if (auto holdOut = in.maybeMap("hold_out")) {
        record.holdOut = readHoldOut(*holdOut);
        cited.cite(*holdOut, "hold_out");
        holdOut->finish();
    }
    for (MapReader& gate : in.maybeMaps("gates")) {
        record.gates.push_back({.name = gate.text("name"),
                                .value = gate.number("value"),
                                .least = gate.maybeNumber("least").value_or(0),
                                .most = gate.number("most")});
        gate.finish();
    }
    return record;
}

std::optional<LinksRecord> readLinksRecord(MapReader& in, SourceReader& cited)
{
    std::optional<MapReader> links = in.maybeMap("links");
    if (!links)
        return std::nullopt;
    LinksRecord record;
    record.created = links->text("created");
    record.tool = links->text("tool");
    record.node = links->text("node");
    record.device = links->text("device");
    record.driver = links->maybeText("driver").value_or("");
    record.library = links->text("library");
    record.ranks = links->whole("ranks", 2);
    record.nodes = links->whole("nodes", 1);
    record.samples = links->whole("samples");
    record.planned = links->whole("planned");
    record.refused = links->whole("refused");
    cited.cite(*links, "links");
    links->finish();
    return record;
}

std::optional<EngineRecord> readEngineRecord(MapReader& in, SourceReader& cited)
{
    std::optional<MapReader> runs = in.maybeMap("engine_runs");
    if (!runs)
        return std::nullopt;
    EngineRecord record;
    record.engine = runs->text("engine");
    record.created = runs->text("created");
    record.tool = runs->text("tool");
    record.runs = runs->maybeTexts("files");
    record.points = runs->whole("points", 1);
    record.perStep = runs->quantity<Dim{.second = 1}>("per_step");
    record.perStepAndSequence = runs->quantity<Dim{.second = 1}>("per_step_and_sequence");
    record.lnSpreadPrefill = runs->number("ln_spread_prefill", {0, 3});
    record.lnSpreadDecode = runs->number("ln_spread_decode", {0, 3});
    record.medianError = runs->number("median_error");
    record.p90Error = runs->number("p90_error");
    cited.cite(*runs, "engine_runs");
    runs->finish();
    return record;
}

void writeEngineRecord(MapWriter& out, const SourceWriter& cited, const EngineRecord& record)
{
    out.map("engine_runs", [&](MapWriter& group) {
        group.text("engine", record.engine);
        group.text("created", record.created);
        group.text("tool", record.tool);
        if (!record.runs.empty())
            group.texts("files", record.runs);
        group.whole("points", record.points);
        group.quantity("per_step", record.perStep);
        group.quantity("per_step_and_sequence", record.perStepAndSequence);
        group.number("ln_spread_prefill", record.lnSpreadPrefill);
        group.number("ln_spread_decode", record.lnSpreadDecode);
        group.number("median_error", record.medianError);
        group.number("p90_error", record.p90Error);
        cited.cite(group, "engine_runs");
    });
}

void writeLinksRecord(MapWriter& out, const SourceWriter& cited, const LinksRecord& record)
{
    out.map("links", [&](MapWriter& group) {
        group.text("created", record.created);
        group.text("tool", record.tool);
        group.text("node", record.node);
        group.text("device", record.device);
        if (!record.driver.empty())
            group.text("driver", record.driver);
        group.text("library", record.library);
        group.whole("ranks", record.ranks);
        group.whole("nodes", record.nodes);
        group.whole("samples", record.samples);
        group.whole("planned", record.planned);
        group.whole("refused", record.refused);
        cited.cite(group, "links");
    });
}

void writeCalibrationRecord(MapWriter& out, const SourceWriter& cited, const CalibrationRecord& record)
{
    out.map("machine", [&](MapWriter& group) {
        writeMachine(group, record.machine);
        cited.cite(group, "machine");
    });
    out.map("run", [&](MapWriter& group) {
        writeRun(group, record.run);
        cited.cite(group, "run");
    });
    if (record.holdOut.layers > 0)
        out.map("hold_out", [&](MapWriter& group) {
            writeHoldOut(group, record.holdOut);
            cited.cite(group, "hold_out");
        });
    if (!record.gates.empty())
        out.maps("gates", record.gates, [](MapWriter& group, const GateRecord& gate) {
            group.text("name", gate.name);
            group.number("value", gate.value);
            if (gate.least > 0)
                group.number("least", gate.least);
            group.number("most", gate.most);
        });
}

} // namespace headroom
