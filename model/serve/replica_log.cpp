#include "model/serve/replica_log.h"

namespace headroom::serve {

void ReplicaLog::sample(const LoadSample& now)
{
    samples.push_back(now);
    if (samples.size() == maxSamples) { // every second one stays, and half as many come from here on
        for (std::size_t i = 0; 2 * i + 1 < maxSamples; ++i)
            samples[i] = samples[2 * i + 1];
        samples.resize(maxSamples / 2);
        m_stride *= 2;
    }
    m_nextSample += m_stride;
}

} // namespace headroom::serve
