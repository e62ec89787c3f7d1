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
    const double blocks = op.batch * op.queryHeads * std::ceil(op.queryTokens / blockRows);
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

// How many times longer than for heads of 128 columns everything but arithmetic takes.
double widthCost(const Op& op, const DecodeAttentionForm& form)
{
    constexpr double usualColumns = 128;
    constexpr double least = 0.3;
    if (form.wideHeads <= 0 || op.headDim <= 0 || op.cls == OpClass::DecodeMla)
        return 1;
    return std::max(least, 1 + form.wideHeads * (op.headDim / usualColumns - 1));
}

} // namespace

OpTime timePrefillAttention(const Op& op, const Gpu& gpu, const PrefillAttentionForm& form)
{
    OpTime time;
    const double ramp = op.queryTokens / (op.queryTokens + form.halfLength);
    const double exponentials = op.headDim > 0 ? form.softmaxColumns / op.headDim : 0;
    const double softmax = besides(1, exponentials);
    const double last = lastBlockSeconds(op, gpu, form, softmax);
    time.compute = over(op.flops, gpu.peak(op.unit) * (form.computeEfficiency * ramp / softmax));
    if (form.tail > 0 && last > 0)
        time.compute += Seconds(form.tail * last * waiting(op, gpu));
    time.compute = Seconds(besides(time.compute.base(), last));
    time.memory = op.bytes() / (gpu.memoryBandwidth * form.memoryEfficiency)
        * costOfFresh(op.bytes(), gpu, form.cachedCost);
    time.launch = form.launch;
    double seconds = besides(time.compute.base(), time.memory.base()) + form.launch.base();
    if (form.appendPasses > 0) {
        const Bytes fresh = appended(op);
        const Seconds pass = fresh * form.appendPasses / gpu.memoryBandwidth
            * costOfFresh(fresh * 2, gpu, form.cachedCost); // read here, written there
        time.memory += pass;
        seconds += pass.base();
    }
    finish(time, seconds, form.uncertainty);
    return time;
}

OpTime timeDecodeAttention(const Op& op, const Gpu& gpu, const DecodeAttentionForm& form)
{
    // Matrix units work on 16 query rows of one KV head at a time, kernels of latent attention on 64, which
    // is what its 128 heads are shared out by.
    constexpr double rowsOfMatrixUnit = 16;
    constexpr double rowsOfLatentTile = 64;
    const double rows = op.queryHeads / std::max(op.kvHeads, 1.0) * std::max(op.queryTokens, 1.0);
    const bool oneRow = rows <= 1 && op.cls == OpClass::DecodeAttention;
    const bool known = oneRow && form.rowEfficiency > 0; // else at a rate that memory hides
    const double tile = op.cls == OpClass::DecodeMla ? rowsOfLatentTile : rowsOfMatrixUnit;
    const double padding = oneRow ? 1 : std::max(1.0, tile / rows);
    OpTime time;
    time.compute
        = over(op.flops * padding, gpu.peak(op.unit) * (known ? form.rowEfficiency : form.computeEfficiency));
    const double width = widthCost(op, form);
    const bool ownPass = form.queryPasses > 0;
    const Bytes read = ownPass ? op.kvBytes : op.bytes();
    double memory = width * (read / (gpu.memoryBandwidth * form.memoryEfficiency)).base();
    double launch = form.launch.base() * width;
    if (gpu.smCount > 0) {
        const double sms = gpu.smCount;
        const double heads = op.batch * op.kvHeads;
        const double items = heads * std::max(1.0, rows / rowsOfMatrixUnit);
        const double pieces = std::min(items * op.context / form.pieceKeys, form.fill * sms);
        if (pieces > items)
            launch += form.combine.base();
        const Seconds item = known ? form.rowItem : form.perItem;
        memory += item.base() * width * (std::max(items, pieces) / sms);
        const double reach = known ? form.rowReach : form.reach;
        if (reach > 0 && heads > 0)
            memory = besides(memory,
                             op.kvBytes.base() * width / heads / (gpu.memoryBandwidth.base() / sms * reach));
    }
    double work = launch + softMax(time.compute.base(), memory, form.sharpness);
    if (ownPass) {
        const double pass = op.activationBytes.base() * form.queryPasses / gpu.memoryBandwidth.base();
        memory += pass;
        work += pass;
    }
    const double floor = form.floor.base() * width;
    time.memory = Seconds(memory);
    time.launch = Seconds(std::max(form.floor.base(), form.launch.base()) * width);
    finish(time, softMax(floor, work, form.floorSharpness), form.uncertainty);
    return time;
}

} // namespace headroom
