#pragma once

#include <QString>

#include <string_view>
#include <vector>

namespace headroom::app {

// How one key of a scenario is asked for. Texts are in English here and translated where they are shown.
struct FieldSpec {
    const char* key; // of scenarioKeys()
    const char* label;
    const char* unit = "";
    const char* help = "";
    double sliderLow = 0; // no slider when both ends are equal
    double sliderHigh = 0;
    bool sliderLogarithmic = true;
    bool whole = false;
    std::vector<const char*> choices; // texts the key reads; a combo box when there are any
};

struct SectionSpec {
    const char* title;
    bool open;
    std::vector<FieldSpec> fields;
};

// Everything the scenario form asks for, in its order.
[[nodiscard]] std::vector<SectionSpec> scenarioSections();
[[nodiscard]] QString fieldText(const char* text);            // a label or unit of the above, translated
[[nodiscard]] QString scenarioKeyTitle(std::string_view key); // "Speed for each user (tok/s)"

} // namespace headroom::app
