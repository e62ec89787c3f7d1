#include "tests/app/cli/process.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

using headroom::test::Finished;
using headroom::test::headroomProgram;

namespace {

std::vector<std::string> simulateWith(const std::vector<std::string>& more)
{
    std::vector<std::string> words{"simulate", "--model", "llama-3.1-8b", "--gpu", "h100-sxm-80gb",
                                   "--tp",     "1"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

class NamedFile {
public:
    NamedFile(const std::string& name, const std::string& text)
        : m_path(std::filesystem::temp_directory_path() / name)
    {
        std::ofstream(m_path) << text;
    }
    ~NamedFile() { std::filesystem::remove(m_path); }
    NamedFile(const NamedFile&) = delete;
    NamedFile& operator=(const NamedFile&) = delete;

    [[nodiscard]] std::string path() const { return m_path.string(); }
    [[nodiscard]] std::string content() const
    {
        std::stringstream text;
        text << std::ifstream(m_path).rdbuf();
        return text.str();
    }

private:
    std::filesystem::path m_path;
};

} // namespace

TEST_CASE("simulate --json has every field of the contract, in one document")
{
    const Finished done = headroomProgram(simulateWith({"--rps", "2", "--requests", "200", "--json"}));
    CHECK(done.exitCode == 0);
    CHECK(done.err.empty());
    const auto document = nlohmann::json::parse(done.out);
    CHECK(document.at("schema") == "headroom.simulate/1");
    CHECK(document.at("requests") == 200);
    CHECK(document.at("verdict") == "stable");
    for (const char* spread : {"ttft_s", "tpot_s", "latency_s", "queue_s"}) {
        double before = 0;
        for (const char* percentile : {"p50", "p75", "p90", "p95", "p99"}) {
            CHECK(document.at(spread).at(percentile).get<double>() >= before);
            before = document[spread][percentile].get<double>();
        }
        CHECK(document.at(spread).at("mean").is_number());
    }
    for (const char* number :
         {"output_tokens_per_s", "requests_per_s", "goodput_requests_per_s", "slo_attainment",
          "peak_kv_tokens", "preemptions", "mean_batch", "gpu_busy", "steps", "wall_s", "seed"})
        CHECK(document.at(number).is_number());
    CHECK(document.at("requests_per_s").get<double>() == doctest::Approx(2).epsilon(0.15));
    for (const char* time : {"ttft_s", "tpot_s", "itl_s", "latency_s"})
        for (const char* statistic : {"mean", "p50", "p99"}) {
            const auto& range = document.at("ranges").at(time).at(statistic);
            CHECK(range.at(0).get<double>() < document.at(time).at(statistic).get<double>());
            CHECK(range.at(1).get<double>() > document.at(time).at(statistic).get<double>());
        }
}

TEST_CASE("simulate: the same seed gives the same answer, another one another")
{
    const auto withoutClock = [](const Finished& done) {
        auto document = nlohmann::json::parse(done.out);
        document.erase("wall_s");
        return document;
    };
    const auto run = [&](const char* seed) {
        return withoutClock(
            headroomProgram(simulateWith({"--rps", "5", "--requests", "100", "--json", "--seed", seed})));
    };
    CHECK(run("7") == run("7"));
    CHECK(run("7") != run("8"));
}

TEST_CASE("simulate says overloaded instead of a meaningless number, and answers no")
{
    const Finished done = headroomProgram(simulateWith({"--rps", "500", "--requests", "1500", "--json"}));
    CHECK(done.exitCode == 1);
    const auto document = nlohmann::json::parse(done.out);
    CHECK(document.at("verdict") == "overloaded");
    CHECK(document.at("reason").get<std::string>().find("queue grows") != std::string::npos);
    CHECK(document.at("ttft_s").at("p99").is_null());
    CHECK(document.at("ranges").at("ttft_s").at("p99").is_null());
    CHECK(document.at("tpot_s").at("p99").is_number());
    CHECK(document.at("largest_stable_requests_per_s").get<double>() > 1);
    CHECK(document.at("largest_stable_requests_per_s").get<double>() < 500);
}

TEST_CASE("simulate: a promise that is not kept is a no, too")
{
    CHECK(headroomProgram(simulateWith({"--rps", "2", "--requests", "100", "--ttft", "5"})).exitCode == 0);
    const Finished broken
        = headroomProgram(simulateWith({"--rps", "2", "--requests", "100", "--ttft", "0.001"}));
    CHECK(broken.exitCode == 1);
    CHECK(broken.out.find("BROKEN") != std::string::npos);
}

TEST_CASE("simulate --trace plays what was recorded, --timeline writes a row for each request")
{
    const NamedFile trace(
        "headroom-simulate-trace.csv",
        "arrival_s,prompt_tokens,output_tokens,class\n0,100,5,chat\n0.5,200,1,code\n9,300,7,chat\n");
    const NamedFile timeline("headroom-simulate-timeline.csv", "");
    const Finished done
        = headroomProgram(simulateWith({"--trace", trace.path(), "--timeline", timeline.path(), "--json"}));
    CHECK(done.exitCode == 0);
    const auto document = nlohmann::json::parse(done.out);
    CHECK(document.at("requests") == 3);
    CHECK(document.at("classes").size() == 2);
    const std::string rows = timeline.content();
    CHECK(rows.find("arrival_s") != std::string::npos);
    CHECK(rows.find("first_token_s") != std::string::npos);
    CHECK(std::count(rows.begin(), rows.end(), '\n') == 4);
}

TEST_CASE("what is played from a trace assumes nothing of traffic that is made up")
{
    const NamedFile trace("headroom-simulate-played.csv",
                          "arrival_s,prompt_tokens,output_tokens\n0,500,10\n3,500,10\n");
    const Finished done = headroomProgram(simulateWith({"--trace", trace.path()}));
    REQUIRE(done.exitCode == 0);
    CHECK(done.out.find("no load was given") == std::string::npos);
    CHECK(done.out.find("of their length") == std::string::npos);
}

TEST_CASE("a trace of less than a second has no rate that could overload anything")
{
    const NamedFile trace("headroom-simulate-burst.csv",
                          "arrival_s,prompt_tokens,output_tokens\n0,500,10\n0.1,500,10\n0.4,500,10\n");
    const Finished done = headroomProgram(simulateWith({"--trace", trace.path()}));
    CHECK(done.exitCode == 0);
    CHECK(done.out.find("all requests come within 0.4 s, which is no rate") != std::string::npos);
}

TEST_CASE("simulate refuses a bad trace with its line, and every wrong flag at once")
{
    const NamedFile trace("headroom-simulate-bad.csv",
                          "arrival_s,prompt_tokens,output_tokens\n0,100,5\n1,-7,5\nsoon,3,3\n");
    const Finished done = headroomProgram(simulateWith({"--trace", trace.path()}));
    CHECK(done.exitCode == 2);
    CHECK(done.out.empty());
    CHECK(done.err.find("headroom-simulate-bad.csv:3:3 prompt_tokens") != std::string::npos);
    CHECK(done.err.find("headroom-simulate-bad.csv:4:1 arrival_s") != std::string::npos);

    const Finished flags
        = headroomProgram(simulateWith({"--traffic", "gama", "--routing", "random", "--prefill-tp", "2",
                                        "--class", "share=1", "--network", "x"}));
    CHECK(flags.exitCode == 2);
    for (const char* what : {"'gama'", "--routing", "--prefill-tp", "starts with its name", "--network"})
        CHECK(flags.err.find(what) != std::string::npos);
}

TEST_CASE("simulate: when the model leaves no room for a cache, the answer is no")
{
    const Finished done = headroomProgram(
        {"simulate", "--model", "llama-3.1-405b", "--gpu", "h100-sxm-80gb", "--tp", "1", "--json"});
    CHECK(done.exitCode == 1);
    CHECK(nlohmann::json::parse(done.out).at("reason").get<std::string>().find("does not fit")
          != std::string::npos);
}

TEST_CASE("requests that end before the busiest hour of the day say so, and how many a day takes")
{
    // 2 a second on average over 86,400 s.
    const std::vector<std::string> day{"--rps", "2", "--traffic", "poisson:peak=2.5,hour=14", "--json"};
    std::vector<std::string> words = simulateWith(day);
    words.insert(words.end(), {"--requests", "300"});
    const auto warnings = nlohmann::json::parse(headroomProgram(words).out).at("warnings").dump();
    CHECK(warnings.find("before its busiest hour, 14") != std::string::npos);
    CHECK(warnings.find("--requests 172800") != std::string::npos);
}

TEST_CASE("users hold conversations of several turns")
{
    const Finished done
        = headroomProgram(simulateWith({"--concurrency", "8", "--requests", "120", "--class",
                                        "chat prompt=400 output=40 turns=4 think=1 follow-up=50", "--json"}));
    REQUIRE(done.exitCode == 0);
    const auto d = nlohmann::json::parse(done.out);
    CHECK(d.at("requests") == 120);
    CHECK(d.at("verdict") == "stable");
}

TEST_CASE("what a trace recorded stands beside the simulation")
{
    // By hand: TTFT 0.1 and 0.3 s, TPOT (1.1 - 0.1) / 10 and (5.3 - 4.3) / 20, whole requests 1.1 and 1.3 s.
    const NamedFile trace("headroom-recorded.csv",
                          "arrival_s,prompt_tokens,output_tokens,first_token_s,last_token_s\n"
                          "0,100,11,0.1,1.1\n"
                          "4,100,21,4.3,5.3\n");
    const Finished done = headroomProgram(simulateWith({"--trace", trace.path(), "--json"}));
    const auto recorded = nlohmann::json::parse(done.out).at("recorded");
    CHECK(recorded.at("ttft_s").at("mean").get<double>() == doctest::Approx(0.2));
    CHECK(recorded.at("tpot_s").at("mean").get<double>() == doctest::Approx(0.075));
    CHECK(recorded.at("latency_s").at("p50").get<double>() == doctest::Approx(1.2));
    CHECK(headroomProgram(simulateWith({"--trace", trace.path()})).out.find("Against the record")
          != std::string::npos);
}

TEST_CASE("a prompt alone in a pipeline waits for all of its stages, as predict counts them")
{
    const std::vector<std::string> piped{
        "--model", "llama-3.1-70b", "--gpu", "h100-sxm-80gb", "--tp", "4",     "--pp",
        "2",       "--prompt",      "4096",  "--output",      "64",   "--json"};
    const auto told = [&piped](std::vector<std::string> words) {
        words.insert(words.end(), piped.begin(), piped.end());
        return nlohmann::json::parse(headroomProgram(words).out);
    };
    const auto played = told({"simulate", "--rps", "0.05", "--traffic", "constant", "--requests", "50"});
    const auto alone = told({"predict", "--batch", "1"});
    const double latency = alone.at("prefill").at("ttft_s").at("value");
    CHECK(played.at("ttft_s").at("p50").get<double>() == doctest::Approx(latency).epsilon(0.1));
}

TEST_CASE("what predict says of a full batch is what a replay of it serves")
{
    // Prompts that come now and then cost a step of their own size, not a little of every step: experts show
    // it most, of which a few more tokens wake many. A pipeline computes them in one part while the others go
    // on.
    struct Case {
        std::vector<std::string> words;
        const char* users;
        double within = 0.1;
    };
    // The lanes of a pipeline are not as full as one another, of which the closed form knows nothing.
    constexpr double ofLanes = 0.2;
    const std::vector<Case> cases{
        {{"--model", "deepseek-r1", "--gpu", "h200-sxm-141gb", "--tp", "8", "--prompt", "4096", "--output",
          "1024"},
         "17"},
        {{"--model", "llama-3.1-70b", "--gpu", "h100-sxm-80gb", "--tp", "4", "--pp", "2", "--prompt", "1024",
          "--output", "256"},
         "128",
         ofLanes},
        {{"--model", "llama-3.1-8b", "--gpu", "l40s", "--tp", "1", "--prompt", "1024", "--output", "128"},
         "64"},
    };
    for (const Case& one : cases) {
        const auto told = [&one](std::vector<std::string> words) {
            words.insert(words.end(), one.words.begin(), one.words.end());
            words.emplace_back("--json");
            return nlohmann::json::parse(headroomProgram(words).out);
        };
        const auto played = told({"simulate", "--concurrency", one.users, "--requests", "3000"});
        const auto predicted = told({"predict", "--batch", one.users});
        CAPTURE(one.words.at(1));
        const double served = played.at("output_tokens_per_s");
        CHECK(predicted.at("service").at("output_tokens_per_s").at("value").get<double>()
              == doctest::Approx(served).epsilon(one.within));
    }
}

TEST_CASE("users beyond the sequences that an engine runs are not called served")
{
    const Finished done
        = headroomProgram({"size", "--model", "llama-3.1-8b", "--gpu", "b200-sxm-180gb", "--concurrency",
                           "2000", "--replicas", "1", "--prompt", "128", "--output", "64", "--json"});
    CHECK(done.exitCode == 1);
    CHECK(done.out.find("requests at once, 2000 users are asked for") != std::string::npos);
}
