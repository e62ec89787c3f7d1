#pragma once

namespace headroom {

// Nine in ten: what "to be safe" means, and from where on a verdict needs no caution.
constexpr double safeConfidence = 0.9;

// Three in four: an answer that is less sure is a gamble, and a safe one stands before it.
constexpr double leastConfidence = 0.75;

} // namespace headroom
