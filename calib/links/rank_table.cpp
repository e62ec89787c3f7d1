#include "calib/links/rank_table.h"

#include "calib/calibrate.h"
#include "calib/links/exchange.h"
#include "calib/sweep/sweep.h"
#include "model/base/quantity_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace headroom {

namespace {

std::vector<RankGroup> groupsOf(const std::vector<std::vector<int>>& nodes)
{
    std::vector<RankGroup> out;
    const auto add = [&](int count, int each) {
        RankGroup group{.key = groupKey(count * each, count), .ranks = {}, .nodes = count};
        for (int node = 0; node < count; ++node)
            for (int i = 0; i < each; ++i)
                group.ranks.push_back(nodes[static_cast<std::size_t>(node)][static_cast<std::size_t>(i)]);
        const auto same = [&](const RankGroup& other) { return other.key == group.key; };
        if (std::none_of(out.begin(), out.end(), same))
            out.push_back(std::move(group));
    };
    const int local = static_cast<int>(nodes.front().size());
    const int machines = static_cast<int>(nodes.size());
    for (const int size : rankSizes(local))
        add(1, size);
    for (const int count : rankSizes(machines))
        add(count, 1);
    if (machines > 1) {
        add(2, local);
        add(machines, local);
    }
    return out;
}

} // namespace

std::string groupKey(int ranks, int nodes) { return fmt::format("{} over {}", ranks, nodes); }

std::string groupKey(const kernels::Task& task) { return groupKey(task.ranks, task.nodes); }

std::string packedFacts(const RankFacts& facts)
{
    const kernels::DeviceFacts& device = facts.device;
    return packed({facts.node, facts.host, facts.library, facts.problem, device.name, device.driver,
                   device.libraries, device.uuidHash, std::to_string(device.units),
                   numberText(device.memory.base()), numberText(device.cache.base())});
}

RankFacts unpackedFacts(const std::string& pack)
{
    const std::vector<std::string> words = unpacked(pack);
    constexpr std::size_t expected = 11;
    if (words.size() != expected)
        throw CalibrationBroken("the processes do not understand each other: are they all of one version?");
    RankFacts out{.node = words[0], .host = words[1], .device = {}, .library = words[2], .problem = words[3]};
    out.device = {.kind = "cuda",
                  .name = words[4],
                  .driver = words[5],
                  .libraries = words[6],
                  .uuidHash = words[7],
                  .units = static_cast<int>(numberFromText(words[8]).value_or(0)),
                  .cache = Bytes(numberFromText(words[10]).value_or(0)),
                  .memory = Bytes(numberFromText(words[9]).value_or(0))};
    return out;
}

int localRank(const std::vector<std::string>& nodes, int rank)
{
    const auto mine = nodes.begin() + rank;
    return static_cast<int>(std::count(nodes.begin(), mine, *mine));
}

std::vector<NodeKind> kindsOf(const std::vector<RankFacts>& facts)
{
    std::vector<std::string> order; // machines by their first rank
    std::map<std::string, std::vector<int>> ranks;
    for (std::size_t rank = 0; rank < facts.size(); ++rank) {
        std::vector<int>& mine = ranks[facts[rank].node];
        if (mine.empty())
            order.push_back(facts[rank].node);
        mine.push_back(static_cast<int>(rank));
    }
    std::vector<NodeKind> kinds;
    for (const std::string& node : order) {
        const std::vector<int>& mine = ranks[node];
        const std::string& device = facts[static_cast<std::size_t>(mine.front())].device.name;
        const auto same = [&](const NodeKind& kind) {
            return kind.device == device && kind.nodes.front().size() == mine.size();
        };
        auto kind = std::find_if(kinds.begin(), kinds.end(), same);
        if (kind == kinds.end())
            kind = kinds.insert(kinds.end(), {.device = device, .nodes = {}, .groups = {}});
        kind->nodes.push_back(mine);
    }
    for (NodeKind& kind : kinds)
        kind.groups = groupsOf(kind.nodes);
    return kinds;
}

std::vector<Message> objectionsOf(const std::vector<RankFacts>& facts)
{
    std::vector<Message> out;
    std::map<std::pair<std::string, std::string>, std::size_t> devices; // by machine: whose rank
    std::map<std::string, std::string> types;
    std::map<std::string, std::vector<std::size_t>> problems; // whose
    for (std::size_t rank = 0; rank < facts.size(); ++rank) {
        const RankFacts& mine = facts[rank];
        const Message who = say("rank {} on {}", rank, mine.host);
        if (!mine.problem.empty()) {
            problems[mine.problem].push_back(rank);
            continue;
        }
        const auto [owner, alone] = devices.emplace(std::pair{mine.node, mine.device.uuidHash}, rank);
        if (!alone)
            out.push_back(
                say("{} has the same device as rank {}: start one process for each GPU", who, owner->second));
        const std::string& type = types.emplace(mine.node, mine.device.name).first->second;
        if (type != mine.device.name)
            out.push_back(say("{} has a {}, others there a {}: devices of one machine are measured when "
                              "they are of one type",
                              who, mine.device.name, type));
    }
    for (const auto& [problem, ranks] : problems)
        out.push_back(
            ranks.size() == 1
                ? say("{}: {}", say("rank {} on {}", ranks.front(), facts[ranks.front()].host), problem)
                : say("ranks {}: {}", fmt::format("{}", fmt::join(ranks, ", ")), problem));
    return out;
}

} // namespace headroom
