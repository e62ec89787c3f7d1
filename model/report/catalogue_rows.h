#pragma once

#include "model/catalogue/engine.h"
#include "model/catalogue/gpu.h"
#include "model/catalogue/llm.h"
#include "model/catalogue/node.h"
#include "model/report/columns.h"

#include <string>

namespace headroom {

// The catalogue as tables. Rows point into it.
using GpuRow = const Gpu*;
using LlmRow = const Llm*;
using EngineRow = const Engine*;
using NodeRow = const Node*;
[[nodiscard]] const Columns<GpuRow>& gpuColumns();
[[nodiscard]] const Columns<LlmRow>& llmColumns();
[[nodiscard]] const Columns<EngineRow>& engineColumns();
[[nodiscard]] const Columns<NodeRow>& nodeColumns();

} // namespace headroom
