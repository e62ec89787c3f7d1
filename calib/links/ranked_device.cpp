#include "calib/links/ranked_device.h"

#include "calib/calibrate.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace headroom {

namespace {

constexpr std::string_view dismissal = "end";

std::string failure(int rank, const std::string& why) { return fmt::format("failed rank {}: {}", rank, why); }

// Throws what the first rank that failed said; else the largest of the numbers.
double worstOf(const std::vector<std::string>& answers)
{
    double worst = 0;
    for (const std::string& answer : answers) {
        constexpr std::string_view failed = "failed ";
        constexpr std::string_view fine = "ok ";
        if (answer.starts_with(failed))
            throw JobBroken(asIs(answer.substr(failed.size()))); // in the words of that process
        if (answer.starts_with(fine)) {
            const double number = std::strtod(answer.c_str() + fine.size(), nullptr);
            worst = number <= worst ? worst : number; // NaN is the worst of all
        }
    }
    return worst;
}

bool takesPart(const RankGroup& group, int rank)
{
    return std::find(group.ranks.begin(), group.ranks.end(), rank) != group.ranks.end();
}

} // namespace

void joinGroups(Exchange& exchange, kernels::Links& links, int rank, const std::vector<RankGroup>& groups)
{
    for (const RankGroup& group : groups) {
        const bool mine = takesPart(group, rank);
        std::string said;
        try {
            if (mine && group.ranks.front() == rank)
                said = links.ticket();
        } catch (const std::exception& broken) {
            said = failure(rank, broken.what());
        }
        const std::vector<std::string> all = gatherForAll(exchange, said);
        const std::string& ticket = all[static_cast<std::size_t>(group.ranks.front())];
        (void)worstOf({ticket});
        said.clear();
        try {
            const auto place = std::find(group.ranks.begin(), group.ranks.end(), rank) - group.ranks.begin();
            if (mine)
                links.join(group.key, ticket, static_cast<int>(place), static_cast<int>(group.ranks.size()));
        } catch (const std::exception& broken) {
            said = failure(rank, broken.what());
        }
        (void)worstOf(gatherForAll(exchange, said));
    }
}

std::string RankWork::answer(const std::string& order)
{
    std::istringstream words(order);
    try {
        return carriedOut(words);
    } catch (const std::exception& broken) {
        return failure(m_rank, broken.what());
    }
}

// "drop… ; verb handle …": handles that are no longer needed, then what to do.
std::string RankWork::carriedOut(std::istringstream& order)
{
    for (std::string word; order >> word && word != ";";)
        m_prepared.erase(std::stoi(word));
    std::string verb;
    int handle = 0;
    order >> verb >> handle;
    if (verb == "prepare") {
        kernels::Task task;
        int kernel = 0;
        order >> kernel >> task.bytes >> task.ranks >> task.nodes;
        task.kernel = static_cast<kernels::Kernel>(kernel);
        const std::string key = groupKey(task);
        const auto group = std::find_if(m_groups.begin(), m_groups.end(),
                                        [&](const RankGroup& one) { return one.key == key; });
        if (group == m_groups.end() || !takesPart(*group, m_rank))
            return "none";
        m_prepared[handle] = m_links.prepareIn(key, task);
        return "ok 0";
    }
    const auto found = m_prepared.find(handle);
    if (found == m_prepared.end())
        return "none";
    if (verb == "check")
        return fmt::format("ok {}", m_links.check(*found->second));
    int launches = 0;
    order >> launches;
    return fmt::format("ok {}", m_links.time(*found->second, launches).perLaunch.base());
}

// Operands of a task on every rank that has a part in it.
class RankedPrepared final : public kernels::Prepared {
public:
    RankedPrepared(RankedDevice& device, int number) : handle(number), m_device(device) {}
    ~RankedPrepared() override { m_device.m_dropped.push_back(handle); }
    RankedPrepared(const RankedPrepared&) = delete;
    RankedPrepared& operator=(const RankedPrepared&) = delete;

    const int handle;
    [[nodiscard]] int copies() const override { return 1; }

private:
    RankedDevice& m_device;
};

RankedDevice::RankedDevice(Exchange& exchange, RankWork& work, kernels::DeviceFacts facts,
                           const std::vector<RankGroup>& groups, kernels::Device& own)
    : m_exchange(exchange), m_work(work), m_facts(std::move(facts)), m_own(own)
{
    for (const RankGroup& group : groups)
        m_groups.insert(group.key);
}

RankedDevice::~RankedDevice()
{
    try {
        (void)m_exchange.broadcast(std::string(dismissal));
    } catch (const std::exception&) { // whoever has gone needs no dismissal
    }
}

Message RankedDevice::obstacle(const kernels::Task& task) const
{
    if (!kernels::isCollective(task.kernel))
        return "the ranks of a job only exchange";
    if (m_groups.count(groupKey(task)) == 0)
        return say("there are no {} ranks over {} nodes", task.ranks, task.nodes);
    return kernels::exchangeObstacle(task, m_facts.memory);
}

double RankedDevice::order(const std::string& words)
{
    const std::string whole = fmt::format("{} ; {}", fmt::join(m_dropped, " "), words);
    m_dropped.clear();
    (void)m_exchange.broadcast(whole);
    return worstOf(m_exchange.gather(m_work.answer(whole)));
}

std::unique_ptr<kernels::Prepared> RankedDevice::prepare(const kernels::Task& task, std::uint64_t, int)
{
    const int handle = ++m_next;
    order(fmt::format("prepare {} {} {} {} {}", handle, static_cast<int>(task.kernel), task.bytes, task.ranks,
                      task.nodes));
    return std::make_unique<RankedPrepared>(*this, handle);
}

double RankedDevice::check(kernels::Prepared& prepared)
{
    return order(fmt::format("check {}", dynamic_cast<RankedPrepared&>(prepared).handle));
}

kernels::Stretch RankedDevice::time(kernels::Prepared& prepared, int launches)
{
    const double each
        = order(fmt::format("time {} {}", dynamic_cast<RankedPrepared&>(prepared).handle, launches));
    return {.perLaunch = Seconds(each), .launches = launches};
}

void followLeader(Exchange& exchange, RankWork& work)
{
    for (;;) {
        const std::string order = exchange.broadcast({});
        if (order == dismissal)
            return;
        (void)exchange.gather(work.answer(order));
    }
}

} // namespace headroom
