#pragma once

#include "model/closed_form/operating_point.h"

#include <memory>
#include <mutex>
#include <utility>

namespace headroom {

// The curve of one replica of a layout, made when it is first used, and kept with what it has worked out: a
// layout is judged anew for every number of its replicas.
class KeptCurve {
public:
    // `use(curve)`, of one thread at a time.
    template <typename Use>
    auto with(const Deployment& oneReplica, const Load& load, Use&& use)
    {
        const std::lock_guard lock(m_mutex);
        if (!m_curve)
            m_curve = std::make_unique<ReplicaCurve>(oneReplica, load);
        return std::forward<Use>(use)(*m_curve);
    }

private:
    std::mutex m_mutex;
    std::unique_ptr<ReplicaCurve> m_curve; // none: few of those that were judged are judged again
};

} // namespace headroom
