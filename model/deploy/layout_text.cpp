#include "model/deploy/layout_text.h"

#include <string>

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
    Message one = split.empty() ? Message("1 GPU") : asIs(split);
    if (layout.redundantExperts > 0)
        one = say("{} with {} redundant experts", one, layout.redundantExperts);
    return layout.replicas > 1 ? say("{}, {} replicas", one, layout.replicas) : one;
}

} // namespace headroom
