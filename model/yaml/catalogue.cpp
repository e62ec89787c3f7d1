#include "model/yaml/catalogue.h"

#include "model/count/counted.h"
#include "model/text/text_file.h"
#include "model/yaml/built_from.h"
#include "model/yaml/efficiency_source.h"
#include "model/yaml/efficiency_yaml.h"
#include "model/yaml/engine_yaml.h"
#include "model/yaml/gpu_yaml.h"
#include "model/yaml/index_yaml.h"
#include "model/yaml/llm_yaml.h"
#include "model/yaml/name_index.h"
#include "model/yaml/name_words.h"
#include "model/yaml/node_yaml.h"
#include "model/yaml/tree.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <mutex>

namespace headroom {

namespace fs = std::filesystem;

namespace {

// Values read so far; a reference given out stays where it is.
template <typename T>
using Cache = std::map<std::string, std::unique_ptr<const T>>;

template <typename T>
std::unique_ptr<const T> kept(T value)
{
    return std::make_unique<const T>(std::move(value));
}
// Models are predicted again and again.
std::unique_ptr<const Llm> kept(Llm llm) { return withCounts(std::move(llm)); }

bool isFile(const std::string& text)
{
    return text.ends_with(".yaml") || text.ends_with(".yml") || text.find('/') != std::string::npos;
}

// Where a program cannot learn its own place (no /proc in a bare container), the place of packaged ones.
fs::path executableFolder()
{
    std::error_code status;
    const fs::path self = fs::read_symlink("/proc/self/exe", status);
    return status ? fs::path("/usr/bin") : self.parent_path();
}

} // namespace

struct Catalogue::State {
    fs::path root;
    NameIndex gpus{"accelerator"};
    NameIndex nodes{"machine"};
    NameIndex models{"model"};
    NameIndex engines{"engine"};

    mutable std::mutex mutex; // guards the caches below
    mutable Cache<Gpu> gpuCache;
    mutable Cache<Node> nodeCache;
    mutable Cache<Llm> modelCache;
    mutable Cache<Engine> engineCache;
    mutable Cache<EfficiencySet> efficiencyCache;

    OwnCalibrations own;
    mutable std::once_flag looked; // for `ofThisMachine`, when first asked for
    mutable OwnCalibrations::Known ofThisMachine;

    const OwnCalibrations::Known& ownOnes() const
    {
        std::call_once(looked, [this] { ofThisMachine = own.look(); });
        return ofThisMachine;
    }

    // Reads a file once. `key` names the value in the cache, `make` reads it.
    template <typename T, typename Make>
    Result<const T*> cached(Cache<T>& cache, const std::string& key, Make make) const
    {
        const std::scoped_lock lock(mutex);
        if (const auto found = cache.find(key); found != cache.end())
            return found->second.get();
        Result<T> made = make();
        if (!made)
            return refuse(made.error());
        return cache.emplace(key, kept(std::move(*made))).first->second.get();
    }

    template <typename T, typename Read>
    Result<const T*> fromFile(Cache<T>& cache, const NameIndex& index, std::string_view folder,
                              const std::string& id, Read read) const
    {
        const bool known = std::find(index.ids().begin(), index.ids().end(), id) != index.ids().end();
        if (!known && !isFile(id)) {
            const Result<NameMatch> match = index.find(id);
            return match ? refuse("", say("'{}' is a spelling of '{}', not an id", id, match->id))
                         : refuse(match.error());
        }
        const fs::path path = known ? root / folder / (id + ".yaml") : fs::path(id);
        const std::string shown = known ? fmt::format("{}/{}.yaml", folder, id) : id;
        return cached(cache, id, [&] {
            return readTextFile(path, longestYamlFile).and_then([&](const std::string& text) {
                return read(text, shown);
            });
        });
    }
};

Catalogue::Catalogue(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Catalogue::~Catalogue() = default;

Result<std::shared_ptr<const Catalogue>> Catalogue::open(const fs::path& root, OwnCalibrations own)
{
    const Result<AliasIndex> index = readIndex(root);
    if (!index)
        return refuse(index.error());
    auto state = std::make_unique<State>();
    state->root = root;
    state->own = std::move(own);
    for (const IndexRow& row : index->gpus)
        state->gpus.add(row);
    for (const IndexRow& row : index->nodes)
        state->nodes.add(row);
    for (const IndexRow& row : index->models)
        state->models.add(row);
    for (const IndexRow& row : index->engines)
        state->engines.add(row);
    return std::shared_ptr<const Catalogue>(new Catalogue(std::move(state)));
}

fs::path Catalogue::defaultRoot()
{
    if (const char* const named = std::getenv("HEADROOM_DATA"); named != nullptr && *named != '\0')
        return named;
    std::error_code status;
    const fs::path installed = executableFolder() / ".." / "share" / "headroom";
    if (fs::exists(installed / "hw_profiles", status))
        return fs::weakly_canonical(installed, status);
    return builtFrom();
}

const std::vector<std::string>& Catalogue::gpuIds() const { return m_state->gpus.ids(); }
const std::vector<std::string>& Catalogue::nodeIds() const { return m_state->nodes.ids(); }
const std::vector<std::string>& Catalogue::modelIds() const { return m_state->models.ids(); }
const std::vector<std::string>& Catalogue::engineIds() const { return m_state->engines.ids(); }

std::optional<NameMatch> Catalogue::matchGpu(std::string_view text) const
{
    return m_state->gpus.match(text);
}
std::optional<NameMatch> Catalogue::matchModel(std::string_view text) const
{
    return m_state->models.match(text);
}
std::optional<NameMatch> Catalogue::matchEngine(std::string_view text) const
{
    return m_state->engines.match(text);
}
std::string Catalogue::gpuName(std::string_view id) const { return m_state->gpus.nameOf(id); }
std::vector<std::string> Catalogue::gpusOfVendor(std::string_view vendor) const
{
    return m_state->gpus.madeBy(vendor);
}
NameKinds Catalogue::inNames(std::string_view piece) const
{
    const NameKinds kinds{.model = m_state->models.hasPiece(piece),
                          .gpu = m_state->gpus.hasPiece(piece),
                          .engine = m_state->engines.hasPiece(piece)};
    return kinds.any() && isNoise(piece) ? NameKinds::all() : kinds;
}
Result<NameMatch> Catalogue::findGpu(std::string_view text) const { return m_state->gpus.find(text); }
Result<NameMatch> Catalogue::findNode(std::string_view text) const { return m_state->nodes.find(text); }
Result<NameMatch> Catalogue::findModel(std::string_view text) const { return m_state->models.find(text); }
Result<NameMatch> Catalogue::findEngine(std::string_view text) const { return m_state->engines.find(text); }

Result<const Gpu*> Catalogue::gpu(const std::string& id) const
{
    return m_state->fromFile(m_state->gpuCache, m_state->gpus, "hw_profiles/gpus", id, readGpu);
}

Result<const Node*> Catalogue::node(const std::string& id) const
{
    return m_state->fromFile(m_state->nodeCache, m_state->nodes, "hw_profiles/nodes", id, readNode);
}

Result<const Llm*> Catalogue::model(const std::string& id) const
{
    return m_state->fromFile(m_state->modelCache, m_state->models, "models", id, readLlm);
}

Result<const Engine*> Catalogue::engine(const std::string& id) const
{
    return m_state->fromFile(m_state->engineCache, m_state->engines, "resources/engines", id, readEngine);
}

Result<const EfficiencySet*> Catalogue::efficiency(const Gpu& gpu, const Engine& engine) const
{
    return m_state->cached(m_state->efficiencyCache, gpu.id + ' ' + engine.id,
                           [&] { return chosenEfficiency(m_state->root, gpu, engine); });
}

Result<std::vector<EfficiencySet>> Catalogue::publishedCalibrations() const
{
    return headroom::publishedCalibrations(m_state->root);
}

Result<const EfficiencySet*> Catalogue::calibration(const std::string& file) const
{
    return m_state->cached(m_state->efficiencyCache, file, [&] {
        return readTextFile(file, longestYamlFile).and_then([&](const std::string& text) {
            return readEfficiencySet(text, file);
        });
    });
}

const OwnCalibrations::Found* Catalogue::ownCalibration(const Gpu& gpu, const Node& node,
                                                        const Engine& engine) const
{
    for (const OwnCalibrations::Found& each : m_state->ownOnes().found) {
        const bool box = !each.set.links || each.set.calibration || each.set.links->node == node.id;
        const bool ofEngine = !each.set.engineRuns || each.set.engineRuns->engine == engine.id;
        if (each.set.gpu == gpu.id && box && ofEngine)
            return &each;
    }
    return nullptr;
}

const std::vector<std::string>& Catalogue::unreadCalibrations() const { return m_state->ownOnes().unread; }

} // namespace headroom
