#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace headroom {

// Linear layers that a narrow checkpoint leaves in 16 bits besides its head and its router, which all leave
// so: what quantization_config of its config.json names as "ignore" (compressed-tensors),
// "modules_to_not_convert" (AWQ, FP8) or "exclude_modules" (ModelOpt).
struct WideParts {
    bool attention = false; // token mixers of any kind
    bool denseMlp = false;
    bool sharedExperts = false;
    bool nothing = false; // not even what checkpoints of such weights usually leave so

    [[nodiscard]] constexpr bool layers() const { return attention || denseMlp || sharedExperts; }
    [[nodiscard]] constexpr bool any() const { return layers() || nothing; }
    friend bool operator==(const WideParts&, const WideParts&) = default;
};

struct WidePartName {
    std::string_view name;
    bool WideParts::*part;
};
inline constexpr std::array<WidePartName, 4> widePartNames{{{"attention", &WideParts::attention},
                                                            {"mlp", &WideParts::denseMlp},
                                                            {"shared-experts", &WideParts::sharedExperts},
                                                            {"nothing", &WideParts::nothing}}};

// "attention,shared-experts", or "nothing" alone; empty where a word is none of them.
[[nodiscard]] inline std::optional<WideParts> widePartsFromText(std::string_view text)
{
    if (text.empty())
        return std::nullopt;
    WideParts out;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(','));
        text.remove_prefix(word.size() < text.size() ? word.size() + 1 : text.size());
        bool known = false;
        for (const WidePartName& one : widePartNames)
            if (one.name == word)
                known = out.*one.part = true;
        if (!known)
            return std::nullopt;
    }
    if (out.nothing && out.layers())
        return std::nullopt;
    return out;
}

[[nodiscard]] inline std::string widePartsText(const WideParts& parts)
{
    std::string out;
    for (const WidePartName& one : widePartNames)
        if (parts.*one.part)
            out += (out.empty() ? "" : ",") + std::string(one.name);
    return out;
}

} // namespace headroom
