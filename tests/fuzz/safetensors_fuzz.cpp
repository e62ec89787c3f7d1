#include "model/import/safetensors.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

// What was accepted accounts for every byte of the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace headroom;
    std::istringstream stream(std::string(data, data + size));
    const auto tensors = readSafetensors(stream, size, "m.safetensors");
    if (!tensors)
        return 0;
    StoredWeights weights;
    for (const StoredTensor& tensor : *tensors)
        weights.add(tensor);
    if (weights.bytes > size)
        std::abort();
    return 0;
}
