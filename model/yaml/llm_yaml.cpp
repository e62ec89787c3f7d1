#include "model/yaml/llm_yaml.h"

#include "model/yaml/layer_order.h"
#include "model/yaml/llm_fields.h"
#include "model/yaml/reader.h"
#include "model/yaml/writer.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom {

namespace {

constexpr std::array mixerKinds{
    Choice<MixerKind>{"attention", MixerKind::Attention},
    Choice<MixerKind>{"mla", MixerKind::Mla},
    Choice<MixerKind>{"mamba1", MixerKind::Mamba1},
    Choice<MixerKind>{"mamba2", MixerKind::Mamba2},
    Choice<MixerKind>{"deltanet", MixerKind::DeltaNet},
    Choice<MixerKind>{"lightning", MixerKind::Lightning},
    Choice<MixerKind>{"none", MixerKind::None},
};
constexpr std::array mlpKinds{
    Choice<MlpKind>{"dense", MlpKind::Dense},
    Choice<MlpKind>{"moe", MlpKind::Moe},
    Choice<MlpKind>{"none", MlpKind::None},
};
constexpr std::array qkNorms{
    Choice<QkNorm>{"none", QkNorm::None},
    Choice<QkNorm>{"per_head", QkNorm::PerHead},
    Choice<QkNorm>{"full_width", QkNorm::FullWidth},
    Choice<QkNorm>{"per_head_weights", QkNorm::PerHeadWeights},
    Choice<QkNorm>{"l2", QkNorm::L2},
};
constexpr std::array normKinds{
    Choice<NormKind>{"rmsnorm", NormKind::RmsNorm},
    Choice<NormKind>{"layernorm", NormKind::LayerNorm},
    Choice<NormKind>{"layernorm_no_bias", NormKind::LayerNormNoBias},
};

template <typename E, std::size_t n>
std::string_view nameOf(const std::array<Choice<E>, n>& choices, E value)
{
    return std::find_if(choices.begin(), choices.end(), [&](const Choice<E>& c) { return c.value == value; })
        ->name;
}

constexpr std::size_t mostKinds = 64;

class FieldReader {
public:
    explicit FieldReader(MapReader& map) : m_map(&map) {}

    template <typename Whole>
    void size(std::string_view key, Whole& value, std::int64_t atMost)
    {
        value = static_cast<Whole>(m_map->whole(key, 1, atMost));
    }
    template <typename Whole>
    void maybeSize(std::string_view key, Whole& value, std::int64_t atMost, std::int64_t usual = 0)
    {
        value = static_cast<Whole>(m_map->maybeWhole(key, 1, atMost).value_or(usual));
    }
    void flag(std::string_view key, bool& value, bool usual)
    {
        value = m_map->maybeFlag(key).value_or(usual);
    }
    void dtype(std::string_view key, DType& value, DType usual)
    {
        value = m_map->maybeDType(key).value_or(usual);
    }
    void qkNorm(std::string_view key, QkNorm& value)
    {
        value = m_map->maybeChoice<QkNorm>(key, qkNorms).value_or(QkNorm::None);
    }

private:
    MapReader* m_map;
};

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

LayerKind readKind(MapReader map)
{
    LayerKind kind;
    FieldReader fields(map);
    kind.mixer.kind = map.choice<MixerKind>("mixer", mixerKinds);
    mixerFields(fields, kind.mixer);
    kind.mlp.kind = map.choice<MlpKind>("mlp", mlpKinds);
    mlpFields(fields, kind.mlp);
    kind.norms = map.maybeCount("norms", 0, static_cast<int>(most::norms)).value_or(2);
    kind.parallel = map.maybeFlag("parallel").value_or(false);
    map.finish();
    return kind;
}

std::vector<std::string> readKinds(MapReader kinds, Llm& llm)
{
    std::vector<std::string> names = kinds.keys();
    if (names.empty())
        kinds.report("", "names no kind of layer");
    if (names.size() > mostKinds) {
        kinds.report("", fmt::format("names more than {} kinds", mostKinds));
        return {};
    }
    for (const std::string& name : names) {
        if (name.empty() || name.find_first_of(" +()") != std::string::npos
            || name.find_first_of("0123456789") == 0)
            kinds.report(name,
                         "a kind's name has no blank, '+', '(' or ')', and does not begin with a digit");
        llm.kinds.push_back(readKind(kinds.map(name)));
    }
    return names;
}

std::vector<std::uint8_t> readOrder(MapReader& in, std::string_view key,
                                    const std::vector<std::string>& names)
{
    const std::string text = in.text(key);
    if (names.empty() || !in.has(key))
        return {};
    auto order = parseLayerOrder(text, names);
    if (order)
        return std::move(*order);
    in.report(key, order.error(), "as in '3 dense + 58 moe' or '10 (5 window + full) + 2 window'");
    return {};
}

void readShape(MapReader shape, const std::vector<std::string>& names, Llm& llm, SourceReader& sources)
{
    llm.layers = readOrder(shape, "layers", names);
    llm.hidden = shape.whole("hidden", 1, most::hidden);
    llm.vocab = shape.whole("vocab", 1, most::vocab);
    llm.tiedHead = shape.flag("tied_head");
    llm.headBias = shape.maybeFlag("head_bias").value_or(false);
    llm.learnedPositions = shape.maybeWhole("learned_positions", 1, most::vocab).value_or(0);
    llm.embeddingNorm = shape.maybeFlag("embedding_norm").value_or(false);
    llm.norm = shape.choice<NormKind>("norm", normKinds);
    llm.finalNorm = shape.maybeFlag("final_norm").value_or(true);
    llm.maxContext = shape.whole("max_context", 1, most::tokens);
    sources.cite(shape, "shape");
    shape.finish();
}

void readStorage(MapReader storage, Llm& llm)
{
    llm.nativeType = storage.dtype("type");
    if (std::optional<MapReader> in = storage.maybeMap("quantization")) {
        NativeQuantization& native = llm.nativeQuantization.emplace();
        native.method = in->text("method");
        native.type = in->dtype("type");
        native.groupSize = in->maybeCount("group_size", 1, 1 << 16).value_or(0);
        native.blockRows = in->maybeCount("block_rows", 1, 1 << 16).value_or(0);
        native.blockColumns = in->maybeCount("block_columns", 1, 1 << 16).value_or(0);
        if ((native.blockRows > 0) != (native.blockColumns > 0))
            in->report("block_rows", "blocks have rows and columns",
                       "give both block_rows and block_columns");
        native.activationsToo = in->maybeFlag("activations_too").value_or(false);
        native.expertsOnly = in->maybeFlag("experts_only").value_or(false);
        in->finish();
    }
    storage.finish();
}

void readMtp(MapReader mtp, const std::vector<std::string>& names, Llm& llm)
{
    llm.mtp.layers = mtp.count("modules", 1, 64);
    llm.mtp.inCheckpoint = mtp.flag("in_checkpoint");
    llm.mtp.duplicatesEmbeddingAndHead = mtp.maybeFlag("duplicates_embedding_and_head").value_or(false);
    llm.mtp.norms = mtp.maybeCount("norms", 0, static_cast<int>(most::norms)).value_or(3);
    llm.mtp.kinds = readOrder(mtp, "layers", names);
    mtp.finish();
}

// What `comparable` of model/count/parameters knows how to add.
constexpr std::array<std::string_view, 7> knownIncludes{
    "vision",      "mtp",       "mtp_embedding_and_head", "stored_tied_head", "rope_buffers",
    "rope_buffer", "fp8_scales"};
constexpr std::string_view routerBytes = "fp32_router_bytes";

void readPublished(MapReader published, Llm& llm, SourceReader& sources)
{
    PublishedCount& count = llm.published;
    count.total = published.whole("parameters", 1);
    count.exact = published.flag("exact");
    count.includes = published.maybeTexts("includes");
    for (const std::string& what : count.includes)
        if (what != routerBytes
            && std::find(knownIncludes.begin(), knownIncludes.end(), what) == knownIncludes.end())
            published.report("includes", fmt::format("'{}' is nothing a count is known to include", what),
                             fmt::format("one of: {}, {}", fmt::join(knownIncludes, ", "), routerBytes));
    count.visionParams = published.maybeWhole("vision_parameters", 1).value_or(0);
    count.active = published.maybeNumber("active", positive).value_or(0);
    count.activeConvention = published.maybeText("active_convention").value_or("");
    sources.cite(published, "published");
    published.finish();
}

std::string kindName(const LayerKind& kind, bool mixedMlps)
{
    std::string name{nameOf(mixerKinds, kind.mixer.kind)};
    if (kind.mixer.kind == MixerKind::Attention)
        name = kind.mixer.window > 0 ? "window" : kind.mixer.chunk > 0 ? "chunk" : "full";
    if (kind.mixer.kind == MixerKind::None || (mixedMlps && kind.mlp.kind != MlpKind::None)) {
        const std::string_view mlp = nameOf(mlpKinds, kind.mlp.kind);
        name = kind.mixer.kind == MixerKind::None ? std::string(mlp) : fmt::format("{}_{}", name, mlp);
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
    out.text("mixer", nameOf(mixerKinds, kind.mixer.kind));
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
    out.whole("max_context", llm.maxContext);
}

void writeStorage(MapWriter& out, const Llm& llm)
{
    out.dtype("type", llm.nativeType);
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

Llm readWhole(MapReader& in)
{
    Llm llm;
    llm.id = in.text("id");
    llm.name = in.text("name");
    llm.hfId = in.maybeText("hf_id").value_or("");
    llm.developer = in.text("developer");
    llm.family = in.text("family");
    llm.architecture = in.maybeText("architecture").value_or("");
    llm.licence = in.maybeText("licence").value_or("");
    llm.released = in.maybeText("released").value_or("");
    llm.aliases = in.maybeTexts("aliases");
    llm.confidence = in.choice("confidence", confidences());
    llm.notes = in.maybeText("notes").value_or("");
    SourceReader sources(in, llm.confidence);
    const std::vector<std::string> names = readKinds(in.map("kinds"), llm);
    readShape(in.map("shape"), names, llm, sources);
    readStorage(in.map("storage"), llm);
    if (std::optional<MapReader> mtp = in.maybeMap("mtp"))
        readMtp(std::move(*mtp), names, llm);
    if (std::optional<MapReader> published = in.maybeMap("published"))
        readPublished(std::move(*published), llm, sources);
    llm.citations = sources.finish();
    for (const Citation& citation : llm.citations)
        if (citation.key == "published")
            llm.published.basis = citation.text;
    return llm;
}

} // namespace

Result<Llm> readLlm(const std::string& text, const std::string& file)
{
    Result<Llm> llm = readYaml(text, file, readWhole);
    if (llm)
        if (Problems problems = checkLlm(*llm, file); !problems.empty())
            return refuse(std::move(problems));
    return llm;
}

Problems checkLlm(const Llm& llm, const std::string& file)
{
    Problems problems;
    const auto report = [&](std::string_view where, std::string what) {
        problems.push_back({fmt::format("{} {}", file, where), std::move(what), ""});
    };
    if (llm.layers.empty())
        report("shape.layers", "the model has no layers");
    const std::vector<std::string> names = kindNames(llm);
    for (std::size_t k = 0; k < llm.kinds.size(); ++k) {
        const LayerKind& kind = llm.kinds[k];
        const std::string where = fmt::format("kinds.{}", names[k]);
        const Mixer& mixer = kind.mixer;
        if (mixer.kind == MixerKind::Attention
            && (mixer.kvHeads < 1 || mixer.queryHeads % mixer.kvHeads != 0))
            report(where,
                   fmt::format("{} query heads do not share {} key-value heads evenly", mixer.queryHeads,
                               mixer.kvHeads));
        if (mixer.kind == MixerKind::Attention && mixer.window > 0 && mixer.chunk > 0)
            report(where, "a layer has a window or a chunk, not both");
        if (mixer.ropeDims > mixer.headDim)
            report(where, fmt::format("rotates {} of {} dimensions", mixer.ropeDims, mixer.headDim));
        if (mixer.kind == MixerKind::Mla && (mixer.indexHeads > 0) != (mixer.indexHeadDim > 0))
            report(where, "an indexer has index_heads and index_head_dim");
        if (kind.mlp.kind == MlpKind::Moe && kind.mlp.expertsPerToken > kind.mlp.experts)
            report(
                where,
                fmt::format("a token chooses {} of {} experts", kind.mlp.expertsPerToken, kind.mlp.experts));
        if (std::find(llm.layers.begin(), llm.layers.end(), static_cast<std::uint8_t>(k)) == llm.layers.end()
            && std::find(llm.mtp.kinds.begin(), llm.mtp.kinds.end(), static_cast<std::uint8_t>(k))
                == llm.mtp.kinds.end())
            report(where, "no layer is of this kind");
    }
    return problems;
}

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
