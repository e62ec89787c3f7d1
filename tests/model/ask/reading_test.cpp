#include "model/ask/draft.h"
#include "model/ask/rules.h"
#include "tests/model/ask/describe.h"
#include "tests/model/ask/small_vocabulary.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>

namespace headroom::tests {

namespace {

ask::Question asked(std::string_view text)
{
    auto question = ask::read(text, smallVocabulary());
    REQUIRE(question);
    return *std::move(question);
}

} // namespace

TEST_CASE("Each phrase is shown with what it was read as, where it stands and what else it could mean")
{
    const ask::Question question = asked("how many A100s for Llama-70B at 20 TPS");
    REQUIRE(question.interpretation.size() == 3);
    CHECK(question.interpretation[0].said == "A100s");
    CHECK(question.interpretation[0].readAs == "a100-sxm-80gb");
    CHECK(question.interpretation[0].position == 9);
    CHECK(question.interpretation[0].others.size() == 3);
    CHECK(question.interpretation[1].said == "Llama-70B");
    CHECK(question.interpretation[2].said == "20 TPS");
    CHECK(question.interpretation[2].readAs == "at least 20 tokens/s for each user");
}

TEST_CASE("What the question leaves open is listed as assumed")
{
    const auto has = [](const ask::Question& question, std::string_view text) {
        return std::any_of(question.assumptions.begin(), question.assumptions.end(),
                           [&](const std::string& one) { return one.find(text) != std::string::npos; });
    };
    const ask::Question open = asked("how many A100s for Llama-70B at 20 TPS");
    CHECK(has(open, "one user"));
    CHECK(has(open, "1,024"));
    CHECK(has(open, "256"));
    const ask::Question closed
        = asked("llama 70b on sglang, 50 users, 2k in 500 out, p99 ttft under 2s, H100");
    CHECK(!has(closed, "one user"));
    CHECK(!has(closed, "tokens"));
    CHECK(!has(closed, "%"));
}

TEST_CASE("Tokens of a day that may count prompts are told apart from those of answers")
{
    const auto told = [](std::string_view text) {
        const ask::Question question = asked(text);
        return std::any_of(
            question.assumptions.begin(), question.assumptions.end(),
            [](const std::string& one) { return one.find("if prompts are counted") != std::string::npos; });
    };
    CHECK(told("llama 70b on H100, 1 billion tokens per day"));
    CHECK(!told("llama 70b on H100, 1 billion output tokens per day"));
    CHECK(!told("llama 70b on H100, 5000 tokens/s in total"));
}

TEST_CASE("Of a range the harder end is planned for, which is told, and the easier one stands beside it")
{
    const ask::Question question = asked("Llama-70B on H100, from 16 to 64 users, 20 to 30 tok/s");
    CHECK(question.scenario.concurrency == 64);
    CHECK(question.scenario.targets.tokensPerSecond == 30);
    CHECK(question.scenario.easier.concurrency == 16);
    CHECK(question.scenario.easier.tokensPerSecond == 20);
    const auto whyOf = [&](std::string_view said) {
        const auto& all = question.interpretation;
        const auto found = std::find_if(all.begin(), all.end(), [&](const ask::Interpretation& one) {
            return one.said.find(said) != std::string::npos;
        });
        return found != all.end() ? found->why : std::string();
    };
    CHECK(whyOf("64 users") == "of 16 to 64 the most");
    CHECK(whyOf("30 tok/s") == "of 20 to 30 the most");
    CHECK_FALSE(asked("Llama-70B on H100, 64 users, 30 tok/s").scenario.easier.any());
}

TEST_CASE("A rate of days is told to come evenly, unless its peak or its curve is stated")
{
    const auto told = [](std::string_view text) {
        const ask::Question question = asked(text);
        return std::any_of(question.assumptions.begin(), question.assumptions.end(),
                           [](const std::string& one) { return one.find("'3x peak'") != std::string::npos; });
    };
    CHECK(told("llama 70b on H100, 100k requests a day"));
    CHECK(told("10,000 daily active users, each sends 20 requests a day, llama 8b"));
    CHECK(told("llama 70b on H100, 1 billion output tokens per day"));
    CHECK(!told("llama 70b on H100, 100k requests a day, 3x peak"));
    CHECK(!told("llama 70b on H100, diurnal load, 100k requests a day, peak 3x"));
    CHECK(!told("llama 70b on H100, 5 requests per second"));
}

TEST_CASE("Users whose requests make a rate are not told to be there at once")
{
    for (const char* text : {"10,000 daily active users, each sends 20 requests a day, llama 8b",
                             "日活 1 万，每人每天 20 次请求，llama 8b"}) {
        const ask::Question question = asked(text);
        CHECK(!question.scenario.concurrency);
        for (const ask::Interpretation& one : question.interpretation) {
            CHECK(one.readAs.find("users at once") == std::string::npos);
            CHECK(one.readAs.find("并发用户") == std::string::npos);
        }
    }
}

TEST_CASE("A speed that no stream has is the whole service's, and that is said")
{
    const ask::Question question = asked("50,000 tokens/s of deepseek v3 on H800");
    const auto total = std::find_if(
        question.interpretation.begin(), question.interpretation.end(),
        [](const ask::Interpretation& one) { return one.readAs.find("whole service") != std::string::npos; });
    REQUIRE(total != question.interpretation.end());
    CHECK(total->why.find("no stream of GPUs is that fast") != std::string::npos);
    const auto told = [](std::string_view text, std::string_view words) {
        const ask::Question one = asked(text);
        return std::any_of(one.assumptions.begin(), one.assumptions.end(),
                           [&](const std::string& said) { return said.find(words) != std::string::npos; });
    };
    CHECK(told("50,000 tokens/s of deepseek v3 on H800", "of all users together"));
    CHECK(told("deepseek v3 在 H800 上每秒 50000 token", "按全部用户合计"));
    CHECK(!told("2 billion tokens a day of deepseek v3 on H800", "of all users together"));
}

TEST_CASE("What is better is told to be the fewest GPUs where nothing else was said")
{
    const auto told = [](std::string_view text) {
        const ask::Question question = asked(text);
        return std::any_of(question.interpretation.begin(), question.interpretation.end(),
                           [](const ask::Interpretation& one) {
                               return one.readAs.starts_with("fewest GPUs")
                                   || one.readAs.starts_with("先比张数");
                           });
    };
    CHECK(told("which is better for llama 70b: A100 or H100"));
    CHECK(told("Llama-70B 用 A100 和 H100 哪个更好"));
    CHECK(!told("A100 or H100 for llama 70b, which is better value"));
    CHECK(!told("llama 70b on 8 A100 or 8 H100, which is better"));
}

TEST_CASE("Amounts are told with their digits")
{
    const auto readAs = [](std::string_view text) {
        for (const ask::Interpretation& one : asked(text).interpretation)
            if (one.readAs.find("at most") != std::string::npos
                || one.readAs.find("不超过") != std::string::npos)
                return one.readAs;
        return std::string();
    };
    CHECK(readAs("buy H100 for $1000000, llama 70b") == "all GPUs are bought for at most $1,000,000");
    CHECK(readAs("采购预算 100 万元，llama 70b，H100")
          == "采购全部 GPU 不超过 1,000,000 元（1 美元合 7.2734 元，即 137,500 美元）");
}

TEST_CASE("Lengths that are usual for a use are told with whose they are; stated ones need none")
{
    const auto told = [](const ask::Question& question) {
        return std::any_of(
            question.assumptions.begin(), question.assumptions.end(),
            [](const std::string& one) { return one.find("llm-d-planner") != std::string::npos; });
    };
    CHECK(told(asked("RAG on llama 70b, 40 users, H100")));
    CHECK(!told(asked("RAG on llama 70b, 40 users, H100, 2k in 500 out")));
}

TEST_CASE("Renting or buying is no choice of machines, and neither price is taken for the other")
{
    for (const char* text : {"rent or buy H100 or H200 for llama 70b, 100 users?",
                             "H100 or H200 for llama 70b, 100 users: buy or rent?"}) {
        const ask::Question question = asked(text);
        CHECK(question.scenario.gpus == std::vector<std::string>{"h100-sxm-80gb", "h200-sxm-141gb"});
        CHECK_FALSE(question.scenario.money.buy);
    }
    CHECK(asked("buy H100 for llama 70b").scenario.money.buy);
}

TEST_CASE("Years that a cost is asked over are those that costs are told over; one year is always told")
{
    CHECK(asked("what does llama 70b on A100 cost over 3 years with 100 users").scenario.money.years == 3.0);
    CHECK(asked("自购 A100 跑 llama 70b，100 并发，三年总成本多少").scenario.money.years == 3.0);
    CHECK(!asked("what does llama 70b on A100 cost in a year with 100 users").scenario.money.years);
    CHECK(!asked("租 A100 跑 llama 70b，100 并发，一年多少钱").scenario.money.years);
    // Years that the load grows over are no years of a cost.
    const ask::Question grows = asked("llama 70b, A100, 100 users, growth 40% a year for 3 years");
    CHECK(!grows.scenario.money.years);
    CHECK(grows.unused.size() == 1);
}

TEST_CASE("Of a machine's measures the one that was asked for is remembered")
{
    CHECK(asked("TTFT of llama 70b on 4 H100").asked == ask::Asked::FirstToken);
    CHECK(asked("what ttft does llama 70b have on 4 H100").asked == ask::Asked::FirstToken);
    CHECK(asked("4 张 H100 跑 llama 70b 首字延迟多少").asked == ask::Asked::FirstToken);
    CHECK(asked("llama 70b on 4 H100: how long is the first token").asked == ask::Asked::FirstToken);
    CHECK(asked("4 张 H100 跑 llama 70b，要等多久").asked == ask::Asked::Request);
    CHECK(asked("4 张 H100 跑 llama 70b，首字多久").asked == ask::Asked::FirstToken);
    CHECK(asked("what is the tpot of llama 70b on 4 H100").asked == ask::Asked::BetweenTokens);
    CHECK(asked("what latency does llama 70b have on 4 H100").asked == ask::Asked::Request);
    CHECK(asked("llama 70b throughput on 4 H100").asked == ask::Asked::Throughput);
    CHECK(asked("4 张 H100 跑 llama 70b 吞吐是多少").asked == ask::Asked::Throughput);
    CHECK(asked("how fast is llama 70b on 4 H100").asked == ask::Asked::Speed);
}

TEST_CASE("A Chinese question is answered in Chinese")
{
    CHECK(asked("20 TPS 的 Llama-70B 需要几张 A100？").language == ask::Language::Chinese);
    CHECK(asked("20 TPS 的 Llama-70B 需要几张 A100？").interpretation.front().readAs
          == "每个用户至少 20 token/s");
    CHECK(asked("how many A100s for Llama-70B").language == ask::Language::English);
}

TEST_CASE("Accelerators are chosen and left out by how they are sold")
{
    CHECK(asked("SXM only, llama 70b, 50 users").scenario.gpus
          == std::vector<std::string>{"h100-sxm-80gb", "a100-sxm-80gb"});
    CHECK(asked("llama 70b, 50 users, SXM cards or L40S").scenario.gpus.size() == 3);
}

TEST_CASE("A question in both scripts is answered in the language of most of its words")
{
    const auto language = [](const char* text) { return asked(text).language; };
    CHECK(language("How many H200 for Llama-70B with 100 users on a budget of 50 万美元 to buy?")
          == ask::Language::English);
    CHECK(language("Is 8 卡 H100 enough for Llama-70B at 20 users?") == ask::Language::English);
    // Terms and units are written so in either.
    CHECK(language("Llama-70B 20 TPS 要几张 A100") == ask::Language::Chinese);
    CHECK(language("用 vLLM 部署 Llama 70B，P95 TTFT 不超过 2s，prompt 4k output 500，需要几张 H100")
          == ask::Language::Chinese);
    CHECK(language("8x H100 跑 Llama 70B fp8，throughput 多少") == ask::Language::Chinese);
}

TEST_CASE("Of people who only may use a service a share is there at once, and that is told")
{
    for (const char* text : {"500 employees, llama 8b on L4", "our company has 500 people, llama 8b on L4",
                             "llama 8b on L4 for 500 registered users", "我们公司500人，llama 8b，L4"}) {
        CAPTURE(text);
        const ask::Question question = asked(text);
        CHECK(question.scenario.concurrency == 50);
        CHECK(question.interpretation.size() == 3);
        CHECK(
            std::any_of(question.assumptions.begin(), question.assumptions.end(), [](const std::string& one) {
                return one.find("10") != std::string::npos && one.find("500") != std::string::npos;
            }));
    }
    CHECK(asked("500 employees, 40 concurrent, llama 8b").scenario.concurrency == 40);
    CHECK(asked("llama 8b for 40 students").scenario.concurrency == 40);
}

TEST_CASE("What nothing plans with is told with its reason, never dropped")
{
    const auto unused = [](std::string_view text) {
        std::string all;
        for (const ask::Unused& one : asked(text).unused)
            all += "[" + one.said + ": " + one.why + "]";
        return all;
    };
    CHECK(unused("llama 8b on 8 H100, 24/7").find("24/7") != std::string::npos);
    CHECK(unused("llama 8b on 8 H100, 99.9% uptime").find("99.9 % of the time") != std::string::npos);
    CHECK(unused("llama 8b on H100, 500 GB RAM").find("host memory of 500 GB") != std::string::npos);
    CHECK(unused("looking for a quote: llama 8b on H100, 10 users").find("quote") != std::string::npos);
    CHECK(unused("llama 8b on H100 in azure, 10 users").find("azure") != std::string::npos);
}

TEST_CASE("Jobs, their deadline and a cap of power are planned with")
{
    const Scenario night = asked("1B tokens overnight with llama 8b on H100").scenario;
    CHECK(night.jobTokens == 1e9);
    REQUIRE(night.deadline);
    CHECK(night.deadline->base() == 8 * 3600);
    const Scenario week = asked("summarise 5 million documents in 7 days with llama 3.1 8b").scenario;
    CHECK(week.jobRequests == 5e6);
    REQUIRE(week.deadline);
    CHECK(week.deadline->base() == 7 * 86400);
    const Scenario rack = asked("llama 8b on H100, 10 kW per rack").scenario;
    REQUIRE(rack.powerCap);
    CHECK(rack.powerCap->base() == 10000);
    const auto assumes = [](std::string_view text, std::string_view what) {
        return std::ranges::any_of(asked(text).assumptions, [&](const std::string& one) {
            return one.find(what) != std::string::npos;
        });
    };
    CHECK(assumes("llama 8b on H100, 10 kW per rack", "in one rack"));
    CHECK_FALSE(assumes("llama 8b on H100, 2 racks of 10 kW each", "in one rack"));
    CHECK(assumes("llama 8b on H100, concurrency 1, 8, 32", "the largest is planned"));
}

TEST_CASE("An amount without a period is what the machines may cost, where it is as much")
{
    const ask::Question question = asked("llama 70b budget $100k");
    CHECK(describe(question) == "size model=llama-3.3-70b buy=yes purchase-budget=100000");
    const auto told
        = std::find_if(question.interpretation.begin(), question.interpretation.end(),
                       [](const ask::Interpretation& one) { return one.why == "no period was said"; });
    REQUIRE(told != question.interpretation.end());
    REQUIRE(!told->others.empty());
    CHECK(told->others.front() == "budget $100k a month");
    CHECK(!ask::read("llama 70b budget $100", smallVocabulary()));
}

TEST_CASE("A mistyped word is read as the word, and told")
{
    const ask::Question question = asked("llama 70b, 100 concurrrent requests, cheepest");
    CHECK(describe(question) == "size model=llama-3.3-70b users=100 objective=cheapest");
    CHECK(std::any_of(
        question.interpretation.begin(), question.interpretation.end(),
        [](const ask::Interpretation& one) { return one.why == "'cheepest' read as 'cheapest'"; }));
}

TEST_CASE("What is out of scope gets one clear sentence")
{
    const auto refusal = [](std::string_view text) {
        const auto question = ask::read(text, smallVocabulary());
        REQUIRE(!question);
        CHECK(question.error().size() == 1);
        return question.error().front().what.english();
    };
    CHECK(refusal("which GPU for Stable Diffusion XL, 100 images/min?").find("images and video")
          != std::string::npos);
    CHECK(refusal("train a llama 8b on 64 H100").find("training") != std::string::npos);
    CHECK(refusal("how many H100 for Claude Sonnet, 50 users").find("closed") != std::string::npos);
    CHECK(refusal("Wie viele H100 brauche ich für Llama 70B mit 100 Nutzern?").find("English")
          != std::string::npos);
    CHECK(refusal("文生图要几张 L40S").find("图像") != std::string::npos);
    // named beside a model that is planned for, a closed one is only mentioned
    const ask::Question moves = asked("we use gpt-4 and want llama 70b on H100 for 20 users");
    CHECK(moves.unused.size() == 1);
    CHECK(moves.scenario.model == "llama-3.3-70b");
}

TEST_CASE("A follow-up changes the scenario at hand and nothing else of it")
{
    const auto first = ask::read("llama 70b fp8 on H100, 40 users, 20 tps, 2k in 500 out", smallVocabulary());
    REQUIRE(first);
    const auto after = [&](std::string_view text) {
        const auto question = ask::read(text, smallVocabulary(), {}, &first->scenario);
        REQUIRE(question);
        CHECK(question->changesAtHand);
        return describe(*question);
    };
    CHECK(
        after("double it")
        == "size model=llama-3.3-70b gpus=h100-sxm-80gb weights=fp8 prompt=2048 output=500 users=80 tps=20");
    CHECK(
        after("same on H200")
        == "size model=llama-3.3-70b gpus=h200-sxm-141gb weights=fp8 prompt=2048 output=500 users=40 tps=20");
    CHECK(
        after("and with int8?")
        == "size model=llama-3.3-70b gpus=h100-sxm-80gb weights=int8 prompt=2048 output=500 users=40 tps=20");
    CHECK(
        after("what about 200 users?")
        == "size model=llama-3.3-70b gpus=h100-sxm-80gb weights=fp8 prompt=2048 output=500 users=200 tps=20");
    CHECK(after("换成 H20，用户翻倍")
          == "size model=llama-3.3-70b gpus=h20-96gb weights=fp8 prompt=2048 output=500 users=80 tps=20");
    CHECK(!ask::read("qwen3 8b on L4", smallVocabulary(), {}, &first->scenario)->changesAtHand);
}

TEST_CASE("A follow-up that names layouts takes the place of the one at hand, and one layout of those")
{
    const auto read = [](std::string_view text, const Scenario* atHand) {
        const auto question = ask::read(text, smallVocabulary(), {}, atHand);
        REQUIRE(question);
        return question->scenario;
    };
    const Scenario one = read("llama 70b on 8 H100, TP4 PP2, 40 users", nullptr);
    const Scenario weighed = read("and with TP8 or TP4 PP2?", &one);
    CHECK(weighed.layouts.size() == 2);
    CHECK_FALSE(weighed.tp);
    CHECK_FALSE(weighed.pp);
    const Scenario alone = read("same with TP8", &weighed);
    CHECK(alone.layouts.empty());
    CHECK(alone.tp == 8);
}

TEST_CASE("The order of the phrases does not change the scenario")
{
    const std::string expected
        = answered("llama 70b, H100, 100 users, 8k prompts, 20 tps, p95 ttft under 2s");
    std::vector<std::string> parts{"llama 70b",  "H100",   "100 users",
                                   "8k prompts", "20 tps", "p95 ttft under 2s"};
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round) {
        std::shuffle(parts.begin(), parts.end(), random);
        std::string text;
        for (const std::string& part : parts)
            text += (text.empty() ? "" : ", ") + part;
        CAPTURE(text);
        CHECK(answered(text) == expected);
    }
}

TEST_CASE("A meaningless word anywhere in a question is always told, and changes nothing else")
{
    const std::vector<std::string> words{"how", "many", "A100s", "for", "Llama-70B", "at",
                                         "20",  "TPS",  "and",   "100", "users"};
    const ask::Vocabulary vocabulary = smallVocabulary();
    for (std::size_t at = 0; at <= words.size(); ++at) {
        std::string text;
        for (std::size_t i = 0; i <= words.size(); ++i) {
            text += i == at ? " flurbish" : "";
            text += i < words.size() ? " " + words[i] : "";
        }
        CAPTURE(text);
        const auto question = ask::read(text, vocabulary);
        if (!question) // it parts a number from its unit
            continue;
        REQUIRE(question->unused.size() >= 1);
        CHECK(question->unused.front().said.find("flurbish") != std::string::npos);
        CHECK(describe(*question) == "size model=llama-3.3-70b gpus=a100-sxm-80gb users=100 tps=20");
    }
}

TEST_CASE("Random bytes are refused or read, never a crash")
{
    const ask::Vocabulary vocabulary = smallVocabulary();
    const std::vector<std::string> pieces{
        "llama 70b", "H100", "2x",       "20", "tps",     "首字", "延迟",  "张", "$",   "per",
        "k",         "%",    "p",        "95", "-",       "/",    "users", "每", "秒",  "context",
        "=",         "to",   "tp",       "~",  "\xE5",    "8k",   "fp8",   "kv", "buy", "hour",
        "not",       "or",   "how many", "几", "between", "n+1",  "peak"};
    std::mt19937 random(7);
    std::uniform_int_distribution<std::size_t> pick(0, pieces.size() - 1);
    std::uniform_int_distribution<int> length(1, 14);
    for (int round = 0; round < 3000; ++round) {
        std::string text;
        for (int i = length(random); i > 0; --i)
            text += pieces[pick(random)] + (i % 3 == 0 ? "" : " ");
        const auto question = ask::read(text, vocabulary);
        if (!question)
            CHECK(!question.error().empty());
        else
            CHECK(question->scenario.model == "llama-3.3-70b");
    }
}

TEST_CASE("where no word stands, none of a row is said")
{
    const ask::Vocabulary vocabulary = smallVocabulary();
    const ask::Draft none("", {}, vocabulary, ask::Language::English);
    CHECK_FALSE(ask::says("clock", none, 0)); // "from 20070 to 5000" ends there
    CHECK(answered("从 20070 提到 5000").starts_with("refused"));
    CHECK(answered("Llama 70B on H100 for 20 users from 9 to 5") != "");
}

} // namespace headroom::tests
