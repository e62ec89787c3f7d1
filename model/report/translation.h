#pragma once

#include "model/base/message.h"

#include <string>
#include <string_view>

namespace headroom {

[[nodiscard]] std::string inChinese(const Message& message);

// The model speaks English. Its sentences are known here as patterns in which %1, %2 … stand for names,
// numbers and other sentences; what is known is said in Chinese, part by part where sentences are joined, and
// what is not is left as it is.
[[nodiscard]] std::string inChinese(std::string_view english);

} // namespace headroom
