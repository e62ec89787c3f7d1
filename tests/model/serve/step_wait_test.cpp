// Steps that pass before a new request is in one, against schedules worked out by hand.
#include "tests/model/serve/hand_worked.h"

using namespace headroom;
using namespace headroom::serve;
using namespace headroom::serve::testing;

namespace {

ServingSetup afterSteps(double steps, const Scheduling& scheduling = roomy)
{
    ServingSetup setup = setupOf(scheduling, oneSecond);
    setup.reception.intake.steps = steps;
    return setup;
}

} // namespace

TEST_CASE("a request that comes during a step is in one when two whole ones more have passed")
{
    // Steps of 1 s. The first is alone: it is in the step from 0 on. The second comes at 1.5 s, is seen at
    // 2 s, and the steps from 2 and from 3 pass: its prompt is in the one from 4 to 5.
    const Simulation done = run(afterSteps(2), workloadOf({{0, 4, 10}, {1.5, 4, 2}}));
    checkRows(done, {{0, 1, 10}, {4, 5, 6}});
}

TEST_CASE("nobody waits for the steps of an idle engine")
{
    // Two come together and are in the first step. The third comes at 2.5 s, and the last step of the others
    // ends at 3 s: there is none that it could wait for.
    const Simulation done = run(afterSteps(5), workloadOf({{0, 4, 3}, {0, 4, 3}, {2.5, 4, 1}, {20.5, 4, 1}}));
    checkRows(done, {{0, 1, 3}, {0, 1, 3}, {3, 4, 4}, {20.5, 21.5, 21.5}});
}

TEST_CASE("who asks again as a step ends is in one at the end of another, however long the steps are")
{
    // Two users. Both begin at 0; the first has his answer at 2 s and asks: the step from 2 on passes, his
    // next prompt is in the one from 3 on.
    Workload workload = workloadOf({{0, 4, 2}, {0, 4, 8}, {0, 4, 2}});
    workload.users = 2;
    checkRows(run(afterSteps(1), workload), {{0, 1, 2}, {0, 1, 8}, {3, 4, 5}});
}

TEST_CASE("of half a step on average half of the requests wait for one")
{
    // One long answer keeps the engine at work; each of the others comes in the middle of a step of 1 s.
    std::vector<Lengths> lengths{{0, 4, 900}};
    for (int i = 0; i < 400; ++i)
        lengths.push_back({2.5 + 2 * i, 4, 1});
    Scheduling scheduling = roomy;
    scheduling.kvTokens = 40960;
    const Simulation done = run(afterSteps(0.5, scheduling), workloadOf(lengths));
    double waited = 0;
    for (std::size_t i = 1; i < done.outcomes.size(); ++i)
        waited += (done.outcomes[i].start - done.outcomes[i].arrival).base() - 0.5;
    CHECK(waited / 400 == doctest::Approx(0.5).epsilon(0.15));
}

TEST_CASE("steps that are taken together stop where somebody may come in")
{
    Scheduling together = roomy;
    together.kvTokens = 40960;
    together.takeTogether = true;
    Scheduling single = together;
    single.takeTogether = false;
    const Workload workload
        = workloadOf({{0, 4, 60}, {3.5, 4, 30}, {4.5, 4, 7}, {20.5, 8, 9}, {20.7, 4, 30}, {55.5, 4, 3}});
    const Simulation a = run(afterSteps(3.4, together), workload);
    const Simulation b = run(afterSteps(3.4, single), workload);
    CHECK(a.replicas[0].steps == b.replicas[0].steps);
    for (std::size_t i = 0; i < a.outcomes.size(); ++i) {
        CHECK(a.outcomes[i].start == b.outcomes[i].start);
        CHECK(a.outcomes[i].end == b.outcomes[i].end);
    }
}
