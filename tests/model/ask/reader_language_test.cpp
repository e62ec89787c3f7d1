#include "model/words/reader_language.h"

#include <doctest/doctest.h>

#include <string>

using namespace headroom::ask;

TEST_CASE("Chinese of any country and script is Chinese, everything else English")
{
    for (const char* chinese : {"zh_CN.UTF-8", "zh_CN.utf8", "zh_CN", "zh_SG.UTF-8", "zh-Hans", "zh_TW.UTF-8",
                                "zh_HK", "zh", "ZH_cn", "zh_CN.UTF-8@pinyin"}) {
        CAPTURE(chinese);
        CHECK(languageOf({.all = {}, .messages = {}, .usual = chinese}) == Language::Chinese);
    }
    for (const char* other :
         {"", "C", "C.UTF-8", "POSIX", "en_US.UTF-8", "de_DE", "za_CN.UTF-8", "zhx", "en_zh"}) {
        CAPTURE(other);
        CHECK(languageOf({.all = {}, .messages = {}, .usual = other}) == Language::English);
    }
}

TEST_CASE("a terminal that does not read UTF-8 is spared Chinese in it")
{
    for (const char* locale : {"zh_CN.GBK", "zh_CN.GB18030", "zh_TW.Big5", "zh_CN.GB2312@x"}) {
        CAPTURE(locale);
        CHECK(languageOf({.all = locale, .messages = {}, .usual = {}}) == Language::English);
    }
}

TEST_CASE("LC_ALL is before LC_MESSAGES, and that before LANG; an empty one says nothing")
{
    CHECK(languageOf({.all = "C", .messages = "zh_CN", .usual = "zh_CN"}) == Language::English);
    CHECK(languageOf({.all = "", .messages = "en_US", .usual = "zh_CN"}) == Language::English);
    CHECK(languageOf({.all = "", .messages = "zh_CN", .usual = "C"}) == Language::Chinese);
    CHECK(languageOf({.all = "", .messages = "", .usual = "zh_CN"}) == Language::Chinese);
    CHECK(languageOf({.all = "zh_CN", .messages = "C", .usual = "C"}) == Language::Chinese);
    CHECK(languageOf({}) == Language::English);
}
