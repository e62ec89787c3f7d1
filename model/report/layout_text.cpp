#include "model/report/layout_text.h"

#include <fmt/format.h>

namespace headroom {

std::string deploymentText(const Deployment& d)
{
    return fmt::format("{} on {} × {} ({}), {}", d.llm->name, d.layout.gpus(), d.gpu->name,
                       layoutText(d.layout).english(), d.engine->name);
}

} // namespace headroom
