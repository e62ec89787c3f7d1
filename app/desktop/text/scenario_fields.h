#pragma once

#include <QString>

#include <string>
#include <string_view>
#include <vector>

namespace headroom::app {

// How one key of a scenario is asked for. Texts are in English here and translated where they are shown.
struct FieldSpec {
    const char* key; // of scenarioKeys()
    const char* label;
    const char* help;
    const char* unit = "";
    double sliderLow = 0; // no slider when both ends are equal
    double sliderHigh = 0;
    bool sliderLogarithmic = true;
    bool whole = false;
    bool perCent = false;                  // a share, which people say as a percentage
    std::vector<const char*> choices = {}; // texts the key reads; a combo box when there are any

    // For a table that reads like one: field("tp", "Tensor parallel", "…").dialled(1, 16).inWholes()
    [[nodiscard]] FieldSpec in(const char* unit) const;
    [[nodiscard]] FieldSpec dialled(double low,
                                    double high) const; // a slider in which equal ways are equal factors
    [[nodiscard]] FieldSpec dialledEvenly(double low, double high) const;
    [[nodiscard]] FieldSpec inWholes() const;
    [[nodiscard]] FieldSpec asPerCent() const;
    [[nodiscard]] FieldSpec oneOf(std::vector<const char*> choices) const;
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
// A value as the form shows it: choices are words, the rest stays as it is said.
[[nodiscard]] QString scenarioValueText(std::string_view key, const std::string& value);
// A share as people type it, and back: "40" of "0.4". What is no number stays as it is.
[[nodiscard]] QString sharePerCent(const QString& share);
[[nodiscard]] QString shareOfPerCent(const QString& perCent);

} // namespace headroom::app
