#pragma once

#include "model/base/dtype.h"
#include "model/base/kernel_class.h"
#include "model/base/units.h"

#include <cstdint>
#include <string_view>

namespace headroom {

// What an operator is for; the printed name is in `opName`.
enum class OpName : std::uint8_t {
    Embedding,
    Norm,
    Qkv,
    MlaDown,
    MlaUp,
    Indexer,
    RopeAppend,
    PrefillAttention,
    DecodeAttention,
    AttentionOut,
    MixerIn,
    Scan,
    MixerOut,
    Router,
    Experts,
    SharedExpert,
    GateUp,
    Down,
    Activation,
    Lora,
    Draft,
    AllReduce,
    AllGather,
    AllToAll,
    SendRecv,
    Head,
    Sampling
};
[[nodiscard]] std::string_view opName(OpName name);

// One operator as one GPU executes it once, `count` times in the step. The planner and the executor fill this
// same description, so an efficiency measured by one is relative to the work counted by the other.
struct Op {
    OpName name = OpName::Norm;
    OpClass cls = OpClass::Stream;
    double count = 1;

    Flops flops;
    Bytes weightBytes;     // read once, whatever the number of rows
    Bytes kvBytes;         // cache read and written
    Bytes activationBytes; // read and written

    MathUnit unit = MathUnit::Bf16;
    GemmClass gemm = GemmClass::Half;
    double m = 0; // rows (tokens) of a GEMM; rows of a stream
    double n = 0;
    double k = 0;
    double experts = 0;     // GroupedGemm: experts on this GPU that some token chose
    double expertsHeld = 0; // GroupedGemm: those on this GPU, chosen or not; 0: not known
    double tokens = 0;      // GroupedGemm: of all ranks, each of which goes to some experts; 0: not known
    double busiest = 1;     // GroupedGemm: rows of this rank over the mean of those that share the experts
    bool evenRows = false;  // GroupedGemm: as many rows to each of them, as benchmarks deal them
    double batch = 0;       // attention: sequences; expert layers: routed rows of all ranks
    double queryTokens = 0; // attention: new tokens of one sequence
    double context = 0;     // attention: keys a query sees on average
    double queryHeads = 0;  // on this GPU
    double kvHeads = 0;
    double headDim = 0;
    bool narrowKv = false; // 8-bit cache
    bool gathers = false;  // attention of prompts: each query fetches keys of its own
    bool general = false;  // attention of prompts: by a kernel that no library made for these heads
    double ordering = 0;   // GroupedGemm: kernels that put rows in order, beside those of its form
    double uncompiled
        = 0; // kernels beside its own, which a step that is compiled or captured does not launch

    CollectiveClass collective = CollectiveClass::NcclAllReduce;
    int ranks = 1;
    int nodes = 1; // nodes the ranks stand in
    Bytes message; // per rank
    Bytes across;  // of experts' exchanges: what a rank sends over the network; `message` is handed on inside
                   // nodes

    [[nodiscard]] Bytes bytes() const { return weightBytes + kvBytes + activationBytes; }
    friend bool operator==(const Op&, const Op&) = default;
};

} // namespace headroom
