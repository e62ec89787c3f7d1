#include "model/report/layout_text.h"

#include "model/base/figure_text.h"

#include <fmt/format.h>

namespace headroom {

Message layoutText(const Layout& layout)
{
    std::string split;
    const auto add = [&split](const char* what, int size) {
        if (size > 1)
            split += (split.empty() ? "" : " × ") + std::string(what) + ' ' + std::to_string(size);
    };
    add("TP", layout.tp);
    add("PP", layout.pp);
    add("DP", layout.dp);
    add("EP", layout.ep);
    const Message one = split.empty() ? Message("1 GPU") : asIs(split);
    return layout.replicas > 1 ? say("{}, {} replicas", one, layout.replicas) : one;
}

Message layoutText(const Candidate& candidate)
{
    const Message decode = layoutText(candidate.deployment.layout);
    return candidate.prompts
        ? say("{}; prompts on {}", decode, layoutText(candidate.prompts->deployment.layout))
        : decode;
}

std::string deploymentText(const Deployment& d)
{
    return fmt::format("{} on {} × {} ({}), {}", d.llm->name, d.layout.gpus(), d.gpu->name,
                       layoutText(d.layout).english(), d.engine->name);
}

std::string machinesText(const Candidate& candidate)
{
    const Gpu& gpu = *candidate.deployment.gpu;
    if (!candidate.prompts || candidate.prompts->deployment.gpu->id == gpu.id)
        return fmt::format("{} × {}", groupedDigits(candidate.gpus()), gpu.name);
    const Deployment& prompts = candidate.prompts->deployment;
    return fmt::format("{} × {} + {} × {}", groupedDigits(candidate.deployment.layout.gpus()), gpu.name,
                       groupedDigits(prompts.layout.gpus()), prompts.gpu->name);
}

} // namespace headroom
