#include "model/advise/first_enabling_remedy.h"
#include "model/advise/memory_need.h"
#include "model/advise/size.h"
#include "model/search/search.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

namespace headroom::tests {

namespace {

Scenario of(std::string model)
{
    Scenario s;
    s.model = std::move(model);
    return s;
}

MemoryNeed needOf(const Scenario& scenario)
{
    auto need = memoryNeed(scenario, shipped());
    REQUIRE(need);
    return *std::move(need);
}

} // namespace

TEST_CASE("A token of Llama 3.1 8B keeps keys and values of 8 heads in 32 layers")
{
    const MemoryNeed need = needOf(of("llama-3.1-8b"));
    CHECK(need.kvOfToken.base() == 2.0 * 32 * 8 * 128 * 2);
    CHECK(need.kvOfUser.base() == doctest::Approx(need.kvOfToken.base() * need.context));
    CHECK(need.weights.base() == doctest::Approx(8030261248.0 * 2));
}

TEST_CASE("Of a model with windows a token beyond them is kept by the other layers alone")
{
    Scenario s = of("gemma-3-27b"); // every sixth of 62 layers sees everything: 10, with 16 heads of 128
    s.prompt = LengthDistribution::of(131072 - 256);
    const MemoryNeed need = needOf(s);
    CHECK(need.windowedLayers == 52);
    CHECK(need.window == 1024);
    CHECK(need.kvOfTokenBeyond.base() == 10 * 2.0 * 16 * 128 * 2);
    const double windows = (need.kvOfToken - need.kvOfTokenBeyond).base() * 1024;
    CHECK(need.kvOfUser.base()
          == doctest::Approx(windows + need.kvOfTokenBeyond.base() * 131072).epsilon(0.01));
    CHECK(needOf(of("llama-3.1-8b")).windowedLayers == 0);
}

TEST_CASE("What memory rests on is told, prices are not")
{
    Scenario s = of("llama-3.1-70b");
    s.gpus = {"h800-sxm-80gb"}; // no price is known
    s.prompt = LengthDistribution::of(200000);
    const MemoryNeed need = needOf(s);
    REQUIRE(need.warnings.size() == 1);
    CHECK(need.warnings.front().english().find("was made for") != std::string::npos);
}

TEST_CASE("The parts are what one GPU that holds the model is filled with")
{
    for (const char* model : {"llama-3.1-8b", "gpt-oss-120b", "deepseek-v3"}) {
        CAPTURE(model);
        const MemoryNeed need = needOf(of(model));
        REQUIRE(!need.holders.empty());
        CHECK(need.holds());
        for (std::size_t i = 1; i < need.holders.size(); ++i)
            CHECK(need.holders[i - 1].deployment.layout.gpus() <= need.holders[i].deployment.layout.gpus());
        const MemoryHolder& fewest = need.holders.front();
        CHECK(fewest.plan.fits);
        CHECK(fewest.longestContext >= need.context);
        if (fewest.deployment.layout.gpus() == 1)
            CHECK(need.total().base() == doctest::Approx(fewest.plan.perGpu.used.base()));
    }
}

TEST_CASE("Cards behind one switch hold a model by its heads before they hold it in stages")
{
    Scenario s = of("deepseek-v3"); // 673 GB of weights: five B200 would do, one after the other
    s.gpus = {"b200-sxm-180gb"};
    s.engine = "vllm-2025"; // nine tenths of their memory
    const Layout layout = needOf(s).holders.at(0).deployment.layout;
    CHECK(layout.pp == 1);
    CHECK(layout.gpus() == 8);
    s.pp = 5; // as it was asked for
    CHECK(needOf(s).holders.at(0).deployment.layout.pp == 5);
}

TEST_CASE("The longest context fits and one token more does not")
{
    Scenario s = of("llama-3.3-70b");
    s.gpus = {"h100-sxm-80gb"};
    s.gpuCount = 2;
    const MemoryNeed need = needOf(s);
    REQUIRE(need.holders.size() == 1);
    const double longest = need.holders.front().longestContext;
    REQUIRE(longest > 1000);
    REQUIRE(longest < 131072);
    const auto with = [&](double context) {
        Scenario of = s;
        of.prompt = LengthDistribution::of(context - of.output.mean());
        return needOf(of).holders.front().plan.fits;
    };
    CHECK(with(longest));
    CHECK(!with(longest + 16)); // a page of the cache
}

TEST_CASE("More users, longer prompts and wider types need more")
{
    const Scenario base = of("qwen3-32b");
    const double usual = needOf(base).total().base();
    Scenario many = base;
    many.concurrency = 16;
    CHECK(needOf(many).kv.base() == doctest::Approx(16 * needOf(base).kv.base()));
    Scenario narrow = base;
    narrow.weights = DType::Fp8;
    CHECK(needOf(narrow).total().base() < usual);
    REQUIRE(!needOf(base).other.empty());
    CHECK(needOf(base).other.front().weights.base() == doctest::Approx(needOf(narrow).weights.base()));
}

TEST_CASE("A machine that is too small is told with what it lacks")
{
    Scenario s = of("llama-3.3-70b");
    s.gpus = {"h100-sxm-80gb"};
    s.gpuCount = 1;
    const MemoryNeed need = needOf(s);
    REQUIRE(need.holders.size() == 1);
    CHECK(!need.holds());
    CHECK(need.holders.front().longestContext == 0);
    CHECK(!memoryNeed(of("no-such-model"), shipped()));
}

TEST_CASE("A machine that runs the model in another type is told with it, unless the type was asked for")
{
    Scenario s = of("llama-3.3-70b");
    s.gpus = {"h100-sxm-80gb"};
    s.gpuCount = 1;
    const auto plan = size(s, shipped());
    REQUIRE(plan);
    CHECK(!(*plan)->meets);
    const Remedy* const with = firstEnablingRemedy(**plan, s);
    REQUIRE(with != nullptr);
    CHECK(with->answer.gpus() == 1);
    CHECK(with->answer.meets);
    CHECK(bytesPerElement(with->answer.deployment.weights) < 2);
    s.weights = DType::Bf16;
    const auto stated = size(s, shipped());
    REQUIRE(stated);
    CHECK(firstEnablingRemedy(**stated, s) == nullptr);
}

} // namespace headroom::tests
