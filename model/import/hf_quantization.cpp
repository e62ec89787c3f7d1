#include "model/import/hf_quantization.h"

#include <algorithm>
#include <fmt/format.h>

namespace headroom {

namespace {

int groupSize(const ConfigReader& config, int methodDefault)
{
    const auto given = config.find({"group_size", "q_group_size"}).whole();
    if (given && *given == -1)
        return 0; // one scale for each column
    return config.smallCountOr({"group_size", "q_group_size"}, methodDefault);
}

NativeQuantization readFp8(const ConfigReader& config)
{
    NativeQuantization q{.method = "fp8", .type = DType::Fp8, .activationsToo = true};
    const JsonValue block = config.find({"weight_block_size"});
    if (!block)
        return q;
    const auto rows = block.firstChild().whole();
    const auto columns = block.firstChild().next().whole();
    constexpr std::int64_t largestBlock = 1 << 20;
    if (block.size() != 2 || !rows || !columns || *rows < 1 || *columns < 1 || *rows > largestBlock
        || *columns > largestBlock)
        config.report(block, say("expected two sizes such as [128, 128], got {}", block.shown()));
    else
        q.blockRows = static_cast<int>(*rows), q.blockColumns = static_cast<int>(*columns);
    return q;
}

NativeQuantization readPacked(const ConfigReader& config, const std::string& method)
{
    const int bits = config.smallCountOr({"bits", "w_bit"}, 4);
    if (bits != 4 && bits != 8)
        config.report({"bits", "w_bit"}, say("expected 4 or 8 bits, got {}", bits));
    return {
        .method = method, .type = bits == 8 ? DType::Int8 : DType::Int4, .groupSize = groupSize(config, 128)};
}

bool ignores(const ConfigReader& config, std::string_view part)
{
    for (JsonValue item = config.find({"ignore", "modules_to_not_convert", "exclude_modules"}).firstChild();
         item; item = item.next())
        if (item.text().value_or("").find(part) != std::string_view::npos)
            return true;
    return false;
}

DType compressedType(const ConfigReader& weights, const std::string& format)
{
    const int bits = weights.smallCount({"num_bits"});
    const std::string type = weights.textOr({"type"}, "int");
    if (bits == 8)
        return type == "float" ? DType::Fp8 : DType::Int8;
    if (bits == 4 && type == "float")
        return format.find("mxfp4") != std::string::npos ? DType::Mxfp4 : DType::Nvfp4;
    if (bits != 4 || type != "int")
        weights.report({"num_bits"},
                       say("expected 4 or 8 bits of int or float, got {} of '{}'", bits, type.substr(0, 20)));
    return DType::Int4;
}

// llm-compressor's files: groups of layers, each with its own scheme; the first one that has weights is the
// model's.
NativeQuantization readCompressed(const ConfigReader& config, std::vector<Message>& warnings)
{
    NativeQuantization q{.method = "compressed-tensors"};
    JsonValue group = config.find({"config_groups"}).firstChild();
    if (!group) {
        config.report({"config_groups"}, "expected at least one group of layers");
        return q;
    }
    if (group.next())
        warnings.emplace_back("several quantisation groups: the first is taken for all quantised layers");
    const ConfigReader first = config.within("config_groups").within(group.key());
    const ConfigReader weights = first.within("weights");
    q.type = compressedType(weights, config.textOr({"format"}, ""));
    q.groupSize = groupSize(weights, 0);
    q.activationsToo = first.has({"input_activations"});
    const JsonValue block = weights.find({"block_structure"});
    if (block.size() == 2)
        q.blockRows = static_cast<int>(block.firstChild().whole().value_or(0)),
        q.blockColumns = static_cast<int>(block.firstChild().next().whole().value_or(0));
    if (ignores(config, "self_attn") && ignores(config, "shared_expert"))
        q.expertsOnly = true;
    else if (ignores(config, "self_attn"))
        warnings.emplace_back("attention stays unquantised in this checkpoint; it is counted as quantised");
    return q;
}

NativeQuantization readModelOpt(const ConfigReader& config)
{
    const std::string algorithm
        = config.textOr({"quant_algo"}, config.within("quantization").textOr({"quant_algo"}, ""));
    NativeQuantization q{.method = "modelopt", .activationsToo = true};
    if (algorithm == "NVFP4")
        q.type = DType::Nvfp4, q.groupSize = 16;
    else if (algorithm != "FP8")
        config.report({"quant_algo"}, say("unknown algorithm '{}'", algorithm.substr(0, 40)), "FP8 or NVFP4");
    return q;
}

} // namespace

std::optional<NativeQuantization> readHfQuantization(const ConfigReader& config,
                                                     std::vector<Message>& warnings)
{
    if (!config.object())
        return std::nullopt;
    const std::string method = config.textOr({"quant_method"}, "");
    if (method == "fp8" || method == "fbgemm_fp8")
        return readFp8(config);
    if (method == "mxfp4") // gpt-oss: experts only
        return NativeQuantization{
            .method = method, .type = DType::Mxfp4, .groupSize = 32, .expertsOnly = true};
    if (method == "awq" || method == "gptq")
        return readPacked(config, method);
    if (method == "compressed-tensors")
        return readCompressed(config, warnings);
    if (method == "modelopt" || method == "modelopt_fp4")
        return readModelOpt(config);
    if (method == "bitsandbytes")
        return NativeQuantization{.method = method,
                                  .type = config.flagOr({"load_in_8bit"}, false) ? DType::Int8 : DType::Int4,
                                  .groupSize = config.flagOr({"load_in_8bit"}, false) ? 0 : 64};
    config.report({"quant_method"}, say("unknown quantisation method '{}'", method.substr(0, 40)),
                  "known: fp8, fbgemm_fp8, mxfp4, awq, gptq, compressed-tensors, modelopt, bitsandbytes");
    return std::nullopt;
}

} // namespace headroom
