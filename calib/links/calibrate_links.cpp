#include "calib/links/calibrate_links.h"

#include "calib/calibration_device.h"
#include "calib/calibration_subject.h"
#include "calib/links/exchange.h"
#include "calib/links/launched.h"
#include "calib/links/rank_table.h"
#include "calib/links/ranked_device.h"
#include "kernels/links.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace headroom {

namespace {

using Reports = Result<std::vector<CalibrationReport>>;

RunPolicy policyOf(const CalibrationOptions& options)
{
    RunPolicy policy;
    policy.seed = options.seed;
    constexpr double usual = 60;
    constexpr double shorter = 20;
    policy.budget = options.budget.value_or(Seconds(options.quick ? shorter : usual));
    policy.warmUp = Seconds(1);
    policy.allowedDrift = 0.1; // networks are shared: what others send moves an anchor more than a clock does
    return policy;
}

std::vector<RankCount> countsOf(const std::vector<RankGroup>& groups)
{
    std::vector<RankCount> out;
    for (const RankGroup& group : groups)
        out.emplace_back(static_cast<int>(group.ranks.size()), group.nodes);
    return out;
}

// Measures on `device` what `groups` can exchange.
Result<CalibrationReport> measured(kernels::Device& device, const std::vector<RankCount>& groups,
                                   const LinksSubject& links, const CalibrationOptions& options,
                                   const Catalogue& catalogue, const RunControl& control,
                                   const CalibrationListener& listener)
{
    Result<CalibrationSubject> subject = identified(device.facts(), options, catalogue);
    if (!subject)
        return refuse(subject.error());
    const Result<Node> node = nodeOf(subject->gpu, options, catalogue);
    if (!node)
        return refuse(node.error());
    subject->sweep = linkSweep(device, groups, options.seed);
    subject->anchors = linkAnchors(device, groups);
    subject->links = links;
    subject->links->node = *node;
    subject->links->alone = true;
    return calibrateDevice(device, *subject, options, policyOf(options), steadyClock(), control, listener);
}

std::string deviceFor(const CalibrationOptions& options, int index)
{
    return options.device == "cuda" ? fmt::format("cuda:{}", index) : options.device;
}

// All devices that this one process sees.
Reports insideThisMachine(const CalibrationOptions& options, const Catalogue& catalogue,
                          const RunControl& control, const CalibrationListener& listener)
{
    const Result<std::unique_ptr<kernels::Device>> device = openDevice(deviceFor(options, 0));
    if (!device)
        return refuse(device.error());
    const int devices = (*device)->facts().visibleDevices;
    if (devices < 2)
        throw CalibrationBroken(
            "one device is visible and no launcher started this process: links are between two or "
            "more, start it with mpirun or srun, one process for each GPU");
    if (const Message problem = (*device)->links()->problem(); !problem.empty())
        throw CalibrationBroken(problem);
    std::vector<RankCount> groups;
    for (const int ranks : rankSizes(devices))
        groups.emplace_back(ranks, 1);
    Result<CalibrationReport> report
        = measured(**device, groups,
                   {.node = {}, .ranks = devices, .nodes = 1, .library = (*device)->links()->version()},
                   options, catalogue, control, listener);
    if (!report)
        return refuse(report.error());
    return std::vector{std::move(*report)};
}

// This process among the others of its job.
class RankedJob {
public:
    RankedJob(const Launched& launched, const CalibrationOptions& options)
        : m_launched(launched), m_options(options), m_exchange(mpiExchange(launched))
    {
        if (!m_exchange)
            m_exchange = socketExchange(
                launched,
                {.place = options.meet.empty() ? meetingBeside(options.file, launched) : options.meet,
                 .reach = options.meet.empty() && launched.oneMachine ? Reach::ThisMachine : Reach::Network});
        introduce();
    }

    [[nodiscard]] Reports run(const Catalogue& catalogue, const RunControl& control,
                              const CalibrationListener& listener)
    {
        const std::vector<NodeKind> kinds = kindsOf(m_facts);
        std::vector<CalibrationReport> reports;
        if (kinds.size() > 1 && !m_options.gpu.empty())
            return leads() ? Reports(refuse("--gpu", "the job has machines of several kinds",
                                            "without it each is known by its device's name"))
                           : reports;
        for (const NodeKind& kind : kinds) {
            if (kind.groups.empty()) // a single device of its kind
                continue;
            joinGroups(*m_exchange, *m_device->links(), m_launched.rank, kind.groups);
            RankWork work(*m_device->links(), m_launched.rank, kind.groups);
            if (!leads()) {
                followLeader(*m_exchange, work);
                continue;
            }
            Result<CalibrationReport> report
                = lead(work, kind, optionsFor(kind, kinds.size()), catalogue, control, listener);
            if (!report)
                return refuse(report.error());
            reports.push_back(std::move(*report));
        }
        return reports;
    }

    [[nodiscard]] bool leads() const { return m_launched.rank == 0; }

private:
    // Every process learns which device each has, and opens its own.
    void introduce()
    {
        std::array<char, 256> name{};
        ::gethostname(name.data(), name.size() - 1);
        RankFacts mine{.node = m_launched.node.empty() ? name.data() : m_launched.node,
                       .host = name.data(),
                       .device = {},
                       .library = {},
                       .problem = {}};
        const int local = localRank(gatherForAll(*m_exchange, mine.node), m_launched.rank);
        try {
            // A launcher that binds shows each process its own device alone.
            const int visible = std::max(kernels::cudaDeviceCount(), 1);
            const std::string which = deviceFor(m_options, visible == 1 ? 0 : local % visible);
            Result<std::unique_ptr<kernels::Device>> device = openDevice(which);
            m_device = std::move(device).value();
            mine.device = m_device->facts();
            mine.library = m_device->links()->version();
            mine.problem = m_device->links()->problem().english();
        } catch (const std::exception& broken) {
            mine.problem = broken.what();
        }
        for (const std::string& pack : gatherForAll(*m_exchange, packedFacts(mine)))
            m_facts.push_back(unpackedFacts(pack));
        if (std::vector<Message> objections = objectionsOf(m_facts); !objections.empty())
            throw JobBroken(joined(std::move(objections), "; "));
    }

    [[nodiscard]] CalibrationOptions optionsFor(const NodeKind& kind, std::size_t kinds) const
    {
        CalibrationOptions options = m_options;
        if (kinds > 1) {
            std::string name = kind.device;
            std::replace_if(
                name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
            options.file.replace_filename(fmt::format("{}-{}-x{}{}", m_options.file.stem().string(), name,
                                                      kind.nodes.front().size(),
                                                      m_options.file.extension().string()));
        }
        return options;
    }

    [[nodiscard]] Result<CalibrationReport> lead(RankWork& work, const NodeKind& kind,
                                                 const CalibrationOptions& options,
                                                 const Catalogue& catalogue, const RunControl& control,
                                                 const CalibrationListener& listener)
    {
        const RankFacts& first = m_facts[static_cast<std::size_t>(kind.nodes.front().front())];
        kernels::DeviceFacts facts = first.device;
        facts.libraries = first.library + ", " + facts.libraries;
        facts.uuidHash.clear(); // of all of them, so that samples of other cards are told apart
        int ranks = 0;
        for (const std::vector<int>& node : kind.nodes)
            for (const int rank : node) {
                facts.uuidHash += (facts.uuidHash.empty() ? "" : " ")
                    + m_facts[static_cast<std::size_t>(rank)].device.uuidHash;
                ++ranks;
            }
        RankedDevice device(*m_exchange, work, facts, kind.groups, *m_device);
        return measured(device, countsOf(kind.groups),
                        {.node = {},
                         .ranks = ranks,
                         .nodes = static_cast<int>(kind.nodes.size()),
                         .library = first.library},
                        options, catalogue, control, listener);
    }

    Launched m_launched;
    const CalibrationOptions& m_options;
    std::unique_ptr<Exchange> m_exchange;
    std::unique_ptr<kernels::Device> m_device;
    std::vector<RankFacts> m_facts;
};

} // namespace

Reports calibrateLinks(const CalibrationOptions& options, const Catalogue& catalogue,
                       const RunControl& control, const CalibrationListener& listener)
{
    const Result<Launched> launched = launchedFrom([](const char* name) { return std::getenv(name); });
    if (!launched)
        return refuse(launched.error());
    if (Problems problems = calibrationObjections(options); !problems.empty())
        return launched->rank == 0 ? Reports(refuse(std::move(problems)))
                                   : Reports(std::vector<CalibrationReport>{});
    if (options.device == "cpu")
        return refuse("--device", "a processor has no links to other devices",
                      "--links measures those between GPUs");
    if (launched->ranks < 2)
        return insideThisMachine(options, catalogue, control, listener);
    if (options.device != "cuda")
        return launched->rank == 0
            ? Reports(refuse("--device", "each process of a job takes the GPU of its place on its machine",
                             "leave it out"))
            : Reports(std::vector<CalibrationReport>{});
    try {
        RankedJob job(*launched, options);
        return job.run(catalogue, control, listener);
    } catch (const JobBroken&) { // known to all: the first process tells it
        if (launched->rank == 0)
            throw;
        return std::vector<CalibrationReport>{};
    }
}

} // namespace headroom
