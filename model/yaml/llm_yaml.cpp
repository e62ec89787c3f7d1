#include "model/yaml/llm_yaml.h"

#include "model/catalogue/llm_check.h"
#include "model/catalogue/llm_fields.h"
#include "model/yaml/layer_order.h"
#include "model/yaml/llm_words.h"
#include "model/yaml/reader.h"
#include "model/yaml/scale_words.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom {

namespace {

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

template <std::size_t index = 0>
Mixer mixerOfKind(std::size_t kind)
{
    if constexpr (index + 1 < std::variant_size_v<MixerKinds>)
        if (kind != index)
            return mixerOfKind<index + 1>(kind);
    return Mixer(std::in_place_index<index>);
}

LayerKind readKind(MapReader map)
{
    LayerKind kind;
    FieldReader fields(map);
    kind.mixer = mixerOfKind(map.choice<std::size_t>("mixer", mixerKinds));
    mixerFields(fields, kind.mixer);
    kind.mlp.kind = map.choice<MlpKind>("mlp", mlpKinds);
    mlpFields(fields, kind.mlp);
    kind.norms = map.maybeCount("norms", 0, static_cast<int>(most::norms)).value_or(2);
    kind.parallel = map.maybeFlag("parallel").value_or(false);
    map.finish();
    if (map.sound()) // a size that was not read would only contradict the others
        for (Message& contradiction : contradictions(kind))
            map.report("", std::move(contradiction));
    return kind;
}

// Every kind is of use, in the order of the layers or in a prediction module.
void reportIdleKinds(MapReader& kinds, const std::vector<std::string>& names, const Llm& llm)
{
    const auto holds = [](const std::vector<std::uint8_t>& layers, std::size_t kind) {
        return std::find(layers.begin(), layers.end(), static_cast<std::uint8_t>(kind)) != layers.end();
    };
    for (std::size_t k = 0; k < names.size(); ++k)
        if (!holds(llm.layers, k) && !holds(llm.mtp.kinds, k))
            kinds.report(names[k], "no layer is of this kind");
}

std::vector<std::string> readKinds(MapReader& kinds, Llm& llm)
{
    std::vector<std::string> names = kinds.keys();
    if (names.empty())
        kinds.report("", "names no kind of layer");
    if (static_cast<std::int64_t>(names.size()) > most::kinds) {
        kinds.report("", say("names more than {} kinds", most::kinds));
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
    llm.residualStreams = shape.maybeCount("residual_streams", 1, static_cast<int>(most::norms)).value_or(0);
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
        native.groupSize = in->maybeCount("group_size", 1, static_cast<int>(most::block)).value_or(0);
        native.blockRows = in->maybeCount("block_rows", 1, static_cast<int>(most::block)).value_or(0);
        native.blockColumns = in->maybeCount("block_columns", 1, static_cast<int>(most::block)).value_or(0);
        if ((native.blockRows > 0) != (native.blockColumns > 0))
            in->report("block_rows", "blocks have rows and columns",
                       "give both block_rows and block_columns");
        native.activationsToo = in->maybeFlag("activations_too").value_or(false);
        native.expertsOnly = in->maybeFlag("experts_only").value_or(false);
        native.outside = in->maybeDType("outside");
        if (native.outside && !native.expertsOnly)
            in->report("outside", "says how layers beside the experts are stored",
                       "experts_only: true belongs to it");
        in->finish();
    }
    if (storage.has("fp8_checkpoint_scales"))
        llm.fp8Scales = storage.choice<ScaleSpan>("fp8_checkpoint_scales", scaleSpans);
    storage.finish();
}

void readMtp(MapReader mtp, const std::vector<std::string>& names, Llm& llm)
{
    llm.mtp.layers = mtp.count("modules", 1, static_cast<int>(most::modules));
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
            published.report(
                "includes", say("'{}' is nothing a count is known to include", what),
                say("one of: {}, {}", fmt::format("{}", fmt::join(knownIncludes, ", ")), asIs(routerBytes)));
    count.visionParams = published.maybeWhole("vision_parameters", 1).value_or(0);
    count.active = published.maybeNumber("active", positive).value_or(0);
    count.activeConvention = published.maybeText("active_convention").value_or("");
    sources.cite(published, "published");
    published.finish();
}

Llm readWhole(MapReader& in)
{
    Llm llm;
    llm.id = in.identifier("id");
    llm.name = in.name("name");
    llm.hfId = in.maybeName("hf_id").value_or("");
    llm.developer = in.text("developer");
    llm.family = in.text("family");
    llm.architecture = in.maybeText("architecture").value_or("");
    llm.licence = in.maybeText("licence").value_or("");
    llm.released = in.maybeText("released").value_or("");
    llm.aliases = in.maybeTexts("aliases");
    llm.confidence = in.choice("confidence", confidences());
    llm.notes = in.maybeText("notes").value_or("");
    SourceReader sources(in, llm.confidence);
    MapReader kinds = in.map("kinds");
    const std::vector<std::string> names = readKinds(kinds, llm);
    readShape(in.map("shape"), names, llm, sources);
    readStorage(in.map("storage"), llm);
    if (std::optional<MapReader> mtp = in.maybeMap("mtp"))
        readMtp(std::move(*mtp), names, llm);
    if (std::optional<MapReader> published = in.maybeMap("published"))
        readPublished(std::move(*published), llm, sources);
    if (!llm.layers.empty()) // an order that was not read names no kind
        reportIdleKinds(kinds, names, llm);
    llm.citations = sources.finish();
    for (const Citation& citation : llm.citations)
        if (citation.key == "published")
            llm.published.basis = citation.text;
    return llm;
}

} // namespace

Result<Llm> readLlm(const std::string& text, const std::string& file)
{
    return readYaml(text, file, readWhole);
}

} // namespace headroom
