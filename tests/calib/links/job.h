#pragma once

#include <string>
#include <vector>

namespace headroom::test {

struct Ended {
    int exitCode = -1; // -1: by a signal
    std::string text;  // what it wrote, both streams
};

// Runs a program of words, the first of which is looked for in PATH, to its end, all at once; `environment`
// of each is "NAME=VALUE".
struct Started {
    std::vector<std::string> environment;
    std::vector<std::string> words;
};
[[nodiscard]] std::vector<Ended> runTogether(const std::vector<Started>& programs);

} // namespace headroom::test
