#include "model/scenario/stated_layout.h"

#include "model/base/quantity_text.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace headroom {

std::optional<StatedLayout> layoutFromText(std::string_view text)
{
    constexpr int most = 65536; // GPUs of a service
    StatedLayout layout;
    while (!text.empty()) {
        const auto* const part = std::find_if(layoutParts.begin(), layoutParts.end(), [&](const auto& one) {
            return std::equal(
                one.word.begin(), one.word.end(), text.begin(),
                text.begin() + static_cast<std::ptrdiff_t>(std::min(one.word.size(), text.size())),
                [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
        });
        if (part == layoutParts.end() || layout.*(part->size))
            return std::nullopt;
        text.remove_prefix(part->word.size());
        const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
        const Result<double> size = numberFromText(text.substr(0, digits));
        if (!size || *size < 1 || *size > most)
            return std::nullopt;
        layout.*(part->size) = static_cast<int>(*size);
        text.remove_prefix(digits);
    }
    return layout == StatedLayout{} ? std::nullopt : std::optional(layout);
}

Result<std::vector<StatedLayout>> layoutsFromText(std::string_view text)
{
    constexpr std::size_t most = 8; // that anybody weighs; each is planned
    std::vector<StatedLayout> layouts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        const std::optional<StatedLayout> one = layoutFromText(text.substr(begin, comma - begin));
        if (!one || layouts.size() == most)
            return refuse({{"", say("expected {}, got '{}'", Message("two to eight layouts"), asIs(text)),
                            "for example tp8pp2,tp16; r2 are two replicas"}});
        begin = comma + 1;
        layouts.push_back(*one);
    }
    if (layouts.size() < 2)
        return refuse({{"", say("expected {}, got '{}'", Message("two to eight layouts"), asIs(text)),
                        "for example tp8pp2,tp16; of one --tp and --pp say it"}});
    return layouts;
}

std::string textOf(const StatedLayout& layout)
{
    std::string text;
    for (const LayoutPart& part : layoutParts)
        if (layout.*(part.size))
            text += fmt::format("{}{}", part.word, *(layout.*(part.size)));
    return text;
}

std::string textOf(const std::vector<StatedLayout>& layouts)
{
    std::string text;
    for (const StatedLayout& layout : layouts)
        text += (text.empty() ? "" : ",") + textOf(layout);
    return text;
}

std::string titleOf(const StatedLayout& layout)
{
    std::string text = layout.replicas ? std::to_string(*layout.replicas) : std::string();
    for (const LayoutPart& part : layoutParts)
        if (const std::optional<int>& size = layout.*(part.size);
            size && part.size != &StatedLayout::replicas) {
            text += text.empty() ? "" : " × ";
            for (const char letter : part.word)
                text += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
            text += ' ' + std::to_string(*size);
        }
    return text;
}

} // namespace headroom
