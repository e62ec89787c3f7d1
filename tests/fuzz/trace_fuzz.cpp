#include "model/import/trace.h"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    (void)headroom::readTrace(std::string(data, data + size), "trace");
    return 0;
}
