#include "model/catalogue/engine_releases.h"

#include <cctype>
#include <charconv>

namespace headroom {
namespace {

std::optional<int> wholeNumber(std::string_view text)
{
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// "0.5.6" of "0.5.6" and "0.5.6.post2", not of "0.5.61".
bool begins(std::string_view version, std::string_view with)
{
    return version.starts_with(with)
        && (version.size() == with.size()
            || std::isdigit(static_cast<unsigned char>(version[with.size()])) == 0);
}

} // namespace

std::optional<int> monthNumber(std::string_view month)
{
    constexpr std::size_t length = 7, dash = 4; // 2025-10
    constexpr int inYear = 12;
    if (month.size() != length || month[dash] != '-')
        return std::nullopt;
    const std::optional<int> year = wholeNumber(month.substr(0, dash));
    const std::optional<int> number = wholeNumber(month.substr(dash + 1));
    if (!year || !number || *number < 1 || *number > inYear)
        return std::nullopt;
    return *year * inYear + *number - 1;
}

std::string_view monthOf(const Engine& engine, std::string_view version)
{
    const EngineRelease* best = nullptr;
    for (const EngineRelease& each : engine.releases)
        if (begins(version, each.version) && (best == nullptr || each.version.size() > best->version.size()))
            best = &each;
    if (best == nullptr && !version.empty())
        for (const EngineRelease& each : engine.releases)
            if (begins(each.version, version)) {
                best = &each;
                break;
            }
    return best != nullptr ? std::string_view(best->month) : std::string_view();
}

std::string_view newestMonth(const Engine& engine)
{
    return engine.releases.empty() ? std::string_view() : std::string_view(engine.releases.back().month);
}

} // namespace headroom
