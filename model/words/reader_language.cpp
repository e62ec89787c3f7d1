#include "model/words/reader_language.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>

namespace headroom::ask {

namespace {

std::string lowerCase(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

// "zh" of "zh_CN.UTF-8@pinyin".
std::string_view languageCode(std::string_view locale)
{
    return locale.substr(0, locale.find_first_of("_-.@"));
}

// "UTF-8" of it; empty where it names none.
std::string_view encodingOf(std::string_view locale)
{
    const std::size_t dot = locale.find('.');
    if (dot == std::string_view::npos)
        return {};
    const std::string_view after = locale.substr(dot + 1);
    return after.substr(0, after.find('@'));
}

std::string_view variable(const char* name)
{
    const char* const value = std::getenv(name); // NOLINT: nobody sets variables here
    return value == nullptr ? std::string_view() : std::string_view(value);
}

} // namespace

Language languageOf(const LocaleVariables& variables)
{
    const std::string_view locale = !variables.all.empty() ? variables.all
        : !variables.messages.empty()                      ? variables.messages
                                                           : variables.usual;
    const std::string encoding = lowerCase(encodingOf(locale));
    const bool written = encoding.empty() || encoding == "utf-8" || encoding == "utf8";
    return written && lowerCase(languageCode(locale)) == "zh" ? Language::Chinese : Language::English;
}

Language languageOfEnvironment()
{
    return languageOf(
        {.all = variable("LC_ALL"), .messages = variable("LC_MESSAGES"), .usual = variable("LANG")});
}

} // namespace headroom::ask
