#pragma once

#include <string>
#include <vector>

namespace headroom::test {

struct Finished {
    int exitCode = -1; // -1: did not end by itself
    std::string out;
    std::string err;
};

// Runs the program `headroom` with these words and waits for its end.
[[nodiscard]] Finished headroomProgram(const std::vector<std::string>& words);

} // namespace headroom::test
