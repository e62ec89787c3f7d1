#include "headroom_source_dir.h"
#include "tests/app/cli/process.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

using headroom::test::Finished;
using headroom::test::headroomProgram;
using nlohmann::json;

namespace {

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("ask tells what it did not use, in words and in JSON")
{
    const std::string question
        = "looking for a quote: how many A100s for llama-3.1-8b, 20 users, 99.9% uptime";
    const json document = json::parse(headroomProgram({"ask", question, "--json"}).out);
    REQUIRE(document["unused"].size() == 2);
    CHECK(has(document["unused"][0]["said"].get<std::string>(), "quote"));
    CHECK(document["unused"][1]["said"] == "99.9% uptime");
    CHECK(!document["unused"][1]["why"].get<std::string>().empty());
    CHECK(document["unused"][1]["position"] == question.find("99.9"));
    CHECK(headroomProgram({"ask", question}).out.find("Not used") != std::string::npos);
}

TEST_CASE("ask changes the scenario of a file where the question names no model")
{
    const std::string file = std::string(HEADROOM_SOURCE_DIR) + "/resources/scenarios/chat-70b-a100.yaml";
    const auto asked = [&](const std::string& question) {
        return json::parse(headroomProgram({"ask", question, "--scenario", file, "--json"}).out)["scenario"];
    };
    const json doubled = asked("double it");
    CHECK(doubled["concurrency"] == 100);
    CHECK(doubled["model"] == "llama-3.1-70b");
    const json other = asked("same on H200");
    CHECK(other["gpus"] == json::array({"h200-sxm-141gb"}));
    CHECK(other["concurrency"] == 50);
    CHECK(asked("and with fp8?")["weights"] == "fp8");
}

TEST_CASE("ask answers the example question as the contract says")
{
    const Finished done = headroomProgram({"ask", "how many A100s for Llama-70B at 20 TPS", "--json"});
    REQUIRE(done.exitCode == 0);
    const json document = json::parse(done.out);
    CHECK(document["schema"] == "headroom.size/1");
    CHECK(document["question"] == "how many A100s for Llama-70B at 20 TPS");
    CHECK(document["verdict"] == "meets");
    CHECK(document["interpretation"][0]["said"] == "A100s");
    CHECK(document["interpretation"][0]["read_as"] == "a100-sxm-80gb");
    CHECK(!document["interpretation"][0]["others"].empty());
    CHECK(document["unused"].empty());
    const json& answer = document["answer"];
    CHECK(answer["gpu"] == "a100-sxm-80gb");
    CHECK(answer["gpus"]
          == answer["tp"].get<int>() * answer["pp"].get<int>() * answer["dp"].get<int>()
              * answer["replicas"].get<int>());
    CHECK(answer["tokens_per_s_per_user"]["value"].get<double>() >= 20);
    CHECK(answer["max_concurrency"].get<double>() >= 1);
    CHECK(answer["confidence"].get<double>() >= 0.5);
    CHECK(answer["prediction"]["memory"]["fits"] == true);
    CHECK(!document["assumptions"].empty());
    CHECK(!document["candidates"].empty());
}

TEST_CASE("Of accelerators that were named each is told beside the answer")
{
    const Finished done = headroomProgram({"ask", "A100 or H100 for Llama-70B, which is better value"});
    REQUIRE(done.exitCode == 0);
    const std::string compared = done.out.substr(done.out.find("Compared"));
    CHECK(has(compared, "A100"));
    CHECK(has(compared, "H100"));
    CHECK(has(compared, "for 1M output tokens"));
}

TEST_CASE("What stands beside the answer tells the figure that was asked for")
{
    const auto beside = [](const std::string& question, const std::string& label) {
        const std::string out = headroomProgram({"ask", question}).out;
        const std::size_t at = out.find("\n" + label);
        return at == std::string::npos ? std::string() : out.substr(at + 1, out.find('\n', at + 1) - at - 1);
    };
    CHECK(has(beside("how many users can 8 H100 carry with llama 70b at 20 tps", "Next best"),
              "users at once"));
    CHECK(has(beside("8 张 H100 跑 Llama-70B，每人 20 TPS，最多支持多少用户", "其次"), "个并发用户"));
    CHECK(has(beside("highest throughput for llama 8b on 8 H100", "Next best"), "in total"));
    CHECK(has(beside("8 张 H100 跑 llama 8b，吞吐最高", "其次"), "总吞吐"));
    CHECK(has(beside("A100 or H100 for llama 8b, highest throughput", "Compared"), "in total"));
}

TEST_CASE("How many users are safe is told of the layout that was chosen")
{
    CHECK(has(headroomProgram({"ask", "how many users can 8 H100 carry with llama 70b at 20 tps"}).out,
              "to be safe in this layout"));
    CHECK(has(headroomProgram({"ask", "8 张 H100 跑 Llama-70B，每人 20 TPS，最多支持多少用户"}).out,
              "此方案较有把握支持"));
}

TEST_CASE("Where the answer changes is told with the accelerator it was looked for on")
{
    const std::string out = headroomProgram({"ask", "llama 70b for 50 users at 12 tps under $40/hour"}).out;
    const std::size_t at = out.find("Changes at");
    REQUIRE(at != std::string::npos);
    const std::string accelerator = out.substr(0, out.find(" ("));
    CHECK(has(out.substr(at), accelerator.substr(accelerator.find("× "))));
}

TEST_CASE("A budget is told back as it was typed")
{
    const Finished done
        = headroomProgram({"ask", "预算 100 万元买 H100 跑 llama 70b，5000 用户每人 20 token/s"});
    CHECK(done.exitCode == 1);
    CHECK(has(done.out, "预算为 ¥1,000,000"));
}

TEST_CASE("Where no power is known a question for it is not answered with a speed alone")
{
    const auto headline = [](const std::string& question) {
        const std::string out = headroomProgram({"ask", question}).out;
        return out.substr(0, out.find('\n'));
    };
    CHECK(has(headline("power draw of 2 TPU v5e for llama 8b"), "power unknown"));
    CHECK(has(headline("2 张 TPU v5e 跑 llama 8b 功耗多少"), "功耗未知"));
}

TEST_CASE("A word for drafted tokens is accepted where they are stated beside the question")
{
    const std::string question = "llama 8b on one H100 with EAGLE, how fast";
    CHECK(has(headroomProgram({"ask", question}).out, "--spec-decode draft:MODEL"));
    CHECK(!has(headroomProgram({"ask", question, "--spec-decode", "ngram:g=4,a=0.4"}).out, "Not used"));
    CHECK(headroomProgram({"ask", question, "--spec-decode", "ngram:g=4,a=0.4"}).exitCode == 0);
}

TEST_CASE("A throughput is that of the load that was stated")
{
    const Finished done = headroomProgram({"ask", "Llama-70B on 8 H100, concurrency 64, what throughput"});
    REQUIRE(done.exitCode == 0);
    CHECK(has(done.out.substr(0, done.out.find('\n')), "in total at the load that was stated"));
}

TEST_CASE("How long a job takes is told of the job, not of one of its requests")
{
    const Finished done = headroomProgram(
        {"ask",
         "How long does one H100 need for 2 million documents of 3000 tokens, answers of 200, Qwen3-8B?"});
    CHECK(has(done.out.substr(0, done.out.find('\n')), "the job takes"));
    const Finished one = headroomProgram({"ask", "how long does a request take, Qwen3-8B on one H100"});
    CHECK(has(one.out.substr(0, one.out.find('\n')), "a request takes"));
}

TEST_CASE("A range is planned for its harder end, and refused where one number is worked out")
{
    const Finished done = headroomProgram({"size", "--model", "qwen3-8b", "--gpu", "h100", "--tps", "20-30"});
    CHECK(has(done.out, "planned for the harder end of what was given as a range: 20 tokens/s"));
    const Finished predicted
        = headroomProgram({"predict", "--model", "qwen3-8b", "--gpu", "h100", "--tps", "20-30"});
    CHECK(predicted.exitCode != 0);
    CHECK(has(predicted.err, "one number is worked out here"));
}

TEST_CASE("What is to be weighed is planned each alone, and refused where one of them is worked out")
{
    for (const auto& [flag, value] :
         {std::pair{"--weights", "bf16,fp8"}, std::pair{"--layouts", "tp1,tp2"}}) {
        const Finished done
            = headroomProgram({"size", "--model", "qwen3-8b", "--gpu", "2xh100", flag, value, "--json"});
        CHECK(done.exitCode == 0);
        const Finished predicted
            = headroomProgram({"predict", "--model", "qwen3-8b", "--gpu", "2xh100", flag, value});
        CHECK(predicted.exitCode == 2);
        CHECK(has(predicted.err, "one is worked out here"));
        CHECK(has(predicted.err, flag));
    }
}

TEST_CASE("A budget to buy from bounds the purchase and is no price of one")
{
    const Finished done = headroomProgram(
        {"ask", "Llama-70B on H100 with 500 users, buy for at most 100000 dollars", "--json"});
    CHECK(done.exitCode == 1);
    const json document = json::parse(done.out);
    CHECK(has(document["reason"].get<std::string>(), "to buy, the budget is"));
}

TEST_CASE("The most users an answer carries keep the speed, and one more would not")
{
    const Finished done
        = headroomProgram({"size", "--model", "llama-3.1-8b", "--gpu", "l4", "--tps", "10", "--json"});
    REQUIRE(done.exitCode == 0);
    const json answer = json::parse(done.out)["answer"];
    const std::string most = std::to_string(answer["max_concurrency"].get<int>());
    const Finished fixed = headroomProgram(
        {"size", "--model", "llama-3.1-8b", "--gpu", "l4", "--tps", "10", "--tp", answer["tp"].dump(), "--pp",
         answer["pp"].dump(), "--replicas", answer["replicas"].dump(), "--batch", most, "--json"});
    CHECK(json::parse(fixed.out)["verdict"] == "meets");
}

TEST_CASE("What cannot be done is exit code 1, with its reason and changes that would do")
{
    const Finished done = headroomProgram({"ask", "can a single 4090 run llama 3.1 70b?", "--json"});
    CHECK(done.exitCode == 1);
    const json document = json::parse(done.out);
    CHECK(document["verdict"] == "cannot");
    CHECK(has(document["reason"].get<std::string>(), "memory"));
    REQUIRE(!document["remedies"].empty());
    for (const json& remedy : document["remedies"])
        CHECK(remedy["answer"]["meets"] == true);
}

// The table of vLLM 0.11 for this model on this card: 64.38 + 7.38 + 0.13 + 1.03 GiB before any cache, 71.3
// GiB are nine tenths of it; the cache of 3.33 GiB that it had stood in 95 %.
TEST_CASE("A model that just fails to fit is told the setting of the engine under which it runs")
{
    const Finished done
        = headroomProgram({"ask", "can I run gpt-oss-120b on a single H100 with vLLM 0.11", "--json"});
    CHECK(done.exitCode == 1);
    const json document = json::parse(done.out);
    REQUIRE(!document["remedies"].empty());
    CHECK(document["remedies"][0]["change"] == "95 % of the memory for the engine");
    CHECK(document["remedies"][0]["answer"]["meets"] == true);
    CHECK(document["runs_with"]["change"] == document["remedies"][0]["change"]);
    CHECK(document["runs_with"]["answer"]["meets"] == true);
    CHECK(headroomProgram({"ask", "can I run gpt-oss-120b on a single H200", "--json"}).exitCode == 0);
    const Finished text = headroomProgram({"ask", "can I run gpt-oss-120b on a single H100 with vLLM 0.11"});
    CHECK(has(text.out, "Yes, with 95 % of the memory for the engine"));
    CHECK(has(text.out, "No without that: no layout holds the model in memory"));
    const Finished chinese = headroomProgram({"ask", "1 张 H100 用 vLLM 0.11 能跑 gpt-oss-120b 吗"});
    CHECK(chinese.exitCode == 1);
    CHECK(has(chinese.out, "可以（引擎使用 95 % 的显存）"));
    CHECK(has(chinese.out, "不改则不行："));
}

TEST_CASE("What a million tokens cost is said first where it was asked")
{
    const auto firstLine = [](std::string question) {
        const Finished done = headroomProgram({"ask", std::move(question)});
        CHECK(done.exitCode == 0);
        return done.out.substr(0, done.out.find('\n'));
    };
    CHECK(has(firstLine("what does a million tokens cost with llama 3.1 8b on L40S at 2 requests per second"),
              " for 1M output tokens, "));
    CHECK(has(firstLine("100 万 token 多少钱，llama 3.1 8b，L40S，每秒 2 个请求"), "：每百万输出 token "));
}

TEST_CASE("What a model takes in memory is answered in counts")
{
    const Finished done = headroomProgram({"ask", "how much VRAM does llama 3.1 8b need", "--json"});
    CHECK(done.exitCode == 0);
    const json memory = json::parse(done.out)["memory"];
    CHECK(memory["kv_bytes_per_token"] == 131072);
    CHECK(memory["total_bytes"].get<double>()
          == doctest::Approx(memory["weight_bytes"].get<double>() + memory["kv_bytes"].get<double>()
                             + memory["activation_bytes"].get<double>()
                             + memory["runtime_bytes"].get<double>()));
    CHECK(memory["held_by"][0]["fits"] == true);
    CHECK(has(headroomProgram({"ask", "llama 3.1 8b 需要多大显存"}).out, "Llama 3.1 8B 需要"));
    CHECK(headroomProgram({"ask", "how much VRAM does llama 3.3 70b need on one H100"}).exitCode == 1);
}

TEST_CASE("What is not understood is exit code 2 and quoted")
{
    const Finished done = headroomProgram({"ask", "how many A100s for Llama-70B at 20 florps"});
    CHECK(done.exitCode == 2);
    CHECK(done.out.empty());
    CHECK(has(done.err, "florps"));
}

TEST_CASE("A Chinese question is answered in Chinese, unless another language is asked for")
{
    const std::string question = "20 TPS 的 Llama-70B 需要几张 A100？";
    CHECK(has(headroomProgram({"ask", question}).out, "瓶颈"));
    CHECK(has(headroomProgram({"ask", question, "--lang", "en"}).out, "Limited by"));
    CHECK(headroomProgram({"ask", question, "--lang", "fr"}).exitCode == 2);
}

TEST_CASE("a report in a language or on paper that there is not is refused, not written otherwise")
{
    const Finished done = headroomProgram({"report", "--model", "llama-3.1-8b", "--gpu", "l40s", "--lang",
                                           "fr", "--paper", "a7", "-o", "never.pdf"});
    CHECK(done.exitCode == 2);
    CHECK(has(done.err, "'fr'"));
    CHECK(has(done.err, "'a7'"));
}

TEST_CASE("launch prints the engine's own line for the chosen layout")
{
    const Finished done
        = headroomProgram({"launch", "--model", "llama-3.1-70b", "--gpu", "h100-sxm-80gb", "--tps", "20"});
    CHECK(done.exitCode == 0);
    CHECK(has(done.out, "vllm serve"));
    CHECK(has(done.out, "--tensor-parallel-size"));
}

TEST_CASE("amounts are told in yuan at the rate that was given, and stay dollars in JSON")
{
    const std::vector<std::string> question{"size",   "--model", "llama-3.1-8b", "--gpu", "h100-sxm-80gb",
                                            "--gpus", "1",       "--price",      "2"};
    const auto with = [&](std::initializer_list<std::string> more) {
        std::vector<std::string> words = question;
        words.insert(words.end(), more);
        return headroomProgram(words);
    };
    CHECK(has(with({}).out, "$2.00/h"));
    const Finished yuan = with({"--currency", "CNY=7.5"});
    REQUIRE(yuan.exitCode == 0);
    CHECK(has(yuan.out, "¥15.00/h"));
    CHECK_FALSE(has(yuan.out, "$"));
    CHECK(has(yuan.out, "amounts in yuan, 7.5 to a US dollar"));
    CHECK(json::parse(with({"--currency", "CNY=7.5", "--json"}).out)["answer"]["usd_per_hour"] == 2);
    const Finished wrong = with({"--currency", "CNY=cheap"});
    CHECK(wrong.exitCode == 2);
    CHECK(has(wrong.err, "CNY=7.1"));
}

TEST_CASE(
    "compare takes as many of each accelerator as the targets need, and says what no number of them reaches")
{
    const auto compared = [](const char* speed) {
        return headroomProgram({"compare", "--model", "llama-3.3-70b", "--gpu", "h100-sxm-80gb,l40s",
                                "--concurrency", "50", "--tps", speed, "--csv"});
    };
    // The fewest that work: what leads may be a safer service.
    const auto sized = [](const char* gpu) {
        const json all = json::parse(headroomProgram({"size", "--model", "llama-3.3-70b", "--gpu", gpu,
                                                      "--concurrency", "50", "--tps", "20", "--json"})
                                         .out)["choices"]["all"];
        int fewest = 1 << 20;
        for (const json& choice : all)
            if (choice["service"]["gpu"] == gpu)
                fewest = std::min(fewest, choice["service"]["gpus"].get<int>());
        return fewest;
    };
    const std::string table = compared("20").out;
    CHECK(has(table, "h100-sxm-80gb," + std::to_string(sized("h100-sxm-80gb")) + ","));
    CHECK(has(table, "l40s," + std::to_string(sized("l40s")) + ","));
    CHECK(has(compared("500").out, "500 are asked"));
    const json missed = json::parse(headroomProgram({"compare", "--model", "llama-3.3-70b", "--gpu",
                                                     "h100-sxm-80gb,l40s", "--tps", "500", "--json"})
                                        .out);
    for (const json& candidate : missed["candidates"])
        CHECK(has(candidate["reason"].get<std::string>(), "500 are asked"));
}
