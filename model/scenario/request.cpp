#include "model/scenario/request.h"

#include <algorithm>

namespace headroom::serve {

bool Workload::sharesPrefixes() const
{
    return std::any_of(requests.begin(), requests.end(), [](const Request& r) {
        return r.systemTokens > 0 || r.sessionTokens > 0 || r.hashCount > 0;
    });
}

} // namespace headroom::serve
