#include "model/closed_form/untrusted_forms.h"

#include "model/closed_form/prefill_mixing.h"
#include "model/cost/forms.h"
#include "model/cost/op_slot.h"
#include "model/cost/step_cost.h"
#include "model/efficiency/form_gates.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace headroom {

namespace {

// Below, another operator decides what the step takes.
constexpr double goodPart = 0.25;

Message reasonOf(const EfficiencySet& set, const FormSlot& slot)
{
    const std::string name = slotName(slot);
    for (const FormRecord& record : set.records)
        if (record.form == name)
            if (const std::vector<Message> failed = toldFailures(formGates(slot, record)); !failed.empty())
                return failed.front();
    return say("{}, lent by relatives", name);
}

Message sentenceOf(const Deployment& d, const StepShape& shape, const Message& step)
{
    double total = 0;
    double untrusted = 0;
    std::map<double, FormSlot> worst; // by seconds; two equal sums tell as much as one
    std::map<std::string, double> bySlot;
    const StepTimer timer(d);
    for (const Op& op : timer.operators(shape)) {
        const OpTime time = timer.timeOf(op);
        const double seconds = time.total.base() * op.count;
        total += seconds;
        if (time.trusted)
            continue;
        untrusted += seconds;
        worst[bySlot[slotName(slotOf(op))] += seconds] = slotOf(op);
    }
    if (total <= 0 || untrusted < goodPart * total)
        return {};
    return say("{:.0f} % of the time of {} is of operators whose calibration missed a condition "
               "({}): their intervals are widened to what it missed",
               100 * untrusted / total, step, reasonOf(*d.efficiency, worst.rbegin()->second));
}

} // namespace

std::vector<Message> untrustedTimes(const Deployment& deployment, const Load& load)
{
    std::vector<Message> out;
    const auto add = [&](Message sentence) {
        if (!sentence.empty())
            out.push_back(std::move(sentence));
    };
    add(sentenceOf(deployment, promptSteps(deployment, load).each, "a prompt"));
    add(sentenceOf(deployment, decodeStep(deployment, load), "a decode step"));
    return out;
}

} // namespace headroom
