#include "model/report/op_rows.h"

#include "model/closed_form/prefill_mixing.h"

namespace headroom {

namespace {

void addStep(std::vector<OpRow>& rows, Code phase, const StepTimer& timer, const StepShape& shape,
             double steps = 1)
{
    for (const Op& op : timer.operators(shape)) {
        const OpTime time = timer.timeOf(op);
        rows.push_back({.phase = phase,
                        .name = std::string(opName(op.name)),
                        .count = op.count * steps,
                        .flops = op.flops.base(),
                        .bytes = op.bytes().base(),
                        .seconds = time.total.base(),
                        .bound = time.bound(),
                        .source = time.source});
    }
}

} // namespace

std::vector<OpRow> operatorRows(const Deployment& deployment, const Load& load)
{
    const StepTimer timer(deployment);
    std::vector<OpRow> rows;
    const PromptSteps prompt = promptSteps(deployment, load);
    addStep(rows, "prefill", timer, prompt.each, prompt.count);
    addStep(rows, "decode", timer, decodeStep(deployment, load));
    return rows;
}

const Columns<OpRow>& operatorColumns()
{
    static const Columns<OpRow> columns{
        {{"phase", "phase"}, [](const OpRow& r) { return Message(r.phase); }},
        {{"name", "operator"}, [](const OpRow& r) { return r.name; }},
        {{"count", "times", Measure::Whole}, [](const OpRow& r) { return r.count; }},
        {{"flops", "FLOPs", Measure::Work}, [](const OpRow& r) { return r.flops; }},
        {{"bytes", "bytes", Measure::Storage}, [](const OpRow& r) { return r.bytes; }},
        {{"time_s", "time", Measure::Time}, [](const OpRow& r) { return r.seconds; }},
        {{"step_s", "of the step", Measure::Time}, [](const OpRow& r) { return r.seconds * r.count; }},
        {{"bound", "bound by"}, [](const OpRow& r) { return Message(boundName(r.bound)); }},
        {{"source", "source"}, [](const OpRow& r) { return Message(sourceName(r.source)); }},
    };
    return columns;
}

} // namespace headroom
