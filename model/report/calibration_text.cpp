#include "model/report/calibration_text.h"

#include "model/efficiency/form_gates.h"
#include "model/efficiency/form_slot.h"
#include "model/report/columns.h"
#include "model/report/measure.h"
#include "model/report/text_page.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>

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
    std::vector<Message> why;
    if (row.record)
        why = missedConditions(formGates(row.slot, *row.record));
    if (uncertaintyOf(*row.set, row.slot).trusted) {
        if (why.empty())
            return say("yes");
        if (row.set->trusted)
            return say("in whole layers");
    }
    return why.empty() ? say("no") : joined(std::move(why), "; ");
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

// Lines of a label and what it says.
class CalibrationPage {
public:
    explicit CalibrationPage(ask::Language language) : m_page(language) {}

    void line(const Message& what, const Message& text)
    {
        constexpr std::size_t labelWidth = 16;
        if (const std::string told = tell(text); !told.empty())
            add(padded(tell(what), labelWidth) + told + '\n');
    }
    void line(const Message& what, const std::string& text) { line(what, asIs(text)); }
    void sentence(const Message& message) { add(tell(message) + '\n'); }
    void paragraph(const Message& message)
    {
        add("\n");
        sentence(message);
    }
    void forms(const Table& table) { add('\n' + textTable(table, m_page.teller())); }
    void machine(const MeasuredMachine& machine);
    void run(const CalibrationRun& run);
    void links(const LinksRecord& links);
    void judgement(const EfficiencySet& set, const CalibrationRecord& record);
    void sources(const std::vector<Citation>& citations);
    void layers(const std::vector<LayerComparison>& layers);
    [[nodiscard]] std::string written() && { return std::move(m_text); }

private:
    [[nodiscard]] std::string tell(const Message& message) const { return m_page.tell(message); }
    void add(std::string_view text) { m_text += text; }

    TextPage m_page;
    std::string m_text;
};

// "to 3.1 TB/s, half of it at 2.3 MB".
Message rampText(const Ramp& ramp)
{
    if (ramp.full.base() <= 0)
        return {};
    return say("to {}, half of it at {}", inUnits(ramp.full.base(), Measure::Bandwidth),
               inUnits(ramp.half.base(), Measure::Storage));
}

void CalibrationPage::links(const LinksRecord& links)
{
    line("links",
         say("{} ranks in {} of {}, {} of {} points, {} refused", links.ranks,
             links.nodes == 1 ? say("one") : asIs(fmt::format("{}", links.nodes)), links.node, links.samples,
             links.planned, links.refused));
    const Message by = say("{} by {} with {}", links.created, links.tool, links.library);
    line("links measured", links.driver.empty() ? by : say("{}, driver {}", by, links.driver));
}

void CalibrationPage::machine(const MeasuredMachine& machine)
{
    line("device",
         machine.kind == "cpu" ? say("{} ({} threads)", machine.name, machine.units)
                               : say("{} ({} multiprocessors)", machine.name, machine.units));
    line("driver", machine.driver);
    line("libraries", machine.libraries);
    line("memory", inUnits(machine.memory.base(), Measure::Storage));
    line("reads", inUnits(machine.read.base(), Measure::Bandwidth));
    if (machine.copy.base() > 0)
        line("copies", say("{}, read and written", inUnits(machine.copy.base(), Measure::Bandwidth)));
    line("reads ramp up", rampText(machine.reads));
    line("copies ramp up", rampText(machine.copies));
    for (std::size_t i = 0; i < mathUnitCount; ++i)
        if (machine.sustained[i].base() > 0)
            line(say("{} products", asIs(name(static_cast<MathUnit>(i)))),
                 inUnits(machine.sustained[i].base(), Measure::WorkRate));
    for (std::size_t i = 0; i < mathUnitCount; ++i)
        if (machine.settled[i] > 0)
            line(say("{} layers", asIs(name(static_cast<MathUnit>(i)))),
                 say("{} of a burst's rate, one after another", percent(machine.settled[i])));
    line("empty launch", inUnits(machine.emptyLaunch));
    if (machine.graph.perNode.base() > 0)
        line("graphs",
             say("{} to start and wait for, {} a launch", inUnits(machine.graph.base),
                 inUnits(machine.graph.perNode)));
}

void CalibrationPage::run(const CalibrationRun& run)
{
    line("measured",
         say("{} by {}, {}, seed {}", run.created, run.tool, asIs(fmt::format("{}", run.mode)),
             asIs(fmt::format("{}", run.seed))));
    line("points", say("{} of {}, {} refused, {} noisy", run.samples, run.planned, run.refused, run.noisy));
    line("drift", say("{} of an anchor over a block, at most", percent(std::expm1(run.anchorDrift))));
    if (run.coreClockHigh > 0)
        line("core clock", say("{:.0f} to {:.0f} MHz", run.coreClockLow / 1e6, run.coreClockHigh / 1e6));
    line("throttled", run.throttle);
}

// A count has no upper limit, an error no lower one; what lies inside a range may be too little and too much.
Message limitsOf(const GateRecord& gate)
{
    constexpr double anyCount = 1e6; // as files hold it
    if (gate.least > 0 && gate.most < anyCount)
        return say("{:.4g} to {:.4g}", gate.least, gate.most);
    return gate.least > 0 ? say("at least {:.4g}", gate.least) : say("at most {:.4g}", gate.most);
}

void CalibrationPage::judgement(const EfficiencySet& set, const CalibrationRecord& record)
{
    const HoldOutRecord& held = record.holdOut;
    if (held.layers > 0) {
        paragraph(say("{} whole layers held out: error {} median, {} mean, {} worst; {} inside their 90 % "
                      "interval",
                      held.layers, percent(held.median), percent(held.mean), percent(held.worst),
                      percent(held.coverage)));
    }
    paragraph(set.trusted ? say("Trusted: it passes every gate") : say("Not trusted"));
    for (const GateRecord& gate : record.gates) {
        add("  ");
        sentence(say("{} {}: {:.4g} ({})", gate.passed() ? say("passed") : say("FAILED"), gateName(gate),
                     gate.value, limitsOf(gate)));
    }
}

void CalibrationPage::sources(const std::vector<Citation>& citations)
{
    if (!citations.empty())
        add('\n' + tell("Sources") + '\n');
    std::vector<std::string> told;
    for (const Citation& citation : citations)
        if (std::find(told.begin(), told.end(), citation.text) == told.end()) {
            told.push_back(citation.text);
            add("  " + citation.text + '\n');
        }
}

void CalibrationPage::layers(const std::vector<LayerComparison>& layers)
{
    if (!layers.empty()) {
        paragraph("Whole layers, predicted and measured");
    }
    for (const LayerComparison& layer : layers)
        add(fmt::format("  {:<56} {:>10} {:>10} {:>+7.1f} %\n", layer.what,
                        forPeople(layer.predicted.base(), Measure::Time),
                        forPeople(layer.measured.base(), Measure::Time),
                        100 * (layer.predicted / layer.measured - 1)));
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

std::string calibrationText(const EfficiencySet& set, ask::Language language)
{
    CalibrationPage page(language);
    page.line("calibration", set.id);
    page.line("accelerator", set.gpu);
    page.line("kernels", set.implementation);
    if (set.calibration) {
        page.machine(set.calibration->machine);
        page.run(set.calibration->run);
    }
    if (set.links)
        page.links(*set.links);
    page.forms(tableOf(formColumns(), formRows(set)));
    if (!set.exactShapes.empty())
        page.paragraph(say("{} matrices measured themselves", set.exactShapes.size()));
    if (set.calibration)
        page.judgement(set, *set.calibration);
    page.sources(set.citations);
    return std::move(page).written();
}

std::string calibrationText(const EfficiencySet& set, const CalibrationSummary& run, ask::Language language)
{
    CalibrationPage page(language);
    page.layers(run.layers);
    for (const std::string& refused : run.refused)
        page.sentence(say("refused: {}", refused));
    for (const Message& note : run.notes)
        page.sentence(say("note: {}", note));
    const Message points = say("{} of {} points are measured", run.measured, run.planned);
    page.paragraph(say("{}; {} is written, its samples are in {}",
                       run.cancelled      ? say("{}, then it was stopped (--resume goes on)", points)
                           : run.deadline ? say("{}, then the time was up (--resume goes on)", points)
                                          : points,
                       run.file, run.samples));
    return calibrationText(set, language) + std::move(page).written();
}

} // namespace headroom
