#pragma once

#include "model/base/result.h"
#include "model/catalogue/llm.h"
#include "model/text/json_document.h"

#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// What a config.json says, and what it leaves to be known by who asks.
struct HfModel {
    Llm llm; // id, name and the publisher's figures are not in a config and stay empty
    std::vector<Message> warnings;
};

// The architecture named in the file decides what its keys mean and what a missing key stands for (the class
// default in Hugging Face transformers). An architecture that is not known is refused by name.
[[nodiscard]] Result<HfModel> readHfConfig(const JsonDocument& document);

// Class names that are read, sorted.
[[nodiscard]] std::vector<std::string> knownHfArchitectures();

} // namespace headroom
