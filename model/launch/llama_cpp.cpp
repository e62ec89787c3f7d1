// llama.cpp: common/arg.cpp at e95dae18.
#include "model/launch/wish.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom::launching {

void llamaCpp(Wish& w)
{
    capturedStepsOnly(w);
    oneNodeOnly(w);
    const auto slots = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(w.resolved.load.batch)));
    const auto cacheType = [](DType type) -> std::string {
        switch (type) {
        case DType::Q8_0:
        case DType::Int8:
            return "q8_0";
        case DType::Q4_0:
            return "q4_0";
        case DType::Bf16:
            return "bf16";
        case DType::Fp32:
            return "f32";
        default:
            return "f16";
        }
    };
    w.command.program = {"llama-server"};
    w.flag("-m", fmt::format("{}-{}.gguf", w.d.llm->id, name(w.d.weights)));
    w.flag("-c", slots * longestSequence(w.resolved)); // all slots share the context
    w.flag("-np", slots);
    if (w.d.engine->maxBatchedTokens > 0)
        w.flag("-b", w.d.engine->maxBatchedTokens);
    if (w.resolved.scenario.maxBatchedTokens)
        w.flag("-ub", w.d.engine->pipelinePiece);
    w.flag("-ngl", std::int64_t{999});
    if (w.d.layout.gpusPerReplica() > 1)
        w.flag("-sm", std::string(w.d.layout.tp > 1 ? "row" : "layer"));
    w.flag("-ctk", cacheType(w.d.kv));
    w.flag("-ctv", cacheType(w.d.kv));
    w.flag("--port", w.command.port);
    w.command.notes.push_back(
        say("the file is {} as GGUF in {}", checkpoint(*w.d.llm), asIs(name(w.d.weights))));
}

} // namespace headroom::launching
