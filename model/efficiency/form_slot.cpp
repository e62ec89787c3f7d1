#include "model/efficiency/form_slot.h"

#include "model/efficiency/form_kinds.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace headroom {
namespace {

std::vector<FormSlot> listSlots()
{
    std::vector<FormSlot> slots;
    for (const OpClass cls : {OpClass::Gemm, OpClass::GroupedGemm})
        for (std::size_t i = 0; i < gemmClassCount; ++i)
            slots.push_back({.cls = cls, .gemm = static_cast<GemmClass>(i)});
    slots.push_back({.cls = OpClass::PrefillAttention});
    slots.push_back({.cls = OpClass::PrefillMla});
    slots.push_back({.cls = OpClass::DecodeAttention});
    slots.push_back({.cls = OpClass::DecodeAttention, .narrowKv = true});
    slots.push_back({.cls = OpClass::DecodeMla});
    slots.push_back({.cls = OpClass::DecodeMla, .narrowKv = true});
    slots.push_back({.cls = OpClass::Stream});
    slots.push_back({.cls = OpClass::Scan});
    for (const bool between : {false, true})
        for (std::size_t i = 0; i < collectiveClassCount; ++i)
            slots.push_back({.cls = OpClass::Collective,
                             .collective = static_cast<CollectiveClass>(i),
                             .betweenNodes = between});
    return slots;
}

bool measured(Source source) { return source == Source::MeasuredHere || source == Source::MeasuredPublished; }

// Weighted mean of ln of a field over the relatives that have it; 0 where most of their weight does not.
struct LnMean {
    double sum = 0;
    double weight = 0;
    double without = 0; // weight of those whose figure is 0

    void add(double value, double itsWeight)
    {
        if (value <= 0) {
            without += itsWeight;
            return;
        }
        sum += itsWeight * std::log(value);
        weight += itsWeight;
    }
    [[nodiscard]] double value() const { return weight > without ? std::exp(sum / weight) : 0; }
};

template <typename Form>
double weightOf(const Form& form)
{
    const double sd = std::max(form.uncertainty.lnSpread, 0.02);
    return 1 / (sd * sd);
}

// Those of the kind of kernel that has the most weight: numbers of two kinds average to no kernel.
template <typename Form>
std::vector<const Form*> ofOneKind(const std::vector<const Form*>& forms)
{
    std::map<std::string, double> weights;
    for (const Form* form : forms)
        weights[kindsText(*form)] += weightOf(*form);
    const auto most = std::max_element(weights.begin(), weights.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    std::vector<const Form*> out;
    std::copy_if(forms.begin(), forms.end(), std::back_inserter(out),
                 [&](const Form* form) { return kindsText(*form) == most->first; });
    return out;
}

template <typename Form>
void averageInto(Form& target, const std::vector<const Form*>& relatives, double widen)
{
    const std::vector<const Form*> forms = ofOneKind(relatives);
    double weights = 0;
    double spread = 0; // of the relatives' own residuals, weighted
    std::vector<LnMean> means;
    for (const Form* form : forms) {
        const double weight = weightOf(*form);
        weights += weight;
        spread += weight * std::max(form->uncertainty.lnSpread, 0.02);
        std::size_t field = 0;
        eachField(*form, [&](std::string_view, const auto& value, FormField) {
            if (means.size() <= field)
                means.emplace_back();
            if constexpr (requires { value.base(); })
                means[field++].add(value.base(), weight);
            else
                means[field++].add(value, weight);
        });
    }
    target = *forms.front(); // its kinds
    std::size_t field = 0;
    eachField(target, [&](std::string_view, auto& value, FormField) {
        value = std::remove_reference_t<decltype(value)>(means[field++].value());
    });
    const bool trusted
        = std::all_of(forms.begin(), forms.end(), [](const Form* form) { return form->uncertainty.trusted; });
    target.uncertainty = {
        .lnBias = 0, .lnSpread = widen * spread / weights, .source = Source::SameFamily, .trusted = trusted};
}

} // namespace

const std::vector<FormSlot>& allFormSlots()
{
    static const std::vector<FormSlot> slots = listSlots();
    return slots;
}

std::string slotName(const FormSlot& slot)
{
    const std::string type(gemmClassName(slot.gemm));
    switch (slot.cls) {
    case OpClass::Gemm:
        return "gemm " + type;
    case OpClass::GroupedGemm:
        return "experts " + type;
    case OpClass::PrefillAttention:
        return "prefill attention";
    case OpClass::PrefillMla:
        return "prefill mla";
    case OpClass::DecodeAttention:
        return slot.narrowKv ? "decode attention 8-bit cache" : "decode attention";
    case OpClass::DecodeMla:
        return slot.narrowKv ? "decode mla 8-bit cache" : "decode mla";
    case OpClass::Stream:
        return "stream";
    case OpClass::Scan:
        return "scan";
    case OpClass::Collective:
        break;
    }
    return std::string(collectiveClassName(slot.collective)) + (slot.betweenNodes ? " between nodes" : "");
}

std::optional<FormSlot> slotFromName(std::string_view name)
{
    for (const FormSlot& slot : allFormSlots())
        if (slotName(slot) == name)
            return slot;
    return std::nullopt;
}

void borrowForms(EfficiencySet& base, const std::vector<const EfficiencySet*>& relatives, double widen)
{
    for (const FormSlot& slot : allFormSlots()) {
        if (uncertaintyOf(base, slot).source != Source::Prior)
            continue;
        visitForm(base, slot, [&](auto& target) {
            using Form = std::remove_reference_t<decltype(target)>;
            std::vector<const Form*> forms;
            for (const EfficiencySet* relative : relatives)
                visitForm(*relative, slot, [&](const auto& form) {
                    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(form)>, Form>)
                        if (measured(form.uncertainty.source))
                            forms.push_back(&form);
                });
            if (!forms.empty())
                averageInto(target, forms, widen);
        });
    }
}

} // namespace headroom
