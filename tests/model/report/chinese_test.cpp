#include "model/advise/size.h"
#include "model/ask/question.h"
#include "model/report/layout_text.h"
#include "model/report/measure.h"
#include "model/report/sizing_text.h"
#include "model/report/translation.h"
#include "model/search/search.h"
#include "model/words/catalogue_vocabulary.h"
#include "tests/model/shipped_catalogue.h"
#include "tests/thorough.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::tests {

namespace {

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// Names are written alike in every language.
const std::set<std::string>& names()
{
    static const std::set<std::string> all = [] {
        std::vector<std::string> texts{"int", "token",    "tokens",  "prompt", "price",   "buy",
                                       "yes", "headroom", "poisson", "closed", "constant"};
        const auto add = [&texts](const auto& thing) {
            texts.push_back(thing->id);
            texts.push_back(thing->name);
        };
        const Catalogue& catalogue = shipped();
        for (const std::string& id : catalogue.gpuIds())
            if (const auto gpu = catalogue.gpu(id))
                add(*gpu);
        for (const std::string& id : catalogue.nodeIds())
            if (const auto node = catalogue.node(id)) {
                add(*node);
                texts.push_back((*node)->inter.name);
                texts.push_back((*node)->intra.name);
            }
        for (const std::string& id : catalogue.modelIds())
            if (const auto llm = catalogue.model(id))
                add(*llm);
        for (const std::string& id : catalogue.engineIds())
            if (const auto engine = catalogue.engine(id))
                add(*engine);
        std::set<std::string> out;
        for (const std::string& text : texts) {
            std::string word;
            for (const char c : text + ' ') {
                if (isLetter(c)) {
                    word += c;
                } else {
                    out.insert(word);
                    word.clear();
                }
            }
        }
        return out;
    }();
    return all;
}

// Lower-case words of three letters and more that are nobody's name: what an English sentence is made of.
// What the user typed may be quoted, and so may commands (in backticks).
std::vector<std::string> englishWords(const std::string& text, const std::string& question)
{
    std::vector<std::string> out;
    std::string word;
    bool command = false;
    for (const char c : text + ' ') {
        if (c == '`')
            command = !command;
        if (command)
            continue;
        if (isLetter(c)) {
            word += c;
            continue;
        }
        const bool lower
            = std::all_of(word.begin(), word.end(), [](unsigned char l) { return std::islower(l) != 0; });
        if (word.size() > 2 && lower && !names().contains(word) && question.find(word) == std::string::npos)
            out.push_back(word);
        word.clear();
    }
    return out;
}

constexpr std::array questions{
    "20 TPS 的 Llama-70B 需要几张 A100？",
    "deepseek r1 满足 500 并发，每个用户 20 token/s，p99 首字延迟 < 2s，每个 token 延迟 50ms 以内，用 H20 "
    "要多少张",
    "llama 70b，100 用户，每人 20 tps，N+1 冗余，每年增长 50%，峰值系数 2，H100",
    "预算每小时 2 美元，llama 70b，50 个并发，H100",
    "4090 能跑 qwen2.5 32b 吗",
    "单张 3090 能跑 int4 的 qwen2.5 32b 吗，每秒 200 个 token",
    "8卡H100跑 qwen2.5 72b 多快",
    "4 张 H100 的 llama 70b 能支持多少并发",
    "T4 能跑 deepseek r1 吗",
    "购买 H100，每张 25000 美元，3 年折旧，电价 0.08 美元/度，llama 70b，20 tps",
    "哪款显卡适合 qwen3 8b，首字延迟 1 秒，100 用户，最便宜",
    "llama 70b，每秒 4 个请求，输入 4k，输出 200，首字延迟 2 秒，H100，PD 分离",
    "llama 70b，20 tps，H100，允许 fp8，调优",
    "llama 8b，每秒 20 个请求，昼夜曲线，峰值 3 倍，L40S，首字延迟 1 秒",
    "qwen3 32b，首字延迟 1 毫秒，A100",
    "2 张 H200 跑 deepseek r1，100 用户，每人 30 tps",
};

} // namespace

TEST_CASE("between Chinese and letters or figures stands a blank, in Chinese none, whatever a place holds")
{
    CHECK(inChinese(say("expected {}, got '{}'", Message("a whole number from 1 to 65536"), asIs("x")))
          == "应为 1 至 65536 的整数，却是“x”");
    CHECK(inChinese(say("expected {}, got '{}'", Message("a name"), asIs("4x"))) == "应为名称，却是“4x”");
    const auto sold = [](const char* by) {
        return inChinese(say("{} is sold in boxes of {}; {} rents single ones at {} an hour", asIs("H100"),
                             asIs("8"), asIs(by), asIs("$2")));
    };
    CHECK(sold("Verda") == "H100 整机出售，每台 8 张；Verda 可单张租用，每小时 $2");
    CHECK(sold("median of the market") == "H100 整机出售，每台 8 张；市场中位价可单张租用，每小时 $2");
}

TEST_CASE("An answer to a Chinese question has no English sentence in it")
{
    std::size_t count = 0;
    for (const std::string question : questions) {
        CAPTURE(question);
        const auto read = ask::read(question, vocabularyOf(shipped()));
        if (!read)
            FAIL(read.error().front().where << " " << read.error().front().what.english());
        CHECK(read->language == ask::Language::Chinese);
        if (++count % 2 == 0 && !test::thorough())
            continue; // every second is answered every day
        const auto plan = size(read->scenario, shipped());
        if (!plan)
            FAIL(plan.error().front().where << " " << plan.error().front().what.english());
        const std::string text = sizingText(**plan, &*read, read->language);
        std::string english;
        for (const std::string& word : englishWords(text, question))
            english += word + ' ';
        CAPTURE(text);
        CHECK(english == "");
    }
}

TEST_CASE("Sentences of the model are said in Chinese with their numbers and names in place")
{
    CHECK(inChinese(Message("memory bandwidth")) == "显存带宽");
    CHECK(inChinese(inUnits(12.5, Measure::RequestRate)) == "12.5 请求/秒");
    CHECK(inChinese(say("{} of {:.3g} s, {:.3g} s are asked for", Message("time to first token"), 3.2, 2.0))
          == "首 token 延迟为 3.2 s，要求 2 s");
    CHECK(inChinese(layoutText(Layout{.tp = 4, .replicas = 3})) == "TP 4，3 个副本");
    CHECK(inChinese(asIs("a name nobody knows")) == "a name nobody knows");
    CHECK(inChinese(joined({say("{} replicas", 2), asIs("x")}, "; ")) == "2 个副本；x");
}

} // namespace headroom::tests
