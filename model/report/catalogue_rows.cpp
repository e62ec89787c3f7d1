#include "model/report/catalogue_rows.h"

#include "model/count/cache.h"
#include "model/count/parameters.h"

#include <algorithm>

namespace headroom {

namespace {

Message confidenceName(Confidence confidence)
{
    switch (confidence) {
    case Confidence::High:
        return "high";
    case Confidence::Medium:
        return "medium";
    case Confidence::Low:
        return "low";
    }
    return "low";
}

Cell knownOnly(double value) { return value > 0 ? Cell(value) : Cell(); }

template <MathUnit Unit>
Column<GpuRow> peakColumn(const char* key, const Message& title)
{
    return {{key, title, Measure::WorkRate},
            [](const GpuRow& gpu) { return knownOnly(gpu->peak(Unit).base()); }};
}

// Each sort of mixer once: "window + GQA".
std::string mixers(const Llm& llm)
{
    std::string out;
    for (const LayerKind& kind : llm.kinds) {
        const std::string_view one = std::visit(
            [](const auto& mixer) {
                return mixer.lookBack() == LookBack::Everything ? mixer.name() : std::string_view("window");
            },
            kind.mixer);
        if (!one.empty() && out.find(one) == std::string::npos)
            out += fmt::format("{}{}", out.empty() ? "" : " + ", one);
    }
    return out;
}

Message experts(const Llm& llm)
{
    for (const LayerKind& kind : llm.kinds)
        if (kind.mlp.kind == MlpKind::Moe)
            return say("{} of {}", kind.mlp.expertsPerToken, kind.mlp.experts);
    return {};
}

DType publishedType(const Llm& llm)
{
    return llm.nativeQuantization ? llm.nativeQuantization->type : llm.nativeType;
}

std::string listed(const std::vector<DType>& types)
{
    std::string out;
    for (const DType type : types)
        out += (out.empty() ? "" : " ") + std::string(name(type));
    return out;
}

} // namespace

const Columns<GpuRow>& gpuColumns()
{
    static const Columns<GpuRow> columns{
        {{"id", "id"}, [](const GpuRow& g) { return g->id; }},
        {{"name", "name"}, [](const GpuRow& g) { return g->name; }},
        {{"memory_bytes", "memory", Measure::Storage},
         [](const GpuRow& g) { return knownOnly(g->memorySold.base()); }},
        {{"bandwidth_bytes_per_s", "bandwidth", Measure::Bandwidth},
         [](const GpuRow& g) { return knownOnly(g->memoryBandwidth.base()); }},
        {{"half_flops_per_s", "16-bit dense", Measure::WorkRate},
         [](const GpuRow& g) {
             return knownOnly(std::max(g->peak(MathUnit::Bf16).base(), g->peak(MathUnit::Fp16).base()));
         }},
        peakColumn<MathUnit::Fp8>("fp8_flops_per_s", "fp8 dense"),
        peakColumn<MathUnit::Fp4>("fp4_flops_per_s", "fp4 dense"),
        {{"link_bytes_per_s", "link, one way", Measure::Bandwidth},
         [](const GpuRow& g) { return knownOnly(g->linkPerDirection.base()); }},
        {{"tdp_w", "power", Measure::Power}, [](const GpuRow& g) { return knownOnly(g->tdp.base()); }},
        {{"usd_per_hour", "cloud", Measure::HourlyPrice},
         [](const GpuRow& g) { return g->cloudPrice ? Cell(perHour(*g->cloudPrice)) : Cell(); }},
        {{"year", "year", Measure::Plain},
         [](const GpuRow& g) { return g->releaseYear > 0 ? Cell(double(g->releaseYear)) : Cell(); }},
        {{"confidence", "confidence"}, [](const GpuRow& g) { return Cell(confidenceName(g->confidence)); }},
    };
    return columns;
}

const Columns<LlmRow>& llmColumns()
{
    static const Columns<LlmRow> columns{
        {{"id", "id"}, [](const LlmRow& m) { return m->id; }},
        {{"name", "name"}, [](const LlmRow& m) { return m->name; }},
        {{"params_total", "parameters", Measure::Whole},
         [](const LlmRow& m) { return double(countParameters(*m).total); }},
        {{"params_active", "active", Measure::Whole},
         [](const LlmRow& m) { return double(countParameters(*m).active); }},
        {{"layers", "layers", Measure::Whole}, [](const LlmRow& m) { return double(m->layerCount()); }},
        {{"mixer", "attention"}, [](const LlmRow& m) { return mixers(*m); }},
        {{"experts", "experts"}, [](const LlmRow& m) { return Cell(experts(*m)); }},
        {{"kv_bytes_per_token", "KV a token", Measure::Storage},
         [](const LlmRow& m) { return kvBytesPerToken(*m, DType::Bf16).base(); }},
        {{"max_context_tokens", "context", Measure::Length},
         [](const LlmRow& m) { return knownOnly(double(m->maxContext)); }},
        {{"type", "published in"}, [](const LlmRow& m) { return std::string(name(publishedType(*m))); }},
        {{"licence", "licence"}, [](const LlmRow& m) { return m->licence; }},
    };
    return columns;
}

const Columns<EngineRow>& engineColumns()
{
    static const Columns<EngineRow> columns{
        {{"id", "id"}, [](const EngineRow& e) { return e->id; }},
        {{"name", "name"}, [](const EngineRow& e) { return e->name; }},
        {{"version", "version"}, [](const EngineRow& e) { return e->version; }},
        {{"scheduler", "scheduler"},
         [](const EngineRow& e) { return std::string(schedulerName(e->scheduler)); }},
        {{"memory_fraction", "memory", Measure::Share}, [](const EngineRow& e) { return e->memoryFraction; }},
        {{"step_host_s", "per step", Measure::Time},
         [](const EngineRow& e) { return e->stepHostTime.base(); }},
        {{"weights", "weights"}, [](const EngineRow& e) { return listed(e->weightTypes); }},
        {{"kv", "KV cache"}, [](const EngineRow& e) { return listed(e->kvTypes); }},
    };
    return columns;
}

const Columns<NodeRow>& nodeColumns()
{
    static const Columns<NodeRow> columns{
        {{"id", "id"}, [](const NodeRow& n) { return n->id; }},
        {{"name", "name"}, [](const NodeRow& n) { return n->name; }},
        {{"gpus_per_node", "GPUs", Measure::Whole}, [](const NodeRow& n) { return double(n->gpusPerNode); }},
        {{"intra", "inside"}, [](const NodeRow& n) { return n->intra.name; }},
        {{"intra_bytes_per_s", "each way", Measure::Bandwidth},
         [](const NodeRow& n) { return knownOnly(n->intra.perGpuPerDirection.base()); }},
        {{"inter", "between"}, [](const NodeRow& n) { return n->inter.name; }},
        {{"inter_bytes_per_s", "per GPU", Measure::Bandwidth},
         [](const NodeRow& n) { return knownOnly(n->inter.perGpuPerDirection.base()); }},
        {{"host_power_w", "rest of box", Measure::Power},
         [](const NodeRow& n) { return knownOnly(n->hostPower.base()); }},
    };
    return columns;
}

} // namespace headroom
