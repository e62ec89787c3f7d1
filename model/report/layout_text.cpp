#include "model/report/layout_text.h"

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

} // namespace headroom
