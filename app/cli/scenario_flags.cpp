#include "app/cli/scenario_flags.h"

#include <array>

namespace headroom::cli {

std::span<const Flag> scenarioFlags() { return {}; }

std::span<const Flag> formatFlags()
{
    static constexpr std::array flags{
        Flag{"--json", "", "one JSON document in base units, everything else on standard error"},
        Flag{"--csv", "", "comma-separated values in base units, with a header"},
        Flag{"--markdown", "", "tables for a document"},
    };
    return flags;
}

Result<Format> chosenFormat(const Arguments& arguments)
{
    const bool json = arguments.has("--json");
    const bool csv = arguments.has("--csv");
    const bool markdown = arguments.has("--markdown");
    if (json + csv + markdown > 1)
        return refuse("output", "takes one of --json, --csv and --markdown, not several");
    return json ? Format::Json : csv ? Format::Csv : markdown ? Format::Markdown : Format::Text;
}

} // namespace headroom::cli
