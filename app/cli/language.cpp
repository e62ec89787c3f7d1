#include "app/cli/language.h"

#include "model/report/translation.h"

namespace headroom::cli {

Result<ask::Language> languageFrom(const Arguments& arguments, ask::Language usual)
{
    const auto text = arguments.text("--lang");
    if (!text)
        return usual;
    if (*text == "en")
        return ask::Language::English;
    if (*text == "zh" || *text == "zh_CN" || *text == "zh-CN")
        return ask::Language::Chinese;
    return refuse("--lang", "unknown language '" + *text + "'", "en or zh");
}

std::function<std::string(const Message&)> tellerIn(ask::Language language)
{
    if (language == ask::Language::Chinese)
        return inChinese;
    return &Message::english;
}

Problems toldIn(ask::Language language, Problems problems)
{
    if (language == ask::Language::Chinese)
        for (Problem& problem : problems) {
            problem.what = asIs(inChinese(problem.what));
            problem.hint = asIs(inChinese(problem.hint));
        }
    return problems;
}

} // namespace headroom::cli
