#include "model/cost/forms.h"

#include "model/cost/attention_forms.h"
#include "model/cost/curve.h"
#include "model/cost/exchange_form.h"
#include "model/cost/form_parts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace headroom {

namespace {

// x^p of a loss, which is 1 at best. Above a few hundreds the pieces of the curve are too wide for a relative
// error.
double lossPower(double x, double p)
{
    constexpr double largest = 1 / 0.006;
    constexpr double leastExponentOfCurve = 1;
    if (p == 0.5)
        return std::sqrt(x);
    if (x > largest || x < 1)
        return std::pow(x, p);
    return p < leastExponentOfCurve ? curveOf<RootOfLoss>(p)(x)
                                    : 1 / curveOf<Curve<PowerLaw>>(p)(std::sqrt(1 / x));
}

double exactResidual(const EfficiencySet& set, const Op& op)
{
    for (const ExactShape& shape : set.exactShapes) {
        if (shape.gemm != op.gemm || double(shape.n) != op.n || double(shape.k) != op.k
            || shape.lnRows.empty())
            continue;
        const double x = std::log(std::max(op.m, 1.0));
        const auto right = std::lower_bound(shape.lnRows.begin(), shape.lnRows.end(), x);
        const auto i = static_cast<std::size_t>(right - shape.lnRows.begin());
        if (i == 0)
            return shape.lnResidual.front();
        if (right == shape.lnRows.end())
            return shape.lnResidual.back();
        const double t = (x - shape.lnRows[i - 1]) / (shape.lnRows[i] - shape.lnRows[i - 1]);
        return shape.lnResidual[i - 1] + t * (shape.lnResidual[i] - shape.lnResidual[i - 1]);
    }
    return 0;
}

// As far as the last-level cache holds activations they come from there.
Seconds moving(Bytes activations, const Gpu& gpu, double fromMemory, double fromCache, double cacheShare = 1)
{
    if (fromCache <= 0)
        return activations / (gpu.memoryBandwidth * fromMemory);
    const Bytes held = std::min(activations, gpu.l2Cache * cacheShare);
    return held / (gpu.memoryBandwidth * fromCache)
        + (activations - held) / (gpu.memoryBandwidth * fromMemory);
}

// Less of a sum is not worth a launch of its own.
constexpr double leastPiece = 512; // columns

// One tile's loop over the columns, which idle multiprocessors may share.
double loopSeconds(const Op& op, const Gpu& gpu, const GemmForm& form)
{
    if (op.m <= form.vectorRows)
        return 0;
    const double alone = op.k * form.perColumn.base();
    if (form.splitFills > 0 || form.splitCombine.base() <= 0 || gpu.smCount <= 0)
        return alone;
    constexpr double tileRows = 64;
    constexpr double tileColumns = 64;
    const double tiles
        = std::max(1.0, std::ceil(op.m / tileRows)) * std::max(1.0, std::ceil(op.n / tileColumns));
    const double parts = std::min(gpu.smCount / tiles, op.k / leastPiece);
    return parts > 1 ? std::min(alone, alone / parts + form.splitCombine.base()) : alone;
}

// A library that has one kind of tile halves its rows while the result would leave half of them empty.
double rowsOfTile(double m, double largest)
{
    constexpr double leastRows = 64;
    double rows = leastRows;
    while (rows < m && rows < largest)
        rows *= 2;
    return rows;
}

// Those that scale block by block cut columns finer.
double oneTileLoss(const Op& op, const Gpu& gpu, double largest)
{
    const double columns = op.gemm == GemmClass::Fp8Block ? 32 : 64;
    if (gpu.smCount <= 0 || op.m <= 0 || op.n <= 0)
        return 1;
    const double rows = rowsOfTile(op.m, largest);
    const double waves = std::ceil(std::ceil(op.m / rows) * std::ceil(op.n / columns) / gpu.smCount);
    return waves * rows * columns * gpu.smCount / (op.m * op.n);
}

double missingRows(const Op& op, const GemmForm& form)
{
    constexpr double amongMany = 256;
    const double rows = rowsOfTile(op.m, form.largestTile > 0 ? form.largestTile : amongMany);
    return std::ceil(op.m / rows) * rows - op.m;
}

// One kernel for few rows, which streams the matrix, and another for many are two kinds: a step between them.
bool streams(const Op& op, const GemmForm& form) { return op.m <= form.vectorRows; }
double ofStreaming(double own, double others) { return own > 0 ? own : others; }

// Of the arithmetic, with the rows that a kernel of many works on though they are not there.
double shareOfPeak(const Op& op, const GemmForm& form)
{
    if (streams(op, form))
        return ofStreaming(form.vectorCompute, form.computeEfficiency);
    if (form.rowTile <= 0 || op.m <= 0)
        return form.computeEfficiency;
    return form.computeEfficiency * op.m / (std::ceil(op.m / form.rowTile) * form.rowTile);
}

// The arithmetic with its tiles, which lose so much, and the columns of the sum in so many pieces.
Seconds multiplying(const Op& op, const Gpu& gpu, const GemmForm& form, double loss, double pieces,
                    double loop)
{
    Seconds time = over(op.flops, gpu.peak(op.unit) * shareOfPeak(op, form));
    if (form.waveExponent > 0)
        time = time * lossPower(loss, form.waveExponent);
    if (form.tileColumns > 0 && op.k > 0)
        time = time * (1 + form.tileColumns * pieces / op.k);
    if (form.missingRow.base() > 0 && op.m > form.vectorRows)
        time += form.missingRow * (missingRows(op, form) * op.k / pieces);
    return form.perColumn.base() > 0 ? Seconds(overlap(time.base(), loop)) : time;
}

// Tiles for a sum in pieces, and what they lose as `tileLoss` counts it; one piece where there are tiles
// enough.
struct SplitTiles {
    double loss = 1;
    double pieces = 1;
};
SplitTiles splitTiles(const Op& op, int sms);

OpTime timeGemm(const Op& op, const Gpu& gpu, const EfficiencySet& set)
{
    const GemmForm& form = set.form(op.gemm);
    OpTime time;
    double loss = 1;
    if (form.waveExponent > 0)
        loss = form.largestTile > 0 ? oneTileLoss(op, gpu, form.largestTile)
                                    : tileLoss(op.m, op.n, gpu.smCount);
    time.compute = multiplying(op, gpu, form, loss, 1, loopSeconds(op, gpu, form));
    const bool streamed = streams(op, form);
    const double reading
        = streamed ? ofStreaming(form.vectorMemory, form.memoryEfficiency) : form.memoryEfficiency;
    time.memory = (op.weightBytes + op.kvBytes) / (gpu.memoryBandwidth * reading)
        + moving(op.activationBytes, gpu, reading, form.activationEfficiency);
    time.launch = streamed && form.vectorLaunch.base() > 0 ? form.vectorLaunch : form.launch;
    double seconds = softMax(time.compute.base(), time.memory.base(), form.sharpness) + time.launch.base();
    // In pieces it takes the memory's time, both launches and more.
    const Seconds launches = time.launch + form.splitCombine;
    if (form.splitFills > 0 && !streamed && seconds > (time.memory + launches).base()) {
        const SplitTiles split = splitTiles(op, gpu.smCount);
        if (split.pieces > 1) {
            const Seconds compute = multiplying(op, gpu, form, split.loss, split.pieces,
                                                op.k / split.pieces * form.perColumn.base());
            const double inPieces
                = softMax(compute.base(), time.memory.base(), form.sharpness) + launches.base();
            if (inPieces < seconds) {
                seconds = inPieces;
                time.compute = compute;
                time.launch = launches;
            }
        }
    }
    if (form.quantiseEfficiency > 0) {
        constexpr double bytesPerActivation = 3; // read in 16 bits, written in 8
        const Seconds pass = moving(Bytes(op.m * op.k * bytesPerActivation), gpu, form.quantiseEfficiency,
                                    form.activationEfficiency)
            + form.quantiseRow * op.m;
        time.memory += pass;
        seconds += pass.base();
    }
    if (!set.exactShapes.empty())
        seconds *= std::exp(exactResidual(set, op));
    finish(time, seconds, form.uncertainty);
    return time;
}

// Every 64 rows of an expert begin a piece of work of their own on all multiprocessors.
Seconds startsOfExperts(const Op& op, Seconds perTile)
{
    constexpr double tileRows = 64;
    return perTile * (op.experts * std::ceil(std::max(op.m, 1.0) / tileRows));
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
    return op.evenRows ? std::ceil(rows / tile) - 1 : 1 / std::expm1(tile / rows);
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
        return std::ceil(rows);
    const double tile = op.m * 8 <= form.rowTile ? std::min(leastTile, form.rowTile) : form.rowTile;
    if (op.evenRows || form.partTile <= 0)
        return std::ceil(rows / tile) * tile;
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
    return op.n > 0 ? std::ceil(op.n / tile) * tile / op.n : 1;
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
    time.launch = kernel.launch;
    const Seconds passes = Bytes(op.batch * (op.k * kernel.passBytes + op.n * form.slicePassBytes)
                                 + op.tokens * op.k * form.tokenPassBytes)
        / gpu.memoryBandwidth;
    const bool odd = form.oddSlice > 1 && std::fmod(op.n, leastTile) != 0;
    const double longer = (odd ? form.oddSlice : 1) * (op.evenRows ? form.evenTime : 1);
    finish(time,
           softMax(time.compute.base(), time.memory.base(), form.sharpness) * longer + kernel.launch.base()
               + passes.base(),
           form.uncertainty);
    time.memory += passes;
    return time;
}

OpTime timeStream(const Op& op, const Gpu& gpu, const StreamForm& form)
{
    OpTime time;
    time.compute
        = over(op.flops, gpu.peak(op.unit) * 0.5); // a recurrence in blocks reaches half a GEMM at best
    constexpr double readShare = 0.5;              // what is written takes the rest of the cache
    time.memory = moving(op.bytes(), gpu, form.memoryEfficiency, form.activationEfficiency, readShare);
    if (op.name == OpName::Norm)
        time.memory = time.memory * form.normCost;
    time.launch = form.launch;
    finish(time, std::max(time.compute, time.memory).base() + form.launch.base(), form.uncertainty);
    return time;
}

struct Tile {
    double rows;
    double columns;
};
// Tiles that matrix libraries choose from, and the loss of small ones (reuse of operands falls with their
// perimeter); fitted in docs/executor.md, normalised to the largest.
constexpr std::array tiles{Tile{256, 128}, Tile{128, 256}, Tile{128, 128}, Tile{64, 256}, Tile{128, 64},
                           Tile{64, 128},  Tile{64, 64},   Tile{64, 32},   Tile{32, 64},  Tile{16, 64}};
constexpr double perimeterLoss = 18;
constexpr double reuse(Tile tile)
{
    const double harmonic = tile.rows * tile.columns / (tile.rows + tile.columns);
    return harmonic / (harmonic + perimeterLoss);
}
// What one wave of a tile costs: its area over its reuse. Sides are powers of two, kept as such: this is
// asked for every product of every step.
struct TileCost {
    std::size_t rowBits = 0;
    std::size_t columnBits = 0;
    double perWave = 0;
};
constexpr std::size_t bitsOf(double side) { return std::bit_width(static_cast<unsigned>(side)) - 1U; }
constexpr auto tileCosts = [] {
    std::array<TileCost, tiles.size()> out{};
    for (std::size_t i = 0; i < tiles.size(); ++i)
        out[i] = {bitsOf(tiles[i].rows), bitsOf(tiles[i].columns),
                  tiles[i].rows * tiles[i].columns * reuse(Tile{128, 256}) / reuse(tiles[i])};
    return out;
}();

// A whole count over a size, rounded up: a little less than one size is added before everything behind the
// point is dropped, half of it so that rounding to the nearest drops the right way. Beside 2^52 a double has
// no place behind the point.
constexpr double dividedUp(double count, double perSize)
{
    constexpr double wholeOnly = 4503599627370496.0;
    return (count * perSize + (0.5 - 0.5 * perSize) + wholeOnly) - wholeOnly;
}
// Pieces that a length is cut into, by the bits of the side of a tile.
constexpr std::size_t leastSideBits = 4;
constexpr std::size_t mostSideBits = 8;
using Pieces = std::array<double, mostSideBits + 1>;
Pieces piecesOf(double length)
{
    // Sizes are expectations and need not be whole: a part of a row takes a whole tile.
    const auto down = static_cast<double>(static_cast<std::int64_t>(length));
    const double whole = down < length ? down + 1 : down;
    Pieces out{};
    for (std::size_t bits = leastSideBits; bits <= mostSideBits; ++bits)
        out[bits] = dividedUp(whole, 1.0 / double(1U << bits));
    return out;
}

SplitTiles splitTiles(const Op& op, int sms)
{
    const double most = op.k / leastPiece;
    constexpr double largestTile = 256 * 128;
    if (sms <= 0 || op.m <= 0 || op.n <= 0 || most < 2 || 2 * op.m * op.n > largestTile * sms)
        return {};
    const Pieces rows = piecesOf(op.m);
    const Pieces columns = piecesOf(op.n);
    SplitTiles best;
    double least = std::numeric_limits<double>::max();
    for (const TileCost& tile : tileCosts) {
        const double blocks = rows[tile.rowBits] * columns[tile.columnBits];
        const double pieces = std::max(1.0, std::min(std::floor(sms / blocks), most));
        const double waves = pieces > 1 ? 1 / pieces : std::ceil(blocks / sms);
        if (waves * tile.perWave >= least)
            continue;
        least = waves * tile.perWave;
        best.pieces = pieces;
    }
    best.loss = least * (sms / (op.m * op.n));
    return best;
}

} // namespace

double tileLoss(double m, double n, int sms)
{
    constexpr double widest = 4e9; // beyond any matrix; keeps tiles countable
    if (sms <= 0 || m <= 0 || n <= 0 || m > widest || n > widest)
        return 1;
    const Pieces rows = piecesOf(m);
    const Pieces columns = piecesOf(n);
    const double perSm = 1.0 / sms;
    // The cheapest of every other tile: the two rows of comparisons do not wait for each other.
    std::array cheapest{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
    for (std::size_t i = 0; i < tileCosts.size(); ++i) {
        const TileCost& tile = tileCosts[i];
        const double waves = dividedUp(rows[tile.rowBits] * columns[tile.columnBits], perSm);
        cheapest[i % 2] = std::min(cheapest[i % 2], waves * tile.perWave);
    }
    return std::min(cheapest[0], cheapest[1]) * (sms / (m * n));
}

double tileOccupancy(double m, double n, int sms) { return 1 / tileLoss(m, n, sms); }

Code boundName(Bound bound)
{
    switch (bound) {
    case Bound::Compute:
        return "compute";
    case Bound::Memory:
        return "memory";
    case Bound::Launch:
        return "launch";
    case Bound::Link:
        return "link";
    }
    return "memory";
}

OpTime timeOp(const Op& op, const Gpu& gpu, const Node& node, const EfficiencySet& set)
{
    switch (op.cls) {
    case OpClass::Gemm:
        return timeGemm(op, gpu, set);
    case OpClass::GroupedGemm:
        return timeGrouped(op, gpu, set);
    case OpClass::PrefillAttention:
        return timePrefillAttention(op, gpu, set.prefillAttention);
    case OpClass::PrefillMla:
        return timePrefillAttention(op, gpu, set.prefillMla);
    case OpClass::DecodeAttention:
        return timeDecodeAttention(op, gpu, op.narrowKv ? set.decodeAttention8 : set.decodeAttention);
    case OpClass::DecodeMla:
        return timeDecodeAttention(op, gpu, op.narrowKv ? set.decodeMla8 : set.decodeMla);
    case OpClass::Stream:
        return timeStream(op, gpu, set.stream);
    case OpClass::Scan:
        return timeStream(op, gpu, set.scan);
    case OpClass::Collective:
        return timeCollective(op, node, set);
    }
    return {};
}

} // namespace headroom
