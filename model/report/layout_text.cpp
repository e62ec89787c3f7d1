#include "model/report/layout_text.h"

namespace headroom {

Message deploymentText(const Deployment& d)
{
    return say("{} on {} × {} ({}), {}", d.llm->name, d.layout.gpus(), d.gpu->name, layoutText(d.layout),
               d.engine->name);
}

} // namespace headroom
