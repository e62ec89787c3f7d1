#include "headroom_source_dir.h"
#include "model/advise/size.h"
#include "model/deploy/paid.h"
#include "model/resolve/money.h"
#include "model/resolve/part_of_box.h"
#include "model/yaml/catalogue.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace headroom::tests {

namespace {

namespace fs = std::filesystem;

const SearchOptions quick{.prune = true, .simulate = false, .explain = false};

Scenario asked(int gpus, int perBox)
{
    Scenario s;
    s.model = "llama-3.3-70b";
    s.gpus = {"h100-sxm-80gb"};
    s.gpuCount = gpus;
    s.gpusPerBox = perBox;
    s.concurrency = 20;
    return s;
}

Scenario split(Scenario s, int tp, int pp = 1)
{
    s.tp = tp;
    s.pp = pp;
    return s;
}

Resolved resolved(const Scenario& s)
{
    auto out = resolve(s, shipped());
    REQUIRE(out);
    return *std::move(out);
}

Prediction predicted(const Resolved& r) { return predict(r.deployment, r.load); }

std::shared_ptr<const SizingPlan> planned(const Scenario& s)
{
    auto plan = size(s, shipped(), quick);
    REQUIRE(plan);
    return *plan;
}

bool says(const std::vector<Remark>& remarks, std::string_view words)
{
    return std::any_of(remarks.begin(), remarks.end(), [&](const Remark& each) {
        return each.text.english().find(words) != std::string::npos;
    });
}

std::string refusal(const Scenario& s)
{
    const auto out = resolve(s, shipped());
    REQUIRE_FALSE(out);
    REQUIRE(out.error().size() == 1);
    return out.error().front().where + ": " + out.error().front().what.english();
}

// A file of the shipped box as if it had been made for so many.
std::string boxMadeFor(int gpus)
{
    std::ifstream in(fs::path(HEADROOM_SOURCE_DIR) / "hw_profiles" / "nodes" / "dgx-h100.yaml");
    std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::string eight = "gpus_per_node: 8";
    const std::size_t at = text.find(eight);
    REQUIRE(at != std::string::npos);
    text.replace(at, eight.size(), "gpus_per_node: " + std::to_string(gpus));
    const fs::path file = fs::temp_directory_path() / ("headroom-box-of-" + std::to_string(gpus) + ".yaml");
    std::ofstream(file) << text;
    return file.string();
}

} // namespace

TEST_CASE("Boxes of four are as a machine that was made for four")
{
    for (const int tp : {2, 4, 8}) {
        CAPTURE(tp);
        Scenario made = split(asked(8, 4), tp);
        made.gpusPerBox.reset();
        made.node = boxMadeFor(4);
        const Prediction twin = predicted(resolved(made));
        const Prediction half = predicted(resolved(split(asked(8, 4), tp)));
        CHECK(half.tpot.value == twin.tpot.value);
        CHECK(half.ttft.value == twin.ttft.value);
        CHECK(half.service.power.value == twin.service.power.value);
        CHECK(half.service.price == twin.service.price);
    }
}

TEST_CASE("What is split over two boxes goes over their network")
{
    Scenario s = split(asked(8, 4), 8);
    const Resolved apart = resolved(s);
    CHECK(nodesOf(apart.deployment) == 2);
    CHECK(says(apart.warnings, "leaves the 4 of one"));
    s.gpusPerBox.reset();
    const Resolved together = resolved(s);
    CHECK(nodesOf(together.deployment) == 1);
    CHECK(predicted(apart).tpot.value > predicted(together).tpot.value);
    CHECK(predicted(apart).ttft.value > predicted(together).ttft.value);
    // What stays inside a box does not notice.
    s = split(asked(4, 4), 4);
    const Prediction four = predicted(resolved(s));
    s.gpusPerBox.reset();
    CHECK(four.tpot.value == predicted(resolved(s)).tpot.value);
}

TEST_CASE("The box that is full is the box")
{
    Scenario s = split(asked(8, 8), 8);
    const Resolved full = resolved(s);
    CHECK(full.wholeBox == 0);
    s.gpusPerBox.reset();
    CHECK(full.assumptions == resolved(s).assumptions);
}

TEST_CASE("A bill counts what stands in the boxes, and every box")
{
    const Resolved r = resolved(split(asked(8, 4), 4));
    CHECK(r.wholeBox == 8);
    CHECK(says(r.assumptions, "4 of its 8 places filled"));
    CHECK(says(r.assumptions, "sold in boxes of 8"));
    CHECK(r.deployment.layout.replicas == 2);
    const Bill bill = purchaseBill(r.deployment, Dollars(30000), {});
    CHECK(bill.gpus == 8);
    CHECK(bill.boxes == 2);
    CHECK(bill.total().base() == doctest::Approx(8 * 30000 + 2 * 70000 + 2 * 15060));
    // An instance of eight is all that is rented: a half is priced as a half.
    Scenario mi = split(asked(4, 4), 4);
    mi.gpus = {"instinct-mi300x"};
    const Resolved half = resolved(mi);
    REQUIRE(half.deployment.gpu->cloudPrice);
    CHECK(perHour(predicted(half).service.price)
          == doctest::Approx(4 * perHour(*half.deployment.gpu->cloudPrice)));
    CHECK(says(half.assumptions, "whole instances of 8: a box of 4 is priced as its share"));
}

TEST_CASE("More than a module's board holds is refused, a chassis for more cards is told")
{
    CHECK(refusal(asked(16, 16))
          == "gpus-per-box: DGX H100 / HGX H100 is a box of 8, 16 in each are asked for");
    Scenario cards = asked(20, 10);
    cards.gpus = {"geforce-rtx-4090"};
    cards.weights = DType::Int4;
    cards.tp = 2;
    const Resolved r = resolved(cards);
    CHECK(says(r.warnings, "no box is known that holds 10 of them"));
    CHECK(nodesOf(r.deployment) == 2);
}

TEST_CASE("Replicas stay within the boxes that are there")
{
    // Three boxes of four: six each take two boxes, so one replica stands in them.
    CHECK(replicasThere(12, {.tp = 2, .pp = 3}, asked(12, 4)) == 1);
    // Three each: one a box, and the last of the four places is empty.
    CHECK(replicasThere(12, {.pp = 3}, asked(12, 4)) == 3);
    CHECK(replicasThere(8, {.tp = 2}, asked(8, 4)) == 4);
    Scenario unsaid = asked(12, 4);
    unsaid.gpusPerBox.reset();
    CHECK(replicasThere(12, {.tp = 2, .pp = 3}, unsaid) == 2);
    Scenario s = split(asked(12, 4), 2, 3);
    s.replicas = 2;
    CHECK(refusal(s) == "layout: needs 4 boxes of 4, 3 are given");
}

TEST_CASE("No answer takes more boxes than there are, and none is better in two than in one")
{
    for (const int perBox : {1, 2, 4}) {
        CAPTURE(perBox);
        const auto plan = planned(asked(8, perBox));
        REQUIRE(plan->meets);
        CHECK(plan->answer.nodes() <= 8 / perBox);
        for (const Candidate& c : plan->candidates)
            CHECK((!c.meets || c.nodes() <= 8 / perBox));
        CHECK(plan->answer.point.tokensPerSecondPerUser.value
              <= planned(asked(8, 8))->answer.point.tokensPerSecondPerUser.value);
    }
}

TEST_CASE("How many boxes of four: those that are asked for, and others keep their own")
{
    Scenario s = asked(8, 4);
    s.gpuCount.reset();
    s.targets.tokensPerSecond = 40;
    const auto plan = planned(s);
    REQUIRE(plan->meets);
    CHECK(plan->answer.deployment.node->gpusPerNode == 4);
    for (const Hint& hint : plan->hints)
        if (hint.kind == Hint::Kind::Machine)
            CHECK(hint.answer.machine->wholeBox == 0);
}

} // namespace headroom::tests
