#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::cli {

// What was typed after a verb, flags by their names with the dashes. Only flags that the verb declared are in
// it.
class Arguments {
public:
    std::map<std::string, std::vector<std::string>, std::less<>> flags;
    std::vector<std::string> words;

    [[nodiscard]] bool has(std::string_view flag) const { return flags.find(flag) != flags.end(); }
    [[nodiscard]] std::optional<std::string> text(std::string_view flag) const
    {
        const auto found = flags.find(flag);
        return found == flags.end() || found->second.empty() ? std::nullopt
                                                             : std::optional(found->second.back());
    }
    [[nodiscard]] std::vector<std::string> all(std::string_view flag) const
    {
        const auto found = flags.find(flag);
        return found == flags.end() ? std::vector<std::string>{} : found->second;
    }
};

} // namespace headroom::cli
