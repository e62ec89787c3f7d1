#include "model/report/calibration_text.h"

#include "model/efficiency/form_gates.h"
#include "model/efficiency/form_slot.h"
#include "model/report/columns.h"
#include "model/report/measure.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace headroom {

namespace {

struct FormRow {
    FormSlot slot;
    const EfficiencySet* set = nullptr;
    std::optional<FormRecord> record;
};

template <typename Field>
Cell field(const FormRow& row, std::string_view name, Field take)
{
    Cell cell;
    visitForm(*row.set, row.slot, [&](const auto& form) {
        eachField(form, [&](std::string_view key, const auto& value, FormField) {
            if (key == name)
                cell = take(value);
        });
    });
    return cell;
}
Cell share(const FormRow& row, std::string_view name)
{
    return field(row, name, [](const auto& value) -> Cell {
        if constexpr (requires { value.base(); })
            return value.base();
        else
            return double(value);
    });
}

template <double FormRecord::*Field>
Cell error(const FormRow& row)
{
    return row.record ? Cell(*row.record.*Field) : Cell();
}

template <std::int64_t FormRecord::*Field>
Cell whole(const FormRow& row)
{
    return row.record ? Cell(double(*row.record.*Field)) : Cell();
}

// "yes", or by what it is not: "mean error: 0.12, at most 0.09". Forms that were measured here are judged by
// whole layers, in which errors of single operators may cancel.
Cell verdict(const FormRow& row)
{
    std::string why;
    if (row.record)
        for (const std::string& failed : failedGates(formGates(row.slot, *row.record)))
            why += (why.empty() ? "" : "; ") + failed.substr(row.record->form.size() + 2);
    if (uncertaintyOf(*row.set, row.slot).trusted) {
        if (why.empty())
            return std::string("yes");
        if (row.set->trusted)
            return std::string("in whole layers");
    }
    return why.empty() ? std::string("no") : why;
}

const Columns<FormRow>& formColumns()
{
    static const Columns<FormRow> all{
        {{"form", "form"}, [](const FormRow& row) { return Cell(slotName(row.slot)); }},
        {{"compute", "compute", Measure::Share},
         [](const FormRow& row) { return share(row, "compute_efficiency"); }},
        {{"memory", "memory", Measure::Share},
         [](const FormRow& row) {
             const Cell link = share(row, "link_efficiency");
             return std::holds_alternative<double>(link) ? link : share(row, "memory_efficiency");
         }},
        {{"launch_s", "launch", Measure::Time},
         [](const FormRow& row) {
             const Cell floor = share(row, "floor");
             return std::holds_alternative<double>(floor) ? floor : share(row, "launch");
         }},
        {{"samples", "samples", Measure::Whole}, whole<&FormRecord::samples>},
        {{"groups", "shapes", Measure::Whole}, whole<&FormRecord::groups>},
        {{"median_error", "median", Measure::Share}, error<&FormRecord::medianError>},
        {{"mean_error", "mean", Measure::Share}, error<&FormRecord::meanError>},
        {{"p90_error", "p90", Measure::Share}, error<&FormRecord::p90Error>},
        {{"coverage", "inside 90 %", Measure::Share}, error<&FormRecord::coverage>},
        {{"ln_spread", "spread", Measure::Share},
         [](const FormRow& row) { return Cell(uncertaintyOf(*row.set, row.slot).lnSpread); }},
        {{"source", "evidence"},
         [](const FormRow& row) {
             return Cell(Message(sourceName(uncertaintyOf(*row.set, row.slot).source)));
         }},
        {{"trusted", "trusted"}, verdict},
    };
    return all;
}

std::vector<FormRow> formRows(const EfficiencySet& set)
{
    std::vector<FormRow> rows;
    for (const FormSlot& slot : allFormSlots()) {
        if (uncertaintyOf(set, slot).source == Source::Prior)
            continue;
        FormRow row{.slot = slot, .set = &set, .record = {}};
        for (const FormRecord& record : set.records)
            if (record.form == slotName(slot))
                row.record = record;
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string line(std::string_view what, const std::string& text)
{
    return text.empty() ? std::string() : fmt::format("{:<16}{}\n", what, text);
}

// "to 3.1 TB/s, half of it at 2.3 MB".
std::string rampText(const Ramp& ramp)
{
    if (ramp.full.base() <= 0)
        return {};
    return fmt::format("to {}, half of it at {}", forPeople(ramp.full.base(), Measure::Bandwidth),
                       forPeople(ramp.half.base(), Measure::Storage));
}

std::string linksText(const LinksRecord& links)
{
    std::string out = line("links",
                           fmt::format("{} ranks in {} of {}, {} of {} points, {} refused", links.ranks,
                                       links.nodes == 1 ? "one" : fmt::format("{}", links.nodes), links.node,
                                       links.samples, links.planned, links.refused));
    return out
        + line("links measured",
               fmt::format("{} by {} with {}{}", links.created, links.tool, links.library,
                           links.driver.empty() ? "" : ", driver " + links.driver));
}

std::string machineText(const MeasuredMachine& machine)
{
    std::string out = line("device",
                           fmt::format("{} ({} {})", machine.name, machine.units,
                                       machine.kind == "cpu" ? "threads" : "multiprocessors"));
    out += line("driver", machine.driver);
    out += line("libraries", machine.libraries);
    out += line("memory", forPeople(machine.memory.base(), Measure::Storage));
    out += line("reads", forPeople(machine.read.base(), Measure::Bandwidth));
    if (machine.copy.base() > 0)
        out += line("copies", forPeople(machine.copy.base(), Measure::Bandwidth) + ", read and written");
    out += line("reads ramp up", rampText(machine.reads)) + line("copies ramp up", rampText(machine.copies));
    for (std::size_t i = 0; i < mathUnitCount; ++i)
        if (machine.sustained[i].base() > 0)
            out += line(fmt::format("{} products", name(static_cast<MathUnit>(i))),
                        forPeople(machine.sustained[i].base(), Measure::WorkRate));
    for (std::size_t i = 0; i < mathUnitCount; ++i)
        if (machine.settled[i] > 0)
            out += line(fmt::format("{} layers", name(static_cast<MathUnit>(i))),
                        percent(machine.settled[i]) + " of a burst's rate, one after another");
    out += line("empty launch", forPeople(machine.emptyLaunch.base(), Measure::Time));
    if (machine.graph.perNode.base() > 0)
        out += line("graphs",
                    fmt::format("{} to start and wait for, {} a launch",
                                forPeople(machine.graph.base.base(), Measure::Time),
                                forPeople(machine.graph.perNode.base(), Measure::Time)));
    return out;
}

std::string runText(const CalibrationRun& run)
{
    std::string out
        = line("measured", fmt::format("{} by {}, {}, seed {}", run.created, run.tool, run.mode, run.seed));
    out += line(
        "points",
        fmt::format("{} of {}, {} refused, {} noisy", run.samples, run.planned, run.refused, run.noisy));
    out += line("drift", percent(std::expm1(run.anchorDrift)) + " of an anchor over a block, at most");
    if (run.coreClockHigh > 0)
        out += line("core clock",
                    fmt::format("{:.0f} to {:.0f} MHz", run.coreClockLow / 1e6, run.coreClockHigh / 1e6));
    out += line("throttled", run.throttle);
    return out;
}

// A count has no upper limit, an error no lower one; what lies inside a range may be too little and too much.
std::string limitsOf(const GateRecord& gate)
{
    constexpr double anyCount = 1e6; // as files hold it
    if (gate.least > 0 && gate.most < anyCount)
        return fmt::format("{:.4g} to {:.4g}", gate.least, gate.most);
    return gate.least > 0 ? fmt::format("at least {:.4g}", gate.least)
                          : fmt::format("at most {:.4g}", gate.most);
}

std::string judgementText(const EfficiencySet& set, const CalibrationRecord& record)
{
    std::string out;
    const HoldOutRecord& held = record.holdOut;
    if (held.layers > 0)
        out += fmt::format(
            "\n{} whole layers held out: error {} median, {} mean, {} worst; {} inside their 90 % "
            "interval\n",
            held.layers, percent(held.median), percent(held.mean), percent(held.worst),
            percent(held.coverage));
    out += set.trusted ? "\nTrusted: it passes every gate\n" : "\nNot trusted\n";
    for (const GateRecord& gate : record.gates)
        out += fmt::format("  {} {}: {:.4g} ({})\n", gate.passed() ? "passed" : "FAILED", gate.name,
                           gate.value, limitsOf(gate));
    return out;
}

} // namespace

Table calibratedForms(const std::vector<EfficiencySet>& sets)
{
    static const Columns<FormRow> columns{
        {{"gpu", "accelerator"}, [](const FormRow& row) { return Cell(row.set->gpu); }},
        {{"kernels", "kernels"}, [](const FormRow& row) { return Cell(row.set->implementation); }},
        {{"form", "form"}, [](const FormRow& row) { return Cell(slotName(row.slot)); }},
        {{"samples", "samples", Measure::Whole}, whole<&FormRecord::samples>},
        {{"contradicting", "contradicting", Measure::Whole}, whole<&FormRecord::contradicting>},
        {{"groups", "shapes", Measure::Whole}, whole<&FormRecord::groups>},
        {{"median_error", "median", Measure::Share}, error<&FormRecord::medianError>},
        {{"mean_error", "mean", Measure::Share}, error<&FormRecord::meanError>},
        {{"p90_error", "p90", Measure::Share}, error<&FormRecord::p90Error>},
        {{"worst_error", "worst", Measure::Share}, error<&FormRecord::worstError>},
        {{"coverage", "inside 90 %", Measure::Share}, error<&FormRecord::coverage>},
        {{"trusted", "trusted"}, verdict},
    };
    std::vector<FormRow> rows;
    for (const EfficiencySet& set : sets)
        for (FormRow& row : formRows(set))
            rows.push_back(std::move(row));
    return tableOf(columns, rows);
}

std::string calibrationText(const EfficiencySet& set)
{
    std::string out
        = line("calibration", set.id) + line("accelerator", set.gpu) + line("kernels", set.implementation);
    if (set.calibration)
        out += machineText(set.calibration->machine) + runText(set.calibration->run);
    if (set.links)
        out += linksText(*set.links);
    out += '\n' + textTable(tableOf(formColumns(), formRows(set)));
    if (!set.exactShapes.empty())
        out += fmt::format("\n{} matrices measured themselves\n", set.exactShapes.size());
    if (set.calibration)
        out += judgementText(set, *set.calibration);
    if (!set.citations.empty())
        out += "\nSources\n";
    std::vector<std::string> told;
    for (const Citation& citation : set.citations)
        if (std::find(told.begin(), told.end(), citation.text) == told.end()) {
            told.push_back(citation.text);
            out += fmt::format("  {}\n", citation.text);
        }
    return out;
}

std::string calibrationText(const EfficiencySet& set, const CalibrationSummary& run)
{
    std::string out = calibrationText(set);
    if (!run.layers.empty())
        out += "\nWhole layers, predicted and measured\n";
    for (const LayerComparison& layer : run.layers)
        out += fmt::format("  {:<56} {:>10} {:>10} {:>+7.1f} %\n", layer.what,
                           forPeople(layer.predicted.base(), Measure::Time),
                           forPeople(layer.measured.base(), Measure::Time),
                           100 * (layer.predicted / layer.measured - 1));
    for (const std::string& refused : run.refused)
        out += "refused: " + refused + '\n';
    for (const std::string& note : run.notes)
        out += "note: " + note + '\n';
    out += fmt::format("\n{} of {} points are measured{}; {} is written, its samples are in {}\n",
                       run.measured, run.planned,
                       run.cancelled      ? ", then it was stopped (--resume goes on)"
                           : run.deadline ? ", then the time was up (--resume goes on)"
                                          : "",
                       run.file, run.samples);
    return out;
}

} // namespace headroom
