#include "model/count/parameters.h"
#include "model/import/hf_config.h"
#include "model/yaml/llm_yaml.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

// Any text is read as a config.json; what was accepted must be countable, and its model file must read back
// equal.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace headroom;
    const auto document = JsonDocument::parse(std::string(data, data + size), "config.json");
    if (!document)
        return 0;
    auto model = readHfConfig(*document);
    if (!model)
        return 0;
    if (countParameters(model->llm).total <= 0)
        std::abort();
    model->llm.id = "fuzz";
    model->llm.name = "Fuzz";
    model->llm.citations = {{.key = "shape", .text = "a file"}};
    const auto again = readLlm(writeLlm(model->llm), "again.yaml");
    if (!again || countParameters(*again) != countParameters(model->llm))
        std::abort();
    return 0;
}
