// One quantity is one number wherever it is told: the document, the text and both languages, of seeded
// answers.
#include "model/advise/size.h"
#include "model/json/sizing_json.h"
#include "model/report/measure.h"
#include "model/report/sizing_text.h"
#include "model/report/translation.h"
#include "model/search/judge.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <array>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace headroom::tests {
namespace {

using nlohmann::json;

// Lines by their label; those that follow one without a label of their own belong to it.
std::map<std::string, std::string> linesOf(const std::string& text)
{
    std::map<std::string, std::string> out;
    std::istringstream in(text);
    std::string label = "headline";
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with(' ') && label != "headline")
            label = line.substr(0, line.find("  "));
        if (line.empty())
            label = "after the headline";
        out[label] += line + '\n';
    }
    return out;
}

class Told {
public:
    explicit Told(const SizingPlan& plan)
        : m_document(json::parse(sizingJson(plan))),
          m_english(linesOf(sizingText(plan, nullptr, ask::Language::English))),
          m_chinese(sizingText(plan, nullptr, ask::Language::Chinese))
    {}

    // The document's figure stands in that line, and in the Chinese text.
    void check(const std::string& label, const json& figure, Measure measure)
    {
        if (!figure.is_number())
            return;
        const std::string people = forPeople(figure.get<double>(), measure);
        CAPTURE(label + ": " + people);
        CHECK(m_english[label].find(people) != std::string::npos);
        CHECK(m_chinese.find(inChinese(inUnits(figure.get<double>(), measure))) != std::string::npos);
    }

    const json& document() const { return m_document; }

private:
    json m_document;
    std::map<std::string, std::string> m_english;
    std::string m_chinese;
};

void checkService(Told& told, const json& answer, bool manyAsked)
{
    if (manyAsked) // how many it carries leads
        told.check("headline", told.document()["users_at_once"]["told"], Measure::Whole);
    else
        told.check("headline", answer["tokens_per_s_per_user"]["value"], Measure::TokenRate);
    told.check("TTFT", answer["ttft_s"]["value"], Measure::Time);
    told.check("TPOT", answer["tpot_s"]["value"], Measure::Time);
    told.check("TPOT", answer["tokens_per_s_per_user"]["value"], Measure::TokenRate);
    told.check("Request", answer["latency_s"]["value"], Measure::Time);
    if (answer.contains("simulated"))
        for (const char* const figure : {"ttft_s", "tpot_s", "latency_s"})
            told.check("p90", answer["simulated"][figure], Measure::Time);
    if (answer["max_concurrency"].get<double>() >= 2)
        told.check("Carries", answer["max_concurrency"], Measure::Whole);
    told.check("Carries", told.document()["users_at_once"]["told"], Measure::Whole);
    told.check("Carries", answer["max_requests_per_s"], Measure::RequestRate);
    told.check("Cost", answer["usd_per_hour"], Measure::HourlyPrice);
    told.check("Cost", answer["power_w"]["value"], Measure::Power);
}

// Whatever is told of the same service elsewhere in the document is the same.
void checkSameService(const json& document)
{
    const json& answer = document["answer"];
    const auto isAnswer = [&](const json& other) {
        for (const char* const part : {"gpu", "gpus", "tp", "pp", "ep", "dp", "replicas", "weights", "kv"})
            if (other[part] != answer[part])
                return false;
        return other.contains("prefill") == answer.contains("prefill");
    };
    std::vector<json> others;
    for (const json& choice : document["choices"]["all"])
        others.push_back(choice["service"]);
    for (const json& candidate : document["candidates"])
        others.push_back(candidate);
    for (const json& hint : document["hints"])
        others.push_back(hint["instead_of"]);
    const auto same = [&](const json& other, const char* figure) {
        if (other.contains(figure))
            CHECK_MESSAGE(other[figure] == answer[figure], figure);
    };
    for (const json& other : others) {
        if (!isAnswer(other))
            continue;
        for (const char* const figure : {"max_concurrency", "max_requests_per_s"})
            same(other, figure);
        if (other["batch"] != answer["batch"]) // the same machines with the most users, told beside the safe
            continue;
        for (const char* const figure : {"tokens_per_s_per_user", "ttft_s", "tpot_s", "latency_s",
                                         "usd_per_hour", "confidence", "simulated"})
            same(other, figure);
    }
    for (const json& point : document["break_points"])
        if (point["input"] == "users" && document["answer"].contains("simulated"))
            CHECK(point["above"].get<double>() == doctest::Approx(answer["max_concurrency"].get<double>()));
}

// What the whole service gives is what its users are given.
void checkSum(const json& answer, double output)
{
    if (!answer.contains("simulated"))
        return;
    const json& service = answer["prediction"]["service"];
    const double told = service["output_tokens_per_s"]["value"].get<double>();
    CHECK(told > 0);
    const double hour = answer["usd_per_hour"].is_number() ? answer["usd_per_hour"].get<double>() : 0;
    if (hour > 0)
        CHECK(answer["usd_per_million_output_tokens"]["value"].get<double>()
              == doctest::Approx(hour / 3600 / told * 1e6).epsilon(0.02));
    CHECK(answer["latency_s"]["value"].get<double>()
          == doctest::Approx(answer["ttft_s"]["value"].get<double>()
                             + answer["tpot_s"]["value"].get<double>() * (output - 1))
                 .epsilon(0.05));
    // A percentile of the same run. Where fewer than a tenth meet others' prompts, it is the time of who is
    // alone, and their waits lift the mean alone.
    CHECK(answer["simulated"]["ttft_s"].get<double>() >= answer["ttft_s"]["value"].get<double>() * 0.9);
}

Scenario seeded(std::mt19937& random)
{
    const auto one = [&random](const auto& of) { return of[random() % of.size()]; };
    Scenario s;
    s.model = one(std::array{"qwen3-8b", "qwen3-32b", "llama-3.1-70b", "gpt-oss-20b"});
    s.gpus = {one(std::array{"h100-sxm-80gb", "a100-sxm-80gb", "l40s", "h200-sxm-141gb"})};
    s.prompt = LengthDistribution::of(one(std::array{256.0, 1024.0, 4096.0}));
    s.output = LengthDistribution::of(one(std::array{64.0, 256.0}));
    if (random() % 3 == 0)
        s.requestsPerSecond = one(std::array{1.0, 4.0, 12.0});
    else if (random() % 5 != 0)
        s.concurrency = one(std::array{1.0, 16.0, 64.0, 150.0});
    else { // how many a machine carries
        s.gpuCount = one(std::array{2, 8});
        s.objective = Objective::MostUsers;
    }
    if (random() % 4 != 0)
        s.targets.tokensPerSecond = one(std::array{12.0, 20.0, 30.0});
    if (random() % 3 == 0)
        s.targets.ttft = Seconds(one(std::array{1.0, 2.0}));
    return s;
}

void walk(int count, unsigned seed)
{
    std::mt19937 random(seed);
    for (int i = 0; i < count; ++i) {
        const Scenario asked = seeded(random);
        CAPTURE(fmt::format("{} on {}, {} + {} tokens, {} users, {} requests/s, {} tokens/s", asked.model,
                            asked.gpus.front(), asked.prompt.mean(), asked.output.mean(),
                            asked.concurrency.value_or(0), asked.requestsPerSecond.value_or(0),
                            asked.targets.tokensPerSecond.value_or(0)));
        const auto plan = size(asked, shipped());
        REQUIRE(plan);
        if (!(*plan)->meets)
            continue;
        Told told(**plan);
        checkService(told, told.document()["answer"], asked.objective == Objective::MostUsers);
        checkSameService(told.document());
        checkSum(told.document()["answer"], asked.output.mean());
    }
}

} // namespace

TEST_CASE("a quantity is one number in the document, the text and both languages") { walk(5, 1); }

TEST_CASE("a quantity is one number in the document, the text and both languages, at length"
          * doctest::skip())
{
    walk(100, 2);
}

TEST_CASE("What fewer GPUs lack is told of one replica less than the least that works")
{
    Scenario s;
    s.model = "llama-3.1-8b";
    s.gpus = {"h100-sxm-80gb"};
    s.prompt = LengthDistribution::of(2000);
    s.output = LengthDistribution::of(500);
    s.targets.tokensPerSecond = 30;
    s.requestsPerSecond = 60;
    SearchOptions options;
    options.explain = false;
    const auto plan = size(s, shipped(), options);
    REQUIRE(plan.has_value());
    const SizingPlan& told = **plan;
    const Candidate& least = told.cheapest ? *told.cheapest : told.answer;
    REQUIRE(least.deployment.layout.replicas > 1);
    const int fewer = least.gpus() - least.deployment.layout.gpusPerReplica();
    const std::string line = linesOf(sizingText(told, nullptr, ask::Language::English)).at("Limited by");
    CAPTURE(line);
    CHECK(line.find(fmt::format("; with {} GPU", fewer)) != std::string::npos);
    // So many replicas carry less than what is asked with the share kept free.
    const Candidate one = judgeWith(least, least.deployment.layout.replicas - 1, told.scenario, Depth::Whole);
    CHECK((!one.meets || one.maxRequestsPerSecond * (1 - told.scenario.headroom) < 60));
}

} // namespace headroom::tests
