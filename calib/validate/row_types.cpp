#include "calib/validate/row_types.h"

#include "calib/validate/row_words.h"
#include "model/resolve/compute_unit.h"

#include <algorithm>
#include <fmt/format.h>

namespace headroom {
namespace {

bool has(const std::vector<DType>& types, DType type)
{
    return types.empty() || std::find(types.begin(), types.end(), type) != types.end();
}

// A row that says its narrow weights are multiplied in 16 bits ran kernels that widen them on the way, for
// the engine has no others for that card ("bf16 (FP8 weight-only Marlin fallback)"). One that says that they
// are multiplied in 4 was told to run kernels that its engine does not choose there by itself, and of 4-bit
// weights multiplied in 8 nobody timed any.
MathUnit unitOf(const MeasuredRow& row, DType weights, const Gpu& gpu, const Engine& engine)
{
    const MathUnit usual = computeUnitFor(weights, gpu, engine);
    const std::optional<DType> stated = storedTypeOf(row.computeDtype);
    if (stated == DType::Bf16 && gpu.has(MathUnit::Bf16))
        return MathUnit::Bf16;
    if ((stated == DType::Fp16 || stated == DType::Bf16) && gpu.has(MathUnit::Fp16))
        return MathUnit::Fp16;
    if ((stated == DType::Nvfp4 || stated == DType::Mxfp4) && gpu.has(MathUnit::Fp4))
        return MathUnit::Fp4;
    if (stated == DType::Fp8 && bytesPerElement(weights) < 1 && gpu.has(MathUnit::Fp8))
        return MathUnit::Fp8;
    return usual;
}

std::optional<DType> cacheOf(const MeasuredRow& row, DType weights, const Gpu& gpu, const Engine& engine)
{
    const std::string launched = wordAfter(row.notes, "--kv-cache-dtype ").value_or("");
    const std::string kv = lowered(row.kvDtype.empty() ? launched : row.kvDtype);
    if (!kv.empty() && kv != "auto" && kv != "not stated")
        return storedTypeOf(kv);
    // Unsaid: engines store the cache in 16 bit unless they are told otherwise, which public launch scripts
    // do on cards with FP4 arithmetic (SemiAnalysisAI/InferenceX: benchmarks/single_node) and TensorRT-LLM's
    // own tables everywhere, where activations are narrow too.
    const MathUnit unit = computeUnitFor(weights, gpu, engine);
    const bool told = gpu.has(MathUnit::Fp4) || engine.fusesQuantise;
    const bool narrow = told && (unit == MathUnit::Fp8 || unit == MathUnit::Fp4);
    return narrow && kv.empty() && !engine.kvTypes.empty() && has(engine.kvTypes, DType::Fp8) ? DType::Fp8
                                                                                              : DType::Bf16;
}

} // namespace

std::optional<DType> storedTypeOf(std::string_view cell)
{
    std::string text = lowered(cell);
    text = text.substr(0, text.find(" ("));
    text = text.substr(0, text.find('/'));
    if (const std::optional<DType> whole = dtypeFromName(text))
        return whole;
    // "gptq-int4", "awq-int4 g128", "int8 gptq", "gptq-4bit g128": the type is one of the words, a method's
    // name alone means its usual four bits. Mean widths ("2.5 bpw") are no type of ours.
    if (text.find("bpw") != std::string::npos)
        return std::nullopt;
    std::optional<DType> method;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" -", begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        begin = end + 1;
        if (word == "4bit" || word == "8bit")
            return word == "4bit" ? DType::Int4 : DType::Int8;
        // "gf4": eight weights in 32 bits, scale included (zeux/calm, README).
        if (word == "awq" || word == "gptq" || word == "gf4")
            method = DType::Int4;
        else if (const std::optional<DType> type = dtypeFromName(word))
            return type;
    }
    return method;
}

std::variant<RowTypes, Message> typesOf(const MeasuredRow& row, const Llm& llm, const Gpu& gpu,
                                        const Engine& engine)
{
    RowTypes out;
    std::optional<DType> weights = storedTypeOf(row.weightDtype);
    if (row.weightDtype.empty()) {
        // Who serves a model by its name gets the checkpoint that was published under it.
        weights = llm.nativeQuantization ? llm.nativeQuantization->type : llm.nativeType;
        out.assumed = say("weights in {}, as published: the row does not say", asIs(name(*weights)));
    }
    if (!weights)
        return say("no known type of weights: {}", row.weightDtype);
    out.weights = *weights;
    // "fp16/bf16" is whatever 16 bits the engine has.
    if (bytesPerElement(out.weights) == 2 && !has(engine.weightTypes, out.weights))
        out.weights = out.weights == DType::Fp16 ? DType::Bf16 : DType::Fp16;
    const std::optional<DType> kv = cacheOf(row, out.weights, gpu, engine);
    if (!kv)
        return say("no known type of cache: {}", row.kvDtype);
    out.kv = *kv;
    if (bytesPerElement(out.kv) == 2) {
        out.kv = llm.nativeType == DType::Fp16 ? DType::Fp16 : DType::Bf16;
        if (!has(engine.kvTypes, out.kv))
            out.kv = out.kv == DType::Fp16 ? DType::Bf16 : DType::Fp16;
    }
    out.compute = unitOf(row, out.weights, gpu, engine);
    return out;
}

} // namespace headroom
