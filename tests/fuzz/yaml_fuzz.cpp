#include "model/yaml/check.h"
#include "model/yaml/engine_yaml.h"
#include "model/yaml/gpu_yaml.h"
#include "model/yaml/node_yaml.h"
#include "model/yaml/plain_yaml.h"
#include "model/yaml/scenario_yaml.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

// Any text is read as whatever it looks like; what was accepted must be written and read back equal.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace headroom;
    const std::string text(data, data + size);
    if (const std::optional<YamlNode> plain = parsePlainYaml(text))
        if (const Result<YamlNode> any = parseAnyYaml(text, "fuzz.yaml"); !any || !(*any == *plain))
            std::abort();
    const CheckedFile checked = checkYaml(text, "fuzz.yaml");
    if (!checked.kind || !checked.problems.empty())
        return 0;
    const auto sameAgain = [&](auto read, auto write) {
        const auto first = read(text, std::string("fuzz.yaml"));
        const auto again = read(write(*first), std::string("again.yaml"));
        if (!again || !(*again == *first))
            std::abort();
    };
    switch (*checked.kind) {
    case FileKind::Accelerator:
        sameAgain(readGpu, writeGpu);
        break;
    case FileKind::Machine:
        sameAgain(readNode, writeNode);
        break;
    case FileKind::Engine:
        sameAgain(readEngine, writeEngine);
        break;
    case FileKind::Scenario:
        sameAgain(parseScenario, writeScenario);
        break;
    case FileKind::Model:
    case FileKind::Calibration:
    case FileKind::Index:
        break;
    }
    return 0;
}
