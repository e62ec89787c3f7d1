#pragma once

#include "model/efficiency/efficiency_set.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// Which form of an efficiency set times an operator.
struct FormSlot {
    OpClass cls = OpClass::Gemm;
    GemmClass gemm = GemmClass::Half; // Gemm and GroupedGemm
    bool narrowKv = false;            // DecodeAttention and DecodeMla
    CollectiveClass collective = CollectiveClass::CustomAllReduce;
    bool betweenNodes = false;

    friend bool operator==(const FormSlot&, const FormSlot&) = default;
};
[[nodiscard]] const std::vector<FormSlot>& allFormSlots();
[[nodiscard]] std::string slotName(const FormSlot& slot); // "gemm fp8", "decode attention 8-bit cache"
[[nodiscard]] std::optional<FormSlot> slotFromName(std::string_view name);

// Calls `visit` with the slot's form; `Set` may be const.
template <typename Set, typename Visit>
decltype(auto) visitForm(Set& set, const FormSlot& slot, Visit&& visit)
{
    switch (slot.cls) {
    case OpClass::Gemm:
        return visit(set.gemm[static_cast<std::size_t>(slot.gemm)]);
    case OpClass::GroupedGemm:
        return visit(set.grouped[static_cast<std::size_t>(slot.gemm)]);
    case OpClass::PrefillAttention:
        return visit(set.prefillAttention);
    case OpClass::PrefillMla:
        return visit(set.prefillMla);
    case OpClass::DecodeAttention:
        return slot.narrowKv ? visit(set.decodeAttention8) : visit(set.decodeAttention);
    case OpClass::DecodeMla:
        return slot.narrowKv ? visit(set.decodeMla8) : visit(set.decodeMla);
    case OpClass::Stream:
        return visit(set.stream);
    case OpClass::Scan:
        return visit(set.scan);
    case OpClass::Collective:
        break;
    }
    const auto index = static_cast<std::size_t>(slot.collective);
    return visit(slot.betweenNodes ? set.interNode[index] : set.intraNode[index]);
}

template <typename Set>
auto& uncertaintyOf(Set& set, const FormSlot& slot)
{
    return visitForm(
        set, slot, [](auto& form) -> auto& { return form.uncertainty; });
}

// Which kind of number a field of a form is.
// `Power` is that of a norm, `Factor` what something takes times as long, `Count` what work is divided into.
enum class FormField : std::uint8_t { Efficiency, Time, Power, Factor, Count, Number };

// Calls `field(name, reference, kind)` for each number of a form, names as files write them. Times are passed
// as Seconds.
template <typename Form, typename Field>
void eachField(Form& form, Field&& field)
{
    if constexpr (requires { form.computeEfficiency; })
        field("compute_efficiency", form.computeEfficiency, FormField::Efficiency);
    if constexpr (requires { form.memoryEfficiency; })
        field("memory_efficiency", form.memoryEfficiency, FormField::Efficiency);
    if constexpr (requires { form.linkEfficiency; })
        field("link_efficiency", form.linkEfficiency, FormField::Efficiency);
    if constexpr (requires { form.oneShotEfficiency; })
        field("one_shot_efficiency", form.oneShotEfficiency, FormField::Efficiency);
    if constexpr (requires { form.handedEfficiency; })
        field("handed_efficiency", form.handedEfficiency, FormField::Efficiency);
    if constexpr (requires { form.launch; })
        field("launch", form.launch, FormField::Time);
    if constexpr (requires { form.floor; })
        field("floor", form.floor, FormField::Time);
    if constexpr (requires { form.floorBase; })
        field("floor_base", form.floorBase, FormField::Time);
    if constexpr (requires { form.floorPerRank; })
        field("floor_per_rank", form.floorPerRank, FormField::Time);
    if constexpr (requires { form.perHop; })
        field("per_hop", form.perHop, FormField::Time);
    if constexpr (requires { form.metInStep; })
        field("met_in_step", form.metInStep, FormField::Time);
    if constexpr (requires { form.handedStart; })
        field("handed_start", form.handedStart, FormField::Time);
    if constexpr (requires { form.handedFrom; })
        field("handed_from", form.handedFrom, FormField::Number);
    if constexpr (requires { form.ncclFrom; }) {
        field("nccl_from", form.ncclFrom, FormField::Number);
        field("nccl_beyond", form.ncclBeyond, FormField::Number);
        field("meet_from", form.meetFrom, FormField::Number);
    }
    if constexpr (requires { form.pipelined; })
        field("pipelined", form.pipelined, FormField::Number);
    if constexpr (requires { form.sharing; })
        field("sharing", form.sharing, FormField::Efficiency);
    if constexpr (requires { form.perItem; })
        field("per_item", form.perItem, FormField::Time);
    if constexpr (requires { form.fill; })
        field("fill", form.fill, FormField::Number);
    if constexpr (requires { form.combine; })
        field("combine", form.combine, FormField::Time);
    if constexpr (requires { form.pieceKeys; })
        field("piece_keys", form.pieceKeys, FormField::Count);
    if constexpr (requires { form.wideHeads; })
        field("wide_heads", form.wideHeads, FormField::Number);
    if constexpr (requires { form.wideFixed; })
        field("wide_fixed", form.wideFixed, FormField::Number);
    if constexpr (requires { form.narrowHeads; })
        field("narrow_heads", form.narrowHeads, FormField::Factor);
    if constexpr (requires { form.narrowFixed; })
        field("narrow_fixed", form.narrowFixed, FormField::Factor);
    if constexpr (requires { form.rowsCost; })
        field("rows_cost", form.rowsCost, FormField::Number);
    if constexpr (requires { form.startsBeside; })
        field("starts_beside", form.startsBeside, FormField::Number);
    if constexpr (requires { form.queryPasses; })
        field("query_passes", form.queryPasses, FormField::Number);
    if constexpr (requires { form.reach; })
        field("reach", form.reach, FormField::Number);
    if constexpr (requires { form.rowEfficiency; })
        field("row_efficiency", form.rowEfficiency, FormField::Efficiency);
    if constexpr (requires { form.rowItem; })
        field("row_item", form.rowItem, FormField::Time);
    if constexpr (requires { form.rowReach; })
        field("row_reach", form.rowReach, FormField::Number);
    if constexpr (requires { form.rowFixed; })
        field("row_fixed", form.rowFixed, FormField::Factor);
    if constexpr (requires { form.matrixBlocks; })
        field("matrix_blocks", form.matrixBlocks, FormField::Number);
    if constexpr (requires { form.rowSplit; }) {
        field("row_split", form.rowSplit, FormField::Number);
        field("row_scatter", form.rowScatter, FormField::Efficiency);
        field("tall_items", form.tallItems, FormField::Factor);
        field("split_root", form.splitRoot, FormField::Time);
        field("latent_tile", form.latentTile, FormField::Count);
        field("item_rows", form.itemRows, FormField::Count);
        field("regroup", form.regroup, FormField::Time);
    }
    if constexpr (requires { form.latentRows; })
        field("latent_rows", form.latentRows, FormField::Number);
    if constexpr (requires { form.readAgain; })
        field("read_again", form.readAgain, FormField::Number);
    if constexpr (requires { form.tileColumns; })
        field("tile_columns", form.tileColumns, FormField::Number);
    if constexpr (requires { form.perColumn; })
        field("per_column", form.perColumn, FormField::Time);
    if constexpr (requires { form.perTile; })
        field("per_tile", form.perTile, FormField::Time);
    if constexpr (requires { form.softmaxColumns; })
        field("softmax_columns", form.softmaxColumns, FormField::Number);
    if constexpr (requires { form.lastBlock; })
        field("last_block", form.lastBlock, FormField::Number);
    if constexpr (requires { form.tail; })
        field("tail", form.tail, FormField::Number);
    if constexpr (requires { form.cachedCost; })
        field("cached_cost", form.cachedCost, FormField::Efficiency);
    if constexpr (requires { form.appendPasses; })
        field("append_passes", form.appendPasses, FormField::Number);
    if constexpr (requires { form.gatheredEfficiency; }) {
        field("gathered_efficiency", form.gatheredEfficiency, FormField::Efficiency);
        field("gathered_spread", form.gatheredSpread, FormField::Number);
        field("general_efficiency", form.generalEfficiency, FormField::Efficiency);
    }
    if constexpr (requires { form.halfLength; })
        field("half_length", form.halfLength, FormField::Number);
    if constexpr (requires { form.sharpness; })
        field("sharpness", form.sharpness, FormField::Power);
    if constexpr (requires { form.floorSharpness; })
        field("floor_sharpness", form.floorSharpness, FormField::Power);
    if constexpr (requires { form.waveExponent; })
        field("wave_exponent", form.waveExponent, FormField::Number);
    if constexpr (requires { form.quantiseEfficiency; })
        field("quantise_efficiency", form.quantiseEfficiency, FormField::Efficiency);
    if constexpr (requires { form.quantiseRow; })
        field("quantise_row", form.quantiseRow, FormField::Time);
    if constexpr (requires { form.activationEfficiency; })
        field("activation_efficiency", form.activationEfficiency, FormField::Number);
    if constexpr (requires { form.normCost; }) {
        field("norm_cost", form.normCost, FormField::Number);
        field("state_bytes", form.stateBytes, FormField::Number);
        field("index_efficiency", form.indexEfficiency, FormField::Efficiency);
    }
    if constexpr (requires { form.splitCombine; })
        field("split_combine", form.splitCombine, FormField::Time);
    if constexpr (requires { form.largestTile; })
        field("largest_tile", form.largestTile, FormField::Number);
    if constexpr (requires { form.vectorRows; })
        field("vector_rows", form.vectorRows, FormField::Number);
    if constexpr (requires { form.splitFills; }) {
        field("vector_launch", form.vectorLaunch, FormField::Time);
        field("split_fills", form.splitFills, FormField::Number);
        field("missing_row", form.missingRow, FormField::Time);
        field("vector_compute", form.vectorCompute,
              FormField::Number); // of narrow types above a peak of wide
        field("vector_memory", form.vectorMemory, FormField::Efficiency);
    }
    if constexpr (requires { form.rowTile; })
        field("row_tile", form.rowTile, FormField::Number);
    if constexpr (requires { form.passRows; }) {
        field("pass_rows", form.passRows, FormField::Number);
        field("kept_weights", form.keptWeights, FormField::Number);
    }
    if constexpr (requires { form.passBytes; })
        field("pass_bytes", form.passBytes, FormField::Number);
    if constexpr (requires { form.tokenPassBytes; })
        field("token_pass_bytes", form.tokenPassBytes, FormField::Number);
    if constexpr (requires { form.leastTile; })
        field("least_tile", form.leastTile, FormField::Number);
    if constexpr (requires { form.slicePassBytes; })
        field("slice_pass_bytes", form.slicePassBytes, FormField::Number);
    if constexpr (requires { form.oddSlice; })
        field("odd_slice", form.oddSlice, FormField::Factor);
    if constexpr (requires { form.partTile; }) {
        field("part_tile", form.partTile, FormField::Number);
        field("even_time", form.evenTime, FormField::Factor);
        field("narrow_slice", form.narrowSlice, FormField::Number);
        field("kept_weights", form.keptWeights, FormField::Number);
        field("spread_compute", form.spreadCompute, FormField::Efficiency);
        field("spread_memory", form.spreadMemory, FormField::Efficiency);
        field("spread_launch", form.spreadLaunch, FormField::Time);
        field("spread_tile", form.spreadTile, FormField::Time);
        field("spread_pass_bytes", form.spreadPassBytes, FormField::Number);
    }
}

// Averages the forms of several sets, each weighted by 1 / spread^2, in the logarithm; forms that no set has
// measured stay as they are in `base`. The result is of the same family, not of the same card: its spread is
// widened by `widen` and its source says so. Only slots that `base` knows from a prior alone are filled.
void borrowForms(EfficiencySet& base, const std::vector<const EfficiencySet*>& relatives, double widen);

} // namespace headroom
