#include "model/efficiency/efficiency_choice.h"

#include "model/efficiency/form_slot.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace headroom {
namespace {

// Residual spreads grow by these when figures are borrowed: other kernels on the same card differ by a few
// percent, cards of one family by 1.15 (section 3.5), other kernels on another card by both.
constexpr double otherKernels = 1.25;
constexpr double otherCard = 1.4;

using Sets = std::vector<const EfficiencySet*>;

// Takes the forms of `from` that were measured for slots that `into` only knows from elsewhere.
void adopt(EfficiencySet& into, const EfficiencySet& from, double widen)
{
    for (const FormSlot& slot : allFormSlots()) {
        if (uncertaintyOf(into, slot).source <= Source::SameFamily
            || uncertaintyOf(from, slot).source > Source::MeasuredPublished)
            continue;
        visitForm(into, slot, [&](auto& target) {
            visitForm(from, slot, [&](const auto& form) {
                if constexpr (std::is_same_v<std::remove_cvref_t<decltype(form)>,
                                             std::remove_cvref_t<decltype(target)>>)
                    target = form;
            });
            target.uncertainty.lnSpread *= widen;
        });
        for (const FormRecord& record : from.records)
            if (record.form == slotName(slot))
                into.records.push_back(record);
    }
}

enum class Matrix : std::uint8_t { Product, Experts };

// What a library has no timing of, from what it has: its other kernels unpack, narrow and cut into tiles in
// the same way, and are closer than another library's of that very type.
struct Alike {
    Matrix matrix;
    GemmClass untimed;
    GemmClass like;
};
constexpr std::array alikeInLibrary{
    // One kernel, with a scale for each tensor or for each block; what an engine launches besides where rows
    // have scales is counted (Op::ordering).
    Alike{Matrix::Experts, GemmClass::Fp8, GemmClass::Fp8Block},
    // Weights alone are narrow, and are unpacked to what is multiplied.
    Alike{Matrix::Experts, GemmClass::WeightOnly4, GemmClass::Mxfp4},
    Alike{Matrix::Experts, GemmClass::Mxfp4, GemmClass::WeightOnly4},
    Alike{Matrix::Product, GemmClass::WeightOnly8, GemmClass::WeightOnly4},
};

template <typename Forms>
void takeAlike(Forms& forms, GemmClass untimed, GemmClass like)
{
    auto& form = forms[static_cast<std::size_t>(untimed)];
    const auto& other = forms[static_cast<std::size_t>(like)];
    if (form.uncertainty.source != Source::Prior || other.uncertainty.source == Source::Prior)
        return;
    form = other;
    form.uncertainty.lnSpread *= otherKernels;
    form.uncertainty.source = worse(Source::SameFamily, other.uncertainty.source);
}

void takeAlikeInLibrary(EfficiencySet& set)
{
    for (const Alike& each : alikeInLibrary)
        if (each.matrix == Matrix::Product)
            takeAlike(set.gemm, each.untimed, each.like);
        else
            takeAlike(set.grouped, each.untimed, each.like);
}

// Kernels that nobody timed as those most like them: MXFP4 weights as other 4-bit weights, and experts whose
// weights alone are narrow as experts of 16 bits, whose arithmetic they share.
void standIn(EfficiencySet& set)
{
    takeAlike(set.gemm, GemmClass::Mxfp4, GemmClass::WeightOnly4);
    for (const GemmClass narrow : {GemmClass::WeightOnly4, GemmClass::WeightOnly8, GemmClass::Mxfp4})
        takeAlike(set.grouped, narrow, GemmClass::Half);
}

Sets matching(std::span<const EfficiencySet* const> all, auto&& accept)
{
    Sets out;
    std::copy_if(all.begin(), all.end(), std::back_inserter(out),
                 [&](const EfficiencySet* s) { return accept(*s); });
    return out;
}

// From other cards than this one.
void borrow(EfficiencySet& into, const Gpu& gpu, std::span<const std::string> kernels,
            std::span<const EfficiencySet* const> relatives)
{
    double widen = otherCard;
    for (const std::string& kernel : kernels) {
        borrowForms(
            into,
            matching(relatives,
                     [&](const EfficiencySet& s) { return s.gpu != gpu.id && s.implementation == kernel; }),
            widen);
        takeAlikeInLibrary(into);
        widen = otherCard * otherKernels;
    }
}

} // namespace

EfficiencySet chooseEfficiency(const Gpu& gpu, std::span<const std::string> kernels,
                               std::span<const EfficiencySet* const> calibrations,
                               std::span<const EfficiencySet* const> kin, const EfficiencySet& prior)
{
    EfficiencySet chosen = prior;
    chosen.id = gpu.id;
    chosen.gpu = gpu.id;
    chosen.family = gpu.family;
    chosen.implementation = kernels.empty() ? "" : kernels.front();
    double widen = 1;
    for (const std::string& kernel : kernels) {
        for (const EfficiencySet* set : matching(calibrations, [&](const EfficiencySet& s) {
                 return s.gpu == gpu.id && s.implementation == kernel;
             })) {
            adopt(chosen, *set, widen);
            chosen.id += "+" + set->id;
            chosen.citations.insert(chosen.citations.end(), set->citations.begin(), set->citations.end());
        }
        takeAlikeInLibrary(chosen);
        widen = otherKernels;
    }
    borrow(chosen, gpu, kernels,
           matching(calibrations, [&](const EfficiencySet& s) { return s.family == gpu.family; }));
    borrow(chosen, gpu, kernels, kin);
    standIn(chosen);
    return chosen;
}

} // namespace headroom
