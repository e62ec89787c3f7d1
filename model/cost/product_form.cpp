#include "model/cost/curve.h"
#include "model/cost/form_parts.h"
#include "model/cost/matrix_forms.h"
#include "model/cost/tiles.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

// x^p of a loss, which is 1 at best.
double lossPower(double x, double p)
{
    if (p == 0.5)
        return std::sqrt(x);
    return x >= 1 && x <= PowerOfLoss::most ? curveOf<PowerOfLoss>(p)(x) : std::pow(x, p);
}

double exactResidual(const std::vector<ExactShape>& exact, const Op& op)
{
    for (const ExactShape& shape : exact) {
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
        = std::max(1.0, roundedUp(op.m / tileRows)) * std::max(1.0, roundedUp(op.n / tileColumns));
    const double parts = std::min(gpu.smCount / tiles, op.k / leastSplit);
    return parts > 1 ? std::min(alone, alone / parts + form.splitCombine.base()) : alone;
}

// A library that has one kind of tile halves its rows while the result would leave half of them empty. Both
// are powers of two: times the one is exactly over the other.
struct TileRows {
    double rows = 64;
    double perRow = 1.0 / 64;
};
TileRows rowsOfTile(double m, double largest)
{
    constexpr double least = 64;
    const double rows = std::max(least, powerOfTwoFrom(std::min(m, largest)));
    return {rows, inverseOfPowerOfTwo(rows)};
}

// Those that scale block by block cut columns finer.
double oneTileLoss(const Op& op, const Gpu& gpu, double largest)
{
    const double columns = op.gemm == GemmClass::Fp8Block ? 32 : 64;
    const double perColumn = op.gemm == GemmClass::Fp8Block ? 1.0 / 32 : 1.0 / 64;
    if (gpu.smCount <= 0 || op.m <= 0 || op.n <= 0)
        return 1;
    const TileRows tile = rowsOfTile(op.m, largest);
    const double tiles = roundedUp(op.m * tile.perRow) * roundedUp(op.n * perColumn);
    const double sms = gpu.smCount;
    return dividedUp(tiles, 1 / sms) * (tile.rows * columns * sms) / (op.m * op.n);
}

double missingRows(const Op& op, const GemmForm& form)
{
    constexpr double amongMany = 256;
    const TileRows tile = rowsOfTile(op.m, form.largestTile > 0 ? form.largestTile : amongMany);
    return roundedUp(op.m * tile.perRow) * tile.rows - op.m;
}

// One kernel for few rows, which streams the matrix, and another for many are two kinds: a step between them.
bool streams(const Op& op, const GemmForm& form) { return op.m <= form.vectorRows; }
double ofStreaming(double own, double others) { return own > 0 ? own : others; }

// What the matrix has more to be read where its kernel takes so few rows at once.
Bytes readAgain(const Op& op, const Gpu& gpu, const GemmForm& form)
{
    if (form.passRows <= 0 || op.m <= form.passRows)
        return Bytes{};
    const Bytes beyond = op.weightBytes - std::min(op.weightBytes, gpu.l2Cache * form.keptWeights);
    return beyond * (roundedUp(op.m / form.passRows) - 1);
}

// The arithmetic, with the rows that a kernel of many works on though they are not there.
Seconds arithmetic(const Op& op, const Gpu& gpu, const GemmForm& form)
{
    const FlopsPerSecond peak = gpu.peak(op.unit);
    if (streams(op, form))
        return over(op.flops, peak * ofStreaming(form.vectorCompute, form.computeEfficiency));
    if (form.rowTile <= 0 || op.m <= 0)
        return over(op.flops, peak * form.computeEfficiency);
    const double worked = roundedUp(op.m / form.rowTile) * form.rowTile;
    return over(op.flops * worked, peak * (form.computeEfficiency * op.m));
}

// The arithmetic with its tiles, which lose so much, and the columns of the sum in so many pieces.
Seconds multiplying(const Op& op, const Gpu& gpu, const GemmForm& form, double loss, double pieces,
                    double loop)
{
    Seconds time = arithmetic(op, gpu, form);
    if (form.waveExponent > 0)
        time = time * lossPower(loss, form.waveExponent);
    if (form.tileColumns > 0 && op.k > 0)
        time = time * (1 + form.tileColumns * pieces / op.k);
    if (form.missingRow.base() > 0 && op.m > form.vectorRows)
        time += form.missingRow * (missingRows(op, form) * op.k / pieces);
    return form.perColumn.base() > 0 ? Seconds(overlap(time.base(), loop)) : time;
}

} // namespace

OpTime timeGemm(const Op& op, const Gpu& gpu, const GemmForm& form, const std::vector<ExactShape>& exact)
{
    OpTime time;
    double loss = 1;
    if (form.waveExponent > 0)
        loss = form.largestTile > 0 ? oneTileLoss(op, gpu, form.largestTile)
                                    : tileLoss(op.m, op.n, gpu.smCount);
    time.compute = multiplying(op, gpu, form, loss, 1, loopSeconds(op, gpu, form));
    const bool streamed = streams(op, form);
    const double reading
        = streamed ? ofStreaming(form.vectorMemory, form.memoryEfficiency) : form.memoryEfficiency;
    time.memory = (op.weightBytes + readAgain(op, gpu, form) + op.kvBytes) / (gpu.memoryBandwidth * reading)
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
    if (!exact.empty())
        seconds *= std::exp(exactResidual(exact, op));
    finish(time, seconds, form.uncertainty);
    return time;
}

} // namespace headroom
