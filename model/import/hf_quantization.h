#pragma once

#include "model/catalogue/llm.h"
#include "model/import/config_reader.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom {

// `quantization_config` of a checkpoint; a method that is not known is a problem.
[[nodiscard]] std::optional<NativeQuantization> readHfQuantization(const ConfigReader& quantization,
                                                                   std::vector<Message>& warnings);

} // namespace headroom
