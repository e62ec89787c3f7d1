#include "tests/model/ask/small_vocabulary.h"

#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::tests {

namespace {

// Spaces, hyphens and underscores between the parts of a name do not count.
std::string squeezed(std::string_view text)
{
    std::string out;
    for (const char c : text)
        if (c != ' ' && c != '-' && c != '_')
            out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

ask::Vocabulary::Find finder(std::map<std::string, NameMatch> names)
{
    std::map<std::string, NameMatch> keyed;
    for (auto& [spelling, match] : names)
        keyed.emplace(squeezed(spelling), match);
    return [keyed](std::string_view text) -> std::optional<NameMatch> {
        const auto found = keyed.find(squeezed(text));
        return found == keyed.end() ? std::nullopt : std::optional(found->second);
    };
}

NameMatch exact(std::string id)
{
    return {.id = std::move(id), .how = NameMatch::How::Alias, .why = "alias", .others = {}};
}

} // namespace

ask::Vocabulary smallVocabulary()
{
    const Message newest = say("newest of {} that '{}' can mean", 4, asIs("it"));
    const NameMatch a100{"a100-sxm-80gb",
                         NameMatch::How::Newest,
                         newest,
                         {"a100-sxm-40gb", "a100-pcie-80gb", "a100-pcie-40gb"}};
    const NameMatch llama70{
        "llama-3.3-70b", NameMatch::How::Newest, newest, {"llama-3.1-70b", "llama-3-70b", "llama-2-70b"}};
    ask::Vocabulary v;
    v.model = finder({
        {"llama 70b", llama70},
        {"llama-3.1-70b", exact("llama-3.1-70b")},
        {"llama3.1 70b", exact("llama-3.1-70b")},
        {"llama 3 70b", exact("llama-3-70b")},
        {"meta-llama/Llama-3.1-70B-Instruct", exact("llama-3.1-70b")},
        {"llama 3.1 8b", exact("llama-3.1-8b")},
        {"llama 8b", exact("llama-3.1-8b")},
        {"deepseek r1", exact("deepseek-r1")},
        {"deepseek v3", exact("deepseek-v3")},
        {"qwen3 32b", exact("qwen3-32b")},
        {"qwen2.5 32b", exact("qwen2.5-32b")},
        {"qwen2.5 72b", exact("qwen2.5-72b")},
        {"qwen3 8b", exact("qwen3-8b")},
        {"qwen 3 235b", exact("qwen3-235b-a22b")},
        {"mixtral 8x7b", exact("mixtral-8x7b")},
        {"gpt-oss-120b", exact("gpt-oss-120b")},
        {"command r", exact("command-r-35b")},
        {"llama 405b", exact("llama-3.1-405b")},
        {"glm 4.5", exact("glm-4.5")},
        {"kimi k2", exact("kimi-k2")},
        {"yi 34b", exact("yi-34b")},
        {"qwen2.5 7b", exact("qwen2.5-7b")},
        {"gemma 3 27b", exact("gemma-3-27b")},
    });
    v.gpu = finder({
        {"a100", a100},
        {"a100 80gb", exact("a100-sxm-80gb")},
        {"a100 80g", exact("a100-sxm-80gb")},
        {"a100 40gb", exact("a100-sxm-40gb")},
        {"h100", exact("h100-sxm-80gb")},
        {"h100 sxm", exact("h100-sxm-80gb")},
        {"h100 pcie", exact("h100-pcie-80gb")},
        {"h200", exact("h200-sxm-141gb")},
        {"h800", exact("h800-sxm-80gb")},
        {"h20", exact("h20-96gb")},
        {"4090", exact("geforce-rtx-4090")},
        {"rtx 4090", exact("geforce-rtx-4090")},
        {"rtx 3090", exact("geforce-rtx-3090")},
        {"3090", exact("geforce-rtx-3090")},
        {"5090", exact("geforce-rtx-5090")},
        {"b200", exact("b200-sxm-180gb")},
        {"l40s", exact("l40s")},
        {"l4", exact("l4")},
        {"l40", exact("l40")},
        {"mi300x", exact("instinct-mi300x")},
        {"t4", exact("t4")},
        {"a10", exact("a10")},
        {"v100", exact("v100-sxm2-32gb")},
        {"ascend 910b", exact("huawei-ascend-910b")},
    });
    v.engine = finder({{"vllm", exact("vllm")},
                       {"sglang", exact("sglang")},
                       {"tensorrt-llm", exact("tensorrt-llm")},
                       {"trt-llm", exact("tensorrt-llm")},
                       {"lmdeploy", exact("lmdeploy")},
                       {"tgi", exact("tgi")},
                       {"llama.cpp", exact("llama.cpp")}});
    v.nearest = [](std::string_view) { return std::vector<std::string>{}; };
    v.gpusOfVendor = [](std::string_view maker) {
        if (maker == "apple")
            return std::vector<std::string>{"apple-m4-max-40", "apple-m2-ultra-76"};
        return maker == "amd" ? std::vector<std::string>{"instinct-mi355x", "instinct-mi300x"}
                              : std::vector<std::string>{};
    };
    v.gpusSoldAs = [](std::string_view way) {
        return way == "sxm" ? std::vector<std::string>{"h100-sxm-80gb", "a100-sxm-80gb"}
                            : std::vector<std::string>{};
    };
    return v;
}

} // namespace headroom::tests
