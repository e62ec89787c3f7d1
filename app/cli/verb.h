#pragma once

#include "app/cli/arguments.h"
#include "app/cli/console.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace headroom::cli {

// A flag that one verb takes beside those of the scenario and the output.
struct Flag {
    std::string_view name;  // "--over"
    std::string_view value; // what stands after it in the help: "KEY=A,B"; empty: a switch
    std::string_view help;
    bool repeats = false;
};

// Words without dashes.
struct Words {
    std::string_view name; // "FILE"; empty: none
    Code help = "";
    int atLeast = 0;
    int atMost = 0; // -1: any number
};

// What verbs are for, as `headroom --help` shows them.
enum class VerbGroup : std::uint8_t { Plan, Catalogue, Measure };

// A verb as the command line shows and runs it. A new one is a file in app/cli/verbs/ and a row in verbs.cpp.
struct Verb {
    std::string_view name;
    VerbGroup group = VerbGroup::Plan;
    std::string_view summary; // one line of `headroom --help`
    std::string_view example; // a line of its help, without "headroom"
    Exit (*run)(const Arguments&, Console&) = nullptr;
    bool scenario = false;  // takes --scenario FILE and every key of a scenario as a flag
    bool money = false;     // takes --currency
    bool formats = false;   // takes --json, --csv, --markdown
    bool languages = false; // takes --lang en|zh
    std::span<const Flag> flags{};
    Words words{};
};

// In the order that `headroom --help` shows them.
[[nodiscard]] std::span<const Verb> verbs();

} // namespace headroom::cli
