#include "calib/fit/form_starts.h"

#include "calib/fit/attention_starts.h"
#include "calib/fit/form_knobs.h"
#include "model/cost/forms.h"

#include <algorithm>
#include <utility>

namespace headroom {
namespace {

// How many columns of a head take a multiprocessor as long as the exponential of one score: its matrix units
// multiply and add twice for each column, its special function units begin 16 exponentials a cycle (CUDA C++
// Programming Guide, throughput of native arithmetic instructions, compute capabilities 8.0 to 10.0).
double exponentialColumns(const Gpu& gpu)
{
    constexpr double exponentialsPerClock = 16;
    constexpr double unknown = 30; // of the cards measured
    const double flops = gpu.perSmClock[static_cast<std::size_t>(MathUnit::Fp16)];
    return flops > 0 ? flops / (2 * 2 * exponentialsPerClock) : unknown;
}

void guessUnknown(DecodeAttentionForm& form)
{
    if (form.perItem.base() <= 0)
        form.perItem = Seconds(3e-7);
    if (form.fill <= 0)
        form.fill = 2;
    if (form.combine.base() <= 0)
        form.combine = Seconds(3e-6); // as a short launch
    if (form.reach <= 0)
        form.reach = 30; // split as far as a quarter of the card
    if (form.rowsCost <= 0)
        form.rowsCost = 0.3; // queries and results beside the start of a block
}

void guessUnknownHeads(DecodeAttentionForm& form)
{
    if (form.wideHeads <= 0)
        form.wideHeads = 0.03; // seen in most kernels
    if (form.wideFixed <= 0)
        form.wideFixed = 0.03;
    if (form.regroup.base() <= 0)
        form.regroup = Seconds(1e-6); // copies of one row for each head
    if (form.rowEfficiency <= 0)
        form.rowEfficiency = 0.01; // general arithmetic units against matrix units, whose inputs are padded
    if (form.rowItem.base() <= 0)
        form.rowItem = Seconds(3e-7);
    if (form.rowReach <= 0)
        form.rowReach = 2; // of a piece: about its multiprocessor's share
    if (form.tallItems <= 1)
        form.tallItems = 1.1; // queries that registers do not hold
}

// Where priors say nothing of a part of a form, a fit starts from its usual size.
void guessUnknown(GemmForm& form)
{
    if (form.tileColumns <= 0)
        form.tileColumns = 100; // two or three steps of a tile's loop
    if (form.perColumn.base() <= 0)
        form.perColumn = Seconds(2e-10); // such a step of 64 columns takes some 20 cycles
    if (form.splitCombine.base() <= 0)
        form.splitCombine = Seconds(3e-6); // as a short launch
    if (form.activationEfficiency <= 0)
        form.activationEfficiency = 2; // the rate of a cache beside its memory
    if (form.quantiseRow.base() <= 0)
        form.quantiseRow = Seconds(1e-9); // a block of threads on each of a hundred multiprocessors
}

void guessUnknown(GroupedGemmForm& form)
{
    if (form.passBytes <= 0)
        form.passBytes = 4; // one read and one write in 16 bits
    if (form.perTile.base() <= 0)
        form.perTile = Seconds(1e-7); // some hundred cycles, a few experts at once
    if (form.activationEfficiency <= 0)
        form.activationEfficiency = 1;
    if (form.slicePassBytes <= 0)
        form.slicePassBytes = 1;
    if (form.tokenPassBytes <= 0)
        form.tokenPassBytes = 4; // as of its copies
    if (form.oddSlice <= 1)
        form.oddSlice = 1.3;
    if (form.tileColumns <= 0)
        form.tileColumns = 100;
    if (form.partTile <= 0)
        form.partTile = 0.3; // half of one of equally likely lengths, less where few rows share a tile
    if (form.narrowSlice <= 0)
        form.narrowSlice = 64; // one tile's step
}

void guessUnknown(PrefillAttentionForm& form, const Gpu& gpu)
{
    if (form.softmaxColumns <= 0)
        form.softmaxColumns = exponentialColumns(gpu);
    if (form.lastBlock <= 0)
        form.lastBlock = 1;
    if (form.tail <= 0)
        form.tail = 0.5; // blocks end half of one apart
    if (form.cachedCost <= 0)
        form.cachedCost = 0.5; // caches give two to five times the memory's rate
    if (form.appendPasses <= 0)
        form.appendPasses = 1;
}

void guessUnknown(EfficiencySet& start, const FormSlot& slot, const Gpu& gpu)
{
    if (slot.cls == OpClass::Gemm)
        guessUnknown(gemmAt(start, slot));
    if (slot.cls == OpClass::GroupedGemm)
        guessUnknown(groupedAt(start, slot));
    if (slot.cls == OpClass::PrefillAttention || slot.cls == OpClass::PrefillMla)
        guessUnknown(prefillAt(start, slot), gpu);
    if (slot.cls == OpClass::Stream || slot.cls == OpClass::Scan) {
        StreamForm& form = streamAt(start, slot);
        if (form.activationEfficiency <= 0)
            form.activationEfficiency = 2;
    }
    if (slot.cls == OpClass::DecodeAttention || slot.cls == OpClass::DecodeMla)
        guessUnknown(decodeAt(start, slot));
    if (slot.cls == OpClass::DecodeAttention)
        guessUnknownHeads(decodeAt(start, slot));
    if (slot.cls == OpClass::DecodeMla && decodeAt(start, slot).queryPasses <= 0)
        decodeAt(start, slot).queryPasses = 1;
    if (slot.cls == OpClass::Collective)
        collectiveAt(start, slot).pipelined = 1;
    if (slot.cls == OpClass::Collective && reduces(slot.collective)) {
        CollectiveForm& form = collectiveAt(start, slot);
        if (form.oneShotEfficiency <= 0)
            form.oneShotEfficiency = 0.5; // peers read through the same links, without a protocol's flags
    }
}

// NCCL's ways: words with flags, lines of which little is flag, and after the ranks have met.
void guessNccl(CollectiveForm& form)
{
    form.protocol = ExchangeProtocol::LlSimple;
    form.oneShotEfficiency = 0.1; // half of every word is its flag, and few blocks write
    form.perHop = Seconds(8e-6);
}
void guessLines(CollectiveForm& form)
{
    guessNccl(form);
    form.protocol = ExchangeProtocol::LlLl128Simple;
    form.handedStart = Seconds(1e-6);
    form.handedEfficiency = 0.4; // by more blocks than words, fewer than after meeting
}

// Kernels of engines that leave large messages to NCCL; vLLM's and SGLang's also all among more than two
// cards without links of their own (custom_all_reduce.py). TensorRT-LLM's was timed to need no meeting of the
// ranks below 8 KiB.
std::vector<EfficiencySet> leftToNccl(const EfficiencySet& start, const FormSlot& slot)
{
    std::vector<EfficiencySet> out;
    for (const double ranks : {0, 2}) {
        for (const double megabytes : {1, 2, 4, 8, 16}) {
            for (const double meet : {0, 8192}) {
                out.push_back(start);
                CollectiveForm& form = collectiveAt(out.back(), slot);
                form.ncclFrom = megabytes * 1048576;
                form.ncclBeyond = ranks;
                form.meetFrom = meet;
            }
        }
    }
    return out;
}

// Starts of an exchange: in segments around a ring, or by one of two or three protocols. All-reduces have the
// same starts, and beside the segments the one-shot exchange.
std::vector<EfficiencySet> exchangeStarts(EfficiencySet start, const FormSlot& slot)
{
    EfficiencySet three = start;
    if (slot.collective == CollectiveClass::CustomAllReduce) {
        collectiveAt(start, slot).protocol = ExchangeProtocol::OneShot;
        collectiveAt(start, slot).handedEfficiency = 0;
        collectiveAt(start, slot).handedFrom = 0;
        collectiveAt(three, slot).protocol = ExchangeProtocol::OneShotOrThird;
        collectiveAt(three, slot).handedFrom = 0;
        if (CollectiveForm& form = collectiveAt(three, slot); form.handedEfficiency <= 0) {
            form.handedStart = Seconds(20e-6); // ranks meet before a switch adds up
            form.handedEfficiency = 0.5;
        }
        collectiveAt(start, slot).ncclFrom = 0;
        collectiveAt(start, slot).ncclBeyond = 0;
        collectiveAt(start, slot).meetFrom = 0;
        std::vector<EfficiencySet> starts{start, three};
        for (const double megabytes : {1, 2, 4, 8}) { // libraries hand on at a size, not where it pays
            starts.push_back(three);
            collectiveAt(starts.back(), slot).handedFrom = megabytes * 1048576;
        }
        const std::vector<EfficiencySet> left = leftToNccl(start, slot);
        starts.insert(starts.end(), left.begin(), left.end());
        return starts;
    }
    if (collectiveAt(three, slot).protocol != ExchangeProtocol::LlLl128Simple)
        guessLines(collectiveAt(three, slot));
    collectiveAt(start, slot).handedEfficiency = 0;
    if (reduces(slot.collective)) {
        collectiveAt(start, slot).protocol = ExchangeProtocol::OneShot;
        return {start, three};
    }
    EfficiencySet both = start;
    if (collectiveAt(both, slot).oneShotEfficiency <= 0)
        guessNccl(collectiveAt(both, slot));
    collectiveAt(both, slot).protocol = ExchangeProtocol::LlSimple;
    collectiveAt(start, slot).protocol = ExchangeProtocol::Ring;
    collectiveAt(start, slot).oneShotEfficiency = 0;
    return {start, both, three};
}

// Each start over links that give every card its rate, and over bridges that cards share.
std::vector<EfficiencySet> withSharing(const std::vector<EfficiencySet>& starts, const FormSlot& slot)
{
    std::vector<EfficiencySet> out;
    for (const double sharing : {0.0, 0.2}) {
        for (const EfficiencySet& start : starts) {
            out.push_back(start);
            collectiveAt(out.back(), slot).sharing = sharing;
        }
    }
    return out;
}

// Weights that are widened on the way: a kernel for up to eight rows streams them at a rate of its own,
// others widen them once for every tile of rows, which are padded to it.
void addNarrowStarts(std::vector<EfficiencySet>& out, const FormSlot& slot, const EfficiencySet& many)
{
    for (const double largest : {0.0, 128.0, 256.0})
        for (const double padded : {0.0, 32.0, 64.0, 128.0})
            for (const double fills : {0.0, 1.0}) {
                out.push_back(many);
                GemmForm& form = gemmAt(out.back(), slot);
                form.largestTile = largest;
                form.rowTile = padded;
                form.splitFills = fills;
                form.vectorRows = 8;
                form.vectorLaunch = form.launch;
                form.vectorMemory = form.memoryEfficiency;
                form.vectorCompute = form.computeEfficiency;
            }
}

// Starts of a product: one kind of tile or several; with a kernel of few rows or without; the tile chosen
// together with split-K or before it; rows beyond the matrix free or paid for. TensorRT-LLM's 8-bit kernels
// get activations that the norm has narrowed (its SmoothQuant plugin); others narrow them in a pass of their
// own.
std::vector<EfficiencySet> gemmStarts(const EfficiencySet& start, const FormSlot& slot)
{
    EfficiencySet many = start;
    GemmForm& form = gemmAt(many, slot);
    form.largestTile = 0;
    form.vectorRows = 0;
    form.vectorLaunch = Seconds(0);
    form.vectorMemory = form.vectorCompute = 0;
    form.rowTile = 0;
    form.splitFills = 0;
    form.missingRow = Seconds(0);
    EfficiencySet one = many;
    gemmAt(one, slot).largestTile = 256; // two blocks of a pair work on 128 each
    EfficiencySet few = many;
    gemmAt(few, slot).vectorRows = 4; // as many as a multiprocessor's general units keep up with memory for
    gemmAt(few, slot).vectorLaunch = gemmAt(few, slot).launch;
    std::vector<EfficiencySet> out{many, one, few};
    for (const auto of : {std::size_t{0}, std::size_t{2}}) {
        out.push_back(out[of]);
        gemmAt(out.back(), slot).splitFills = 1;
    }
    if (slot.gemm == GemmClass::Int8) {
        out.push_back(out.back());
        gemmAt(out.back(), slot).quantiseEfficiency = 0;
        gemmAt(out.back(), slot).quantiseRow = Seconds(0);
    }
    constexpr double ofOneKind = 1e-11; // a hundred rows take as long as one tile's step
    constexpr double ofMany = 1e-12;    // smaller tiles miss fewer
    out.push_back(one);
    gemmAt(out.back(), slot).missingRow = Seconds(ofOneKind);
    out.push_back(out[3]);
    gemmAt(out.back(), slot).missingRow = Seconds(ofMany);
    if (slot.gemm == GemmClass::WeightOnly4 || slot.gemm == GemmClass::WeightOnly8)
        addNarrowStarts(out, slot, many);
    return out;
}

std::vector<EfficiencySet> expertStarts(const EfficiencySet& start, const FormSlot& slot)
{
    EfficiencySet small = start;
    groupedAt(small, slot).expertTiles = ExpertTiles::Fixed;
    groupedAt(small, slot).rowTile = 16;
    groupedAt(small, slot).spreadExperts = SpreadExperts::SameKernel;
    groupedAt(small, slot).spreadCompute = 0;
    groupedAt(small, slot).expertWeights = ExpertWeights::Plain;
    groupedAt(small, slot).keptWeights = 0;
    groupedAt(small, slot).leastTile = 0;
    std::vector<EfficiencySet> out{small};
    for (const double rows : {64.0, 128.0}) {
        out.push_back(small);
        groupedAt(out.back(), slot).rowTile = rows;
    }
    out.push_back(small);
    groupedAt(out.back(), slot).expertTiles = ExpertTiles::ByAverage;
    for (std::size_t i = 0, tiles = out.size(); i < tiles; ++i) {
        out.push_back(out[i]);
        groupedAt(out.back(), slot).expertWeights = ExpertWeights::WholeTiles;
        groupedAt(out.back(), slot).keptWeights = 0.5; // the rest of the cache passes activations
    }
    for (std::size_t i = 0; i < 2; ++i) {
        EfficiencySet two = out[i];
        GroupedGemmForm& form = groupedAt(two, slot);
        form.spreadExperts = SpreadExperts::OwnKernel;
        form.spreadCompute = form.computeEfficiency;
        form.spreadMemory = form.memoryEfficiency;
        form.spreadLaunch = form.launch;
        form.spreadTile = form.perTile;
        form.spreadPassBytes = form.passBytes;
        out.push_back(two);
    }
    for (std::size_t i = 0, once = out.size(); i < once; ++i) {
        const GroupedGemmForm& of = groupedAt(out[i], slot);
        if (of.expertTiles == ExpertTiles::Fixed
            && of.rowTile != 64) // one tile throughout, or none that grows that far
            continue;
        for (const double least :
             {16.0, 32.0}) { // rows: a kernel's tuner may pass over the smallest of eight
            out.push_back(out[i]);
            groupedAt(out.back(), slot).leastTile = least;
            groupedAt(out.back(), slot).readAgain = 0.4; // mostly from the last level of cache
        }
    }
    return out;
}

} // namespace

std::vector<EfficiencySet> startsOf(EfficiencySet start, const FormSlot& slot, const Gpu& gpu)
{
    guessUnknown(start, slot, gpu);
    if (slot.cls == OpClass::Gemm)
        return gemmStarts(start, slot);
    if (slot.cls == OpClass::GroupedGemm)
        return expertStarts(start, slot);
    if (slot.cls == OpClass::DecodeAttention)
        return decodeStarts(start, slot);
    if (slot.cls == OpClass::DecodeMla)
        return latentStarts(start, slot);
    if (slot.cls == OpClass::Collective)
        return withSharing(exchangeStarts(std::move(start), slot), slot);
    return {start};
}

} // namespace headroom
