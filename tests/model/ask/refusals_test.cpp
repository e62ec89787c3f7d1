#include "tests/model/ask/describe.h"
#include "tests/model/ask/small_vocabulary.h"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::tests {

namespace {

struct Row {
    std::string_view question;
    std::string_view quoted; // the first problem: what it quotes
    std::string_view what;
};

// clang-format off
constexpr std::array refusals {
    Row {"llama 70b 1000 users, 50 at once, each sends 2 requests a minute",
         "'each sends 2 requests a minute'", "each of all users, or of those who are there at once?"},
    Row {"llama 70b 日活 1 万人，峰值并发 500，每人每天 20 次请求",
         "'每天 20 次请求'", "是全部用户中的每人，还是同时在线的每人？"},
    Row {"llama 70b on H100, 10% are active at once",
         "'10% are active at once'", "of how many users?"},
    Row {"llama 70b，H100，10% 同时在线",
         "'10% 同时在线'", "占多少用户？"},
    Row {"llama 70b on H100, think time 30 s",
         "'think time 30 s'", "how many users?"},
    Row {"llama 70b，H100，思考时间 30 秒",
         "'思考时间 30 秒'", "多少个用户？"},
    Row {"qwen3 32b 日活 1 万人，H100",
         "'日活 1 万人'", "日活用户不会同时在线：每人每天多少次请求？"},
    Row {"llama 70b on H100, ttft 1s, 20%",
         "'20%'", "a number of what?"},
    Row {"purple elephants",
         "'purple elephants'", "not understood"},
    Row {"how many A100s for Llama-70B at 20 florps",
         "'20 florps'", "a number of what?"},
    Row {"how many A100s for my dog",
         "'dog'", "not understood"},
    Row {"llama 70b low latency",
         "'low latency'", "how much? a number is missing"},
    Row {"llama 70b 8k tokens on H100",
         "'8k tokens'", "is it the prompt or the output?"},
    Row {"llama 70b 500 on H100",
         "'500'", "a number of what?"},
    Row {"llama 70b on H100 without H100",
         "'without H100'", "what should be left out or compared was not understood"},
    Row {"llama 70b not on AMD",
         "'not on AMD'", "what should be left out or compared was not understood"},
    Row {"llama 70b fp8 but only if it is cheap",
         "'only'", "what should be left out or compared was not understood"},
    Row {"llama 70b TTFT at least 2s",
         "'TTFT at least 2s'", "a lower limit on a time is no target"},
    Row {"llama 70b under 20 tps",
         "'under 20 tps'", "an upper limit on speed is no target"},
    Row {"llama 70b and qwen3 32b on H100",
         "'qwen3 32b'", "two models are named: which?"},
    Row {"2x H100 and 4x A100 for llama 70b",
         "'4x A100'", "a machine of two different kinds of GPUs is not planned"},
    Row {"2x H100 and 4x A100 for llama 70b, rent or buy?",
         "'4x A100'", "a machine of two different kinds of GPUs is not planned"},
    Row {"llama 70b 20 tps 30 tps",
         "'30 tps'", "the speed of a stream was already read as 20; here it would be 30"},
    Row {"llama 70b quantized on H100",
         "'quantized'", "quantised to what?"},
    Row {"llama 70b p150 ttft 2s",
         "'p150'", "a percentile lies between 0 and 100"},
    Row {"llama 70b 0 users",
         "'0 users'", "a service has at least one user"},
    Row {"llama 70b in 2 s",
         "'2 s'", "is it time to first token or latency of a whole request?"},
    Row {"llama 70b long prompts",
         "'long'", "how much? a number is missing"},
    Row {"llama 70b tp 2.5",
         "'tp 2.5'", "a layout is split in whole parts"},
    Row {"20 tps",
         "the question", "no model was named"},
    Row {"H100",
         "the question", "no model was named"},
    Row {"什么时候下雨",
         "'雨'", "没有看懂"},
    Row {"llama 70b 需要几张 A100 才不卡顿",
         "'不卡顿'", "多少？缺少数字"},
    Row {"llama-71b on H100",
         "'llama-71b'", "is not in the catalogue"},
    Row {"H1000 for llama 70b",
         "'H1000'", "is not in the catalogue"},
    Row {"llama 70b 3-bit",
         "'3-bit'", "no type has so many bits"},
    Row {"llama 70b -5 users",
         "'-5 users'", "a service has at least one user"},
    Row {"llama 70b $20",
         "'$20'", "an amount without a period"},
    Row {"llama 70b 20% on H100",
         "'20%'", "a number of what?"},
    Row {"llama 70b context 100 output 500",
         "'context 100'", "a context of 100 tokens does not hold the lengths that were said"},
    Row {"llama 70b 50 pounds an hour budget",
         "'50 pounds an hour'", "amounts are read in dollars, yuan and euros"},
    Row {"每小时 50 英镑，llama 70b",
         "'每小时 50 英镑'", "金额只支持美元、人民币和欧元"},
    Row {"how many h1000 for llama 70b",
         "'h1000'", "is not in the catalogue"},
    Row {"can I run llama 8b on a Mac",
         "'Mac'", "which one?"},
    Row {"MacBook Pro 能跑 llama 8b 吗",
         "'MacBook Pro'", "哪一款？"},
    Row {"llama 70b with PUE 0.5",
         "'PUE 0.5'", "0.5 is outside its range"},
    Row {"can an RTX 4090 Ultra run llama 8b",
         "'RTX 4090 Ultra'", "is not in the catalogue"},
    Row {"RTX 4090 Ultra 能跑 llama 8b 吗",
         "'RTX 4090 Ultra'", "目录中没有这一款"},
    Row {"what gpu should I buy to run llama 70b at home",
         "'at home'", "which accelerators may stand there?"},
    Row {"家用跑 llama 70b 买什么显卡",
         "'家用'", "哪些卡可以放在那里？"},
    Row {"RTX 4060 run llama 8b",
         "'RTX 4060'", "is not in the catalogue"},
    Row {"昇腾 910C 跑 llama 70b",
         "'昇腾 910C'", "目录中没有这一款"},
    Row {"llama 70b on two H100 servers, max users",
         "'two H100 servers'", "how many GPUs are in each?"},
    Row {"2 台 H100 服务器跑 llama 70b 多快",
         "'2 台 H100 服务器'", "每台几张卡？"},
    Row {"asdf qwer zxcv",
         "'asdf qwer zxcv'", "not understood"},
    Row {"llama 70b 2.5 x H100",
         "'2.5 x H100'", "2.5 is no number of GPUs"},
    Row {"llama 70b 预算 10000 元",
         "'10000 元'", "金额没有时间单位"},
    Row {"llama 70b fast on H100",
         "'fast'", "how much? a number is missing"},
    Row {"低延迟的 llama 70b",
         "'低延迟'", "多少？缺少数字"},
    Row {"大概需要一些卡",
         "'些'", "没有看懂"},
    Row {"llama 70b 100 users 200 users",
         "'200 users'", "the number of users was already read as 100; here it would be 200"},
    Row {"llama 70b on 20 H100 and 30 H100",
         "'30 H100'", "the number of GPUs was already read as 20; here it would be 30"},
    Row {"what is the meaning of life",
         "'meaning'", "not understood"},
    Row {"llama 70b 20 tps per florp",
         "'florp'", "not understood"},
    Row {"llama 70b with 20 wheels",
         "'20 wheels'", "a number of what?"},
    Row {"用 100 只猫跑 llama 70b",
         "'100'", "这个数字是什么的数量？"},
    Row {"llama 70b 首字延迟",
         "'首字延迟'", "最长多久？"},
    Row {"llama 70b 100 rps 200 rps",
         "'200 rps'", "the request rate was already read as 100; here it would be 200"},
    Row {"llama 70b ttft 2s ttft 3s",
         "'ttft 3s'", "time to first token was already read as 2 s; here it would be 3 s"},
    Row {"llama 70b 2s ttft p50 and p99",
         "'p99'", "the percentile was already read as 50; here it would be 99"},
    Row {"llama 70b fp8 int4",
         "'int4'", "two types are named: which?"},
    Row {"llama 70b 1000x1000 users per H100",
         "'1000x'", "a number of what?"},
    Row {"llama 70b on vllm and sglang",
         "'sglang'", "two engines are named: which?"},
    Row {"llama 70b cheapest fastest",
         "'fastest'", "the objective was already read as lowest cost per hour; here it would be fastest for one user"},
};
// clang-format on

} // namespace

TEST_CASE("What is not understood is refused and quoted, never dropped")
{
    const ask::Vocabulary vocabulary = smallVocabulary();
    for (const Row& row : refusals) {
        CAPTURE(row.question);
        const auto question = ask::read(row.question, vocabulary);
        REQUIRE(!question);
        CHECK(question.error().front().where == row.quoted);
        CHECK(question.error().front().what.english() == row.what);
    }
}

TEST_CASE("An amount that is no budget is one problem, its word none of its own")
{
    const ask::Vocabulary vocabulary = smallVocabulary();
    for (const char* text : {"llama 70b budget $100", "llama 70b 预算 5000 元"})
        CHECK(ask::read(text, vocabulary).error().size() == 1);
}

TEST_CASE("A refusal offers the nearest meaning")
{
    const ask::Vocabulary vocabulary = smallVocabulary();
    const auto hintOf
        = [&](std::string_view text) { return ask::read(text, vocabulary).error().front().hint.english(); };
    CHECK(hintOf("llama 70b 20 tps, 500 florps").find("users") != std::string::npos);
    CHECK(hintOf("H1000 for llama 70b").empty()); // this vocabulary knows no near names
}

TEST_CASE("Of a pasted text only what differs is offered, not two copies of it")
{
    const ask::Vocabulary vocabulary = smallVocabulary();
    const auto hintOf
        = [&](const std::string& text) { return ask::read(text, vocabulary).error().front().hint.english(); };
    const std::string question = "llama 70b and qwen3 32b on H100";
    CHECK(hintOf(question) == "ask 'llama 70b on H100' or 'qwen3 32b on H100'");
    CHECK(hintOf(question + std::string(500, '.')) == "ask 'llama 70b' or 'qwen3 32b'");
}

TEST_CASE("A question that is offered keeps its percent sign")
{
    const ask::Vocabulary vocabulary = smallVocabulary();
    const auto hintOf
        = [&](const std::string& text) { return ask::read(text, vocabulary).error().front().hint.english(); };
    CHECK(hintOf("llama 70b 增长 并发 25% 37").find("25% 同时在线") != std::string::npos);
}

TEST_CASE("A name that is one letter off is offered")
{
    ask::Vocabulary vocabulary = smallVocabulary();
    vocabulary.nearest = [](std::string_view text) { return std::vector<std::string>{std::string(text)}; };
    CHECK(ask::read("llama 70b on h1000", vocabulary).error().front().hint.english() == "nearest: h1000");
}

TEST_CASE("A GPU that is not known is not said to be missing too")
{
    const auto refused = ask::read("what speed does an RTX 4060 give for llama 8b", smallVocabulary());
    REQUIRE(!refused);
    for (const Problem& problem : refused.error())
        CHECK(problem.what.english() != "no GPU was named");
}

TEST_CASE("A Mac is one of several accelerators: they are offered")
{
    CHECK(ask::read("can I run llama 8b on a Mac", smallVocabulary()).error().front().hint.english()
          == "apple-m4-max-40, apple-m2-ultra-76");
}

TEST_CASE("A greeting is no empty question")
{
    const ask::Vocabulary vocabulary = smallVocabulary();
    CHECK(ask::read("hello", vocabulary).error().front().what.english()
          == "names no model and asks for nothing");
    CHECK(ask::read("请问", vocabulary).error().front().what.english() == "没有说明模型，也没有提问");
    CHECK(ask::read("  ", vocabulary).error().front().what.english() == "is empty");
}

TEST_CASE("Nothing at all is refused")
{
    const ask::Vocabulary vocabulary = smallVocabulary();
    for (const std::string_view text : {"", "   ", "?!", "the of and"})
        CHECK(!ask::read(text, vocabulary));
}

} // namespace headroom::tests
