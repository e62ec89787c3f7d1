#include "app/cli/language.h"

#include "model/words/reader_language.h"

#include <algorithm>
#include <optional>

namespace headroom::cli {

namespace {

std::optional<ask::Language> languageCalled(const std::string& text)
{
    if (text == "en")
        return ask::Language::English;
    if (text == "zh" || text == "zh_CN" || text == "zh-CN")
        return ask::Language::Chinese;
    return std::nullopt;
}

} // namespace

Result<ask::Language> languageFrom(const Arguments& arguments, ask::Language usual)
{
    const auto text = arguments.text("--lang");
    if (!text)
        return usual;
    if (const auto language = languageCalled(*text))
        return *language;
    return refuse("--lang", say("unknown language '{}'", *text), "en or zh");
}

ask::Language languageIn(const std::vector<std::string>& words)
{
    constexpr std::string_view flag = "--lang";
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool apart = words[i] == flag && i + 1 < words.size();
        const bool inOne = words[i].starts_with("--lang=");
        if (apart || inOne)
            if (const auto language = languageCalled(apart ? words[i + 1] : words[i].substr(flag.size() + 1)))
                return *language;
    }
    const bool forPrograms = std::find(words.begin(), words.end(), "--json") != words.end();
    return forPrograms ? ask::Language::English : ask::languageOfEnvironment();
}

ask::Language languageOfAnswer(ask::Language question, ask::Language reader)
{
    return question == ask::Language::Chinese ? question : reader;
}

} // namespace headroom::cli
