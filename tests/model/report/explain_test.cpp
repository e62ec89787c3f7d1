#include "headroom_source_dir.h"
#include "model/report/explain.h"
#include "model/report/explain_at_load.h"
#include "model/yaml/catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace headroom;

namespace {

struct Case {
    Resolved resolved;
    Prediction prediction;
};

Case predicted(const Scenario& scenario)
{
    static const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
    REQUIRE(catalogue);
    auto resolved = resolve(scenario, **catalogue);
    REQUIRE(resolved);
    const Prediction prediction = predict(resolved->deployment, resolved->load);
    return {*resolved, prediction};
}

const Case& llama()
{
    static const Case one = [] {
        Scenario s;
        s.model = "llama-3.1-70b";
        s.gpus = {"a100-sxm-80gb"};
        s.tp = 4;
        s.batch = 16;
        return predicted(s);
    }();
    return one;
}

// Its answers are streamed in pieces.
const Case& deepseek()
{
    static const Case one = [] {
        Scenario s;
        s.model = "deepseek-r1";
        s.gpus = {"b200-sxm-180gb"};
        s.engine = "tensorrt-llm";
        s.tp = 8;
        s.batch = 16;
        return predicted(s);
    }();
    return one;
}

Explanation explained(const char* figure, const Case& of = llama())
{
    const auto all = explainFigures(of.resolved, of.prediction, figure);
    REQUIRE(all);
    REQUIRE(all->size() == 1);
    return all->front();
}

double number(const Explanation& e, const std::string& symbol)
{
    const auto found = std::find_if(e.numbers.begin(), e.numbers.end(),
                                    [&](const ExplainedNumber& n) { return n.symbol.english() == symbol; });
    REQUIRE(found != e.numbers.end());
    return found->value;
}

} // namespace

TEST_CASE("every figure explains itself and every number says where it is from")
{
    for (const std::string& figure : explainedFigures()) {
        const Explanation e = explained(figure.c_str());
        CAPTURE(figure);
        CHECK(e.figure == figure);
        CHECK_FALSE(e.title.empty());
        CHECK_FALSE(e.formula.empty());
        CHECK_FALSE(e.numbers.empty());
        for (const ExplainedNumber& n : e.numbers) {
            CAPTURE(n.symbol.english());
            CHECK_FALSE(n.source.empty());
        }
        CHECK(explanationText(e, ask::Language::English).find(e.title.english()) == 0);
    }
}

TEST_CASE("what is explained is what was predicted")
{
    const Prediction& p = llama().prediction;
    CHECK(explained("ttft").result == p.ttft.value.base());
    CHECK(explained("tpot").result == p.tpot.value.base());
    CHECK(explained("weights").result == p.memory.perGpu.weights.base());
    CHECK(explained("cost").result == perHour(p.service.price));
    CHECK(explained("throughput").result == p.service.outputTokensPerSecond.value.base());
}

TEST_CASE("a request is a straight line: its numbers give its result")
{
    for (const Case* one : {&llama(), &deepseek()}) {
        const Explanation e = explained("latency", *one);
        const double line
            = number(e, "k, TPOT") * number(e, "x, tokens after the first") + number(e, "b, TTFT");
        CHECK(e.result == doctest::Approx(line).epsilon(1e-12));
    }
}

TEST_CASE("what is told of a throughput gives it")
{
    for (const Case* one : {&llama(), &deepseek()}) {
        const Explanation e = explained("throughput", *one);
        const Resolved& r = one->resolved;
        const double cycle = number(e, "admission, before a prompt is computed") + number(e, "own prompt")
            + number(e, "tokens beside prompts") * number(e, "TPOT under load")
            + number(e, "other tokens") * number(e, "TPOT");
        const double tokens = r.load.batch * r.deployment.layout.replicas * r.load.outputTokens;
        CHECK(e.result == doctest::Approx(tokens / cycle).epsilon(1e-9));
    }
}

TEST_CASE("the wait for the first piece of an answer is told apart from admission")
{
    CHECK(explained("ttft").worked.english().find("first piece") == std::string::npos);
    const Explanation e = explained("ttft", deepseek());
    const Seconds wait = deepseek().prediction.tpot.value * 10;
    CHECK(e.worked.english().find(forPeople(wait.base(), Measure::Time)
                                  + " until the first piece of the answer")
          != std::string::npos);
}

TEST_CASE("what joins the GPUs of a replica is named: the links inside a box, the network between boxes")
{
    Scenario s;
    s.model = "llama-3.1-70b";
    s.weights = DType::Fp8;
    s.batch = 1;
    const auto joining = [&](const char* gpu, int tp, int pp) {
        s.gpus = {gpu};
        s.tp = tp;
        s.pp = pp;
        const Explanation told = explained("tpot", predicted(s));
        for (const ExplainedNumber& number : told.numbers)
            if (number.symbol.english() == "links")
                return number.source.english();
        return std::string("nothing");
    };
    const auto has
        = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    CHECK(joining("h100-sxm-80gb", 1, 1) == "nothing");
    const std::string inside = joining("h100-sxm-80gb", 8, 1);
    CHECK(has(inside, "NVSwitch"));
    CHECK_FALSE(has(inside, "InfiniBand"));
    const std::string both = joining("h100-sxm-80gb", 8, 2);
    CHECK(has(both, "NVSwitch"));
    CHECK(has(both, "InfiniBand"));
    // One GPU a box: nothing is joined inside.
    const std::string between = joining("dgx-spark-gb10", 2, 1);
    CHECK(has(between, "ConnectX-7"));
    CHECK_FALSE(has(between, "nothing to join"));
}

TEST_CASE("parts of the parameters add up to the published integer")
{
    const Explanation e = explained("params");
    double sum = 0;
    for (const ExplainedNumber& n : e.numbers)
        sum += n.value;
    CHECK(sum == 70553706496.0);
    CHECK(e.result == sum);
}

TEST_CASE("the cache of a token is 327,680 bytes, worked out from 80 layers of 8 heads of 128")
{
    const Explanation e = explained("kv-per-token");
    CHECK(e.result == 327680);
    CHECK(e.worked.english().find("80 layers × 2 × 8 KV heads × 128 × 2 B = 327,680 B a token")
          != std::string::npos);
}

TEST_CASE("the rule of thumb stands beside the exact count")
{
    const Explanation e = explained("prefill-flops");
    // 2 x 70.55e9 x 1024 = 144.5 TFLOP
    CHECK(e.worked.english().find("144 TFLOP") != std::string::npos);
    CHECK(e.result == llama().prediction.prefill.flops.base());
}

TEST_CASE("a figure that nobody knows is refused with the nearest")
{
    const auto refused = explainFigures(llama().resolved, llama().prediction, "tpto");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().front().hint.english().find("'tpot'") != std::string::npos);
    CHECK(explainFigures(llama().resolved, llama().prediction, "all")->size() == explainedFigures().size());
}

TEST_CASE("The time between tokens at a load is explained by two parts that come to it")
{
    Candidate candidate;
    OperatingPoint& point = candidate.point;
    point.users = 8;
    point.prediction.tpot.value = Seconds(0.020);
    point.tpot.value = Seconds(0.0305);
    point.ttft.value = Seconds(1);
    const std::vector<Explanation> all = explainAtLoad(candidate);
    const auto tpot = std::find_if(all.begin(), all.end(), [](const auto& e) { return e.figure == "tpot"; });
    REQUIRE(tpot != all.end());
    CHECK(tpot->worked.english() == "20.0 ms + 10.5 ms");
    CHECK(tpot->result == doctest::Approx(0.0305));
}
