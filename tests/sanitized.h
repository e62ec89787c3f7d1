#pragma once

namespace headroom::test {

// Whether this build carries the runtime of a sanitizer: it takes terabytes of addresses, wants to be loaded
// first, and makes all several times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

} // namespace headroom::test
