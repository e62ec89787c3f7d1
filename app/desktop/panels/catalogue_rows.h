#pragma once

#include "app/desktop/panels/picker.h"

namespace headroom {
class Catalogue;
struct Llm;
struct Scenario;
} // namespace headroom

namespace headroom::app {

// What one chooses a model or an accelerator by. Entries that cannot be read are left out: `headroom check`
// tells why.
[[nodiscard]] std::pair<QStringList, QVector<PickerRow>> modelRows(const Catalogue& catalogue);
[[nodiscard]] std::pair<QStringList, QVector<PickerRow>> gpuRows(const Catalogue& catalogue);
// "H100 SXM", and with numbers of their own "8 × H100 SXM".
[[nodiscard]] QStringList machineNames(const Catalogue& catalogue, const Scenario& scenario);
// "70.6B · GQA, 8 KV heads · 131,072 tokens · Llama 3.1 Community"
[[nodiscard]] QString modelFacts(const Llm& llm);

} // namespace headroom::app
