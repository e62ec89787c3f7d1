#include "fake_card.h"

#include "kernels/launch_plan.h"
#include "model/catalogue/node.h"
#include "model/cost/forms.h"

#include <algorithm>

namespace headroom::test {

namespace {

// What the host and the driver take, on the long side: recording and instantiating a launch, asking for
// memory and waiting, filling sets (a hash for each number), a reference in double precision on some cores.
constexpr double secondsToRecord = 4e-6;
constexpr double secondsToAsk = 2e-3;
constexpr double filledPerSecond = 1e12;
constexpr double secondsOfCheck = 30e-3;
constexpr double secondsOfTrials
    = 10e-3; // of the library's algorithms, and the one during which that time ends

struct CardPrepared final : kernels::Prepared {
    kernels::Task task;
    Bytes set;
    int sets = 1;
    int recorded = 0;
    [[nodiscard]] int copies() const override { return sets; }
};

CardPrepared& mineOf(kernels::Prepared& prepared) { return dynamic_cast<CardPrepared&>(prepared); }

} // namespace

FakeCard::FakeCard(const Gpu& gpu, const EfficiencySet& forms) : m_gpu(gpu), m_forms(forms)
{
    m_facts.kind = "cuda";
    m_facts.name = gpu.name;
    m_facts.driver = "0";
    m_facts.libraries = "none";
    m_facts.computeCapability = 9;
    m_facts.units = gpu.smCount;
    m_facts.cache = Bytes(50e6);
    m_facts.memory = Bytes(80e9);
}

kernels::DeviceState FakeCard::state()
{
    spend(1e-3);
    return {.coreClockHz = 1.7e9};
}

Message FakeCard::obstacle(const kernels::Task& task) const
{
    return kernels::isCollective(task.kernel) ? Message("one is visible") : Message();
}

Bytes FakeCard::cold(const kernels::Task& task) const
{
    return task.hot || task.kernel == kernels::Kernel::Empty ? Bytes() : m_facts.coldTimes * m_facts.cache;
}

double FakeCard::exact(const kernels::Task& task) const
{
    if (task.kernel == kernels::Kernel::Empty)
        return 1.3e-6 * slowness;
    static const Node alone;
    return timeOp(kernels::workOf(task), m_gpu, alone, m_forms).total.base() * slowness;
}

std::unique_ptr<kernels::Prepared> FakeCard::prepare(const kernels::Task& task, std::uint64_t, int copies)
{
    auto out = std::make_unique<CardPrepared>();
    out->task = task;
    out->set = kernels::workOf(task).bytes();
    out->sets = copies > 0 ? copies : kernels::copiesFor(out->set, cold(task), m_facts.memory / 4);
    spend(secondsToAsk + out->set.base() * out->sets / filledPerSecond * slowness);
    if (task.kernel == kernels::Kernel::Gemm && task.weights == task.activations)
        spend(std::min(32 * exact(task), secondsOfTrials + 2 * exact(task)));
    return out;
}

double FakeCard::check(kernels::Prepared&)
{
    spend(secondsOfCheck);
    return 0;
}

kernels::Stretch FakeCard::time(kernels::Prepared& prepared, int launches)
{
    CardPrepared& mine = mineOf(prepared);
    const double each = exact(mine.task);
    if (mine.task.graphNodes > 0 || mine.task.eager) {
        spend(launches * (5e-6 + each * std::max(mine.task.graphNodes, 1)));
        return {.perLaunch = Seconds(5e-6 + each * std::max(mine.task.graphNodes, 1)), .launches = launches};
    }
    const kernels::LaunchPlan plan = kernels::planLaunches({.launches = launches,
                                                            .copies = mine.sets,
                                                            .set = mine.set,
                                                            .cold = cold(mine.task),
                                                            .recorded = mine.recorded});
    if (plan.each > 1 && plan.each != mine.recorded)
        spend(secondsToRecord * (mine.recorded = plan.each));
    const double emptying = (2 * m_facts.cache / m_gpu.memoryBandwidth).base() + 5e-6;
    spend(plan.launches() * each + (plan.emptied ? plan.replays * emptying * slowness : 0));
    return {.perLaunch = Seconds(each), .launches = plan.launches()};
}

kernels::Stretch FakeCard::timeSequence(const std::vector<kernels::Prepared*>& sequence, int rounds)
{
    double each = 0;
    int copies = 1;
    for (kernels::Prepared* const operands : sequence) {
        each += exact(mineOf(*operands).task);
        copies = std::max(copies, operands->copies());
    }
    const std::vector<const kernels::Prepared*> mine(sequence.begin(), sequence.end());
    if (mine != m_recorded)
        spend(secondsToRecord * double(copies) * double(sequence.size()));
    m_recorded = mine;
    const int ran = (rounds + copies - 1) / copies * copies;
    spend(each * ran);
    return {.perLaunch = Seconds(each), .launches = ran};
}

} // namespace headroom::test
