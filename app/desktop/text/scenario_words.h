#pragma once

#include "model/scenario/scenario.h"

#include <QString>
#include <QVector>

#include <string_view>

namespace headroom {
class Catalogue;
}

namespace headroom::app {

// One thing that a scenario says, beyond what every scenario has: "Speed for each user 42 tok/s".
struct SaidPart {
    std::string_view key; // of scenarioKeys()
    QString title;
    QString value; // with its unit
};
[[nodiscard]] QVector<SaidPart> saidParts(const Scenario& scenario, const Catalogue& catalogue);

// A value of a key as people read it: names in place of ids, thousands grouped.
[[nodiscard]] QString scenarioPartText(std::string_view key, const std::string& value, const Scenario& of,
                                       const Catalogue& catalogue);

// A scenario in a line, for one that nobody named: "Llama 3.1 70B · NVIDIA A100 SXM · Speed for each user 42
// tok/s".
[[nodiscard]] QString scenarioWords(const Scenario& scenario, const Catalogue& catalogue);

// What stands in the catalogue under that id, or the file's name where it is a file.
[[nodiscard]] QString modelName(const std::string& id, const Catalogue& catalogue);
// The name of a model or a GPU whose id it is; ids are for files. Else the words as they are.
[[nodiscard]] QString nameOrWords(const std::string& words, const Catalogue& catalogue);

} // namespace headroom::app
