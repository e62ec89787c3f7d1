#include "model/import/gguf_model.h"

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

// A header with room for weights behind it: the weights themselves are never read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace headroom;
    constexpr std::uint64_t weights = 1U << 20U;
    std::istringstream stream(std::string(data, data + size));
    auto header = readGguf(stream, size + weights, "m.gguf");
    if (header)
        (void)readGgufModel({std::move(*header)});
    return 0;
}
