#pragma once

#include "app/desktop/panels/picker.h"

#include <string>
#include <vector>

namespace headroom {
class Catalogue;
struct Llm;
} // namespace headroom

namespace headroom::app {

// What one chooses a model or an accelerator by. Entries that cannot be read are left out: `headroom check`
// tells why.
[[nodiscard]] std::pair<QStringList, QVector<PickerRow>> modelRows(const Catalogue& catalogue);
[[nodiscard]] std::pair<QStringList, QVector<PickerRow>> gpuRows(const Catalogue& catalogue);
[[nodiscard]] QStringList gpuNames(const Catalogue& catalogue, const std::vector<std::string>& ids);
// "70.6B · GQA, 8 KV heads · 131,072 tokens · Llama 3.1 Community"
[[nodiscard]] QString modelFacts(const Llm& llm);

} // namespace headroom::app
