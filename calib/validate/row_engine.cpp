#include "calib/validate/row_engine.h"

#include "calib/validate/load_tool.h"
#include "calib/validate/row_words.h"
#include "model/catalogue/engine_releases.h"
#include "model/catalogue/platform.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace headroom {
namespace {

// "mlpinf-1.2" and "feat/1.2": a version within words.
std::string numberWithin(const std::string& text)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool begins = std::isdigit(static_cast<unsigned char>(text[i])) != 0
            && (i == 0 || std::isalnum(static_cast<unsigned char>(text[i - 1])) == 0);
        const std::size_t end = text.find_first_not_of("0123456789.", i);
        if (begins && text.substr(i, end - i).find('.') != std::string::npos)
            return text.substr(i, end - i);
    }
    return {};
}

constexpr std::size_t monthLength = 7; // 2025-10

// "measured=2025-10-06": the month of a run, empty where its notes do not tell.
std::string monthOfRun(const std::string& notes)
{
    return wordAfter(notes, "measured=").value_or("").substr(0, monthLength);
}

// A name or an alias of it to the letter. Names that only resemble another version's are none.
std::optional<std::string> named(const Catalogue& catalogue, const std::string& text)
{
    const Result<NameMatch> match = catalogue.findEngine(text);
    const bool exact = match && match->isNamed() && match->how != NameMatch::How::Newest;
    return exact ? std::optional(match->id) : std::nullopt;
}

} // namespace

Result<const Engine*> engineOf(const Catalogue& catalogue, const std::string& name,
                               const std::string& version, std::optional<Platform> on)
{
    const std::string platform = on ? " " + std::string(platformRow(*on)->word) : "";
    const std::string plain = name.substr(0, std::min(name.find(" ("), name.find(" + ")));
    for (const std::string& known : {name, plain})
        for (std::string part : {version, numberWithin(version)})
            while (!part.empty()) {
                for (const std::string& build : {known + platform, known})
                    if (const auto id = named(catalogue, build + " " + part))
                        return catalogue.engine(*id);
                const std::size_t cut = part.find_last_of(".-+ ");
                part = cut == std::string::npos ? "" : part.substr(0, cut);
            }
    Result<NameMatch> match = catalogue.findEngine(name);
    if (!match && plain != name)
        match = catalogue.findEngine(plain);
    if (!match)
        return refuse(match.error());
    return catalogue.engine(match->id);
}

std::string monthOfBuild(const MeasuredRow& row, const Engine& engine)
{
    for (const std::string& version : {row.engineVersion, numberWithin(row.engineVersion)})
        if (const std::string_view month = monthOf(engine, version); !month.empty())
            return std::string(month);
    for (std::size_t i = 0; i + monthLength <= row.engineVersion.size(); ++i)
        if (const std::string part = row.engineVersion.substr(i, monthLength); monthNumber(part))
            return part;
    return monthOfRun(row.notes);
}

std::string likelyRelease(const MeasuredRow& row, const Llm& llm, const Gpu& gpu)
{
    if (const std::string month = monthOfRun(row.notes); !month.empty())
        return month;
    constexpr int oldest = 2024; // engines of 2023 are named so
    int released = 0;
    std::from_chars(llm.released.data(), llm.released.data() + llm.released.size(), released);
    if (released == 0)
        return {};
    return std::to_string(std::max({oldest, released, gpu.releaseYear, firstYearOf(row.notes)}));
}

} // namespace headroom
