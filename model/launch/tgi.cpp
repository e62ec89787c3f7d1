// TGI: launcher/src/main.rs.
#include "model/launch/wish.h"

#include <algorithm>
#include <fmt/format.h>

namespace headroom::launching {

void tgi(Wish& w)
{
    capturedStepsOnly(w);
    oneNodeOnly(w);
    if (w.d.layout.pp > 1 || w.d.layout.dp > 1)
        w.refuse(say("{} shards by tensor parallelism only", w.d.engine->name),
                 say("--pp 1 --dp 1, or another engine"));
    w.command.program = {"text-generation-launcher"};
    w.flag("--model-id", checkpoint(*w.d.llm));
    w.flag("--num-shard", w.d.layout.tp);
    const DType native = nativeType(*w.d.llm);
    // --dtype cannot stand beside --quantize.
    if (w.d.weights == DType::Fp8 && isHalf(native))
        w.flag("--quantize", std::string("fp8"));
    else if (isHalf(w.d.weights) && isHalf(native))
        w.flag("--dtype", torchName(w.d.weights));
    else if (w.d.weights != native)
        w.command.notes.push_back(say("give a checkpoint quantised to {} instead of {}",
                                      asIs(name(w.d.weights)), checkpoint(*w.d.llm)));
    if (w.d.kv == DType::Fp8)
        w.flag("--kv-cache-dtype", std::string("fp8_e4m3fn"));
    const std::int64_t longest = longestSequence(w.resolved);
    w.flag("--max-total-tokens", longest);
    w.flag("--max-input-tokens",
           std::max<std::int64_t>(
               1, longest - static_cast<std::int64_t>(w.resolved.scenario.output.quantile(0.99))));
    limits(w, "--max-concurrent-requests", "--max-batch-prefill-tokens");
    w.flag("--cuda-memory-fraction", ratio(w.d.engine->memoryFraction));
    w.flag("--port", w.command.port);
}

} // namespace headroom::launching
