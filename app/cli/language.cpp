#include "app/cli/language.h"

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
            return languageCalled(apart ? words[i + 1] : words[i].substr(flag.size() + 1))
                .value_or(ask::Language::English);
    }
    return ask::Language::English;
}

} // namespace headroom::cli
