#include "model/json/calibration_json.h"

#include "model/efficiency/form_gates.h"
#include "model/efficiency/form_kinds.h"
#include "model/efficiency/form_slot.h"
#include "model/json/value_json.h"

namespace headroom {

namespace {

Json formJson(const EfficiencySet& set, const FormSlot& slot)
{
    Json out{{"form", slotName(slot)}};
    visitForm(set, slot, [&](const auto& form) {
        eachKind(form, [&](std::string_view key, const auto& kind, const auto& words) {
            out[std::string(key)] = std::string(wordOf(words, kind));
        });
        eachField(form, [&](std::string_view key, const auto& value, FormField) {
            if constexpr (requires { value.base(); })
                out[std::string(key) + "_s"] = numberJson(value.base());
            else
                out[std::string(key)] = numberJson(value);
        });
    });
    const Uncertainty& uncertainty = uncertaintyOf(set, slot);
    out["ln_spread"] = numberJson(uncertainty.lnSpread);
    out["source"] = std::string(sourceName(uncertainty.source).text);
    out["trusted"] = uncertainty.trusted;
    for (const FormRecord& record : set.records)
        if (record.form == slotName(slot)) {
            out["samples"] = record.samples;
            out["contradicting"] = record.contradicting;
            out["median_error"] = numberJson(record.medianError);
            out["mean_error"] = numberJson(record.meanError);
            out["p90_error"] = numberJson(record.p90Error);
            out["worst_error"] = numberJson(record.worstError);
            out["groups"] = record.groups;
            out["coverage"] = numberJson(record.coverage);
            out["missed"]
                = uncertainty.trusted ? std::vector<std::string>{} : failedGates(formGates(slot, record));
            out["domain"] = record.domain;
            out["origin"] = record.origin;
        }
    return out;
}

Json rampJson(const Ramp& ramp)
{
    return {{"full_bytes_per_s", numberJson(ramp.full.base())}, {"half_bytes", numberJson(ramp.half.base())}};
}

Json linksJson(const LinksRecord& links)
{
    return {{"created", links.created}, {"tool", links.tool},      {"node", links.node},
            {"device", links.device},   {"driver", links.driver},  {"library", links.library},
            {"ranks", links.ranks},     {"nodes", links.nodes},    {"samples", links.samples},
            {"planned", links.planned}, {"refused", links.refused}};
}

Json machineJson(const MeasuredMachine& machine)
{
    Json sustained = Json::object();
    for (std::size_t i = 0; i < mathUnitCount; ++i)
        if (machine.sustained[i].base() > 0)
            sustained[std::string(name(static_cast<MathUnit>(i)))] = numberJson(machine.sustained[i].base());
    Json settled = Json::object();
    for (std::size_t i = 0; i < mathUnitCount; ++i)
        if (machine.settled[i] > 0)
            settled[std::string(name(static_cast<MathUnit>(i)))] = numberJson(machine.settled[i]);
    return {{"kind", machine.kind},
            {"name", machine.name},
            {"driver", machine.driver},
            {"libraries", machine.libraries},
            {"units", machine.units},
            {"memory_bytes", numberJson(machine.memory.base())},
            {"cache_bytes", numberJson(machine.cache.base())},
            {"read_bytes_per_s", numberJson(machine.read.base())},
            {"copy_bytes_per_s", numberJson(machine.copy.base())},
            {"read_ramp", rampJson(machine.reads)},
            {"copy_ramp", rampJson(machine.copies)},
            {"empty_launch_s", numberJson(machine.emptyLaunch.base())},
            {"graph_base_s", numberJson(machine.graph.base.base())},
            {"graph_per_node_s", numberJson(machine.graph.perNode.base())},
            {"sustained_flops_per_s", std::move(sustained)},
            {"settled_share", std::move(settled)}};
}

Json runJson(const CalibrationRun& run)
{
    return {{"created", run.created},
            {"tool", run.tool},
            {"mode", run.mode},
            {"seed", run.seed},
            {"samples", run.samples},
            {"planned", run.planned},
            {"refused", run.refused},
            {"noisy", run.noisy},
            {"anchor_drift", numberJson(run.anchorDrift)},
            {"core_clock_low_hz", numberJson(run.coreClockLow)},
            {"core_clock_high_hz", numberJson(run.coreClockHigh)},
            {"throttle", run.throttle}};
}

Json setJson(const EfficiencySet& set, const char* schema)
{
    Json out{{"schema", schema},
             {"id", set.id},
             {"gpu", set.gpu},
             {"family", set.family},
             {"implementation", set.implementation},
             {"trusted", set.trusted},
             {"failed_gates", set.failedGates}};
    if (set.calibration) {
        const CalibrationRecord& record = *set.calibration;
        out["machine"] = machineJson(record.machine);
        out["run"] = runJson(record.run);
        out["hold_out"] = {{"layers", record.holdOut.layers},
                           {"median_error", numberJson(record.holdOut.median)},
                           {"mean_error", numberJson(record.holdOut.mean)},
                           {"worst_error", numberJson(record.holdOut.worst)},
                           {"coverage", numberJson(record.holdOut.coverage)},
                           {"interval_ratio", numberJson(record.holdOut.intervalRatio)}};
        out["gates"] = Json::array();
        for (const GateRecord& gate : record.gates)
            out["gates"].push_back({{"name", gate.name},
                                    {"value", numberJson(gate.value)},
                                    {"least", numberJson(gate.least)},
                                    {"most", numberJson(gate.most)},
                                    {"passed", gate.passed()}});
    }
    if (set.links)
        out["links"] = linksJson(*set.links);
    out["forms"] = Json::array();
    for (const FormSlot& slot : allFormSlots())
        if (uncertaintyOf(set, slot).source != Source::Prior)
            out["forms"].push_back(formJson(set, slot));
    out["exact_shapes"] = set.exactShapes.size();
    out["sources"] = Json::object();
    for (const Citation& citation : set.citations)
        out["sources"][citation.key] = citation.text;
    return out;
}

} // namespace

std::string calibrationJson(const EfficiencySet& set)
{
    return documentText(setJson(set, "headroom.show/1"));
}

std::string calibrationJson(const EfficiencySet& set, const CalibrationSummary& run)
{
    Json out = setJson(set, "headroom.calibrate/1");
    out["file"] = run.file;
    out["samples_file"] = run.samples;
    out["cancelled"] = run.cancelled;
    out["deadline"] = run.deadline;
    out["measured"] = run.measured;
    out["planned"] = run.planned;
    out["layers"] = Json::array();
    for (const LayerComparison& layer : run.layers)
        out["layers"].push_back({{"what", layer.what},
                                 {"measured_s", numberJson(layer.measured.base())},
                                 {"predicted_s",
                                  {{"value", numberJson(layer.predicted.base())},
                                   {"low", numberJson(layer.low.base())},
                                   {"high", numberJson(layer.high.base())}}}});
    out["refused"] = run.refused;
    out["notes"] = inEnglish(run.notes);
    return documentText(out);
}

} // namespace headroom
