#pragma once

#include "model/base/result.h"
#include "model/launch/launch.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

// What the start lines of all engines are put together from. Internal to model/launch.
namespace headroom::launching {

using Kind = LaunchVariable::Kind;
inline const LaunchVariable nodeRank{.kind = Kind::NodeRank};
inline const LaunchVariable headAddress{.kind = Kind::HeadAddress};

struct Wish {
    const Resolved& resolved;
    const Deployment& d;
    LaunchRole role = LaunchRole::All;
    LaunchCommand command;
    Problems problems;

    void flag(std::string name, std::string value = {})
    {
        command.flags.emplace_back(std::move(name), std::move(value));
    }
    void flag(std::string name, std::int64_t value) { flag(std::move(name), std::to_string(value)); }
    void refuse(Message what, Message hint)
    {
        problems.push_back({"launch", std::move(what), std::move(hint)});
    }
};

[[nodiscard]] std::int64_t longestSequence(const Resolved& resolved);
// What the server refuses, that nobody wonders at it.
[[nodiscard]] std::optional<Message> lengthNote(const Resolved& resolved);
[[nodiscard]] std::string checkpoint(const Llm& llm); // the name it is fetched by
[[nodiscard]] DType nativeType(const Llm& llm);
[[nodiscard]] bool isHalf(DType type);
[[nodiscard]] std::string torchName(DType type);
[[nodiscard]] std::string ratio(double value);
[[nodiscard]] std::string draftMethod(const SpeculativeDecoding& speculative); // empty: none
// A name that begins with a hyphen would be read as an option, and one with control characters is no name.
void refuseOptions(Wish& w);
void oneNodeOnly(Wish& w);
void capturedStepsOnly(Wish& w);
// What to do about weights of another type than the checkpoint's: fp8 is made while loading, others must be
// downloaded.
void weightType(Wish& w, const std::string& quantizationFlag, const std::string& dtypeFlag);
// The engine's word for the type of the KV cache: `auto`, the checkpoint's, for 16 bits. A type without a
// word is refused: the server would start with another, and the plan's memory and time would not be its own.
[[nodiscard]] std::string cacheType(Wish& w, std::initializer_list<std::pair<DType, const char*>> words,
                                    const char* flag);
void limits(Wish& w, const char* sequences, const char* tokens);
// Of an engine that gathers the tokens of all ranks at each layer of experts unless a flag names kernels that
// send them: which flag the plan needs. Not set unasked: not every image has the kernels, nor do they take
// every type.
void noteExpertKernels(Wish& w, const std::string& flag);

// One engine a file; `engines` in launch.cpp says which are whose.
void vllm(Wish& w);
void sglang(Wish& w);
void tensorRtLlm(Wish& w);
void lmdeploy(Wish& w);
void tgi(Wish& w);
void llamaCpp(Wish& w);

} // namespace headroom::launching
