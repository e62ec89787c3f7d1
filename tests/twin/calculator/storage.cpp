// How checkpoints store tensors: safetensors by the quantiser's own rules, GGUF by llama.cpp's
// llama_tensor_get_type (src/llama-quant.cpp, 2024 to 2025), asked by the names of the tensors as there.
#include "checkpoint.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace headroom::twin {

namespace {

bool startsWith(const std::string& text, const char* head) { return text.rfind(head, 0) == 0; }

// Bytes of a block over values of a block (ggml-common.h).
double bitsOf(const std::string& block)
{
    static const std::map<std::string, double> bits{{"F32", 32},
                                                    {"F16", 16},
                                                    {"Q8_0", 34 * 8 / 32.0},
                                                    {"Q6_K", 210 * 8 / 256.0},
                                                    {"Q5_K", 176 * 8 / 256.0},
                                                    {"Q4_K", 144 * 8 / 256.0},
                                                    {"Q3_K", 110 * 8 / 256.0},
                                                    {"Q2_K", 84 * 8 / 256.0},
                                                    {"Q5_1", 24 * 8 / 32.0},
                                                    {"Q5_0", 22 * 8 / 32.0},
                                                    {"Q4_0", 18 * 8 / 32.0},
                                                    {"IQ4_NL", 18 * 8 / 32.0}};
    return bits.at(block);
}

// The file type's block and its letter: "q4_k_m" is blocks of Q4_K with some better ones.
std::string baseBlock(const std::string& type)
{
    static const std::map<std::string, std::string> base{
        {"q8_0", "Q8_0"}, {"q6_k", "Q6_K"},   {"q5_k_m", "Q5_K"}, {"q4_k_m", "Q4_K"},
        {"q4_0", "Q4_0"}, {"q3_k_m", "Q3_K"}, {"q2_k", "Q2_K"}};
    const auto found = base.find(type);
    return found == base.end() ? std::string{} : found->second;
}

bool useMoreBits(int i, int n) { return i < n / 8 || i >= 7 * n / 8 || (i - n / 8) % 3 == 2; }

// Where a layer stands among all, and among those that have an attn_v.
struct Place {
    int layer = 0, layers = 0, value = 0, values = 0;
};
Place placeOf(const ModelSpec& model, int layer)
{
    Place place{layer, static_cast<int>(model.layers.size())};
    for (int i = 0; i < place.layers; ++i)
        if (model.layers[static_cast<std::size_t>(i)].mixer == LayerSpec::Mixer::Attention) {
            ++place.values;
            place.value += i < layer ? 1 : 0;
        }
    return place;
}

bool isLlama70b(const ModelSpec& model)
{
    const LayerSpec& first = model.layers.front();
    return model.family == "llama" && model.layers.size() == 80 && first.heads == 64 && first.kvHeads == 8;
}

std::string valueBlock(const ModelSpec& model, const std::string& type, std::string block, Place at)
{
    const LayerSpec& first = model.layers.front();
    if (first.experts == 8)
        return "Q8_0";
    if (type == "q2_k")
        block = first.kvHeads > 0 && std::floor(first.heads / first.kvHeads) >= 4 ? "Q4_K" : "Q3_K";
    if (type == "q3_k_m")
        block = at.value < 2 ? "Q5_K" : "Q4_K";
    if ((type == "q4_k_m" || type == "q5_k_m") && useMoreBits(at.value, at.values))
        block = "Q6_K";
    return isLlama70b(model) && (block == "Q3_K" || block == "Q4_K") ? "Q5_K" : block;
}

std::string mixtureBlock(const ModelSpec& model, const Tensor& tensor, const std::string& type)
{
    const std::string base = baseBlock(type);
    const bool eight = model.layers.front().experts == 8;
    const std::string& name = tensor.name;
    if (name == "output" || (name == "token_embd" && model.tied))
        return base == "Q8_0" || std::fmod(tensor.cols, 256) != 0 ? "Q8_0" : "Q6_K";
    const Place at = placeOf(model, tensor.layer);
    if (name == "attn_v")
        return valueBlock(model, type, base, at);
    if (name == "attn_k" && eight)
        return "Q8_0";
    if (startsWith(name, "ffn_down")) {
        if (type == "q2_k")
            return "Q3_K";
        if (type == "q3_k_m")
            return at.layer < at.layers / 16 ? "Q5_K" : "Q4_K";
        if ((type == "q4_k_m" || type == "q5_k_m") && useMoreBits(at.layer, at.layers))
            return "Q6_K";
    }
    if (name == "attn_output") {
        if (eight)
            return base == "Q2_K" || base == "Q3_K" || base == "Q4_K" ? "Q5_K" : base;
        if (type == "q2_k")
            return "Q3_K";
        if (type == "q3_k_m")
            return "Q4_K";
    }
    return base;
}

double ggufBits(const ModelSpec& model, const Tensor& tensor, const std::string& type)
{
    if (tensor.isVector() || tensor.name == "ffn_gate_inp" || tensor.name == "indexer_weights"
        || tensor.name == "position_embd")
        return bitsOf("F32");
    std::string block = mixtureBlock(model, tensor, type);
    const bool superBlocks = block.size() > 2 && block.compare(block.size() - 2, 2, "_K") == 0;
    if (superBlocks && std::fmod(tensor.cols, 256) != 0) { // blocks of 256 lie along a row
        static const std::map<std::string, std::string> instead{
            {"Q2_K", "IQ4_NL"}, {"Q3_K", "IQ4_NL"}, {"Q4_K", "Q5_0"}, {"Q5_K", "Q5_1"}, {"Q6_K", "Q8_0"}};
        block = instead.at(block);
    }
    return bitsOf(block);
}

double plainBytes(const std::string& type)
{
    return type == "fp32" ? 4 : type == "bf16" || type == "fp16" ? 2 : 0;
}

// NVIDIA's FP4 checkpoints: those of 2024 and early 2025 have every linear layer in four bits, later ones and
// DeepSeek's list attention and recurrence under "ignore".
bool sparesMixers(const ModelSpec& model)
{
    bool latent = false;
    for (const LayerSpec& layer : model.layers)
        latent = latent || layer.mixer == LayerSpec::Mixer::Latent;
    return latent || model.released.compare(0, 7, "2025-07") >= 0;
}
bool isOfMixer(const Tensor& tensor)
{
    return startsWith(tensor.name, "attn") || startsWith(tensor.name, "ssm")
        || startsWith(tensor.name, "lightning") || startsWith(tensor.name, "indexer");
}

// Values and scales of a quantised matrix.
double quantisedBytes(const Shipped& shipped, const Tensor& t, const std::string& type)
{
    const bool native = shipped.type == type || shipped.outside == type;
    const double values = t.elements();
    const double rows = t.rows * t.copies;
    if (type == "fp8" && native && shipped.blockRows > 0)
        return values
            + 4 * t.copies * std::ceil(t.rows / shipped.blockRows) * std::ceil(t.cols / shipped.blockColumns);
    if (type == "fp8")
        return values + 4 * t.copies;
    if (type == "int8")
        return values + 4 * rows;
    if (type == "fp6")
        return values * 0.75 + 2 * rows;
    if (type == "int4") // a 16-bit scale and a 4-bit zero point for each group of inputs
        return values / 2
            + 2.5 * rows * std::ceil(t.cols / (native && shipped.group > 0 ? shipped.group : 128));
    if (type == "mxfp4")
        return values / 2 + rows * std::ceil(t.cols / 32);
    return values / 2 + rows * std::ceil(t.cols / 16) + 4 * t.copies; // nvfp4
}

} // namespace

double storedBytes(const ModelSpec& model, const Tensor& tensor, const std::string& type)
{
    if (!baseBlock(type).empty())
        return tensor.elements() * ggufBits(model, tensor, type) / 8;
    if (const double plain = plainBytes(type); plain > 0)
        return plain * tensor.elements();
    const bool keeps = tensor.isVector() || tensor.name == "token_embd" || tensor.name == "position_embd"
        || tensor.name == "output" || tensor.name == "ffn_gate_inp" || tensor.name == "indexer_weights";
    if (keeps)
        return 2 * tensor.elements();
    if (type == "nvfp4" && sparesMixers(model) && isOfMixer(tensor))
        return 2 * tensor.elements();
    const Shipped& shipped = model.shipped;
    if (shipped.expertsOnly && shipped.type == type && !tensor.expert)
        return shipped.outside.empty() ? 2 * tensor.elements()
                                       : quantisedBytes(shipped, tensor, shipped.outside);
    return quantisedBytes(shipped, tensor, type);
}

double checkpointBytes(const ModelSpec& model, const std::string& type)
{
    double sum = 0;
    for (const Tensor& tensor : tensorsOf(model))
        sum += storedBytes(model, tensor, type);
    return sum;
}

double bytesPerGpu(const ModelSpec& model, const std::string& type, const Spread& spread, int stage)
{
    const Layers here = stageOf(static_cast<int>(model.layers.size()), spread.stages, stage);
    const bool first = stage == 0;
    const bool last = stage == spread.stages - 1;
    double sum = 0;
    for (Tensor tensor : tensorsOf(model)) {
        if (tensor.layer >= 0) {
            if (tensor.layer >= here.first && tensor.layer < here.end)
                sum += storedBytes(model, tensor, type) * shareOf(tensor, spread);
            continue;
        }
        const bool table = tensor.name == "token_embd";
        const bool held
            = table || tensor.name == "position_embd" ? first || (table && model.tied && last) : last;
        if (!held)
            continue;
        if (table || tensor.name == "output") { // vLLM and SGLang pad the vocabulary before they deal it out
            tensor.rows = std::ceil(std::ceil(tensor.rows / 64) * 64 / spread.tensor);
            tensor.split = 0;
        }
        sum += storedBytes(model, tensor, type) * shareOf(tensor, spread);
    }
    return sum;
}

} // namespace headroom::twin
