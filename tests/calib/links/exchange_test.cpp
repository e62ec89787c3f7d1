#include "../fake_device.h"
#include "calib/calibrate.h"
#include "calib/links/exchange.h"
#include "calib/links/launched.h"
#include "calib/links/rank_table.h"
#include "calib/links/ranked_device.h"
#include "calib/links/socket.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <future>
#include <map>
#include <numeric>

using namespace headroom;
using namespace headroom::test;

namespace {

using Variables = std::map<std::string, std::string>;

Result<Launched> launchedBy(const Variables& variables)
{
    return launchedFrom([&](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    });
}

// Every rank in a thread of its own; what each of them returns, by rank.
template <typename Work>
auto onRanks(int ranks, const std::string& place, Work work)
{
    using Out = decltype(work(std::declval<Exchange&>(), 0));
    std::vector<std::future<Out>> all;
    for (int rank = 0; rank < ranks; ++rank)
        all.push_back(std::async(std::launch::async, [=] {
            const auto exchange = socketExchange({.rank = rank, .ranks = ranks, .by = "test", .job = "j"},
                                                 {.place = place, .patience = 30});
            return work(*exchange, rank);
        }));
    std::vector<Out> out;
    for (auto& one : all)
        out.push_back(one.get());
    return out;
}

RankFacts ranked(const std::string& node, const std::string& device, const std::string& card)
{
    RankFacts facts{.node = node, .host = node, .device = {}, .library = "NCCL 2.28.9", .problem = {}};
    facts.device.name = device;
    facts.device.uuidHash = card;
    facts.device.memory = Bytes(8e10);
    return facts;
}

std::vector<RankFacts> machines(int count, int cards)
{
    std::vector<RankFacts> out;
    for (int node = 0; node < count; ++node)
        for (int card = 0; card < cards; ++card)
            out.push_back(ranked("n" + std::to_string(node), "NVIDIA H200", std::to_string(card)));
    return out;
}

std::vector<std::string> keysOf(const NodeKind& kind)
{
    std::vector<std::string> out;
    for (const RankGroup& group : kind.groups)
        out.push_back(group.key);
    return out;
}

} // namespace

TEST_CASE("every launcher's environment tells the rank")
{
    const auto alone = launchedBy({});
    REQUIRE(alone.has_value());
    CHECK(alone->ranks == 1);
    CHECK(alone->by.empty());

    const auto openMpi = launchedBy({{"OMPI_COMM_WORLD_RANK", "3"},
                                     {"OMPI_COMM_WORLD_SIZE", "8"},
                                     {"SLURM_PROCID", "0"},
                                     {"SLURM_NTASKS", "1"}});
    CHECK(openMpi->by == "Open MPI"); // inside a job of Slurm it is mpirun that starts the processes
    CHECK(openMpi->rank == 3);
    CHECK(openMpi->ranks == 8);

    const auto slurm = launchedBy({{"SLURM_PROCID", "9"},
                                   {"SLURM_NTASKS", "16"},
                                   {"SLURM_JOB_ID", "77"},
                                   {"SLURM_STEP_ID", "2"},
                                   {"SLURM_NODEID", "1"}});
    CHECK(slurm->rank == 9);
    CHECK(slurm->job == "77.2");
    CHECK(slurm->node == "1");

    CHECK(launchedBy({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}})->rank == 1);
    CHECK(launchedBy({{"RANK", "5"}, {"WORLD_SIZE", "6"}, {"GROUP_RANK", "2"}})->node == "2");

    CHECK_FALSE(launchedBy({{"PMI_RANK", "2"}, {"PMI_SIZE", "2"}}).has_value()); // ranks are counted from 0
    CHECK_FALSE(launchedBy({{"RANK", "x"}, {"WORLD_SIZE", "2"}}).has_value());
}

TEST_CASE("whether a job spans machines is the launcher's word; without it there is one")
{
    CHECK(launchedBy({{"RANK", "0"}, {"WORLD_SIZE", "4"}, {"LOCAL_WORLD_SIZE", "4"}})->oneMachine);
    CHECK_FALSE(launchedBy({{"RANK", "0"}, {"WORLD_SIZE", "4"}, {"LOCAL_WORLD_SIZE", "2"}})->oneMachine);
    CHECK_FALSE(launchedBy({{"OMPI_COMM_WORLD_RANK", "0"},
                            {"OMPI_COMM_WORLD_SIZE", "4"},
                            {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}})
                    ->oneMachine);
    CHECK_FALSE(
        launchedBy({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}, {"SLURM_NNODES", "2"}})->oneMachine);
    CHECK(launchedBy({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}, {"SLURM_NNODES", "1"}})->oneMachine);
    CHECK(launchedBy({{"PMI_RANK", "0"}, {"PMI_SIZE", "4"}})->oneMachine);
}

TEST_CASE("on one machine nobody of the network can knock")
{
    const auto near = listening(0, Reach::ThisMachine);
    REQUIRE(near.has_value());
    CHECK(connected("127.0.0.1", portOf(*near)).has_value());
    for (const std::string& address : ownAddresses())
        if (address != "127.0.0.1" && address != "::1" && address != "localhost") {
            CAPTURE(address);
            CHECK_FALSE(connected(address, portOf(*near)).has_value());
        }
}

TEST_CASE("lists of words survive being one word")
{
    const std::vector<std::string> words{"", "a b", std::string("\0 3 \n", 5), "12 "};
    CHECK(unpacked(packed(words)) == words);
    CHECK_THROWS_AS((void)unpacked("9 short"), CalibrationBroken);
    CHECK_THROWS_AS((void)unpacked("garbage"), CalibrationBroken);
}

TEST_CASE("ranks meet at a file, one of an earlier run included, and say words to each other")
{
    const Folder folder;
    const std::string place = folder.file("meeting").string();
    std::ofstream(place) << "oldtoken\n1\n127.0.0.1\n"; // nobody listens at port 1
    const auto heard = onRanks(4, place, [](Exchange& exchange, int rank) {
        std::vector<std::string> all
            = gatherForAll(exchange, std::string(static_cast<std::size_t>(rank), 'x'));
        all.push_back(exchange.broadcast(rank == 0 ? "go" : "not mine to say"));
        return all;
    });
    for (const auto& words : heard)
        CHECK(words == std::vector<std::string>{"", "x", "xx", "xxx", "go"});
    CHECK_FALSE(std::filesystem::exists(place));
}

TEST_CASE("ranks meet at a host and port, and a stranger who knocks is not one of them")
{
    // A port that was free a moment ago.
    const int port = portOf(*listening(0, Reach::Network));
    const std::string place = "localhost:" + std::to_string(port);
    auto strangers = std::async(std::launch::async, [&] {
        for (int i = 0; i < 20; ++i)
            if (const auto socket = connected("localhost", port)) {
                (void)socket->send("GET / HTTP/1.1");
                return true;
            }
        return false;
    });
    const auto heard = onRanks(
        2, place, [](Exchange& exchange, int rank) { return gatherForAll(exchange, std::to_string(rank)); });
    CHECK(heard[0] == std::vector<std::string>{"0", "1"});
    CHECK(heard[1] == heard[0]);
    (void)strangers.get();
}

TEST_CASE("who waits in vain says for whom")
{
    const Folder folder;
    const std::string place = folder.file("meeting").string();
    try {
        (void)socketExchange({.rank = 0, .ranks = 3}, {.place = place, .patience = 0.2});
        FAIL("nobody else came");
    } catch (const CalibrationBroken& broken) {
        CHECK(std::string(broken.what()) == "1 of 3 processes came to " + place + " within 0 s");
    }
    CHECK_THROWS_AS((void)socketExchange({.rank = 1, .ranks = 2}, {.place = place, .patience = 0.2}),
                    CalibrationBroken);
}

TEST_CASE("a rank that has gone ends the job of the others with a sentence")
{
    const Folder folder;
    const auto said = onRanks(2, folder.file("m").string(), [](Exchange& exchange, int rank) -> std::string {
        if (rank == 1)
            return {}; // leaves
        try {
            (void)exchange.gather("");
        } catch (const CalibrationBroken& broken) {
            return broken.what();
        }
        return {};
    });
    CHECK(said[0] == "the process of rank 1 has gone");
}

TEST_CASE("exchanges are measured inside a machine, from machine to machine and between all")
{
    const std::vector<NodeKind> one = kindsOf(machines(1, 8));
    REQUIRE(one.size() == 1);
    CHECK(keysOf(one[0]) == std::vector<std::string>{"2 over 1", "4 over 1", "8 over 1"});

    const std::vector<NodeKind> four = kindsOf(machines(4, 2));
    REQUIRE(four.size() == 1);
    CHECK(keysOf(four[0])
          == std::vector<std::string>{"2 over 1", "2 over 2", "4 over 4", "4 over 2", "8 over 4"});
    CHECK(four[0].groups[2].ranks == std::vector<int>{0, 2, 4, 6}); // the first of each
    CHECK(four[0].groups[3].ranks == std::vector<int>{0, 1, 2, 3});

    CHECK(kindsOf(machines(1, 1)).front().groups.empty());
}

TEST_CASE("machines of another card, or of more of them, are another kind")
{
    std::vector<RankFacts> facts = machines(2, 2);
    for (const char* const card : {"0", "1"})
        facts.push_back(ranked("other", "NVIDIA A100", card));
    facts.push_back(ranked("smaller", "NVIDIA H200", "0"));
    const std::vector<NodeKind> kinds = kindsOf(facts);
    REQUIRE(kinds.size() == 3);
    CHECK(kinds[1].device == "NVIDIA A100");
    CHECK(kinds[1].nodes == std::vector<std::vector<int>>{{4, 5}});
    CHECK(kinds[2].nodes == std::vector<std::vector<int>>{{6}});
}

TEST_CASE("a rank without a device, or with that of another rank, is named")
{
    std::vector<RankFacts> facts = machines(1, 3);
    facts[1].problem = "no CUDA device";
    facts[2].device.uuidHash = facts[0].device.uuidHash;
    CHECK(inEnglish(objectionsOf(facts))
          == std::vector<std::string>{
              "rank 2 on n0 has the same device as rank 0: start one process for each GPU",
              "rank 1 on n0: no CUDA device"});
    facts[2].problem = facts[1].problem;
    CHECK(inEnglish(objectionsOf(facts)) == std::vector<std::string>{"ranks 1, 2: no CUDA device"});
    CHECK(objectionsOf(machines(2, 4)).empty());
    const RankFacts back = unpackedFacts(packedFacts(facts[1]));
    CHECK(back.node == facts[1].node);
    CHECK(back.problem == facts[1].problem);
    CHECK(back.device.memory == facts[1].device.memory);
}

namespace {

// A part in exchanges that takes as long as its rank says, and fails where it is told to.
class FakeLinks final : public kernels::Links {
public:
    FakeLinks(int rank, int failing) : m_rank(rank), m_failing(failing) {}
    [[nodiscard]] std::string version() override { return "fake"; }
    [[nodiscard]] Message problem() override { return {}; }
    [[nodiscard]] std::string ticket() override { return "ticket of " + std::to_string(m_rank); }
    void join(const std::string& key, const std::string& ticket, int rank, int ranks) override
    {
        joined.push_back(key + " by " + ticket + " as " + std::to_string(rank) + "/" + std::to_string(ranks));
    }
    [[nodiscard]] std::unique_ptr<kernels::Prepared> prepareIn(const std::string&,
                                                               const kernels::Task&) override
    {
        struct Nothing final : kernels::Prepared {
            [[nodiscard]] int copies() const override { return 1; }
        };
        return std::make_unique<Nothing>();
    }
    [[nodiscard]] double check(kernels::Prepared&) override { return 0.001 * m_rank; }
    [[nodiscard]] kernels::Stretch time(kernels::Prepared&, int launches) override
    {
        if (m_rank == m_failing)
            throw std::runtime_error("the cable is out");
        return {.perLaunch = Seconds(1e-3 * (1 + m_rank)), .launches = launches};
    }
    std::vector<std::string> joined;

private:
    int m_rank;
    int m_failing;
};

struct Seen {
    std::vector<std::string> joined;
    double error = 0;
    double seconds = 0;
    std::string broken;
};

Seen seenBy(Exchange& exchange, int rank, int failing)
{
    FakeLinks links(rank, failing);
    FakeDevice own;
    Seen seen;
    const std::vector<NodeKind> kinds = kindsOf(machines(2, 2));
    const std::vector<RankGroup>& groups = kinds.front().groups;
    joinGroups(exchange, links, rank, groups);
    seen.joined = links.joined;
    RankWork work(links, rank, groups);
    if (rank != 0) {
        followLeader(exchange, work);
        return seen;
    }
    kernels::DeviceFacts facts;
    facts.memory = Bytes(1e9);
    RankedDevice device(exchange, work, facts, groups, own);
    kernels::Task task{.kernel = kernels::Kernel::AllReduce};
    task.bytes = 1 << 20;
    task.ranks = 2;
    task.nodes = 2; // ranks 0 and 2
    REQUIRE(device.obstacle(task).empty());
    const auto prepared = device.prepare(task, 7, 0);
    seen.error = device.check(*prepared);
    try {
        seen.seconds = device.time(*prepared, 5).perLaunch.base();
    } catch (const CalibrationBroken& broken) {
        seen.broken = broken.what();
    }
    task.ranks = 8;
    CHECK(device.obstacle(task).english() == "there are no 8 ranks over 2 nodes");
    return seen;
}

} // namespace

TEST_CASE("what the leader asks is done by the ranks that have a part in it, and the slowest counts")
{
    const Folder folder;
    const auto seen = onRanks(4, folder.file("m").string(),
                              [](Exchange& exchange, int rank) { return seenBy(exchange, rank, -1); });
    CHECK(seen[0].error == doctest::Approx(0.002)); // rank 2's; rank 3 has no part in it
    CHECK(seen[0].seconds == doctest::Approx(3e-3));
    CHECK(seen[2].joined
          == std::vector<std::string>{"2 over 2 by ticket of 0 as 1/2", "4 over 2 by ticket of 0 as 2/4"});
    CHECK(seen[3].joined == std::vector<std::string>{"4 over 2 by ticket of 0 as 3/4"});
}

TEST_CASE("what goes wrong on another rank is told with its number")
{
    const Folder folder;
    const auto seen = onRanks(4, folder.file("m").string(),
                              [](Exchange& exchange, int rank) { return seenBy(exchange, rank, 2); });
    CHECK(seen[0].broken == "rank 2: the cable is out");
}
