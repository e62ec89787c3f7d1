#pragma once

#include "model/base/dtype.h"
#include "model/base/message.h"
#include "model/count/op.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::kernels {

// The kernel families of a transformer layer and of the machine under it.
enum class Kernel : std::uint8_t {
    Gemm, // n x k weights in `weights`, activations in `activations`: the library where there is one
    PrefillAttention, // causal, over `past` cached tokens and the new ones
    DecodeAttention,  // one query a sequence, over a block table
    DecodeLatent,     // absorbed MLA
    NormResidual,     // RMSNorm of x + residual
    RopeAppend,       // rotary embedding of q and k, k and v into the paged cache
    GatedActivation,  // SwiGLU
    Experts,          // router, permute, grouped GEMM, combine
    Sampling,         // greedy over fp32 logits
    Read,             // sum of an array: what memory gives when nothing is written
    Copy,
    Empty, // a launch that does nothing
    AllReduce,
    AllGather,
    AllToAll,
    SendRecv
};
constexpr int kernelCount = 16;
[[nodiscard]] std::string_view kernelName(Kernel kernel);
[[nodiscard]] constexpr bool isCollective(Kernel kernel) { return kernel >= Kernel::AllReduce; }

// Which of a family's kernels runs a task. Zeros and false where a family has no such choice.
struct Variant {
    bool library = false; // cublasLt
    bool plain = false;   // the one for sizes that the fast ones do not take
    bool staged = false;  // tiles of operands pass through shared memory
    bool grouped = false; // four warps multiply together, operands in shared memory (capability 9.0)
    int rows = 0;         // of a block's tile
    int columns = 0;      // of a block's tile; of a head or a row that it holds
    int parts = 1;        // that one sequence, or the depth of a sum, is shared out in

    friend bool operator==(const Variant&, const Variant&) = default;
};

// One piece of work: shapes, types, and what makes its data. Fields a kernel does not use are zero.
struct Task {
    Kernel kernel = Kernel::Gemm;
    OpName name = OpName::Qkv; // which of the layer's operators this is
    DType weights = DType::Bf16;
    DType activations = DType::Bf16;
    DType kv = DType::Bf16;

    std::int64_t m = 0; // rows
    std::int64_t n = 0;
    std::int64_t k = 0; // GEMM depth; hidden width of norms and experts
    std::int64_t batch = 0;
    std::int64_t queryTokens = 0;
    std::int64_t past = 0; // cached tokens before the new ones, the longest of a ragged batch
    bool ragged = false;   // sequences of a batch end between past / 2 and past
    int queryHeads = 0;
    int kvHeads = 0;
    int headDim = 0;
    int latent = 0; // MLA
    int rope = 0;
    int pageTokens = 16;
    int experts = 0;
    int expertsPerToken = 0;
    double queryScale = 1; // attention: queries drawn this much larger, so that one score outweighs the rest
    bool gated = true;
    double routingSkew = 0; // 0: uniform; s: expert e is chosen with weight 1 / (e + 1)^s
    int groupSize = 128;    // of weight-only types
    std::int64_t bytes = 0; // Read, Copy, collectives
    int ranks = 1;
    int nodes = 1; // over which the ranks are spread evenly
    int graphNodes
        = 0; // Empty: so many empty launches in one graph, started and waited for; 0: no graph of its own
    bool hot = false;       // operands may stay in cache
    bool eager = false;     // started by the host one launch at a time, where a device would replay a graph
    bool sustained = false; // timed so long that clocks have settled
    std::optional<Variant>
        variant; // runs by this kernel of its family; empty: by the one its shape calls for

    friend bool operator==(const Task&, const Task&) = default;
};

// The work of a task, counted by the functions the planner counts with.
[[nodiscard]] Op workOf(const Task& task);

// What cross-validation leaves out together: (n, k) of a GEMM, a head configuration, an expert configuration.
[[nodiscard]] std::string groupOf(const Task& task);

// Why ranks with so much memory each cannot exchange this; empty: they can.
[[nodiscard]] Message exchangeObstacle(const Task& task, Bytes memory);

// One line for logs and tables: "gemm bf16 m=16 n=4096 k=4096".
[[nodiscard]] std::string describe(const Task& task);

// "library", "tile of 64 x 32, 4 parts"; empty where a family has one kernel.
[[nodiscard]] std::string describe(const Variant& variant);

// How far a kernel's result may be from the double-precision reference, as a relative Frobenius norm.
[[nodiscard]] double toleranceOf(const Task& task);

} // namespace headroom::kernels
