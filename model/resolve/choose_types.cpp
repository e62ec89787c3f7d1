#include "model/resolve/choose_types.h"

#include "model/resolve/compute_unit.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace headroom {

namespace {

bool contains(const std::vector<DType>& types, DType type)
{
    return types.empty() || std::find(types.begin(), types.end(), type) != types.end();
}

Message listed(const std::vector<DType>& types)
{
    std::vector<Message> out;
    for (const DType type : types)
        out.push_back(asIs(name(type)));
    return joined(std::move(out), ", ");
}

// Narrow floating-point weights without arithmetic of their kind are widened on the way by kernels that
// public engines have for CUDA from compute capability 8.0 on (Marlin: IST-DASLab, in vLLM and SGLang), AMD's
// CDNA 3 multiplies them itself.
bool needsUnusualKernels(DType weights, const Gpu& gpu)
{
    const bool narrow = weights == DType::Fp8 || weights == DType::Mxfp4 || weights == DType::Nvfp4;
    constexpr double marlin = 8.0;
    const bool unusual = gpu.computeCapability > 0 ? gpu.computeCapability < marlin : gpu.vendor == "Huawei";
    return narrow && unusual && !gpu.has(MathUnit::Fp8) && !gpu.has(MathUnit::Fp4);
}

// The 16 bits in which an engine keeps something: the usual ones where it has them, else those it has.
DType sixteenBits(DType usual, const std::vector<DType>& has)
{
    const DType other = usual == DType::Bf16 ? DType::Fp16 : DType::Bf16;
    return !contains(has, usual) && contains(has, other) ? other : usual;
}

void tellUnusualKernels(Resolved& out, DType weights, DType kv)
{
    const Gpu& gpu = *out.deployment.gpu;
    if (needsUnusualKernels(weights, gpu))
        out.warnings.push_back(say("{} has no arithmetic for {} weights: few engines have kernels that "
                                   "widen them there; check that yours does",
                                   gpu.name, asIs(name(weights))));
    if ((kv == DType::Nvfp4 || kv == DType::Mxfp4) && !gpu.has(MathUnit::Fp4))
        out.warnings.push_back(
            say("{} has no arithmetic in 4 bits: engines keep a {} KV cache on accelerators "
                "that have; check that yours does",
                gpu.name, asIs(name(kv))));
}

// A type that loses nothing of the published one, among those of the engine: the narrowest that is no
// narrower.
std::optional<DType> nearestTo(DType published, const std::vector<DType>& has)
{
    std::optional<DType> nearest;
    for (const DType type : has)
        if (bytesPerElement(type) >= bytesPerElement(published)
            && (!nearest || bytesPerElement(type) < bytesPerElement(*nearest)))
            nearest = type;
    return nearest;
}

// Nobody named a type: that of the checkpoint, as the engine takes it.
void chooseWeights(Resolved& out, DType half)
{
    const Llm& llm = *out.deployment.llm;
    const Engine& engine = *out.deployment.engine;
    const DType native = llm.nativeQuantization ? llm.nativeQuantization->type : llm.nativeType;
    const auto assume = [&](DType type, Message why) {
        out.scenario.weights = type;
        out.assumptions.push_back(std::move(why));
    };
    if (engine.weightTypes.size() == 1) {
        const DType only = engine.weightTypes.front();
        return assume(only, say("weights in {}: {} runs no others", asIs(name(only)), engine.name));
    }
    const bool plain = native == DType::Fp32 || native == DType::Bf16;
    const DType usual = plain ? sixteenBits(half, engine.weightTypes) : native;
    if (usual == native && !contains(engine.weightTypes, native))
        if (const auto nearest = nearestTo(native, engine.weightTypes))
            return assume(*nearest,
                          say("weights in {}, converted: {} does not run {}, in which {} is published",
                              asIs(name(*nearest)), engine.name, asIs(name(native)), llm.name));
    assume(usual,
           usual == native
               ? say("weights in {}, as {} is published", asIs(name(native)), llm.name)
               : say("weights in {}: {} is published in {}, which {} on {} turns into it", asIs(name(usual)),
                     llm.name, asIs(name(native)), engine.name, out.deployment.gpu->name));
}

} // namespace

void chooseTypes(Resolved& out, Problems& problems)
{
    Scenario& s = out.scenario;
    Deployment& d = out.deployment;
    // Without any 16-bit arithmetic it does not matter which 16 bits are widened: the shorter way is bf16's.
    const bool onlyFp16 = d.gpu->has(MathUnit::Fp16) && !d.gpu->has(MathUnit::Bf16);
    const DType half = onlyFp16 ? DType::Fp16 : DType::Bf16;
    if (!s.weights)
        chooseWeights(out, half);
    if (!contains(d.engine->weightTypes, *s.weights))
        problems.push_back({"weights",
                            say("{} does not run {} weights", d.engine->name, asIs(name(*s.weights))),
                            say("it runs {}", listed(d.engine->weightTypes))});
    if (!s.kv) {
        s.kv = sixteenBits(half, d.engine->kvTypes);
        out.assumptions.push_back(say("KV cache in {}", asIs(name(*s.kv))));
    }
    if (!contains(d.engine->kvTypes, *s.kv))
        problems.push_back({"kv", say("{} has no {} KV cache", d.engine->name, asIs(name(*s.kv))),
                            say("it has {}", listed(d.engine->kvTypes))});
    if (!s.compute) {
        const bool unpacked = d.engine->unpacks(*s.weights, d.gpu->family);
        s.compute = computeUnitFor(*s.weights, *d.gpu, *d.engine);
        out.assumptions.push_back(
            unpacked ? say("matrix products in {}: {} unpacks {} weights on this accelerator",
                           asIs(name(*s.compute)), d.engine->name, asIs(name(*s.weights)))
                     : say("matrix products in {}", asIs(name(*s.compute))));
    }
    if (!d.gpu->has(*s.compute)) {
        std::vector<Message> units;
        for (std::size_t i = 0; i < mathUnitCount; ++i)
            if (d.gpu->has(MathUnit(i)))
                units.push_back(asIs(name(MathUnit(i))));
        problems.push_back({"compute", say("{} has no {} arithmetic", d.gpu->name, asIs(name(*s.compute))),
                            units.empty() ? Message("nothing is known of its arithmetic")
                                          : say("it has {}", joined(std::move(units), ", "))});
    }
    tellUnusualKernels(out, *s.weights, *s.kv);
    d.weights = *s.weights;
    d.kv = *s.kv;
    d.compute = *s.compute;
}

} // namespace headroom
