#include "model/report/layout_text.h"

#include <fmt/format.h>

namespace headroom {

std::string layoutText(const Layout& layout)
{
    std::string out;
    const auto add = [&out](const char* what, int size) {
        if (size > 1)
            out += (out.empty() ? "" : " × ") + std::string(what) + ' ' + std::to_string(size);
    };
    add("TP", layout.tp);
    add("PP", layout.pp);
    add("DP", layout.dp);
    add("EP", layout.ep);
    if (out.empty())
        out = "1 GPU";
    if (layout.replicas > 1)
        out += ", " + std::to_string(layout.replicas) + " replicas";
    return out;
}

std::string layoutText(const Candidate& candidate)
{
    const std::string decode = layoutText(candidate.deployment.layout);
    return candidate.prompts ? decode + "; prompts on " + layoutText(candidate.prompts->deployment.layout)
                             : decode;
}

std::string deploymentText(const Deployment& d)
{
    return fmt::format("{} on {} × {} ({}), {}", d.llm->name, d.layout.gpus(), d.gpu->name,
                       layoutText(d.layout), d.engine->name);
}

std::string machinesText(const Candidate& candidate)
{
    const Gpu& gpu = *candidate.deployment.gpu;
    if (!candidate.prompts || candidate.prompts->deployment.gpu->id == gpu.id)
        return std::to_string(candidate.gpus()) + " × " + gpu.name;
    const Deployment& prompts = candidate.prompts->deployment;
    return std::to_string(candidate.deployment.layout.gpus()) + " × " + gpu.name + " + "
        + std::to_string(prompts.layout.gpus()) + " × " + prompts.gpu->name;
}

} // namespace headroom
