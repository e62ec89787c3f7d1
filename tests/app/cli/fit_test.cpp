#include "tests/app/cli/process.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

using headroom::test::Finished;
using headroom::test::headroomProgram;
using nlohmann::json;

// A card of 24 GB gives vLLM nine tenths: no model of more than twice as many parameters fits at four bits
// each, and 16 GB of Llama 3.1 8B fit as they are published.
TEST_CASE("fit lists what a card holds, in the widest type that does")
{
    const Finished done = headroomProgram({"fit", "--gpu", "geforce-rtx-4090", "--all", "--json"});
    CHECK(done.exitCode == 0);
    const json document = json::parse(done.out);
    CHECK(document["schema"] == "headroom.fit/1");
    bool narrow = false;
    for (const json& row : document["rows"]) {
        const double parameters = row["params_total"];
        CAPTURE(row["model"].get<std::string>());
        if (parameters > 2 * 0.9 * 25.8e9)
            CHECK(row["runs"] == false);
        if (row["runs"] == true) {
            CHECK(row["gpus"] == 1);
            CHECK(row["memory"].get<double>() <= 1);
            CHECK(row["tokens_per_s_per_user"]["value"].get<double>() > 0);
            narrow = narrow || row["weights"] == "int4";
        } else {
            CHECK(!row["reason"].get<std::string>().empty());
        }
        if (row["model"] == "llama-3.1-8b")
            CHECK(row["weights"] == "bf16");
    }
    CHECK(narrow);
    const json few = json::parse(headroomProgram({"fit", "--gpu", "geforce-rtx-4090", "--json"}).out);
    CHECK(few["rows"].size() < document["rows"].size());
    for (const json& row : few["rows"])
        CHECK(row["runs"] == true);
}

TEST_CASE("fit keeps the targets, and says no where nothing meets them")
{
    const json fast
        = json::parse(headroomProgram({"fit", "--gpu", "h100-sxm-80gb", "--tps", "150", "--json"}).out);
    REQUIRE(!fast["rows"].empty());
    for (const json& row : fast["rows"])
        CHECK(row["tokens_per_s_per_user"]["value"].get<double>() >= 150);
    CHECK(headroomProgram({"fit", "--gpu", "h100-sxm-80gb", "--tps", "100000"}).exitCode == 1);
    CHECK(headroomProgram({"fit"}).exitCode == 2);
    CHECK(headroomProgram({"fit", "--gpu", "h100-sxm-80gb", "--model", "llama-3.1-8b"}).exitCode == 2);
    CHECK(headroomProgram({"fit", "--gpu", "h100x"}).exitCode == 2);
}
