#include "model/base/spelling.h"
#include "model/yaml/reader.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom {

namespace {

constexpr std::size_t longestShown = 60; // of a key that a quote without its end made of half a file

} // namespace

std::span<const Choice<Confidence>> confidences()
{
    static constexpr std::array known{Choice<Confidence>{"high", Confidence::High},
                                      Choice<Confidence>{"medium", Confidence::Medium},
                                      Choice<Confidence>{"low", Confidence::Low}};
    return known;
}

std::string_view name(Confidence confidence)
{
    return confidences()[static_cast<std::size_t>(confidence)].name;
}

SourceReader::SourceReader(MapReader& file, Confidence usual) : m_file(&file), m_usual(usual)
{
    MapReader sources = file.map("sources");
    for (const std::string& key : sources.keys()) {
        std::string text = sources.text(key);
        if (text.empty())
            sources.report(key, "a source needs its text");
        m_known.push_back({key, std::move(text)});
    }
}

void SourceReader::cite(MapReader& group, std::string name)
{
    const bool readable = !group.keys().empty();
    const std::string key = group.text("source");
    const Confidence confidence = group.maybeChoice("confidence", confidences()).value_or(m_usual);
    const auto found
        = std::find_if(m_known.begin(), m_known.end(), [&](const Known& known) { return known.key == key; });
    if (found != m_known.end()) {
        found->used = true;
        m_citations.push_back({std::move(name), found->text, confidence});
    } else if (readable && !key.empty()) {
        std::vector<std::string> names;
        for (const Known& known : m_known)
            names.push_back(known.key);
        group.report("source", say("'{}' does not stand under 'sources:'", key.substr(0, longestShown)),
                     spellingHint(key, names));
    }
}

std::vector<Citation> SourceReader::finish()
{
    for (const Known& known : m_known)
        if (!known.used)
            m_file->report("sources", say("no group names the source '{}'", known.key));
    return std::move(m_citations);
}

} // namespace headroom
