#include "model/advise/sweep.h"
#include "model/resolve/resolve.h"
#include "model/scenario/scenario_keys.h"
#include "model/yaml/catalogue.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

using namespace headroom;
using tests::shipped;

namespace {

struct Row {
    std::vector<std::size_t> choice;
    std::optional<double> ttft;
    std::optional<double> tpot;
    std::optional<double> gpus;
};

std::vector<Row> rowsOf(const Scenario& base, const std::vector<SweepAxis>& axes)
{
    std::vector<Row> rows;
    const auto count = sweep(base, axes, shipped(), [&](const SweepPoint& point) {
        Row& row = rows.emplace_back();
        row.choice.assign(point.choice.begin(), point.choice.end());
        if (point.prediction == nullptr) {
            CHECK(point.whyNot != nullptr);
            return;
        }
        row.ttft = point.prediction->ttft.value.base();
        row.tpot = point.prediction->tpot.value.base();
        row.gpus = point.prediction->service.gpus;
    });
    REQUIRE(count);
    CHECK(*count == rows.size());
    return rows;
}

} // namespace

TEST_CASE("a sweep gives what resolving and predicting each combination alone gives")
{
    Scenario base;
    base.model = "llama-3.1-8b";
    base.gpus = {"h100-sxm-80gb"};
    const std::vector<SweepAxis> axes[] = {
        {{"gpu", {"a100-sxm-80gb", "h100-sxm-80gb"}}, {"tp", {"1", "3", "4"}}, {"batch", {"1", "32"}}},
        {{"prompt", {"128", "uniform:128-4096"}}, {"weights", {"bf16", "fp8"}}, {"concurrency", {"1", "50"}}},
        {{"rps", {"0.5", "2"}}, {"replicas", {"1", "2"}}, {"output", {"64", "512"}}},
    };
    for (const auto& each : axes) {
        for (const Row& row : rowsOf(base, each)) {
            Scenario alone = base;
            for (std::size_t i = 0; i < each.size(); ++i)
                REQUIRE(findScenarioKey(each[i].key)->set(alone, each[i].values[row.choice[i]]).empty());
            const auto resolved = resolve(alone, shipped());
            REQUIRE(row.ttft.has_value() == resolved.has_value());
            if (!resolved)
                continue;
            const Prediction p = predict(resolved->deployment, resolved->load);
            CHECK(*row.ttft == p.ttft.value.base());
            CHECK(*row.tpot == p.tpot.value.base());
            CHECK(*row.gpus == p.service.gpus);
        }
    }
}

TEST_CASE("every combination comes once, the last axis turning fastest")
{
    Scenario base;
    base.model = "llama-3.1-8b";
    base.gpus = {"h100-sxm-80gb"};
    const std::vector<Row> rows = rowsOf(base, {{"tp", {"1", "2"}}, {"batch", {"1", "2", "3"}}});
    REQUIRE(rows.size() == 6);
    for (std::size_t i = 0; i < rows.size(); ++i)
        CHECK(rows[i].choice == std::vector<std::size_t>{i / 3, i % 3});
}

TEST_CASE("keys and values that do not exist are refused before anything runs")
{
    CHECK(sweepAxisFromText("tp=1,2,4")->values.size() == 3);
    for (const char* text : {"", "tp", "tpp=1", "tp=", "tp=1,x", "batch=0", "tp=1,,2"}) {
        CAPTURE(text);
        CHECK_FALSE(sweepAxisFromText(text));
    }
    const auto wrong = sweepAxisFromText("bach=1,2");
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().front().hint.english().find("'batch'") != std::string::npos);
}

TEST_CASE("a base that is wrong is refused, not repeated")
{
    Scenario base;
    base.model = "no-such-model-at-all";
    base.gpus = {"h100-sxm-80gb"};
    int points = 0;
    CHECK_FALSE(sweep(base, {{"tp", {"1", "2"}}}, shipped(), [&](const SweepPoint&) { ++points; }));
    CHECK(points == 0);
}
