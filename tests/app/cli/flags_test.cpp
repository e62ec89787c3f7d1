// Flags, scenario files, and how what is wrong in them is told.
#include "headroom_source_dir.h"
#include "tests/app/cli/predict_words.h"
#include "tests/app/cli/process.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

using namespace headroom::test;

TEST_CASE("flags win over the scenario file")
{
    const TemporaryFile file("model: llama-3.1-8b\ngpu: h100-sxm-80gb\nbatch: 4\ntp: 1\n");
    const json d
        = json::parse(headroomProgram({"predict", "--scenario", file.path(), "--batch", "8", "--json"}).out)
              .at("scenario");
    CHECK(d.at("model") == "llama-3.1-8b");
    CHECK(d.at("batch") == 8);
}

TEST_CASE("every wrong flag is told at once, with the nearest right spelling")
{
    const Finished done = headroomProgram({"predict", "--model", "llama-3.1-70", "--gpu", "h100-smx-80gb",
                                           "--tp", "x", "--weights", "bf61", "--prompt", "uniform:9"});
    CHECK(done.exitCode == 2);
    CHECK(done.out.empty());
    for (const char* told : {"--tp:", "--weights:", "'bf16'", "--prompt:", "h100-sxm-80gb"})
        CHECK_MESSAGE(done.err.find(told) != std::string::npos, told);
}

TEST_CASE("words, values and names that are wrong are told in one round, by every verb of a scenario")
{
    for (const char* verb : {"predict", "size", "sweep", "compare", "simulate", "launch"}) {
        CAPTURE(verb);
        const Finished done = headroomProgram({verb, "--model", "lama-3.1-70b", "--gpu", "h100-smx-80gb",
                                               "--engine", "vlm", "--tp", "x", "--weights", "bf61",
                                               "--scheduler", "chunked-prefil", "--bach", "4"});
        CHECK(done.exitCode == 2);
        CHECK(done.out.empty());
        for (const char* told : {"--model:", "llama-3.1-70b", "--gpu:", "h100-sxm-80gb",
                                 "--engine:", "'vllm'", "--tp:", "--weights:", "'bf16'",
                                 "--scheduler:", "'chunked-prefill'", "unknown flag '--bach'", "'--batch'"})
            CHECK_MESSAGE(done.err.find(told) != std::string::npos, told);
    }
}

TEST_CASE("a flag without its value does not hide the other mistakes")
{
    const Finished done = headroomProgram({"predict", "--modle", "x", "--tp", "y", "--gpu"});
    CHECK(done.exitCode == 2);
    for (const char* told : {"--gpu", "'--model'", "--tp: expected a whole number"})
        CHECK_MESSAGE(done.err.find(told) != std::string::npos, told);
}

TEST_CASE("a simulation tells its own wrong flags beside the scenario's")
{
    const Finished done = headroomProgram({"simulate", "--model", "lama-3.1-70b", "--gpu", "h100-sxm-80gb",
                                           "--routing", "nearest", "--network", "-1", "--traffic", "poison"});
    CHECK(done.exitCode == 2);
    for (const char* told : {"llama-3.1-70b", "--routing:", "--network:", "--traffic:"})
        CHECK_MESSAGE(done.err.find(told) != std::string::npos, told);
}

TEST_CASE("an unknown flag or verb names the nearest")
{
    CHECK(headroomProgram({"predict", "--modle", "x"}).err.find("'--model'") != std::string::npos);
    CHECK(headroomProgram({"predit"}).err.find("'predict'") != std::string::npos);
    CHECK(headroomProgram({"predict", "--tp"}).exitCode == 2);
    CHECK(headroomProgram({"predict", "--json", "--csv"}).exitCode == 2);
    CHECK(headroomProgram({"predict", "stray"}).exitCode == 2);
}

TEST_CASE("a scenario file that is wrong is refused with line and column")
{
    const TemporaryFile file("model: llama-3.1-8b\ngpu: h100-sxm-80gb\nbach: 4\ntp: many\n");
    const Finished done = headroomProgram({"predict", "--scenario", file.path()});
    CHECK(done.exitCode == 2);
    CHECK(done.err.find(file.path() + ":3:1") != std::string::npos);
    CHECK(done.err.find(file.path() + ":4:") != std::string::npos);
    CHECK(headroomProgram({"predict", "--scenario", "no/such/file.yaml"}).exitCode == 2);
}

TEST_CASE("a name in a scenario file is told at its line and column, alone or beside other mistakes")
{
    const TemporaryFile names("model: llama-3.1-8b\ngpu: h100-smx-80gb\nengine: vlm\n");
    const Finished alone = headroomProgram({"predict", "--scenario", names.path()});
    CHECK(alone.exitCode == 2);
    for (const std::string& told : {names.path() + ":2:6 gpu: ", std::string("'h100-sxm-80gb'"),
                                    names.path() + ":3:9 engine: ", std::string("'vllm'")})
        CHECK_MESSAGE(alone.err.find(told) != std::string::npos, told);
    const TemporaryFile both("model: lama-3.1-8b\ngpu: h100-sxm-80gb\ntp: many\n");
    for (const char* verb : {"predict", "size", "compare"}) {
        CAPTURE(verb);
        const Finished done = std::string(verb) == "compare"
            ? headroomProgram({verb, both.path(), names.path()})
            : headroomProgram({verb, "--scenario", both.path()});
        CHECK(done.exitCode == 2);
        CHECK(done.err.find(both.path() + ":1:8 model: ") != std::string::npos);
        CHECK(done.err.find(both.path() + ":3:5 tp: ") != std::string::npos);
    }
}

TEST_CASE("lengths come from a file, and a wrong line is named")
{
    const TemporaryFile good("tokens\n100\n300\n");
    const json d
        = json::parse(headroomProgram(with(llamaOnFour, {"--prompt", "file:" + good.path(), "--json"})).out);
    CHECK(d.at("scenario").at("prompt_tokens") == 200);
    const TemporaryFile bad("100\nx\n");
    const Finished refused = headroomProgram(with(llamaOnFour, {"--prompt", "file:" + bad.path()}));
    CHECK(refused.exitCode == 2);
    CHECK(refused.err.find(bad.path() + ":2") != std::string::npos);
}

TEST_CASE("files are checked, good and bad")
{
    const std::string root = HEADROOM_SOURCE_DIR;
    CHECK(headroomProgram(
              {"check", root + "/models/llama-3.1-70b.yaml", root + "/hw_profiles/gpus/h100-sxm-80gb.yaml"})
              .exitCode
          == 0);
    const TemporaryFile bad("id: x\nname: [\n");
    const Finished refused = headroomProgram({"check", bad.path(), "--json"});
    CHECK(refused.exitCode == 2);
    CHECK(json::parse(refused.out).at("schema") == "headroom.error/1");
}

TEST_CASE("a word that is not known in a composite value is refused by every verb")
{
    const std::vector<std::string> model{"--model", "llama-3.1-8b", "--gpu", "h100-sxm-80gb", "--rps", "2"};
    for (const char* verb : {"size", "predict", "simulate", "sweep", "compare", "launch", "report"})
        for (const char* traffic : {"poisson:peek=3", "poison:peak=3", "nonsense", "poisson:peak=nan"}) {
            CAPTURE(verb);
            CAPTURE(traffic);
            std::vector<std::string> words{verb};
            words.insert(words.end(), model.begin(), model.end());
            words.insert(words.end(), {"--traffic", traffic});
            const Finished done = headroomProgram(words);
            CHECK(done.exitCode == 2);
            CHECK(done.err.find("--traffic") != std::string::npos);
        }
    const TemporaryFile file("name: x\nmodel: llama-3.1-8b\ngpu: l40s\nrps: 2\ntraffic: poisson:peek=3\n");
    const Finished done = headroomProgram({"size", "--scenario", file.path()});
    CHECK(done.exitCode == 2);
    CHECK(done.err.find(".yaml:5") != std::string::npos);
}
