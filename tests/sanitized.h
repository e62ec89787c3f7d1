#pragma once

namespace headroom::test {

// Whether this build carries the runtime of a sanitizer: it takes terabytes of addresses, wants to be loaded
// first, and makes all several times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

// Of a long table of alike cases every one is tried, under a sanitizer every eighth: it looks for faults of
// memory, and what is read right or wrong is for the other builds to say.
template <typename Number>
constexpr bool isTried(Number index)
{
    return !sanitized || index % 8 == 0;
}

} // namespace headroom::test
