#include "model/cost/form_parts.h"
#include "model/cost/matrix_forms.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

// Every 64 rows of an expert begin a piece of work of their own on all multiprocessors.
Seconds startsOfExperts(const Op& op, Seconds perTile)
{
    constexpr double tileRows = 64;
    return perTile * (op.experts * roundedUp(std::max(op.m, 1.0) / tileRows));
}

// A tile that is chosen by an average, the power of two that it fits into: the rows that all ranks route over
// the experts of one, as the kernels themselves divide.
double tileOfAverage(const Op& op, double least, double largest)
{
    const double average = op.expertsHeld > 0 ? op.batch / op.expertsHeld : op.m;
    double tile = least;
    while (tile < average && tile < largest)
        tile *= 2;
    return tile;
}

// Tiles beyond the first that an expert has. Popularity falls off exponentially (docs/executor.md), and so do
// the rows of an expert: of mean m, every j-th tile more of T rows is there for e^(-j T / m) of them.
double furtherTiles(const Op& op, double tile)
{
    const double rows = std::max(op.m, 1.0);
    return op.evenRows ? roundedUp(rows / tile) - 1 : 1 / std::expm1(tile / rows);
}

// Rows of an expert are padded to the tile of the matrix unit, or to the least there is. An even choice fills
// all tiles but the last; any other leaves a part of one empty. Triton's kernels for experts have tiles of 16
// to 128 rows (block_m of triton_kernels' opt_flags.py).
double paddedRows(const Op& op, const GroupedGemmForm& form, double leastTile)
{
    constexpr double largestTile = 128;
    if (form.expertTiles == ExpertTiles::ByAverage) {
        const double tile = tileOfAverage(op, leastTile, largestTile);
        return (1 + furtherTiles(op, tile)) * tile;
    }
    const double rows = std::max(op.m, 1.0);
    if (form.expertTiles == ExpertTiles::None)
        return roundedUp(rows);
    const double tile = op.m * 8 <= form.rowTile ? std::min(leastTile, form.rowTile) : form.rowTile;
    if (op.evenRows || form.partTile <= 0)
        return roundedUp(rows / tile) * tile;
    return std::max(tile, rows + form.partTile * tile);
}

// Weights of an expert that the last-level cache does not keep between two tiles of its rows, and how often
// they are read again. Tiles have half as many rows as an expert gets, within what matrix units take.
Bytes readAgain(const Op& op, const Gpu& gpu, const GroupedGemmForm& form)
{
    constexpr double leastTile = 8;
    constexpr double largestTile = 64;
    if (form.expertWeights == ExpertWeights::Plain || gpu.l2Cache.base() <= 0 || op.experts <= 0
        || op.m <= leastTile)
        return Bytes{};
    const Bytes beyond = op.weightBytes - gpu.l2Cache * (form.keptWeights * op.experts);
    return beyond.base() > 0 ? beyond * (std::max(2.0, op.m / largestTile) - 1) : Bytes{};
}

// Of the time that weights take once, what reading them for further tiles adds. TensorRT-LLM's kernels for
// Blackwell have tiles of up to 256 rows (computeSelectedTileN of FlashInfer's
// trtllm_fused_moe_kernel_launcher.cu).
double readForFurtherTiles(const Op& op, const GroupedGemmForm& form)
{
    constexpr double largestTile = 256;
    if (form.leastTile <= 0)
        return 0;
    return form.readAgain * furtherTiles(op, tileOfAverage(op, form.leastTile, largestTile));
}

// Columns of a slice that the tiles of the matrix unit cover, for each that it has: 128 where weights are
// laid out in whole tiles (the first number of the tile in the names of TensorRT-LLM's kernels for Blackwell,
// "bmm_..._t128x8x512..."), else 64 (BLOCK_SIZE_N of get_default_config in vLLM's fused_moe.py). Without
// tiles of rows there are none of columns.
double coveredColumns(const Op& op, const GroupedGemmForm& form)
{
    if (form.expertTiles == ExpertTiles::None)
        return 1;
    const double tile = form.expertWeights == ExpertWeights::WholeTiles ? 128 : 64;
    return op.n > 0 ? roundedUp(op.n / tile) * tile / op.n : 1;
}

// What differs between the kernels that a form may have.
struct ExpertKernel {
    double compute;
    double memory;
    Seconds launch;
    Seconds perTile;
    double passBytes;
};
ExpertKernel kernelFor(const Op& op, const GroupedGemmForm& form)
{
    constexpr double more = 1.001; // shares of rows are not whole
    const bool spread = op.batch > op.m * op.experts * more;
    if (spread && form.spreadExperts == SpreadExperts::OwnKernel)
        return {form.spreadCompute, form.spreadMemory, form.spreadLaunch, form.spreadTile,
                form.spreadPassBytes};
    return {form.computeEfficiency, form.memoryEfficiency, form.launch, form.perTile, form.passBytes};
}

} // namespace

OpTime timeGrouped(const Op& op, const Gpu& gpu, const EfficiencySet& set)
{
    const GroupedGemmForm& form = set.grouped[static_cast<std::size_t>(op.gemm)];
    const ExpertKernel kernel = kernelFor(op, form);
    OpTime time;
    constexpr double leastTile = 16;
    const double padding = op.m > 0 ? paddedRows(op, form, leastTile) / op.m : 1;
    const double covered = coveredColumns(op, form);
    time.compute = over(op.flops * (padding * covered), gpu.peak(op.unit) * kernel.compute);
    if (form.tileColumns > 0 && op.k > 0 && op.n > 0) {
        // Two of three products sum over the width of the model, the last over that of the expert.
        const double perColumn = (2 / op.k + 1 / op.n) / 3;
        time.compute = time.compute * (1 + form.tileColumns * perColumn);
    }
    const double activations = form.activationEfficiency > 0 ? form.activationEfficiency : kernel.memory;
    const double narrow = op.n > 0 ? overlap(1, form.narrowSlice / op.n) : 1;
    const double wholeTiles = form.expertWeights == ExpertWeights::WholeTiles ? covered : 1;
    time.memory = (op.weightBytes * (narrow * wholeTiles + readForFurtherTiles(op, form))
                   + readAgain(op, gpu, form) + op.kvBytes)
            / (gpu.memoryBandwidth * kernel.memory)
        + op.activationBytes / (gpu.memoryBandwidth * activations) + startsOfExperts(op, kernel.perTile);
    const Seconds launch = kernel.launch + set.stream.launch * op.ordering;
    time.launch = launch;
    const Seconds passes = Bytes(op.batch * (op.k * kernel.passBytes + op.n * form.slicePassBytes)
                                 + op.tokens * op.k * form.tokenPassBytes)
        / gpu.memoryBandwidth;
    const bool odd = form.oddSlice > 1 && std::fmod(op.n, leastTile) != 0;
    const double longer = (odd ? form.oddSlice : 1) * (op.evenRows ? form.evenTime : 1);
    finish(time,
           softMax(time.compute.base(), time.memory.base(), form.sharpness) * longer + launch.base()
               + passes.base(),
           form.uncertainty);
    time.memory += passes;
    return time;
}

} // namespace headroom
