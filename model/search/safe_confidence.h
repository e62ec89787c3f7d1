#pragma once

namespace headroom {

// Nine in ten: what "to be safe" means, and from where on a verdict needs no caution.
constexpr double safeConfidence = 0.9;

} // namespace headroom
