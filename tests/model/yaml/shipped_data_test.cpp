#include "headroom_source_dir.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/engine_yaml.h"
#include "model/yaml/gpu_yaml.h"
#include "model/yaml/index_yaml.h"
#include "model/yaml/node_yaml.h"
#include "model/yaml/scenario_yaml.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace headroom;

namespace {

const std::filesystem::path sourceRoot = HEADROOM_SOURCE_DIR;

std::shared_ptr<const Catalogue> catalogue()
{
    auto opened = Catalogue::open(sourceRoot);
    if (!opened)
        FAIL(opened.error().front().where << " " << opened.error().front().what.english());
    return *opened;
}

template <typename T>
const T& value(const Result<const T*>& result)
{
    if (!result)
        for (const Problem& problem : result.error())
            MESSAGE(problem.where << ": " << problem.what.english() << " (" << problem.hint.english() << ")");
    REQUIRE(result);
    return **result;
}

bool hasCitation(const std::vector<Citation>& citations, std::string_view group)
{
    return std::any_of(citations.begin(), citations.end(),
                       [&](const Citation& c) { return c.key == group && c.text.size() > 5; });
}

} // namespace

TEST_CASE("every accelerator file loads, is cited, and is written back equal")
{
    const auto shipped = catalogue();
    CHECK(shipped->gpuIds().size() >= 70);
    for (const std::string& id : shipped->gpuIds()) {
        CAPTURE(id);
        const Gpu& gpu = value(shipped->gpu(id));
        CHECK(gpu.id == id);
        CHECK(gpu.memoryUsable.base() > 0);
        CHECK(gpu.memoryUsable <= gpu.memorySold);
        CHECK_FALSE(gpu.family.empty());
        for (const char* group : {"compute", "memory", "links"})
            CHECK(hasCitation(gpu.citations, group));
        const Result<Gpu> again = readGpu(writeGpu(gpu), id);
        REQUIRE(again);
        CHECK(*again == gpu);
    }
}

TEST_CASE("every machine file loads, names known accelerators, and is written back equal")
{
    const auto shipped = catalogue();
    const std::set<std::string> gpus(shipped->gpuIds().begin(), shipped->gpuIds().end());
    for (const std::string& id : shipped->nodeIds()) {
        CAPTURE(id);
        const Node& node = value(shipped->node(id));
        CHECK(node.id == id);
        for (const std::string& gpu : node.gpus) {
            CAPTURE(gpu);
            CHECK(gpus.contains(gpu));
        }
        const Result<Node> again = readNode(writeNode(node), id);
        REQUIRE(again);
        CHECK(*again == node);
    }
    for (const std::string& id : shipped->gpuIds()) {
        CAPTURE(id);
        const Node& node = value(shipped->node(value(shipped->gpu(id)).defaultNode));
        CHECK(std::find(node.gpus.begin(), node.gpus.end(), id) != node.gpus.end());
    }
}

TEST_CASE("a machine carries no more over its links than its accelerators have")
{
    const auto shipped = catalogue();
    for (const std::string& id : shipped->gpuIds()) {
        CAPTURE(id);
        const Gpu& gpu = value(shipped->gpu(id));
        const Link& intra = value(shipped->node(gpu.defaultNode)).intra;
        if (intra.topology == LinkTopology::Switch || intra.topology == LinkTopology::Mesh
            || intra.topology == LinkTopology::Pairs)
            CHECK(intra.perGpuPerDirection.base() <= gpu.linkPerDirection.base() * 1.001);
        if (intra.topology == LinkTopology::Pcie)
            CHECK(intra.perGpuPerDirection.base() <= gpu.pciePerDirection.base() * 1.001);
    }
}

TEST_CASE("every engine preset loads, is cited, and is written back equal")
{
    const auto shipped = catalogue();
    for (const std::string& id : shipped->engineIds()) {
        CAPTURE(id);
        const Engine& engine = value(shipped->engine(id));
        CHECK(engine.id == id);
        for (const char* group : {"scheduler", "memory", "host", "types", "parallel"})
            CHECK(hasCitation(engine.citations, group));
        const Result<Engine> again = readEngine(writeEngine(engine), id);
        REQUIRE(again);
        CHECK(*again == engine);
    }
}

TEST_CASE("every accelerator has figures for its efficiency")
{
    const auto shipped = catalogue();
    const Engine& vllm = value(shipped->engine("vllm"));
    for (const std::string& id : shipped->gpuIds()) {
        CAPTURE(id);
        const Gpu& gpu = value(shipped->gpu(id));
        const EfficiencySet& set = value(shipped->efficiency(gpu, vllm));
        CHECK(set.form(GemmClass::Half).memoryEfficiency > 0.2);
        CHECK(&set == &value(shipped->efficiency(gpu, vllm)));
    }
}

TEST_CASE("cards of one compute capability share the kernels that were timed on one of them")
{
    const auto shipped = catalogue();
    const Engine& vllm = value(shipped->engine("vllm"));
    for (const char* id : {"dgx-spark-gb10", "geforce-rtx-5090", "geforce-rtx-3090"}) {
        const EfficiencySet& set = value(shipped->efficiency(value(shipped->gpu(id)), vllm));
        CHECK(set.prefillAttention.uncertainty.source == Source::SameFamily);
    }
    const EfficiencySet& other = value(shipped->efficiency(value(shipped->gpu("geforce-rtx-2080-ti")), vllm));
    CHECK(other.prefillAttention.uncertainty.source == Source::Prior);
}

TEST_CASE("the ideal engine costs nothing")
{
    const auto shipped = catalogue();
    const Engine& ideal = value(shipped->engine("ideal"));
    CHECK(ideal.memoryFraction == 1);
    CHECK(ideal.runtimeMemory.base() == 0);
    CHECK(ideal.stepHostTime.base() == 0);
    CHECK(ideal.requestHostTime.base() == 0);
    const EfficiencySet& set = value(shipped->efficiency(value(shipped->gpu("geforce-rtx-4090")), ideal));
    CHECK(set.form(GemmClass::Half).memoryEfficiency == 1);
    CHECK(set.decodeAttention.floor.base() == 0);
    CHECK(set.intraNode[0].linkEfficiency == 1);
}

TEST_CASE("vLLM's token budget follows the card")
{
    const auto shipped = catalogue();
    const Engine& vllm = value(shipped->engine("vllm"));
    const auto budget = [&](const char* id) {
        const Gpu& gpu = value(shipped->gpu(id));
        return vllm.limitsFor(gpu.memoryUsable, gpu.family).maxBatchedTokens;
    };
    CHECK(budget("h100-sxm-80gb") == 8192);
    CHECK(budget("a100-sxm-80gb") == 2048);
    CHECK(budget("b200-sxm-180gb") == 8192); // 16,384 came with v0.28.0, after this class of versions
    CHECK(budget("l4") == 2048);
}

TEST_CASE("the example scenarios name what is in the catalogue")
{
    const auto shipped = catalogue();
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(sourceRoot / "resources/scenarios")) {
        if (entry.path().extension() != ".yaml")
            continue;
        CAPTURE(entry.path().string());
        const Result<Scenario> scenario = readScenario(entry.path(), entry.path().filename().string());
        REQUIRE(scenario);
        const auto exact = [](const Result<NameMatch>& match) { return match && match->why == "exact id"; };
        CHECK_FALSE(scenario->name.empty());
        CHECK(exact(shipped->findModel(scenario->model)));
        CHECK(exact(shipped->findEngine(scenario->engine)));
        for (const std::string& gpu : scenario->gpus)
            CHECK(exact(shipped->findGpu(gpu)));
        if (!scenario->node.empty())
            CHECK(exact(shipped->findNode(scenario->node)));
        ++files;
    }
    CHECK(files >= 6);
}

TEST_CASE("the alias indexes say what the files say")
{
    const Result<AliasIndex> files = gatherIndex(sourceRoot);
    if (!files)
        for (const Problem& problem : files.error())
            FAIL_CHECK(problem.where << ": " << problem.what.english());
    REQUIRE(files);
    const Result<AliasIndex> index = readIndex(sourceRoot);
    REQUIRE(index);
    const bool same = *index == *files;
    CHECK_MESSAGE(same, "run 'headroom check --write-index'");
}

TEST_CASE(
    "TensorRT-LLM's norms narrow activations for products in 8 bits, not for those with scales for blocks")
{
    const auto shipped = catalogue();
    const Gpu& gpu = value(shipped->gpu("h200-sxm-141gb"));
    const EfficiencySet& set = value(shipped->efficiency(gpu, value(shipped->engine("tensorrt-llm"))));
    CHECK(set.form(GemmClass::Fp8).quantiseEfficiency == 0);
    // h200-sxm-141gb-trtllm.yaml, gemm fp8-block
    CHECK(set.form(GemmClass::Fp8Block).quantiseEfficiency == doctest::Approx(0.39977).epsilon(1e-4));
}
