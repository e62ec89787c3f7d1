#pragma once

#include <string_view>

namespace headroom {

// How many requests the documented procedure of the load tool that a row's notes name sends at these lengths;
// 0 where none is documented. A finite run fills up and drains, which its mean throughput contains.
[[nodiscard]] double documentedRequests(std::string_view notes, double promptTokens, double outputTokens);

} // namespace headroom
