#include "model/catalogue/llm_fields.h"
#include "model/yaml/layer_order.h"
#include "model/yaml/llm_words.h"
#include "model/yaml/llm_yaml.h"
#include "model/yaml/scale_words.h"
#include "model/yaml/writer.h"

#include <algorithm>
#include <fmt/format.h>

namespace headroom {

namespace {

class FieldWriter {
public:
    explicit FieldWriter(MapWriter& map) : m_map(&map) {}

    void size(std::string_view key, std::int64_t value, std::int64_t) { m_map->whole(key, value); }
    void maybeSize(std::string_view key, std::int64_t value, std::int64_t, std::int64_t usual = 0)
    {
        if (value != usual)
            m_map->whole(key, value);
    }
    void flag(std::string_view key, bool value, bool usual)
    {
        if (value != usual)
            m_map->flag(key, value);
    }
    void dtype(std::string_view key, DType value, DType usual)
    {
        if (value != usual)
            m_map->dtype(key, value);
    }
    void qkNorm(std::string_view key, QkNorm value)
    {
        if (value != QkNorm::None)
            m_map->text(key, nameOf(qkNorms, value));
    }

private:
    MapWriter* m_map;
};

std::string kindName(const LayerKind& kind, bool mixedMlps)
{
    std::string name(std::visit([](const auto& mixer) { return mixer.layerWord(); }, kind.mixer));
    if (!mixes(kind.mixer) || (mixedMlps && kind.mlp.kind != MlpKind::None)) {
        const std::string_view mlp = nameOf(mlpKinds, kind.mlp.kind);
        name = mixes(kind.mixer) ? fmt::format("{}_{}", name, mlp) : std::string(mlp);
    }
    return name;
}

std::vector<std::string> kindNames(const Llm& llm)
{
    const auto has = [&](MlpKind mlp) {
        return std::any_of(llm.kinds.begin(), llm.kinds.end(),
                           [&](const LayerKind& k) { return k.mlp.kind == mlp; });
    };
    const bool mixedMlps = has(MlpKind::Dense) && has(MlpKind::Moe);
    std::vector<std::string> names;
    for (const LayerKind& kind : llm.kinds) {
        const std::string base = kindName(kind, mixedMlps);
        std::string name = base;
        for (int number = 2; std::find(names.begin(), names.end(), name) != names.end(); ++number)
            name = fmt::format("{}_{}", base, number);
        names.push_back(std::move(name));
    }
    return names;
}

void writeKind(MapWriter& out, const LayerKind& kind)
{
    FieldWriter fields(out);
    out.text("mixer", nameOf(mixerKinds, kind.mixer.index()));
    mixerFields(fields, kind.mixer);
    out.text("mlp", nameOf(mlpKinds, kind.mlp.kind));
    mlpFields(fields, kind.mlp);
    if (kind.norms != 2)
        out.whole("norms", kind.norms);
    fields.flag("parallel", kind.parallel, false);
}

void writeShape(MapWriter& out, const Llm& llm, const std::vector<std::string>& names)
{
    out.text("layers", layerOrderText(llm.layers, names));
    out.whole("hidden", llm.hidden);
    out.whole("vocab", llm.vocab);
    out.flag("tied_head", llm.tiedHead);
    if (llm.headBias)
        out.flag("head_bias", true);
    if (llm.learnedPositions > 0)
        out.whole("learned_positions", llm.learnedPositions);
    if (llm.embeddingNorm)
        out.flag("embedding_norm", true);
    out.text("norm", nameOf(normKinds, llm.norm));
    if (!llm.finalNorm)
        out.flag("final_norm", false);
    if (llm.residualStreams > 0)
        out.whole("residual_streams", llm.residualStreams);
    out.whole("max_context", llm.maxContext);
}

void writeStorage(MapWriter& out, const Llm& llm)
{
    out.dtype("type", llm.nativeType);
    if (llm.fp8Scales)
        out.text("fp8_checkpoint_scales", nameOf(scaleSpans, *llm.fp8Scales));
    if (!llm.nativeQuantization)
        return;
    out.map("quantization", [&](MapWriter& quantization) {
        const NativeQuantization& native = *llm.nativeQuantization;
        quantization.text("method", native.method);
        quantization.dtype("type", native.type);
        FieldWriter fields(quantization);
        fields.maybeSize("group_size", native.groupSize, 0);
        fields.maybeSize("block_rows", native.blockRows, 0);
        fields.maybeSize("block_columns", native.blockColumns, 0);
        fields.flag("activations_too", native.activationsToo, false);
        fields.flag("experts_only", native.expertsOnly, false);
        if (native.outside)
            quantization.dtype("outside", *native.outside);
    });
}

void writeMtp(MapWriter& out, const Llm& llm, const std::vector<std::string>& names)
{
    out.whole("modules", llm.mtp.layers);
    out.flag("in_checkpoint", llm.mtp.inCheckpoint);
    if (llm.mtp.duplicatesEmbeddingAndHead)
        out.flag("duplicates_embedding_and_head", true);
    if (llm.mtp.norms != 3)
        out.whole("norms", llm.mtp.norms);
    out.text("layers", layerOrderText(llm.mtp.kinds, names));
}

void writePublished(MapWriter& out, const PublishedCount& count)
{
    out.whole("parameters", count.total);
    out.flag("exact", count.exact);
    if (!count.includes.empty())
        out.texts("includes", count.includes);
    if (count.visionParams > 0)
        out.whole("vision_parameters", count.visionParams);
    if (count.active > 0)
        out.number("active", count.active);
    if (!count.activeConvention.empty())
        out.text("active_convention", count.activeConvention);
}

void maybeText(MapWriter& out, std::string_view key, const std::string& value)
{
    if (!value.empty())
        out.text(key, value);
}

} // namespace

std::string writeLlm(const Llm& llm)
{
    MapWriter out;
    const std::vector<std::string> names = kindNames(llm);
    const SourceWriter sources(llm.citations, llm.confidence);
    out.text("id", llm.id);
    out.text("name", llm.name);
    maybeText(out, "hf_id", llm.hfId);
    out.text("developer", llm.developer);
    out.text("family", llm.family);
    maybeText(out, "architecture", llm.architecture);
    maybeText(out, "licence", llm.licence);
    maybeText(out, "released", llm.released);
    if (!llm.aliases.empty())
        out.texts("aliases", llm.aliases);
    out.text("confidence", name(llm.confidence));
    maybeText(out, "notes", llm.notes);
    out.map("shape", [&](MapWriter& shape) {
        writeShape(shape, llm, names);
        sources.cite(shape, "shape");
    });
    out.map("kinds", [&](MapWriter& kinds) {
        for (std::size_t k = 0; k < llm.kinds.size(); ++k)
            kinds.map(names[k], [&](MapWriter& kind) { writeKind(kind, llm.kinds[k]); });
    });
    out.map("storage", [&](MapWriter& storage) { writeStorage(storage, llm); });
    if (llm.mtp.layers > 0)
        out.map("mtp", [&](MapWriter& mtp) { writeMtp(mtp, llm, names); });
    if (llm.published.total > 0)
        out.map("published", [&](MapWriter& published) {
            writePublished(published, llm.published);
            sources.cite(published, "published");
        });
    sources.finish(out);
    return out.yaml();
}

} // namespace headroom
