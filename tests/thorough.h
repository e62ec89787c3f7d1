#pragma once

#include <cstdlib>

namespace headroom::test {

// Seeded tests run fewer cases every day, and all of them where HEADROOM_THOROUGH is set, as `.ci/run` does.
inline bool thorough() { return std::getenv("HEADROOM_THOROUGH") != nullptr; }
inline int cases(int everyDay, int all) { return thorough() ? all : everyDay; }

} // namespace headroom::test
