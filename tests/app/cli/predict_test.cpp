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

TEST_CASE("predict --json has every key of its contract")
{
    const Finished done = headroomProgram(with(llamaOnFour, {"--json"}));
    REQUIRE(done.exitCode == 0);
    CHECK(done.err.empty());
    const json d = json::parse(done.out);
    CHECK(d.at("schema") == "headroom.predict/1");
    const json expected{{"model", "llama-3.1-70b"},
                        {"gpu", "a100-sxm-80gb"},
                        {"engine", "vllm"},
                        {"tp", 4},
                        {"pp", 1},
                        {"ep", 1},
                        {"dp", 1},
                        {"replicas", 1},
                        {"weights", "bf16"},
                        {"kv", "bf16"},
                        {"compute", "bf16"},
                        {"prompt_tokens", 1024},
                        {"output_tokens", 256},
                        {"batch", 16}};
    for (const auto& [key, value] : expected.items())
        CHECK_MESSAGE(d.at("scenario").at(key) == value, key);
    CHECK(d.at("params").at("total") == 70553706496);
    CHECK(d.at("params").at("active") == 70553706496);
    const json& memory = d.at("memory");
    CHECK(memory.at("fits") == true);
    CHECK(memory.at("kv_bytes_per_token") == 327680);
    CHECK(memory.at("kv_capacity_tokens").get<double>() > 0);
    CHECK(memory.at("max_batch").get<double>() > 16);
    const json& one = memory.at("per_gpu");
    CHECK(one.at("used_bytes").get<double>()
          == doctest::Approx(one.at("weights_bytes").get<double>() + one.at("kv_bytes").get<double>()
                             + one.at("activation_bytes").get<double>()
                             + one.at("runtime_bytes").get<double>()));
    CHECK(one.at("usable_bytes").get<double>() <= one.at("capacity_bytes").get<double>());
    isEstimate(d.at("prefill").at("ttft_s"));
    for (const char* key : {"tpot_s", "tokens_per_s_per_user", "tokens_per_s"})
        isEstimate(d.at("decode").at(key));
    for (const char* phase : {"prefill", "decode"})
        for (const char* key : {"flops", "bytes", "bound", "compute_utilisation", "memory_utilisation"})
            CHECK(d.at(phase).contains(key));
    for (const char* key : {"latency_s", "tokens_per_s", "requests_per_s"})
        isEstimate(d.at("request").at(key));
    for (const char* key :
         {"output_tokens_per_s", "total_tokens_per_s", "power_w", "usd_per_million_output_tokens"})
        isEstimate(d.at("service").at(key));
    CHECK(d.at("service").at("gpus") == 4);
    CHECK(d.at("service").at("usd_per_hour").is_number());
    REQUIRE_FALSE(d.at("ops").empty());
    for (const char* key : {"phase", "name", "count", "flops", "bytes", "time_s", "bound", "source"})
        CHECK(d.at("ops").front().contains(key));
    CHECK(d.at("assumptions").is_array());
    CHECK(d.at("warnings").is_array());
}

TEST_CASE("a prediction at its load is what size tells of the same service")
{
    const std::vector<std::string> service{"--model", "llama-3.1-70b", "--gpu", "h100-sxm-80gb", "--tp",
                                           "4",       "--concurrency", "100",   "--json",        "--replicas",
                                           "2"};
    const json predicted = json::parse(headroomProgram(with({"predict"}, service)).out);
    const json sized = json::parse(headroomProgram(with({"size"}, service)).out)["answer"];
    for (const char* key : {"ttft_s", "tpot_s", "tokens_per_s_per_user", "latency_s"}) {
        CAPTURE(key);
        isEstimate(predicted["at_load"][key]);
        CHECK(predicted["at_load"][key]["value"].get<double>()
              == doctest::Approx(sized[key]["value"].get<double>()));
    }
    // Users in flight are the rate times the time of each.
    const double rate = predicted["request"]["requests_per_s"]["value"].get<double>();
    CHECK(rate * predicted["at_load"]["latency_s"]["value"].get<double>()
          == doctest::Approx(100).epsilon(0.05));
}

TEST_CASE("a power that nobody published is null, not that of the host")
{
    const Finished done
        = headroomProgram({"predict", "--model", "llama-3.1-8b", "--gpu", "tpu-v6e", "--json"});
    REQUIRE(done.exitCode == 0);
    const json document = json::parse(done.out);
    CHECK(document["service"]["power_w"].is_null());
    CHECK(document["service"]["joules_per_output_token"].is_null());
    CHECK(document.dump().find("no power is known for") != std::string::npos);
}

TEST_CASE("operators of a decode step take no longer than the step")
{
    const json d = json::parse(headroomProgram(with(llamaOnFour, {"--json", "--engine", "ideal"})).out);
    double sum = 0;
    for (const json& op : d.at("ops"))
        if (op.at("phase") == "decode")
            sum += op.at("count").get<double>() * op.at("time_s").get<double>();
    CHECK(sum == doctest::Approx(d.at("decode").at("tpot_s").at("value").get<double>()).epsilon(0.01));
}

TEST_CASE("the ideal engine obeys the floor of reading Mistral-7B once: 14.1 and 7.0 ms on an RTX 4090")
{
    // 14.2 GB without the embedding table, at 1,008 GB/s; in 8 bit half of the linear layers and the 16-bit
    // head.
    const auto tpot = [](const char* weights) {
        const Finished done
            = headroomProgram({"predict", "--model", "mistral-7b-v0.1", "--gpu", "rtx-4090", "--engine",
                               "ideal", "--weights", weights, "--prompt", "1", "--output", "1", "--json"});
        return json::parse(done.out).at("decode").at("tpot_s").at("value").get<double>();
    };
    CHECK(tpot("fp16") == doctest::Approx(14.1e-3).epsilon(0.01));
    CHECK(tpot("int8") == doctest::Approx(7.0e-3).epsilon(0.03));
}

TEST_CASE("what does not fit is the answer no")
{
    const Finished done
        = headroomProgram({"predict", "--model", "llama-3.1-70b", "--gpu", "rtx-4090", "--tp", "1"});
    CHECK(done.exitCode == 1);
    CHECK(done.out.find("no:") != std::string::npos);
}

TEST_CASE("a figure explains itself as text and as a document")
{
    const Finished text = headroomProgram(with(llamaOnFour, {"--explain", "kv-per-token"}));
    CHECK(text.exitCode == 0);
    CHECK(text.out.find("80 layers × 2 × 8 KV heads × 128 × 2 B") != std::string::npos);
    const json d = json::parse(headroomProgram(with(llamaOnFour, {"--explain", "all", "--json"})).out);
    CHECK(d.at("schema") == "headroom.explain/1");
    CHECK(d.at("explanations").size() > 10);
    CHECK(headroomProgram(with(llamaOnFour, {"--explain", "joy"})).exitCode == 2);
}

TEST_CASE("a sweep is a table in every format, one row for each combination")
{
    const std::vector<std::string> words{"sweep",  "--model", "llama-3.1-8b", "--gpu",       "h100-sxm-80gb",
                                         "--over", "tp=1,3",  "--over",       "batch=1,8,64"};
    const json d = json::parse(headroomProgram(with(words, {"--json"})).out);
    CHECK(d.at("schema") == "headroom.sweep/1");
    REQUIRE(d.at("rows").size() == 6);
    CHECK(d.at("rows")[1].at("batch") == 8);
    CHECK(d.at("rows")[0].at("why_not").is_null());
    CHECK(d.at("rows")[3].at("ttft_s").is_null());
    CHECK(d.at("rows")[3].at("why_not").get<std::string>().find("tp = 3") != std::string::npos);
    std::istringstream csv(headroomProgram(with(words, {"--csv"})).out);
    int lines = 0;
    for (std::string line; std::getline(csv, line);)
        ++lines;
    CHECK(lines == 7);
    CHECK(headroomProgram({"sweep", "--model", "llama-3.1-8b", "--gpu", "h100-sxm-80gb"}).exitCode == 2);
}

TEST_CASE("values of a sweep that name nothing are refused before a row is written")
{
    const Finished done
        = headroomProgram({"sweep", "--model", "llama-3.1-8b", "--gpu", "h100-sxm-80gb", "--over",
                           "engine=vllm,sglangg", "--over", "gpu=a100-sxm-80gb,h100-smx-80gb", "--csv"});
    CHECK(done.exitCode == 2);
    CHECK(done.out.empty());
    for (const char* told : {"--over engine: ", "'sglang'", "--over gpu: ", "'h100-sxm-80gb'"})
        CHECK_MESSAGE(done.err.find(told) != std::string::npos, told);
}

TEST_CASE("accelerators stand side by side")
{
    const std::vector<std::string> words{"compare", "--model", "llama-3.1-8b", "--gpu",
                                         "a100-sxm-80gb,h100-sxm-80gb"};
    const json d = json::parse(headroomProgram(with(words, {"--json"})).out);
    REQUIRE(d.at("candidates").size() == 2);
    CHECK(d.at("candidates")[1].at("label") == "h100-sxm-80gb");
    // The faster memory of the two is never the slower answer.
    CHECK(d["candidates"][1]["decode"]["tpot_s"]["value"] < d["candidates"][0]["decode"]["tpot_s"]["value"]);
    CHECK(headroomProgram({"compare", "--model", "llama-3.1-8b", "--gpu", "a100-sxm-80gb"}).exitCode == 2);
}

TEST_CASE("tables of accelerators, of a sweep and of models are told in Chinese where that is asked")
{
    const std::vector<std::string> fixed{"--model", "llama-3.1-8b"};
    for (const std::vector<std::string>& words :
         {with({"compare", "--gpu", "a100-sxm-80gb,h100-sxm-80gb"}, fixed),
          with({"sweep", "--gpu", "l4", "--over", "batch=1,8"}, fixed),
          std::vector<std::string>{"fit", "--gpu", "l4"}}) {
        CAPTURE(words.front());
        const Finished done = headroomProgram(with(words, {"--lang", "zh"}));
        CHECK(done.exitCode == 0);
        CHECK(done.out.find("首 token 延迟") != std::string::npos);
        CHECK(done.out.find("TTFT") == std::string::npos);
        const Finished other = headroomProgram(with(words, {"--lang", "fr"}));
        CHECK(other.exitCode == 2);
        CHECK(other.err.find("en or zh") != std::string::npos);
    }
    // What is wrong, too.
    const Finished refused = headroomProgram({"size", "--model", "no-such", "--gpu", "l4", "--lang", "zh"});
    CHECK(refused.exitCode == 2);
    CHECK(refused.err.find("没有名为") != std::string::npos);
}

TEST_CASE("the catalogue is listed and shown, with sources")
{
    for (const char* kind : {"models", "gpus", "engines", "nodes", "calibrations"}) {
        const json d = json::parse(headroomProgram({"list", kind, "--json"}).out);
        CHECK(d.at("schema") == "headroom.list/1");
        CHECK(d.at("rows").size() > 10);
    }
    const json d = json::parse(headroomProgram({"show", "model", "llama-3.1-70b", "--json"}).out);
    CHECK(d.at("schema") == "headroom.show/1");
    CHECK(d.at("id") == "llama-3.1-70b");
    CHECK(d.at("params").at("total") == 70553706496);
    CHECK(d.at("params").at("published") == 70553706496);
    CHECK(d.at("kv_bytes_per_token") == 327680);
    CHECK(d.at("weights_bytes").at("bf16") == 141107412992);
    CHECK_FALSE(d.at("source").empty());
    CHECK(json::parse(headroomProgram({"show", "a100-sxm-80gb", "--json"}).out).at("kind") == "gpu");
    const json engine = json::parse(headroomProgram({"show", "engine", "tensorrt-llm", "--json"}).out);
    CHECK(engine.at("latent_prompts_per_step") == 1);
    CHECK(engine.at("latent_answer_steps") == 10);
    CHECK(engine.at("latent_heads").empty()); // its kernels take any number
    CHECK(headroomProgram({"show", "qqqqqqqqqqqq"}).exitCode == 2);
    CHECK(headroomProgram({"list", "modles"}).err.find("'models'") != std::string::npos);
    const std::string csv = headroomProgram({"show", "gpu", "h100-sxm-80gb", "--csv"}).out;
    CHECK(csv.starts_with("id,name,memory_bytes,"));
    CHECK(csv.find("\nh100-sxm-80gb,") != std::string::npos);
    const std::string markdown = headroomProgram({"show", "h100-sxm-80gb", "--markdown"}).out;
    CHECK(markdown.starts_with("| id | name |"));
    CHECK(markdown.find("\n- memory: ") != std::string::npos);
}

TEST_CASE("the page of published calibrations holds the table that the command writes")
{
    std::ifstream file(std::string(HEADROOM_SOURCE_DIR) + "/docs/calibrations.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    const std::string table = headroomProgram({"list", "calibrations", "--markdown"}).out;
    CHECK(table.size() > 1000);
    CHECK(page.find(table) != std::string::npos);
}

TEST_CASE("a prediction that leans on forms which missed their conditions says so")
{
    const auto warned = [](const std::vector<std::string>& words) {
        const json answer = json::parse(headroomProgram(words).out);
        for (const auto& warning : answer.at("warnings"))
            if (warning.get<std::string>().find("missed a condition") != std::string::npos)
                return true;
        return false;
    };
    CHECK(warned({"predict", "--model", "mixtral-8x7b", "--gpu", "a100-sxm-80gb", "--tp", "2", "--engine",
                  "vllm", "--json"}));
    CHECK_FALSE(
        warned({"predict", "--model", "llama-3.1-8b", "--gpu", "h200", "--engine", "ideal", "--json"}));
}

TEST_CASE("no answer is written in another language's numbers, not a number or infinity")
{
    for (const char* model : {"deepseek-v3", "gpt-oss-120b", "mixtral-8x7b", "gemma-3-27b"}) {
        const Finished done = headroomProgram({"predict", "--model", model, "--gpu", "h100-sxm-80gb"});
        CAPTURE(model);
        CHECK(done.exitCode <= 1);
        for (const char* wrong : {"nan", "inf ", "unknown"})
            CHECK(done.out.find(wrong) == std::string::npos);
    }
}

TEST_CASE("a layout that cannot be split says which could")
{
    // 64 query heads, 8 key-value heads, 28,672 MLP columns: all powers of two up to 64 divide or repeat
    // them; 7 divides the columns (28,672 = 7 x 4,096) but not the heads.
    const Finished done
        = headroomProgram({"predict", "--model", "llama-3.1-70b", "--gpu", "a100-sxm-80gb", "--tp", "7"});
    CHECK(done.exitCode == 2);
    CHECK(done.err.find("tp = 1, 2, 4, 8, 16, 32, 64 can") != std::string::npos);
}

TEST_CASE("a swept key that is a figure too stands once in a row")
{
    const std::vector<std::string> words{"sweep", "--model", "llama-3.1-8b", "--gpu",
                                         "l40s",  "--over",  "batch=1,8"};
    std::istringstream csv(headroomProgram(with(words, {"--csv"})).out);
    std::string header;
    REQUIRE(std::getline(csv, header));
    std::vector<std::string> names;
    std::istringstream cells(header);
    for (std::string name; std::getline(cells, name, ',');)
        names.push_back(name);
    REQUIRE(names.size() > 10);
    std::vector<std::string> once = names;
    std::sort(once.begin(), once.end());
    CHECK(std::unique(once.begin(), once.end()) == once.end());
    std::string row;
    REQUIRE(std::getline(csv, row));
    CHECK(std::size_t(std::count(row.begin(), row.end(), ',')) + 1 == names.size());
}
