#pragma once

#include "model/catalogue/llm.h"

namespace headroom {

// The model's own checkpoint in `type` narrows experts alone (gpt-oss, DeepSeek-V4); a copy of it that keeps
// nothing wide narrows the rest as well.
inline bool expertsAloneNarrow(const Llm& llm, DType type)
{
    const auto& native = llm.nativeQuantization;
    return native && native->expertsOnly && native->type == type && !llm.keptWide.nothing;
}

} // namespace headroom
