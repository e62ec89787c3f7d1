// LMDeploy: lmdeploy/cli/utils.py.
#include "model/launch/wish.h"

namespace headroom::launching {

void lmdeploy(Wish& w)
{
    capturedStepsOnly(w);
    const Layout& l = w.d.layout;
    w.command.program = {"lmdeploy", "serve", "api_server", checkpoint(*w.d.llm)};
    w.flag("--backend", std::string("turbomind"));
    w.flag("--tp", l.tp);
    if (l.dp > 1)
        w.flag("--dp", l.dp);
    if (l.ep > 1)
        w.flag("--ep", l.ep);
    if (l.pp > 1)
        w.refuse(say("{} has no pipeline parallelism", w.d.engine->name), say("--pp 1, or another engine"));
    w.flag("--dtype", isHalf(w.d.weights) ? torchName(w.d.weights) : "auto");
    switch (w.d.weights) {
    case DType::Int4:
        w.flag("--model-format", std::string("awq"));
        break;
    case DType::Fp8:
        w.flag("--model-format", std::string("fp8"));
        break;
    case DType::Mxfp4:
        w.flag("--model-format", std::string("mxfp4"));
        break;
    default:
        w.flag("--model-format", std::string("hf"));
        break;
    }
    if (w.d.kv == DType::Fp8)
        w.refuse(say("{}'s cache is 16, 8 (int8) or 4 bit, not fp8", w.d.engine->name), "--kv int8");
    w.flag("--quant-policy", w.d.kv == DType::Int8 ? 8 : w.d.kv == DType::Int4 ? 4 : 0);
    w.flag("--session-len", longestSequence(w.resolved));
    limits(w, "--max-batch-size", "--max-prefill-token-num");
    w.flag("--cache-max-entry-count", ratio(w.d.engine->memoryFraction));
    if (w.d.engine->blockTokens > 1)
        w.flag("--cache-block-seq-len", w.d.engine->blockTokens);
    if (w.d.engine->prefixCache)
        w.flag("--enable-prefix-caching");
    w.flag("--server-port", w.command.port);
    if (w.command.nodes > 1)
        w.command.nodeFlags = {{"--nnodes", {std::to_string(w.command.nodes)}},
                               {"--node-rank", {nodeRank}},
                               {"--dist-init-addr", {headAddress}}};
}

} // namespace headroom::launching
