#pragma once

#include "model/base/dtype.h"
#include "model/catalogue/engine.h"
#include "model/catalogue/gpu.h"
#include "model/catalogue/llm.h"
#include "model/measured/measured_row.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace headroom {

// The type that a cell such as "fp16/bf16 (doc: Mixed)", "gptq-int4" or "awq" names.
[[nodiscard]] std::optional<DType> storedTypeOf(std::string_view cell);

struct RowTypes {
    DType weights = DType::Bf16;
    DType kv = DType::Bf16;
    MathUnit compute = MathUnit::Bf16;
    Message assumed; // what the row leaves out and was taken to be usual
};
// What a row ran in, or why that is not known.
[[nodiscard]] std::variant<RowTypes, Message> typesOf(const MeasuredRow& row, const Llm& llm, const Gpu& gpu,
                                                      const Engine& engine);

} // namespace headroom
