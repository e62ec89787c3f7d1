#include "calib/fit/form_fit.h"

#include "model/cost/forms.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <random>

namespace headroom {
namespace {

// One number of a form that a fit may move. Deviations are the priors' of docs/executor.md (section 3.4).
struct Knob {
    std::string name;
    double lnSpread;
    double low;
    double high;
    std::function<double(const EfficiencySet&)> read;
    std::function<void(EfficiencySet&, double)> write;
};

template <typename Form, typename Locate>
class KnobList {
public:
    explicit KnobList(Locate locate) : m_locate(locate) {}

    void share(std::string name, double Form::*field, double lnSpread, double high)
    {
        add(
            std::move(name), lnSpread, 0.005, high, [field](const Form& f) { return f.*field; },
            [field](Form& f, double v) { f.*field = v; });
    }
    void seconds(std::string name, Seconds Form::*field, double lnSpread, double high, double low = 5e-8)
    {
        add(
            std::move(name), lnSpread, low, high, [field](const Form& f) { return (f.*field).base(); },
            [field](Form& f, double v) { f.*field = Seconds(v); });
    }
    void aboveOne(std::string name, double Form::*field, double lnSpread, double high)
    {
        add(
            std::move(name), lnSpread, 0.01, high - 1,
            [field](const Form& f) { return std::max(f.*field - 1, 0.01); },
            [field](Form& f, double v) { f.*field = 1 + v; });
    }
    void number(std::string name, double Form::*field, double lnSpread, double low, double high)
    {
        add(
            std::move(name), lnSpread, low, high,
            [field, low](const Form& f) { return std::max(f.*field, low); },
            [field](Form& f, double v) { f.*field = v; });
    }
    [[nodiscard]] std::vector<Knob> take() { return std::move(m_knobs); }

private:
    void add(std::string name, double lnSpread, double low, double high,
             std::function<double(const Form&)> read, std::function<void(Form&, double)> write)
    {
        const Locate locate = m_locate;
        m_knobs.push_back(
            {.name = std::move(name),
             .lnSpread = lnSpread,
             .low = low,
             .high = high,
             .read =
                 [locate, read](const EfficiencySet& set) {
                     EfficiencySet copy = set;
                     return read(locate(copy));
                 },
             .write = [locate, write](EfficiencySet& set, double v) { write(locate(set), v); }});
    }

    Locate m_locate;
    std::vector<Knob> m_knobs;
};

// An efficiency may exceed the datasheet where a card sustains more than it promises, or reads from its
// cache.
constexpr double mostCompute = 1.15;
constexpr double mostMemory = 1.3;
constexpr double mostOfCache = 20; // times the memory's bandwidth

GemmForm& gemmAt(EfficiencySet& set, const FormSlot& slot)
{
    return set.gemm[static_cast<std::size_t>(slot.gemm)];
}
GroupedGemmForm& groupedAt(EfficiencySet& set, const FormSlot& slot)
{
    return set.grouped[static_cast<std::size_t>(slot.gemm)];
}
PrefillAttentionForm& prefillAt(EfficiencySet& set, const FormSlot& slot)
{
    return slot.cls == OpClass::PrefillMla ? set.prefillMla : set.prefillAttention;
}
DecodeAttentionForm& decodeAt(EfficiencySet& set, const FormSlot& slot)
{
    if (slot.cls == OpClass::DecodeMla)
        return slot.narrowKv ? set.decodeMla8 : set.decodeMla;
    return slot.narrowKv ? set.decodeAttention8 : set.decodeAttention;
}
StreamForm& streamAt(EfficiencySet& set, const FormSlot& slot)
{
    return slot.cls == OpClass::Scan ? set.scan : set.stream;
}
CollectiveForm& collectiveAt(EfficiencySet& set, const FormSlot& slot)
{
    auto& forms = slot.betweenNodes ? set.interNode : set.intraNode;
    return forms[static_cast<std::size_t>(slot.collective)];
}

std::vector<Knob> gemmKnobs(const FormSlot& slot)
{
    KnobList<GemmForm, std::function<GemmForm&(EfficiencySet&)>> knobs(
        [slot](EfficiencySet& set) -> GemmForm& { return gemmAt(set, slot); });
    knobs.share("compute efficiency", &GemmForm::computeEfficiency, 0.15, mostCompute);
    knobs.share("memory efficiency", &GemmForm::memoryEfficiency, 0.1, mostMemory);
    knobs.seconds("launch", &GemmForm::launch, 0.4, 60e-6);
    knobs.aboveOne("sharpness", &GemmForm::sharpness, 0.4, 8);
    knobs.number("wave exponent", &GemmForm::waveExponent, 0.5, 0.02, 2);
    const bool quantises = slot.gemm == GemmClass::Fp8 || slot.gemm == GemmClass::Fp8Block
        || slot.gemm == GemmClass::Int8 || slot.gemm == GemmClass::Fp4;
    if (quantises) {
        knobs.share("quantise efficiency", &GemmForm::quantiseEfficiency, 0.5, mostMemory);
        knobs.seconds("quantise row", &GemmForm::quantiseRow, 1.0, 100e-9, 1e-12);
    }
    knobs.number("activation efficiency", &GemmForm::activationEfficiency, 0.7, 0.1, mostOfCache);
    knobs.number("tile columns", &GemmForm::tileColumns, 1.0, 0.1, 3000);
    knobs.seconds("column", &GemmForm::perColumn, 1.0, 10e-9, 1e-13);
    knobs.seconds("split", &GemmForm::splitCombine, 1.0, 100e-6, 1e-8);
    return knobs.take();
}

std::vector<Knob> groupedKnobs(const FormSlot& slot)
{
    KnobList<GroupedGemmForm, std::function<GroupedGemmForm&(EfficiencySet&)>> knobs(
        [slot](EfficiencySet& set) -> GroupedGemmForm& { return groupedAt(set, slot); });
    knobs.share("compute efficiency", &GroupedGemmForm::computeEfficiency, 0.3, mostCompute);
    knobs.share("memory efficiency", &GroupedGemmForm::memoryEfficiency, 0.15, 1);
    knobs.seconds("launch", &GroupedGemmForm::launch, 0.6, 300e-6);
    knobs.aboveOne("sharpness", &GroupedGemmForm::sharpness, 0.4, 8);
    knobs.number("activation efficiency", &GroupedGemmForm::activationEfficiency, 0.7, 0.1, mostOfCache);
    knobs.number("pass bytes", &GroupedGemmForm::passBytes, 1.0, 0.05, 100);
    knobs.number("slice pass bytes", &GroupedGemmForm::slicePassBytes, 1.0, 0.02, 100);
    knobs.number("odd slice", &GroupedGemmForm::oddSlice, 0.5, 1, 5);
    knobs.seconds("tile", &GroupedGemmForm::perTile, 1.0, 10e-6, 1e-9);
    knobs.number("tile columns", &GroupedGemmForm::tileColumns, 1.0, 0.1, 3000);
    return knobs.take();
}

std::vector<Knob> prefillKnobs(const FormSlot& slot)
{
    KnobList<PrefillAttentionForm, std::function<PrefillAttentionForm&(EfficiencySet&)>> knobs(
        [slot](EfficiencySet& set) -> PrefillAttentionForm& { return prefillAt(set, slot); });
    knobs.share("compute efficiency", &PrefillAttentionForm::computeEfficiency, 0.25, mostCompute);
    knobs.share("memory efficiency", &PrefillAttentionForm::memoryEfficiency, 0.4, mostMemory);
    knobs.number("half length", &PrefillAttentionForm::halfLength, 0.6, 1, 20000);
    knobs.number("softmax columns", &PrefillAttentionForm::softmaxColumns, 1.0, 0.1, 500);
    knobs.number("last block", &PrefillAttentionForm::lastBlock, 0.7, 0.05, 10);
    knobs.number("tail", &PrefillAttentionForm::tail, 1.0, 0.01, 3);
    knobs.number("cached cost", &PrefillAttentionForm::cachedCost, 0.7, 0.05, 1);
    knobs.number("append passes", &PrefillAttentionForm::appendPasses, 1.2, 0.01, 20);
    knobs.seconds("launch", &PrefillAttentionForm::launch, 0.5, 300e-6);
    return knobs.take();
}

std::vector<Knob> decodeKnobs(const FormSlot& slot)
{
    KnobList<DecodeAttentionForm, std::function<DecodeAttentionForm&(EfficiencySet&)>> knobs(
        [slot](EfficiencySet& set) -> DecodeAttentionForm& { return decodeAt(set, slot); });
    const bool latent = slot.cls == OpClass::DecodeMla;
    // Caches far larger than the last level are read: no faster than the memory. Latent attention over an
    // 8-bit cache may multiply in 8 bits too, twice as fast as the 16-bit unit it is counted by.
    knobs.share("memory efficiency", &DecodeAttentionForm::memoryEfficiency, 0.12, 1);
    knobs.share("compute efficiency", &DecodeAttentionForm::computeEfficiency, latent ? 0.3 : 0.5,
                latent && slot.narrowKv ? 2 : mostCompute);
    knobs.seconds("floor", &DecodeAttentionForm::floor, 0.5, 300e-6);
    knobs.seconds("launch", &DecodeAttentionForm::launch, 0.6, 100e-6);
    knobs.seconds("item", &DecodeAttentionForm::perItem, 1.0, latent ? 100e-6 : 20e-6, 1e-9);
    knobs.number("fill", &DecodeAttentionForm::fill, 0.7, 0.1, 20);
    knobs.seconds("combine", &DecodeAttentionForm::combine, 0.7, 20e-6, 1e-8);
    knobs.number("piece keys", &DecodeAttentionForm::pieceKeys, 1.5, 16, 32768);
    knobs.number("reach", &DecodeAttentionForm::reach, 1.5, 0.2, 2000);
    if (latent) {
        knobs.aboveOne("sharpness", &DecodeAttentionForm::sharpness, 0.5, 8);
        knobs.number("query passes", &DecodeAttentionForm::queryPasses, 0.7, 0.2, 20);
    } else {
        knobs.number("wide heads", &DecodeAttentionForm::wideHeads, 1.0, 0.005, 1.5);
        knobs.share("row efficiency", &DecodeAttentionForm::rowEfficiency, 1.5, mostCompute);
        knobs.seconds("row item", &DecodeAttentionForm::rowItem, 1.0, 20e-6, 1e-9);
        knobs.number("row reach", &DecodeAttentionForm::rowReach, 1.5, 0.2, 2000);
    }
    return knobs.take();
}

std::vector<Knob> streamKnobs(const FormSlot& slot)
{
    KnobList<StreamForm, std::function<StreamForm&(EfficiencySet&)>> knobs(
        [slot](EfficiencySet& set) -> StreamForm& { return streamAt(set, slot); });
    knobs.share("memory efficiency", &StreamForm::memoryEfficiency, 0.3, 2);
    knobs.seconds("launch", &StreamForm::launch, 0.5, 60e-6);
    knobs.number("activation efficiency", &StreamForm::activationEfficiency, 0.7, 0.1, mostOfCache);
    if (slot.cls == OpClass::Stream)
        knobs.number("norm cost", &StreamForm::normCost, 0.5, 0.3, 5);
    return knobs.take();
}

// The two ways of a form that knows both take the place of its sharpness.
std::vector<Knob> collectiveKnobs(EfficiencySet& start, const FormSlot& slot)
{
    KnobList<CollectiveForm, std::function<CollectiveForm&(EfficiencySet&)>> knobs(
        [slot](EfficiencySet& set) -> CollectiveForm& { return collectiveAt(set, slot); });
    knobs.seconds("floor", &CollectiveForm::floorBase, 0.7, 300e-6);
    knobs.seconds("floor per rank", &CollectiveForm::floorPerRank, 0.7, 50e-6);
    knobs.seconds("hop", &CollectiveForm::perHop, 0.7, 50e-6);
    // In-network reduction exceeds the ring bound that the form counts by.
    knobs.share("link efficiency", &CollectiveForm::linkEfficiency, 0.4, 1.8);
    if (collectiveAt(start, slot).oneShotEfficiency > 0)
        knobs.share("one-shot efficiency", &CollectiveForm::oneShotEfficiency, 0.6, 1.8);
    else
        knobs.aboveOne("sharpness", &CollectiveForm::sharpness, 0.5, 12);
    if (collectiveAt(start, slot).handedEfficiency > 0) {
        knobs.seconds("handed start", &CollectiveForm::handedStart, 1.0, 1e-3);
        knobs.share("handed efficiency", &CollectiveForm::handedEfficiency, 0.6, 1.8);
    }
    return knobs.take();
}

std::vector<Knob> knobsOf(EfficiencySet& start, const FormSlot& slot)
{
    switch (slot.cls) {
    case OpClass::Gemm:
        return gemmKnobs(slot);
    case OpClass::GroupedGemm:
        return groupedKnobs(slot);
    case OpClass::PrefillAttention:
    case OpClass::PrefillMla:
        return prefillKnobs(slot);
    case OpClass::DecodeAttention:
    case OpClass::DecodeMla:
        return decodeKnobs(slot);
    case OpClass::Stream:
    case OpClass::Scan:
        return streamKnobs(slot);
    case OpClass::Collective:
        return collectiveKnobs(start, slot);
    }
    return {};
}

std::vector<OpSample> thinned(const std::vector<OpSample>& samples, std::size_t most)
{
    if (samples.size() <= most)
        return samples;
    std::vector<OpSample> shuffled = samples;
    std::mt19937_64 random(7); // fixed: the same table always gives the same fit
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    shuffled.resize(most);
    return shuffled;
}

FitTask taskOf(const EfficiencySet& start, const std::vector<Knob>& knobs,
               const std::vector<OpSample>& samples, const Gpu& gpu, const Node& node)
{
    FitTask task;
    for (const Knob& knob : knobs)
        task.parameters.push_back({.name = knob.name,
                                   .prior = std::clamp(knob.read(start), knob.low, knob.high),
                                   .lnSpread = knob.lnSpread,
                                   .low = knob.low,
                                   .high = knob.high});
    for (const OpSample& sample : samples) {
        task.lnMeasured.push_back(std::log(sample.time.base()));
        task.lnSpread.push_back(sample.lnSpread);
    }
    constexpr std::size_t few = 500; // between the ways of an exchange lie many valleys, and they cost little
    task.starts = samples.size() <= few ? 12 : 4;
    task.predictLn = [&knobs, &samples, &gpu, &node, set = start](std::span<const double> values,
                                                                  std::span<double> out) mutable {
        for (std::size_t j = 0; j < knobs.size(); ++j)
            knobs[j].write(set, values[j]);
        for (std::size_t i = 0; i < samples.size(); ++i)
            out[i] = std::log(timeOp(samples[i].op, gpu, node, set).total.base());
    };
    return task;
}

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
    if (form.wideHeads <= 0)
        form.wideHeads = 0.03; // seen in most kernels
    if (form.rowEfficiency <= 0)
        form.rowEfficiency = 0.01; // general arithmetic units against matrix units, whose inputs are padded
    if (form.rowItem.base() <= 0)
        form.rowItem = Seconds(3e-7);
    if (form.rowReach <= 0)
        form.rowReach = 30;
}

// Where priors say nothing of a part of a form, a fit starts from its usual size.
void guessUnknown(EfficiencySet& start, const FormSlot& slot, const Gpu& gpu)
{
    if (slot.cls == OpClass::Gemm) {
        GemmForm& form = gemmAt(start, slot);
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
    if (slot.cls == OpClass::GroupedGemm) {
        GroupedGemmForm& form = groupedAt(start, slot);
        if (form.passBytes <= 0)
            form.passBytes = 4; // one read and one write in 16 bits
        if (form.perTile.base() <= 0)
            form.perTile = Seconds(1e-7); // some hundred cycles, a few experts at once
        if (form.activationEfficiency <= 0)
            form.activationEfficiency = 1;
        if (form.slicePassBytes <= 0)
            form.slicePassBytes = 1;
        if (form.oddSlice <= 1)
            form.oddSlice = 1.3;
        if (form.tileColumns <= 0)
            form.tileColumns = 100;
    }
    if (slot.cls == OpClass::PrefillAttention || slot.cls == OpClass::PrefillMla) {
        PrefillAttentionForm& form = prefillAt(start, slot);
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
    if (slot.cls == OpClass::Stream || slot.cls == OpClass::Scan) {
        StreamForm& form = streamAt(start, slot);
        if (form.activationEfficiency <= 0)
            form.activationEfficiency = 2;
    }
    if (slot.cls == OpClass::DecodeAttention || slot.cls == OpClass::DecodeMla)
        guessUnknown(decodeAt(start, slot));
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
    form.oneShotEfficiency = 0.1; // half of every word is its flag, and few blocks write
    form.perHop = Seconds(8e-6);
}
void guessLines(CollectiveForm& form)
{
    guessNccl(form);
    form.handedStart = Seconds(1e-6);
    form.handedEfficiency = 0.4; // by more blocks than words, fewer than after meeting
}

// Exchanges go round in segments, or in one of two ways, or three; so it is with sums, whose segments know
// one shot beside them.
std::vector<EfficiencySet> exchangeStarts(EfficiencySet start, const FormSlot& slot)
{
    EfficiencySet three = start;
    if (slot.collective == CollectiveClass::CustomAllReduce) {
        collectiveAt(start, slot).handedEfficiency = 0;
        if (CollectiveForm& form = collectiveAt(three, slot); form.handedEfficiency <= 0) {
            form.handedStart = Seconds(20e-6); // ranks meet before a switch adds up
            form.handedEfficiency = 0.5;
        }
        return {start, three};
    }
    if (collectiveAt(three, slot).handedEfficiency <= 0)
        guessLines(collectiveAt(three, slot));
    collectiveAt(start, slot).handedEfficiency = 0;
    if (reduces(slot.collective))
        return {start, three};
    EfficiencySet both = start;
    collectiveAt(start, slot).oneShotEfficiency = 0;
    if (collectiveAt(both, slot).oneShotEfficiency <= 0)
        guessNccl(collectiveAt(both, slot));
    return {start, both, three};
}

std::vector<EfficiencySet> gemmStarts(const EfficiencySet& start, const FormSlot& slot)
{
    EfficiencySet many = start;
    gemmAt(many, slot).largestTile = 0;
    gemmAt(many, slot).vectorRows = 0;
    EfficiencySet one = many;
    gemmAt(one, slot).largestTile = 256; // two blocks of a pair work on 128 each
    EfficiencySet few = many;
    gemmAt(few, slot).vectorRows = 4; // as many as a multiprocessor's general units keep up with memory for
    return {many, one, few};
}

std::vector<EfficiencySet> expertStarts(const EfficiencySet& start, const FormSlot& slot)
{
    EfficiencySet small = start;
    EfficiencySet wide = start;
    groupedAt(small, slot).rowTile = 16;
    groupedAt(wide, slot).rowTile = 64;
    return {small, wide};
}

// What numbers cannot be moved between: exchanges know one way or several, libraries choose among many tiles
// or have one kind, with a kernel for a few rows or without. Samples say which.
std::vector<EfficiencySet> startsOf(EfficiencySet start, const FormSlot& slot, const Gpu& gpu)
{
    guessUnknown(start, slot, gpu);
    if (slot.cls == OpClass::Gemm)
        return gemmStarts(start, slot);
    if (slot.cls == OpClass::GroupedGemm)
        return expertStarts(start, slot);
    if (slot.cls == OpClass::Collective)
        return exchangeStarts(std::move(start), slot);
    return {start};
}

} // namespace

FormFit fitForm(EfficiencySet& set, const FormSlot& slot, const std::vector<OpSample>& samples,
                const Gpu& gpu, const Node& node, const FormFitOptions& options)
{
    assert(
        std::all_of(samples.begin(), samples.end(), [&](const OpSample& s) { return slotOf(s.op) == slot; }));
    FormFit fit{.slot = slot,
                .outcome = {},
                .parameters = {},
                .crossValidated = {},
                .samples = samples.size(),
                .groups = 0};
    if (samples.empty())
        return fit;
    const std::vector<OpSample> used = thinned(samples, options.most);
    EfficiencySet start = set;
    uncertaintyOf(start, slot).lnBias = 0;              // measured anew
    uncertaintyOf(start, slot).source = options.source; // a form that is measured speaks for itself
    std::vector<Knob> knobs;
    for (EfficiencySet& from : startsOf(start, slot, gpu)) {
        std::vector<Knob> own = knobsOf(from, slot);
        for (Knob& knob : own)
            knob.lnSpread *= options.priorSpread;
        FitOutcome outcome = fitRobustly(taskOf(from, own, used, gpu, node));
        // A form of more figures must be worth them (the Bayesian information criterion).
        const double figures = std::log(static_cast<double>(used.size()));
        const auto costOf = [&](const FitOutcome& of, const std::vector<Knob>& its) {
            return of.cost + figures * static_cast<double>(its.size());
        };
        if (!knobs.empty() && costOf(outcome, own) >= costOf(fit.outcome, knobs))
            continue;
        fit.outcome = std::move(outcome);
        knobs = std::move(own);
        start = from;
    }
    const FitTask task = taskOf(start, knobs, used, gpu, node);
    set = start;
    for (std::size_t j = 0; j < knobs.size(); ++j) {
        fit.parameters.push_back(knobs[j].name);
        knobs[j].write(set, fit.outcome.values[j]);
    }

    std::vector<std::string> groups;
    for (const OpSample& sample : used)
        groups.push_back(sample.group);
    std::vector<std::string> distinct = groups;
    std::sort(distinct.begin(), distinct.end());
    const auto count = static_cast<int>(std::unique(distinct.begin(), distinct.end()) - distinct.begin());
    // Few groups are left out one by one, so that most of them stay. One alone cannot be left out: its own
    // residuals, widened as few points deserve.
    const int folds = count <= 2 * options.folds ? count : options.folds;
    fit.crossValidated
        = count > 1 ? crossValidate(task, dealFolds(groups, folds)) : summarise(fit.outcome.residuals);
    fit.groups = static_cast<std::size_t>(count);
    const double n = static_cast<double>(used.size());
    const double widening = std::sqrt(1 + static_cast<double>(knobs.size()) / n);
    uncertaintyOf(set, slot)
        = {.lnBias = 0,
           .lnSpread = std::max(count > 1 ? coveringSpread(fit.crossValidated.lnErrors, widening)
                                          : lnSpreadOf(fit.crossValidated.lnErrors) * widening,
                                0.01),
           .source = options.source,
           .trusted = true};
    return fit;
}

} // namespace headroom
