#include "tests/app/cli/predict_words.h"
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

// Who asks for no model is answered with those that run: the same as the verb lists.
TEST_CASE("a question for what runs on a machine is answered with the models")
{
    const json verb = json::parse(
        headroomProgram({"fit", "--gpu", "geforce-rtx-5090", "--gpus", "2", "--tps", "40", "--json"}).out);
    for (const char* const question : {"which models can I run on 2x RTX 5090 at 40 t/s each?",
                                       "2 张 5090 能跑哪些模型，每人 40 token/s"}) {
        CAPTURE(question);
        const Finished done = headroomProgram({"ask", question, "--json"});
        REQUIRE(done.exitCode == 0);
        CHECK(json::parse(done.out) == verb);
    }
    const Finished chinese = headroomProgram({"ask", "单张 5090 能跑什么模型"});
    CHECK(chinese.out.find("个模型中有") != std::string::npos);
    CHECK(chinese.out.find("models run on") == std::string::npos);
    // Of any model: a file that has one is refused, not ignored.
    const headroom::test::TemporaryFile file("model: llama-3.1-8b\ngpu: h100-sxm-80gb\n");
    const Finished beside
        = headroomProgram({"ask", "which models can I run on 2x RTX 5090?", "--scenario", file.path()});
    CHECK(beside.exitCode == 2);
    CHECK(beside.err.find("whatever model the file has") != std::string::npos);
    // A model that is named is what is asked about.
    const Finished named
        = headroomProgram({"ask", "which model of GPU runs Qwen3 8B on an RTX 5090", "--json"});
    CHECK(json::parse(named.out)["schema"] == "headroom.size/1");
    // No machine: nothing could be listed.
    CHECK(headroomProgram({"ask", "which models can I run at 40 t/s?"}).exitCode == 2);
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
