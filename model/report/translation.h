#pragma once

#include "model/base/message.h"

#include <map>
#include <string>
#include <string_view>

namespace headroom {

// A message in Chinese: its code is looked up, its arguments are put in, those that are messages in Chinese
// themselves. What has no Chinese stays English, and names stay as they are, but for those that describe.
[[nodiscard]] std::string inChinese(const Message& message);

// The code as the file of translations writes it: "{} of {:.1f} s" is "%1 of %2 s".
[[nodiscard]] std::string translationKey(std::string_view code);

// What resources/i18n/messages_zh_CN.tsv holds, by key.
[[nodiscard]] const std::map<std::string, std::string, std::less<>>& chineseByKey();

} // namespace headroom
