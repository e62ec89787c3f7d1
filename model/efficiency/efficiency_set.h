#pragma once

#include "model/base/dtype.h"
#include "model/base/estimate.h"
#include "model/base/kernel_class.h"
#include "model/base/units.h"
#include "model/catalogue/citation.h"
#include "model/efficiency/calibration_record.h"
#include "model/efficiency/collective_form.h"
#include "model/efficiency/uncertainty.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// t = launch + [ C^p + (B / (W em))^p ]^(1/p) + quantise, where C is (F / (P ec u)) (1 + tileColumns / k)
// beside one tile's loop over its k columns, which takes `perColumn` for each; u is the tile and wave loss
// raised to `waveExponent`. To begin and end a tile takes as long as `tileColumns` more columns. With fewer
// tiles than multiprocessors k is split among the idle ones and put together in `splitCombine`, where that is
// shorter. Types whose activations are narrowed first pay a pass over them: it reads 16 bits and writes 8,
// and begins a block of threads for each row. Activations come from the last-level cache as far as it holds
// them. Where pieces of k `splitFills` multiprocessors, libraries choose tiles for that too: as many pieces
// as leave none of them idle. Rows that the last tile has beyond the matrix take `missingRow` each for every
// column. Kernels that widen weights on the way have tiles of few rows: what the last-level cache does not
// hold of the matrix is read again for every `passRows`.
struct GemmForm {
    double computeEfficiency = 0.76;
    double memoryEfficiency = 0.85;
    Seconds launch{4.5e-6};
    double sharpness = 2;          // p
    double waveExponent = 0.5;     // q
    double quantiseEfficiency = 0; // of memory bandwidth in that pass; 0: there is none
    Seconds quantiseRow{0};
    double activationEfficiency = 0; // of memory bandwidth, from the cache; 0: as from memory
    double tileColumns = 0;
    Seconds perColumn{0};
    Seconds splitCombine{0};  // 0: k is never split
    double largestTile = 0;   // rows of the one kind of tile that a library has; 0: it chooses among many
    double vectorRows = 0;    // so few rows have a kernel that streams the matrix without tiles
    Seconds vectorLaunch{0};  // of that kernel; 0: as of others
    double vectorCompute = 0; // its share of the peak; 0: as of others
    double vectorMemory = 0;  // its share of memory bandwidth; 0: as of others
    double rowTile = 0;       // so many rows at a time, whether they are there or not; 0: as tiles have them
    double splitFills = 0;    // 1: tiles are chosen with the pieces of k
    double passRows = 0;      // rows that the matrix is read for at once; 0: all
    double keptWeights = 1;   // share of the last-level cache that keeps it between two of those
    Seconds missingRow{0};
    Uncertainty uncertainty;

    friend bool operator==(const GemmForm&, const GemmForm&) = default;
};

// Prefill attention: compute efficiency grows with the query length s as s / (s + halfLength). The
// exponentials of the scores take as long as `softmaxColumns` more columns of the head, mostly hidden behind
// those: narrow heads wait for them. The last block of rows, which sees all keys of its prompt, runs at
// `lastBlock` times one multiprocessor's share: nothing ends before it (0: not known), and where blocks are
// taken up one after another, the multiprocessors wait `tail` of its time for the last ones. What the cache
// still holds of the queries, keys and values written just before costs `cachedCost` of the memory's time (0:
// all of it). Kernels that first put new keys and values into their cache move `appendPasses` times those.
// Kernels that fetch keys for each query (sparse attention) reach `gatheredEfficiency` of the peak instead,
// whatever the lengths (0: not known, they are timed as the others), and miss it by `gatheredSpread`, the
// standard deviation of a logarithm (0: as the others do). A kernel that no library made for the heads at
// hand reaches `generalEfficiency` of it (0: not known, as the others).
struct PrefillAttentionForm {
    double computeEfficiency = 0.6;
    double memoryEfficiency = 0.85;
    double halfLength = 500;
    double softmaxColumns = 0;
    double lastBlock = 0;
    double tail = 0;
    double cachedCost = 0;
    double appendPasses = 0;
    double gatheredEfficiency = 0;
    double gatheredSpread = 0;
    double generalEfficiency = 0;
    Seconds launch{8e-6};
    Uncertainty uncertainty;

    friend bool operator==(const PrefillAttentionForm&, const PrefillAttentionForm&) = default;
};

// Decode attention: a floor inside a sharp norm, then bandwidth (or padded compute). Each KV head of each
// sequence is a piece of work of its own for every `itemRows` query rows, which costs a multiprocessor
// `perItem` beside its bytes. Keys of too few items are split, `pieceKeys` of them at least to a piece, until
// there are `fill` pieces on a multiprocessor, whose results are put together in `combine`. One item alone
// draws at most `reach` times a multiprocessor's share of the memory's bandwidth: kernels that split no keys
// end with their longest sequence. Multi-head attention has a kernel of its own, without matrix units, and so
// figures of its own where they are known; `rowReach` is of one of its pieces. It works on the rows of groups
// one by one too, where there are fewer than `matrixBlocks` blocks of 128 keys for each multiprocessor; where
// it is known to split from `rowSplit` keys times columns on, in pieces of half of those, fewer items than
// would fill the multiprocessors read their pieces more slowly, as the power `rowScatter` of what they lack.
// Items of more than 2048 elements of queries (16 rows of 256 columns) take `tallItems` times as long to
// begin and end. Putting n pieces together takes `splitRoot` times the root of n too: the shortest way to go
// over keys one after another and over results one after another. Arithmetic and memory join in a norm of
// `sharpness`. Kernels that first put the queries in place move `queryPasses` times what goes in and out (0:
// it is read and written once, beside the keys). Latent heads are worked on 64 at a time, or by a kernel of
// `latentRows` as far as two of its tiles go and by one of `latentTile` beyond; every tile but the first
// reads the cache again at `readAgain` of what that costs once. Kernels that want the query rows of a KV head
// side by side copy them there and their results back, in `regroup`, where several sequences have several KV
// heads.
struct DecodeAttentionForm {
    double memoryEfficiency = 0.85;
    double computeEfficiency = 0.5;
    Seconds floor{10e-6};
    Seconds launch{3e-6};
    Seconds perItem{0};
    double fill = 0; // 0: keys are not split
    Seconds combine{0};
    double pieceKeys = 128;
    double sharpness = 2;
    double queryPasses = 0;
    double wideHeads = 0;     // that much longer for every 128 columns of a head beyond 128: bytes
    double wideFixed = 0;     // and what is there without keys
    double narrowHeads = 1;   // times as long for each byte of heads of 64 columns as of 128
    double narrowFixed = 1;   // and for what is there without keys
    double rowsCost = 0;      // that much longer an item of 16 rows takes to begin and end than of few
    double startsBeside = 0;  // 1: items begin and end beside what is read, not before and after
    double reach = 0;         // 0: as far as it likes
    double rowEfficiency = 0; // of the peak, where one row meets a KV head; 0: as matrix units do
    Seconds rowItem{0};
    double rowReach = 0;
    double rowFixed = 1; // times floor and launch
    double matrixBlocks = 0;
    double rowSplit = 0; // 0: as others are
    double rowScatter = 0;
    double tallItems = 1;
    Seconds splitRoot{0};
    double latentRows = 0;
    double latentTile = 64;
    double itemRows = 16;
    double readAgain = 0;
    Seconds regroup{0};
    double floorSharpness = 6;
    Uncertainty uncertainty;

    friend bool operator==(const DecodeAttentionForm&, const DecodeAttentionForm&) = default;
};

// How the rows of an expert are cut for the matrix unit.
enum class ExpertTiles : std::uint8_t {
    None,      // the physical limit: row by row
    Fixed,     // `rowTile` rows, of more than an eighth as many; else 16
    ByAverage, // the power of two that the average rows of all experts fit into
};
// How their weights lie in memory, and so which columns are read.
enum class ExpertWeights : std::uint8_t {
    Plain,
    WholeTiles, // of 128 columns (the first number of the tile in the names of TensorRT-LLM's kernels for
                // Blackwell, "bmm_..._t128x8x512...")
};
// What computes experts that are spread over ranks.
enum class SpreadExperts : std::uint8_t { SameKernel, OwnKernel };

// Expert layers: like a GEMM over the experts that some token chose, in tiles of rows. Sorting tokens
// by expert, narrowing and adding up again moves `passBytes` for each element of every routed row, those that
// other ranks compute included; `slicePassBytes` are those of the intermediate width, where kernels give it
// memory for all of them, and `tokenPassBytes` those of a token before it is copied for its experts and after
// their sum: layers that take few experts for each token have the most. Every 64 rows of an expert are a
// piece of work of their own, which costs `perTile` to begin and end; each of its tiles pays for
// `tileColumns` more columns, as in a GEMM. Kernels that load 16 elements at once take `oddSlice` times as
// long for slices that are no multiple of those. A narrow slice has many short pieces of weights, whose
// beginnings take as long as `narrowSlice` columns, beside what is read. Kernels that lay weights out in
// whole tiles read all of those, and what `keptWeights` of the last-level cache do not hold of an expert
// again for every tile of its rows. Kernels whose tile is the power of two that all experts' average rows fit
// into, `leastTile` at least, read the weights of those that get more once more for each further tile, at
// `readAgain` of what that costs once. Where experts get rows as they come, their last tiles are `partTile`
// of one empty, and the fullest is waited for: an even choice takes `evenTime` of the time. Engines that
// spread experts over ranks may have another kernel there, which has figures of its own.
struct GroupedGemmForm {
    ExpertTiles expertTiles = ExpertTiles::Fixed;
    ExpertWeights expertWeights = ExpertWeights::Plain;
    SpreadExperts spreadExperts = SpreadExperts::SameKernel;
    double computeEfficiency = 0.5;
    double memoryEfficiency = 0.75;
    Seconds launch{15e-6}; // router, permute, two grouped launches, combine
    double sharpness = 2;
    double activationEfficiency = 0; // of memory bandwidth; 0: as weights
    double rowTile = 16;             // of tiles of a fixed size
    double partTile = 0;             // 0: not known, as of an even choice
    double evenTime = 1;
    double narrowSlice = 0;   // columns
    double keptWeights = 0;   // of the last-level cache, where they lie in whole tiles
    double leastTile = 0;     // 0: weights are not read again for further tiles
    double readAgain = 0;     // of what they cost once
    double spreadCompute = 0; // of the peak, by a kernel of their own
    double spreadMemory = 0;  // of memory bandwidth
    Seconds spreadLaunch{0};
    Seconds spreadTile{0};
    double spreadPassBytes = 0;
    double passBytes = 0;
    double slicePassBytes = 0;
    double tokenPassBytes = 0;
    double oddSlice = 1;
    Seconds perTile{0};
    double tileColumns = 0;
    Uncertainty uncertainty;

    friend bool operator==(const GroupedGemmForm&, const GroupedGemmForm&) = default;
};

// Norms, rope, activations, gathers, scans. What half of the last-level cache holds comes from there; the
// rows of a norm are read once more for their sum, which costs `normCost` times as much as moving them alone.
struct StreamForm {
    double memoryEfficiency = 0.8;
    double activationEfficiency = 0; // of memory bandwidth, from the cache; 0: as from memory
    double normCost = 1;
    double stateBytes = 0; // of a recurrent state, through a multiprocessor in a clock; 0: as many as come
    double indexEfficiency = 0; // of the peak, by scores of an indexer; 0: not known, as a recurrence's
    Seconds launch{2.5e-6};
    Uncertainty uncertainty;

    friend bool operator==(const StreamForm&, const StreamForm&) = default;
};

// A correction measured for one exact (n, k): piecewise linear in ln m of ln(measured / form).
struct ExactShape {
    GemmClass gemm = GemmClass::Half;
    std::int64_t n = 0;
    std::int64_t k = 0;
    std::vector<double> lnRows;
    std::vector<double> lnResidual;

    friend bool operator==(const ExactShape&, const ExactShape&) = default;
};

// How well a form of the set meets the timings it was fitted to: errors of samples whose shape was left out.
struct FormRecord {
    std::string form; // "gemm fp8"
    std::int64_t samples = 0;
    std::int64_t contradicting = 0; // timings beside them that contradict others and were left out
    std::int64_t groups = 0;        // of shapes that were left out together
    double medianError = 0;         // of |predicted / measured - 1|
    double meanError = 0;
    double p90Error = 0;
    double worstError = 0;
    double coverage = 0; // share of them inside the 90 % interval that the errors of all give
    std::string domain;  // what shapes were timed: beyond them the form extrapolates
    std::string origin;  // public table and kernels

    friend bool operator==(const FormRecord&, const FormRecord&) = default;
};

// Where a form comes from once a calibration was brought to it: "cublasLt, measured on this machine".
struct FormOrigin {
    std::string form;
    std::string text;

    friend bool operator==(const FormOrigin&, const FormOrigin&) = default;
};

// Everything that turns work into time on one accelerator with one class of kernels.
struct EfficiencySet {
    std::string id;  // "prior/hopper", "published/h100-sxm-80gb/trtllm", a calibration file's name
    std::string gpu; // accelerator it was measured on; empty for a prior
    std::string family;
    std::string implementation; // "trtllm", "vllm", "sglang", "flashinfer", "llama-cpp", "headroom"
    bool trusted = true;
    std::vector<std::string> failedGates;

    std::array<GemmForm, gemmClassCount> gemm{};
    std::array<GroupedGemmForm, gemmClassCount> grouped{};
    PrefillAttentionForm prefillAttention; // 16-bit
    PrefillAttentionForm prefillMla;
    DecodeAttentionForm decodeAttention;  // 16-bit cache
    DecodeAttentionForm decodeAttention8; // 8-bit cache
    DecodeAttentionForm decodeMla;        // 16-bit cache
    DecodeAttentionForm decodeMla8;       // 8-bit cache
    StreamForm stream;
    StreamForm scan; // linear attention and state-space recurrences
    std::array<CollectiveForm, collectiveClassCount> intraNode = collectivesWithin();
    std::array<CollectiveForm, collectiveClassCount> interNode = collectivesBetween();
    Seconds graphNode{1.3e-6}; // gap between two launches of a captured graph
    Seconds eagerLaunch{5e-6}; // the same launched one by one
    // Between two cards of the same type, of what their clocks bound: power sets those, and best and worst of
    // equal cards differ by 8 % on average over applications and clusters (arXiv 2208.11035).
    double deviceSpread = 0.04;
    // Of the datasheet's bandwidth, what a plain read reaches on such cards. The middle of ten cards from
    // V100 to H200 (RRZE-HPC/gpu-benches@1038c5d gpu-stream, Azure/AI-benchmarking-guide@8fd0c6e); families
    // differ.
    double readShare = 0.95;

    std::vector<ExactShape> exactShapes;
    std::vector<FormRecord> records;
    std::vector<FormOrigin> origins;              // empty: all are the catalogue's; no file holds them
    std::optional<CalibrationRecord> calibration; // of the executor
    std::optional<LinksRecord> links;             // of its exchanges
    std::optional<EngineRecord> engineRuns;       // of an engine whose kernels these are
    std::vector<Citation> citations;

    [[nodiscard]] const GemmForm& form(GemmClass c) const { return gemm[static_cast<std::size_t>(c)]; }

    friend bool operator==(const EfficiencySet&, const EfficiencySet&) = default;
};

} // namespace headroom
