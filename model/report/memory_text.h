#pragma once

#include "model/advise/memory_need.h"
#include "model/ask/question.h"

#include <string>

namespace headroom {

// The answer to what a model takes in memory: a sentence on what was asked of it, every part, what holds it
// and how long contexts may be there.
[[nodiscard]] std::string memoryCounts(const MemoryNeed& need, ask::Asked asked, ask::Language language);

// The same with what was read and assumed.
[[nodiscard]] std::string memoryText(const MemoryNeed& need, const ask::Question& question,
                                     ask::Language language);

} // namespace headroom
