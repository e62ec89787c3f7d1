#include "calib/fit/form_knobs.h"

#include <algorithm>
#include <utility>

namespace headroom {

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

namespace {

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

// The pass that narrows activations is fitted only where the start has one; so are the kernel of few rows and
// the cost of rows beyond the matrix.
std::vector<Knob> gemmKnobs(EfficiencySet& start, const FormSlot& slot)
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
    const GemmForm& known = gemmAt(start, slot);
    if (quantises && (known.quantiseEfficiency > 0 || known.quantiseRow.base() > 0)) {
        knobs.share("quantise efficiency", &GemmForm::quantiseEfficiency, 0.5, mostMemory);
        knobs.seconds("quantise row", &GemmForm::quantiseRow, 1.0, 100e-9, 1e-12);
    }
    knobs.number("activation efficiency", &GemmForm::activationEfficiency, 0.7, 0.1, mostOfCache);
    knobs.number("tile columns", &GemmForm::tileColumns, 1.0, 0.1, 3000);
    knobs.seconds("column", &GemmForm::perColumn, 1.0, 10e-9, 1e-13);
    knobs.seconds("split", &GemmForm::splitCombine, 1.0, 100e-6, 1e-8);
    if (known.vectorLaunch.base() > 0)
        knobs.seconds("vector launch", &GemmForm::vectorLaunch, 0.4, 60e-6);
    if (known.vectorMemory > 0)
        knobs.share("vector memory", &GemmForm::vectorMemory, 0.2, mostMemory);
    if (known.vectorCompute > 0)
        knobs.share("vector compute", &GemmForm::vectorCompute, 0.7, mostCompute);
    if (known.missingRow.base() > 0)
        knobs.seconds("missing row", &GemmForm::missingRow, 1.0, 1e-9, 1e-14);
    return knobs.take();
}

// A second kernel has figures where the start knows one.
std::vector<Knob> groupedKnobs(EfficiencySet& start, const FormSlot& slot)
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
    knobs.number("token pass bytes", &GroupedGemmForm::tokenPassBytes, 1.0, 0.05, 100);
    knobs.number("odd slice", &GroupedGemmForm::oddSlice, 0.5, 1, 5);
    knobs.seconds("tile", &GroupedGemmForm::perTile, 1.0, 10e-6, 1e-9);
    knobs.number("tile columns", &GroupedGemmForm::tileColumns, 1.0, 0.1, 3000);
    knobs.number("part tile", &GroupedGemmForm::partTile, 0.7, 0.01, 2);
    knobs.number("even time", &GroupedGemmForm::evenTime, 0.05, 0.8, 1); // nothing is waited for
    knobs.number("narrow slice", &GroupedGemmForm::narrowSlice, 1.0, 0.1, 5000);
    if (groupedAt(start, slot).expertWeights == ExpertWeights::WholeTiles)
        knobs.number("kept weights", &GroupedGemmForm::keptWeights, 0.7, 0.05, 1);
    if (groupedAt(start, slot).leastTile > 0)
        knobs.share("read again", &GroupedGemmForm::readAgain, 0.7, 1);
    if (groupedAt(start, slot).spreadExperts == SpreadExperts::OwnKernel) {
        knobs.share("spread compute", &GroupedGemmForm::spreadCompute, 0.3, mostCompute);
        knobs.share("spread memory", &GroupedGemmForm::spreadMemory, 0.15, 1);
        knobs.seconds("spread launch", &GroupedGemmForm::spreadLaunch, 0.6, 300e-6);
        knobs.seconds("spread tile", &GroupedGemmForm::spreadTile, 1.0, 10e-6, 1e-9);
        knobs.number("spread pass bytes", &GroupedGemmForm::spreadPassBytes, 1.0, 0.05, 100);
    }
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

std::vector<Knob> decodeKnobs(EfficiencySet& start, const FormSlot& slot)
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
    if (decodeAt(start, slot).splitRoot.base() > 0)
        knobs.seconds("split root", &DecodeAttentionForm::splitRoot, 1.0, 20e-6, 1e-9);
    if (latent) {
        knobs.aboveOne("sharpness", &DecodeAttentionForm::sharpness, 0.5, 8);
        knobs.number("rows cost", &DecodeAttentionForm::rowsCost, 1.0, 0.01, 5);
        knobs.number("query passes", &DecodeAttentionForm::queryPasses, 0.7, 0.2, 20);
        if (decodeAt(start, slot).readAgain > 0)
            knobs.share("read again", &DecodeAttentionForm::readAgain, 0.4, 1);
    } else {
        knobs.seconds("regroup", &DecodeAttentionForm::regroup, 1.0, 20e-6, 1e-8);
        knobs.number("wide heads", &DecodeAttentionForm::wideHeads, 1.0, 0.005, 1.5);
        knobs.number("wide fixed", &DecodeAttentionForm::wideFixed, 1.0, 0.005, 1.5);
        knobs.number("narrow heads", &DecodeAttentionForm::narrowHeads, 0.3, 0.5, 3);
        knobs.number("narrow fixed", &DecodeAttentionForm::narrowFixed, 0.3, 0.5, 3);
        knobs.number("rows cost", &DecodeAttentionForm::rowsCost, 1.0, 0.01, 5);
        knobs.number("row fixed", &DecodeAttentionForm::rowFixed, 0.5, 0.3, 3);
        knobs.share("row efficiency", &DecodeAttentionForm::rowEfficiency, 1.5, mostCompute);
        knobs.seconds("row item", &DecodeAttentionForm::rowItem, 1.0, 20e-6, 1e-9);
        knobs.number("row reach", &DecodeAttentionForm::rowReach, 1.5, 0.2, 2000);
        knobs.aboveOne("tall items", &DecodeAttentionForm::tallItems, 1.5, 10);
        if (decodeAt(start, slot).rowScatter > 0)
            knobs.number("row scatter", &DecodeAttentionForm::rowScatter, 1.0, 0.001, 0.5);
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
    const ExchangeProtocol protocol = collectiveAt(start, slot).protocol;
    if (hasSecondWay(protocol))
        knobs.share("one-shot efficiency", &CollectiveForm::oneShotEfficiency, 0.6, 1.8);
    else
        knobs.aboveOne("sharpness", &CollectiveForm::sharpness, 0.5, 12);
    if (collectiveAt(start, slot).sharing > 0)
        knobs.number("sharing", &CollectiveForm::sharing, 1.0, 0.001, 0.7);
    if (hasThirdWay(protocol)) {
        knobs.seconds("handed start", &CollectiveForm::handedStart, 1.0, 1e-3);
        knobs.share("handed efficiency", &CollectiveForm::handedEfficiency, 0.6, 1.8);
    }
    return knobs.take();
}

} // namespace

std::vector<Knob> knobsOf(EfficiencySet& start, const FormSlot& slot)
{
    switch (slot.cls) {
    case OpClass::Gemm:
        return gemmKnobs(start, slot);
    case OpClass::GroupedGemm:
        return groupedKnobs(start, slot);
    case OpClass::PrefillAttention:
    case OpClass::PrefillMla:
        return prefillKnobs(slot);
    case OpClass::DecodeAttention:
    case OpClass::DecodeMla:
        return decodeKnobs(start, slot);
    case OpClass::Stream:
    case OpClass::Scan:
        return streamKnobs(slot);
    case OpClass::Collective:
        return collectiveKnobs(start, slot);
    }
    return {};
}

} // namespace headroom
