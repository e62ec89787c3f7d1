#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace headroom::cli {

// The whole command line but the process: words in, text out, and the exit code: 0 done, 1 the answer is
// "no", 2 bad input or usage, 3 a broken machine.
[[nodiscard]] int run(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

} // namespace headroom::cli
