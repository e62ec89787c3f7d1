#include "model/advise/size.h"
#include "model/search/judge.h"
#include "model/search/layouts.h"
#include "model/search/safe_confidence.h"
#include "model/search/search.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace headroom::tests {

namespace {

const SearchOptions bare{.prune = true, .simulate = false, .explain = false};

std::shared_ptr<const SizingPlan> planned(const Scenario& scenario, const SearchOptions& options = bare)
{
    auto plan = size(scenario, shipped(), options);
    if (!plan)
        FAIL(plan.error().front().where << " " << plan.error().front().what.english());
    return *plan;
}

// 0 where nothing meets: sorts as more than any number.
double gpusNeeded(const SizingPlan& plan) { return plan.meets ? plan.answer.gpus() : 1e9; }

// Questions over the models, machines and loads that people size.
class Questions {
public:
    explicit Questions(unsigned seed) : m_random(seed) {}

    Scenario any()
    {
        Scenario s;
        s.model = one<std::string>({"llama-3.1-8b", "llama-3.1-70b", "qwen3-32b", "mixtral-8x7b",
                                    "deepseek-v3", "gpt-oss-120b", "qwen2.5-7b"});
        s.gpus = {one<std::string>({"a100-sxm-80gb", "h100-sxm-80gb", "h200-sxm-141gb", "l40s",
                                    "geforce-rtx-4090", "b200-sxm-180gb"})};
        s.prompt = LengthDistribution::of(one<double>({128, 1024, 4096, 16000}));
        s.output = LengthDistribution::of(one<double>({32, 256, 1024}));
        if (coin())
            s.targets.tokensPerSecond = one<double>({5, 10, 20, 40, 80});
        if (coin())
            s.targets.ttft = Seconds(one<double>({0.2, 0.5, 1, 2, 5}));
        if (coin())
            s.targets.latency = Seconds(one<double>({5, 15, 60}));
        if (coin())
            s.concurrency = one<double>({1, 7, 32, 100, 500});
        else if (coin())
            s.requestsPerSecond = one<double>({0.1, 1, 5, 30});
        return s;
    }
    template <typename T>
    T one(std::vector<T> values)
    {
        return values[std::uniform_int_distribution<std::size_t>(0, values.size() - 1)(m_random)];
    }
    bool coin() { return std::uniform_int_distribution<int>(0, 1)(m_random) == 1; }

private:
    std::mt19937 m_random;
};

std::string text(const Scenario& s)
{
    return s.model + " on " + s.gpus.front() + " prompt " + std::to_string(s.prompt.mean()) + " output "
        + std::to_string(s.output.mean()) + " users " + std::to_string(s.concurrency.value_or(0)) + " rps "
        + std::to_string(s.requestsPerSecond.value_or(0)) + " tps "
        + std::to_string(s.targets.tokensPerSecond.value_or(0));
}

constexpr int rounds = 24;

} // namespace

TEST_CASE("A looser target never needs more GPUs")
{
    Questions questions(11);
    for (int i = 0; i < rounds; ++i) {
        const Scenario strict = questions.any();
        Scenario loose = strict;
        if (loose.targets.tokensPerSecond)
            loose.targets.tokensPerSecond = *loose.targets.tokensPerSecond * 0.6;
        if (loose.targets.ttft)
            loose.targets.ttft = *loose.targets.ttft * 1.7;
        if (loose.targets.latency)
            loose.targets.latency = *loose.targets.latency * 1.7;
        CAPTURE(text(strict));
        CHECK(gpusNeeded(*planned(loose)) <= gpusNeeded(*planned(strict)));
    }
}

TEST_CASE("More users never need fewer GPUs")
{
    Questions questions(12);
    for (int i = 0; i < rounds; ++i) {
        Scenario few = questions.any();
        if (!few.requestsPerSecond)
            few.concurrency = few.concurrency.value_or(1);
        Scenario many = few;
        if (many.concurrency)
            many.concurrency = *many.concurrency * 2 + 1;
        if (many.requestsPerSecond)
            many.requestsPerSecond = *many.requestsPerSecond * 2;
        CAPTURE(text(few));
        CHECK(gpusNeeded(*planned(few)) <= gpusNeeded(*planned(many)));
    }
}

TEST_CASE("A lower rate of requests is carried by what carries a higher one")
{
    // A step of 2,048 tokens on an A100 has no room for prompts beside a thousand answers: there are two
    // numbers of users at each rate, and the lower one is it.
    Scenario s;
    s.model = "qwen3-8b";
    s.gpus = {"a100-sxm-80gb"};
    double before = 1;
    for (double rate = 0.5; rate < 16; rate += 0.5) {
        s.requestsPerSecond = rate;
        CAPTURE(rate);
        const auto plan = planned(s);
        CHECK(gpusNeeded(*plan) >= before);
        before = gpusNeeded(*plan);
        if (rate <= 5)
            CHECK(before == 1); // one carries more than 6 a second
    }
}

TEST_CASE("The share that is kept free is one of the service, not of each replica")
{
    Scenario s;
    s.model = "llama-3.1-405b";
    s.weights = DType::Fp8;
    s.gpus = {"h200-sxm-141gb"};
    s.concurrency = 32;
    // A speed at which the least that does is not sure.
    s.targets.tokensPerSecond = 20;
    auto plan = planned(s, {.prune = true, .simulate = false, .explain = true});
    while (!plan->safe && *s.targets.tokensPerSecond < 40) {
        s.targets.tokensPerSecond = *s.targets.tokensPerSecond + 1;
        plan = planned(s, {.prune = true, .simulate = false, .explain = true});
    }
    REQUIRE(plan->meets);
    REQUIRE(plan->safe);
    // Counted up one replica at a time: the first that holds with a tenth of its users free, and of those the
    // first that is sure.
    const Candidate& least = plan->cheapest ? *plan->cheapest : plan->answer;
    for (const Candidate* const service : {&least, &*plan->safe}) {
        Layout layout = service->deployment.layout;
        const int replicas = std::exchange(layout.replicas, 1);
        int first = 1;
        for (; first < 40; ++first) {
            Scenario asked = s;
            asked.replicas = first;
            Scenario full = asked;
            full.concurrency = std::ceil(32 / 0.9 - 1e-9);
            const double sure = service == &least ? 0 : safeConfidence;
            if (judge(service->machine, layout, full).meets
                && judge(service->machine, layout, asked).confidence >= sure)
                break;
        }
        CHECK(replicas == first);
    }
}

TEST_CASE("What a little more money buys is one more replica, where larger ones bring less")
{
    Scenario s;
    s.model = "llama-3.1-405b";
    s.weights = DType::Fp8;
    s.gpus = {"h200-sxm-141gb"};
    s.concurrency = 32;
    s.targets.tokensPerSecond = 30;
    const auto plan = planned(s);
    REQUIRE(plan->meets);
    const int least = plan->answer.gpus();
    for (const int gpus : {least + 8, least + 16}) {
        CAPTURE(gpus);
        Scenario stated = s;
        stated.gpuCount = gpus;
        const auto all = planned(stated);
        const auto best = std::find_if(plan->candidates.begin(), plan->candidates.end(),
                                       [gpus](const Candidate& c) { return c.meets && c.gpus() == gpus; });
        REQUIRE(best != plan->candidates.end());
        CHECK(best->point.tokensPerSecondPerUser.value.base()
              > 0.98 * all->answer.point.tokensPerSecondPerUser.value.base());
    }
}

TEST_CASE("The most users that are told where no load was stated stand a replay")
{
    Scenario s;
    s.model = "llama-3-70b";
    s.gpus = {"h100-sxm-80gb"};
    s.gpuCount = 16;
    s.objective = Objective::MostThroughput;
    s.targets.tokensPerSecond = 30;
    const auto plan = planned(s, {.prune = true, .simulate = true, .explain = false});
    const double closedForm = planned(s)->answer.maxConcurrency;
    const double told = plan->answer.maxConcurrency;
    CHECK(told < closedForm);
    CHECK(told > 0.8 * closedForm);
    REQUIRE(plan->safeUsers);
    CHECK(*plan->safeUsers < told);
    Scenario same = s;
    same.concurrency = told;
    CHECK(planned(same, {.prune = true, .simulate = true, .explain = false})->meets);
}

TEST_CASE("A faster GPU of the same memory never needs more")
{
    Questions questions(13);
    for (int i = 0; i < rounds; ++i) {
        const Scenario s = questions.any();
        auto machine = resolveMachine(s, shipped());
        if (!machine)
            continue; // the engine has no such type on this card
        Gpu fast = *machine->deployment.gpu;
        fast.memoryBandwidth = fast.memoryBandwidth * 1.5;
        for (FlopsPerSecond& peak : fast.peaks)
            peak = peak * 1.5;
        auto slow = std::make_shared<const Resolved>(*machine);
        machine->deployment.gpu = &fast;
        auto quick = std::make_shared<const Resolved>(*machine);
        const auto gpus = [&](const std::shared_ptr<const Resolved>& one) {
            const auto found = searchMachines({one}, s, true);
            return found.empty() || !found.front().meets ? 1e9 : double(found.front().gpus());
        };
        CAPTURE(text(s));
        CHECK(gpus(quick) <= gpus(slow));
    }
}

TEST_CASE("The answer predicted again meets its targets")
{
    Questions questions(14);
    int met = 0;
    for (int i = 0; i < rounds; ++i) {
        const Scenario s = questions.any();
        const auto plan = planned(s);
        if (!plan->meets)
            continue;
        ++met;
        const Candidate& a = plan->answer;
        const Prediction p = predict(a.deployment, a.load);
        CAPTURE(text(s));
        CHECK(p.memory.fits);
        if (s.targets.tokensPerSecond)
            CHECK(p.tokensPerSecondPerUser.value.base() >= *s.targets.tokensPerSecond * (1 - 1e-9));
        if (s.targets.ttft)
            CHECK(p.ttft.value.base() <= s.targets.ttft->base() * (1 + 1e-9));
        if (s.targets.latency)
            CHECK(p.latency.value.base() <= s.targets.latency->base() * (1 + 1e-9));
        const double carried = a.load.batch * a.deployment.layout.replicas;
        if (s.concurrency)
            CHECK(carried >= *s.concurrency);
    }
    CHECK(met > rounds / 4);
}

TEST_CASE("A remedy of more GPUs uses as many as it names")
{
    Scenario s;
    s.model = "deepseek-r1";
    s.gpus = {"h100-sxm-80gb"};
    s.gpuCount = 8; // its fp8 weights take more than one box of these
    const auto plan = planned(s, {.prune = true, .simulate = false, .explain = true});
    REQUIRE_FALSE(plan->meets);
    const auto more = std::find_if(plan->remedies.begin(), plan->remedies.end(), [](const Remedy& remedy) {
        return remedy.change.english().find("GPUs instead of 8") != std::string::npos;
    });
    REQUIRE(more != plan->remedies.end());
    CHECK(more->answer.gpus() == more->scenario.gpuCount);
    CHECK(more->change.english().starts_with(std::to_string(more->answer.gpus())));
}

TEST_CASE("GPUs whose number was stated are all used, whatever is looked for")
{
    Scenario s;
    s.model = "llama-3.1-70b";
    s.gpus = {"h100-sxm-80gb"};
    s.weights = DType::Fp8;
    s.concurrency = 64;
    for (const Objective objective : {Objective::FewestGpus, Objective::CheapestHour,
                                      Objective::CheapestTokens, Objective::FastestStream})
        for (const int count : {2, 4, 8, 16}) {
            s.objective = objective;
            s.gpuCount = count;
            CAPTURE(count);
            CHECK(planned(s)->answer.gpus() == count);
        }
}

TEST_CASE("A model that fits with fewer users than were stated is not called too large")
{
    Scenario s;
    s.model = "deepseek-r1";
    s.gpus = {"h20-96gb"};
    s.gpuCount = 8;
    s.concurrency = 100;
    const auto plan = planned(s);
    CHECK_FALSE(plan->meets);
    CHECK(plan->answer.maxConcurrency >= 1);
    CHECK(plan->answer.maxConcurrency < 100);
    CHECK(plan->reason.english().find("memory holds the model and") == 0);
    s.concurrency = std::floor(plan->answer.maxConcurrency * (1 - s.headroom));
    CHECK(planned(s)->meets);
    s.gpuCount = 4; // 680 GB of weights
    CHECK(planned(s)->reason.english().find("no layout holds the model") == 0);
}

TEST_CASE("Inside a box a split of layers is no better than one of heads, where prompts come now and then")
{
    Scenario s;
    s.model = "llama-3.1-70b";
    s.gpus = {"h100-sxm-80gb"};
    s.gpuCount = 8;
    s.concurrency = 64;
    s.targets.tokensPerSecond = 20;
    for (const Objective objective :
         {Objective::FewestGpus, Objective::CheapestHour, Objective::MostThroughput}) {
        s.objective = objective;
        CHECK(planned(s)->answer.deployment.layout.pp == 1);
    }
}

TEST_CASE("No service with fewer GPUs meets the targets")
{
    Questions questions(15);
    int checked = 0;
    for (int i = 0; i < rounds; ++i) {
        Scenario s = questions.any();
        const auto plan = planned(s);
        if (!plan->meets || plan->answer.gpus() == 1)
            continue;
        ++checked;
        if (plan->assumed.tokensPerSecond)
            s.targets.tokensPerSecond = plan->assumed.tokensPerSecond;
        if (plan->assumed.ttft)
            s.targets.ttft = plan->assumed.ttft;
        const auto machine = plan->answer.machine;
        CAPTURE(text(s));
        // Every layout with every count of replicas that stays below the answer, one by one.
        for (Layout layout : possibleLayouts(machine->deployment, s)) {
            for (int replicas = 1; layout.gpusPerReplica() * replicas < plan->answer.gpus(); ++replicas) {
                Scenario fixed = s;
                fixed.replicas = replicas;
                const Candidate fewer = judge(machine, layout, fixed);
                if (fewer.meets && s.concurrency) {
                    // It may carry the load, but not with the share of capacity that stays free.
                    CHECK(fewer.maxConcurrency * (1 - s.headroom) < *s.concurrency + replicas);
                } else if (fewer.meets && s.requestsPerSecond) {
                    CHECK(fewer.maxRequestsPerSecond * (1 - s.headroom) < *s.requestsPerSecond * (1 + 1e-6));
                } else {
                    CHECK(!fewer.meets);
                }
            }
        }
    }
    CHECK(checked > 5);
}

TEST_CASE("Pruning drops no better candidate: the answer is that of the search over everything")
{
    Questions questions(16);
    for (int i = 0; i < rounds; ++i) {
        Scenario s = questions.any();
        s.objective = questions.one<Objective>({Objective::FewestGpus, Objective::CheapestHour,
                                                Objective::CheapestTokens, Objective::LeastEnergy,
                                                Objective::MostThroughput, Objective::FastestStream});
        std::vector<std::shared_ptr<const Resolved>> machines;
        for (const char* const gpu :
             {"a100-sxm-80gb", "h100-sxm-80gb", "l40s", "geforce-rtx-4090", "h200-sxm-141gb"}) {
            Scenario one = s;
            one.gpus = {gpu};
            if (auto machine = resolveMachine(one, shipped()))
                machines.push_back(std::make_shared<const Resolved>(*std::move(machine)));
        }
        const auto pruned = searchMachines(machines, s, true);
        const auto all = searchMachines(machines, s, false);
        CAPTURE(text(s));
        REQUIRE(!all.empty());
        CHECK(pruned.size() <= all.size());
        CHECK(pruned.front().deployment == all.front().deployment);
        CHECK(pruned.front().meets == all.front().meets);
        // On several threads it is the same to the last candidate, whoever is done first.
        for (const bool prune : {true, false}) {
            const std::vector<Candidate>& alone = prune ? pruned : all;
            const std::vector<Candidate> threads = searchMachines(machines, s, prune, Depth::Whole, 3);
            REQUIRE(threads.size() == alone.size());
            for (std::size_t c = 0; c < alone.size(); ++c) {
                REQUIRE(threads[c].deployment == alone[c].deployment);
                REQUIRE(threads[c].point.latency.value == alone[c].point.latency.value);
            }
        }
    }
}

TEST_CASE("Replicas too large for a workstation stand in one server, smaller ones in the workstation")
{
    Scenario s;
    s.model = "llama-3.1-70b"; // 141 GB of weights: never in four cards of 24 GB
    s.gpus = {"geforce-rtx-4090"};
    s.concurrency = 4;
    const auto many = planned(s);
    CHECK(many->meets);
    CHECK(many->answer.gpus() > 4);
    CHECK(many->answer.deployment.node->gpusPerNode == 8);
    CHECK(many->answer.nodes() == 1);
    s.model = "llama-3.1-8b";
    const auto few = planned(s);
    CHECK(few->answer.deployment.node->gpusPerNode == 4);
    for (const Candidate& c : many->candidates)
        if (c.deployment.node->gpusPerNode == 8)
            REQUIRE(c.deployment.layout.gpusPerReplica() > 4);
}

} // namespace headroom::tests
