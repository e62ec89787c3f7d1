#include "model/cost/attention_forms.h"

#include "model/cost/form_parts.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

constexpr double blockRows = 128; // of a prompt that one multiprocessor works on at a time

// The block of rows that sees its whole prompt: one multiprocessor works on it while the others have no more
// to do. Keys cached before the prompt are split among the idle ones and do not lengthen it.
double lastBlockSeconds(const Op& op, const Gpu& gpu, const PrefillAttentionForm& form, double softmax)
{
    if (form.lastBlock <= 0 || gpu.smCount <= 0 || op.queryTokens <= 0 || op.context <= 0)
        return 0;
    const double perScore
        = op.flops.base() / (op.batch * op.queryTokens * op.queryHeads * op.context) * softmax;
    const double keys = std::min(op.queryTokens, 2 * op.context);
    const double oneRate = gpu.peak(op.unit).base() / gpu.smCount * form.computeEfficiency * form.lastBlock;
    return perScore * std::min(op.queryTokens, blockRows) * keys / oneRate;
}

// The share of the multiprocessors' work that is still to do when blocks begin to run out: where there are
// fewer blocks than multiprocessors, none has another to wait for.
double waiting(const Op& op, const Gpu& gpu)
{
    const double blocks = op.batch * op.queryHeads * roundedUp(op.queryTokens / blockRows);
    return blocks > gpu.smCount ? 1 - gpu.smCount / blocks : 0;
}

// How much of the memory's time reading takes of what was written just before: the part that the last level
// of cache still holds costs `cached` of it. What passes through a cache that is too small pushes itself out.
double costOfFresh(Bytes read, const Gpu& gpu, double cached)
{
    if (cached <= 0 || gpu.l2Cache.base() <= 0 || read.base() <= 0)
        return 1;
    const double fits = std::min(1.0, gpu.l2Cache / read);
    return 1 - fits * fits * (1 - cached);
}

// Keys and values of the new tokens, which a kernel of its own puts into the cache.
Bytes appended(const Op& op)
{
    const double before = std::max(0.0, op.context - (op.queryTokens + 1) / 2);
    return op.kvBytes * (op.queryTokens / (op.queryTokens + before));
}

// How many times longer than for heads of 128 columns each byte takes, and what is there without keys.
struct WidthCost {
    double bytes = 1;
    double fixed = 1;
};
WidthCost widthCost(const Op& op, const DecodeAttentionForm& form)
{
    constexpr double usualColumns = 128;
    if (op.headDim <= 0 || op.cls == OpClass::DecodeMla)
        return {};
    const double wider = op.headDim / usualColumns - 1;
    if (wider >= 0)
        return {1 + form.wideHeads * wider, 1 + form.wideFixed * wider};
    constexpr double least = 0.1; // a file may say anything, time stays above zero
    return {std::max(least, 1 - 2 * (form.narrowHeads - 1) * wider),
            std::max(least, 1 - 2 * (form.narrowFixed - 1) * wider)};
}

// Matrix units work on 16 query rows of one KV head at a time, on 128 of its keys.
constexpr double rowsOfMatrixUnit = 16;
constexpr double keysOfBlock = 128;

// How a kernel goes over the rows that meet one KV head.
struct Rows {
    double count = 1;    // of a sequence's KV head
    bool single = false; // one by one, each an item of its own, without matrix units
    bool ownFigures = false;
    double padding = 1; // times the arithmetic
    double passes = 1;  // over the cache, in what they cost
};
Rows latentRows(double count, const DecodeAttentionForm& form)
{
    // Kernels of few rows take as many as two of their tiles; beyond, others take all.
    const bool narrow = form.latentRows > 0;
    const bool ofNarrow = narrow && count <= 2 * form.latentRows;
    const double tile = ofNarrow ? form.latentRows : form.latentTile;
    Rows rows{.count = count, .padding = std::max(1.0, tile / count)};
    if (ofNarrow || !narrow)
        rows.passes = 1 + form.readAgain * (std::max(1.0, count / tile) - 1);
    return rows;
}
Rows rowsOf(const Op& op, const Gpu& gpu, const DecodeAttentionForm& form)
{
    const double count = op.queryHeads / std::max(op.kvHeads, 1.0) * std::max(op.queryTokens, 1.0);
    if (op.cls == OpClass::DecodeMla)
        return latentRows(count, form);
    // Else one row goes at a rate that memory hides.
    const bool known = form.rowEfficiency > 0;
    const double blocks = op.batch * op.kvHeads * std::max(1.0, std::floor((op.context - 1) / keysOfBlock));
    const bool few = known && blocks < form.matrixBlocks * gpu.smCount;
    if (count <= 1 || few)
        return {.count = count, .single = true, .ownFigures = known};
    return {.count = count, .padding = std::max(1.0, rowsOfMatrixUnit / count)};
}

// Pieces that the keys of so many items are split into; no more than items where nothing is.
double piecesOf(const Op& op, const DecodeAttentionForm& form, const Rows& rows, double items, double most)
{
    // Two blocks at least, but for latent attention, whose kernels have shorter ones.
    double least = op.cls == OpClass::DecodeMla ? 0 : 2 * keysOfBlock;
    double keys = form.pieceKeys;
    if (rows.ownFigures && form.rowSplit > 0 && op.headDim > 0) {
        least = form.rowSplit / op.headDim;
        keys = least / 2;
    }
    return op.context < least ? items : std::min(items * op.context / keys, most);
}

// How long items take a multiprocessor to begin and end, times those of few rows.
double itemCost(const Op& op, const DecodeAttentionForm& form, const Rows& rows)
{
    if (rows.single)
        return 1;
    constexpr double tall = 2048;
    const bool isTall = op.cls != OpClass::DecodeMla && rows.count * op.headDim > tall;
    return (1 + std::min(rows.count / form.itemRows, 1.0) * form.rowsCost) * (isTall ? form.tallItems : 1);
}

// Keys and values as they pass through the multiprocessors.
struct KeysTime {
    double seconds = 0;
    double splits = 1; // of an item, put together again
};
KeysTime keysTime(const Op& op, const Gpu& gpu, const DecodeAttentionForm& form, const Rows& rows,
                  const WidthCost& width, double reading)
{
    const double sms = gpu.smCount;
    const double heads = op.batch * (rows.single ? op.kvHeads * rows.count : op.kvHeads);
    const double items = rows.single ? heads : heads * std::max(1.0, rows.count / form.itemRows);
    const double most = form.fill * sms;
    const double pieces = piecesOf(op, form, rows, items, most);
    const bool split = pieces > items;
    if (split && rows.ownFigures && form.rowScatter > 0)
        reading *= std::pow(most / items, form.rowScatter);
    const Seconds item = rows.ownFigures ? form.rowItem : form.perItem;
    const double starts
        = item.base() * itemCost(op, form, rows) * width.fixed * (std::max(items, pieces) / sms);
    KeysTime time{.seconds = form.startsBeside > 0 ? overlap(reading, starts) : reading + starts,
                  .splits = split ? pieces / items : 1};
    const double reach = rows.ownFigures ? form.rowReach : form.reach;
    const double drawing = rows.ownFigures && items > 0 ? heads * std::max(1.0, pieces / items) : heads;
    if (reach > 0 && drawing > 0)
        time.seconds = overlap(time.seconds,
                               rows.passes * width.bytes * op.kvBytes.base() / drawing
                                   / (gpu.memoryBandwidth.base() / sms * reach));
    return time;
}

// Flash attention's kernels end at heads of 256 columns (Dao-AILab/flash-attention: README); wider ones go to
// Triton's, whose tiles of so wide a head do not fit the multiprocessor: a quarter of the rate, by prompts of
// up to 25,000 tokens with heads of 512 on GB10 (djangodevreng/dgx-spark-benchmarks), where vLLM has no other
// kernel (vllm-project/vllm issue 38887).
double beyondFlash(const Op& op)
{
    constexpr double widest = 256;
    constexpr double slower = 4;
    return op.cls == OpClass::PrefillAttention && op.headDim > widest ? slower : 1;
}

// Time of the matrix units. Kernels that fetch keys for each query are known by their own share of the peak,
// whatever the lengths: each query is a block of its own, of as many keys as the others.
Seconds prefillCompute(const Op& op, const Gpu& gpu, const PrefillAttentionForm& form)
{
    const FlopsPerSecond peak = gpu.peak(op.unit);
    if (op.gathers && form.gatheredEfficiency > 0)
        return over(op.flops, peak * form.gatheredEfficiency);
    const bool general = op.general && form.generalEfficiency > 0;
    const double efficiency = general ? form.generalEfficiency : form.computeEfficiency;
    const double ramp = op.queryTokens / (op.queryTokens + form.halfLength);
    const double exponentials = op.headDim > 0 ? form.softmaxColumns / op.headDim : 0;
    const double softmax = overlap(1, exponentials);
    const double last = lastBlockSeconds(op, gpu, form, softmax);
    Seconds compute = over(op.flops, peak * (efficiency * ramp / (softmax * beyondFlash(op))));
    if (form.tail > 0 && last > 0)
        compute += Seconds(form.tail * last * waiting(op, gpu));
    return Seconds(overlap(compute.base(), last));
}

} // namespace

OpTime timePrefillAttention(const Op& op, const Gpu& gpu, const PrefillAttentionForm& form)
{
    OpTime time;
    time.compute = prefillCompute(op, gpu, form);
    time.memory = op.bytes() / (gpu.memoryBandwidth * form.memoryEfficiency)
        * costOfFresh(op.bytes(), gpu, form.cachedCost);
    time.launch = form.launch;
    double seconds = overlap(time.compute.base(), time.memory.base()) + form.launch.base();
    if (form.appendPasses > 0) {
        const Bytes fresh = appended(op);
        const Seconds pass = fresh * form.appendPasses / gpu.memoryBandwidth
            * costOfFresh(fresh * 2, gpu, form.cachedCost); // read here, written there
        time.memory += pass;
        seconds += pass.base();
    }
    finish(time, seconds, form.uncertainty);
    if (op.gathers && form.gatheredEfficiency > 0)
        time.lnSpread = std::max(time.lnSpread, form.gatheredSpread);
    return time;
}

OpTime timeDecodeAttention(const Op& op, const Gpu& gpu, const DecodeAttentionForm& form)
{
    const Rows rows = rowsOf(op, gpu, form);
    const WidthCost width = widthCost(op, form);
    OpTime time;
    time.compute = over(op.flops * rows.padding,
                        gpu.peak(op.unit) * (rows.ownFigures ? form.rowEfficiency : form.computeEfficiency));
    const bool ownPass = form.queryPasses > 0;
    const Bytes read = ownPass ? op.kvBytes : op.bytes();
    const double fixed = width.fixed * (rows.ownFigures ? form.rowFixed : 1);
    double memory = rows.passes * width.bytes * (read / (gpu.memoryBandwidth * form.memoryEfficiency)).base();
    double launch = form.launch.base() * fixed;
    if (gpu.smCount > 0) {
        const KeysTime keys = keysTime(op, gpu, form, rows, width, memory);
        memory = keys.seconds;
        if (keys.splits > 1)
            launch += form.combine.base()
                + (rows.ownFigures ? 0 : form.splitRoot.base() * std::sqrt(keys.splits));
    }
    if (!rows.single && op.cls != OpClass::DecodeMla && op.batch > 1 && op.kvHeads > 1)
        launch += form.regroup.base();
    double work = launch + softMax(time.compute.base(), memory, form.sharpness);
    if (ownPass) {
        const double pass = op.activationBytes.base() * form.queryPasses / gpu.memoryBandwidth.base();
        memory += pass;
        work += pass;
    }
    const double floor = form.floor.base() * fixed;
    time.memory = Seconds(memory);
    time.launch = Seconds(std::max(form.floor.base(), form.launch.base()) * fixed);
    finish(time, softMax(floor, work, form.floorSharpness), form.uncertainty);
    return time;
}

} // namespace headroom
