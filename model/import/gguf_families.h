#pragma once

#include <array>
#include <string_view>

namespace headroom {

// What llama.cpp's converter calls a family, and what no tensor shows.
struct GgufFamily {
    std::string_view name;
    std::string_view className; // of the model it was converted from
    int fullEvery = 0;          // with a window: every n-th layer sees everything; 0: none does
    bool rope = true;
    bool latent = false; // multi-head latent attention
};
inline constexpr std::array ggufFamilies{
    GgufFamily{"llama", "LlamaForCausalLM"},
    GgufFamily{"deci", "DeciLMForCausalLM"},
    GgufFamily{"internlm2", "InternLM2ForCausalLM"},
    GgufFamily{"baichuan", "BaichuanForCausalLM"},
    GgufFamily{"qwen2", "Qwen2ForCausalLM"},
    GgufFamily{"qwen2moe", "Qwen2MoeForCausalLM"},
    GgufFamily{"qwen3", "Qwen3ForCausalLM"},
    GgufFamily{"qwen3moe", "Qwen3MoeForCausalLM"},
    GgufFamily{"gemma", "GemmaForCausalLM"},
    GgufFamily{"gemma2", "Gemma2ForCausalLM", 2},
    GgufFamily{"gemma3", "Gemma3ForCausalLM", 6},
    GgufFamily{"phi2", "PhiForCausalLM"},
    GgufFamily{"phi3", "Phi3ForCausalLM"},
    GgufFamily{"gpt-oss", "GptOssForCausalLM", 2},
    GgufFamily{"deepseek2", "DeepseekV3ForCausalLM", 0, true, true},
    GgufFamily{"chatglm", "ChatGLMModel"},
    GgufFamily{"glm4", "Glm4ForCausalLM"},
    GgufFamily{"glm4moe", "Glm4MoeForCausalLM"},
    GgufFamily{"minimax-m2", "MiniMaxM2ForCausalLM"},
    GgufFamily{"hunyuan-moe", "HunYuanMoEV1ForCausalLM"},
    GgufFamily{"ernie4_5-moe", "Ernie4_5_MoeForCausalLM"},
    GgufFamily{"dbrx", "DbrxForCausalLM"},
    GgufFamily{"grok", "Grok1ModelForCausalLM"},
    GgufFamily{"seed_oss", "SeedOssForCausalLM"},
    GgufFamily{"smollm3", "SmolLM3ForCausalLM"},
    GgufFamily{"granite", "GraniteForCausalLM"},
    GgufFamily{"olmo2", "Olmo2ForCausalLM", 4},
    GgufFamily{"starcoder2", "Starcoder2ForCausalLM"},
    GgufFamily{"command-r", "CohereForCausalLM"},
    GgufFamily{"cohere2", "Cohere2ForCausalLM", 4},
    GgufFamily{"nemotron", "NemotronForCausalLM"},
    GgufFamily{"falcon", "FalconForCausalLM"},
    GgufFamily{"gptneox", "GPTNeoXForCausalLM"},
    GgufFamily{"bloom", "BloomForCausalLM", 0, false},
    GgufFamily{"mpt", "MPTForCausalLM", 0, false},
    GgufFamily{"gpt2", "GPT2LMHeadModel", 0, false},
};

} // namespace headroom
