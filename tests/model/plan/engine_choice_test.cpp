#include "headroom_source_dir.h"
#include "model/resolve/engine_choice.h"
#include "model/resolve/resolve.h"
#include "model/yaml/gpu_yaml.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>

using namespace headroom;
using tests::shipped;

namespace {

Scenario llama8bOn(const std::string& gpu, const std::string& engine = {})
{
    Scenario s;
    s.model = "llama-3.1-8b";
    s.gpus = {gpu};
    s.engine = engine;
    return s;
}

bool tells(const Resolved& resolved, const std::string& words)
{
    return std::any_of(resolved.assumptions.begin(), resolved.assumptions.end(),
                       [&](const Message& one) { return one.english().find(words) != std::string::npos; });
}

std::string engineOn(const std::string& gpu, const std::string& engine = {})
{
    const auto resolved = resolve(llama8bOn(gpu, engine), shipped());
    REQUIRE_MESSAGE(resolved.has_value(), gpu);
    return resolved->deployment.engine->id;
}

// The data of the program, but for one engine's file, which nobody can read.
class WithoutReadable {
public:
    explicit WithoutReadable(const std::string& engine)
        : m_root(std::filesystem::temp_directory_path() / fmt::format("headroom-engines-{}", std::rand()))
    {
        const std::filesystem::path whole = HEADROOM_SOURCE_DIR;
        std::filesystem::create_directories(m_root);
        for (const char* folder : {"hw_profiles", "models"})
            std::filesystem::create_directory_symlink(whole / folder, m_root / folder);
        std::filesystem::copy(whole / "resources", m_root / "resources",
                              std::filesystem::copy_options::recursive);
        std::ofstream(m_root / "resources" / "engines" / (engine + ".yaml")) << "id: " << engine << "\n";
    }
    WithoutReadable(const WithoutReadable&) = delete;
    WithoutReadable& operator=(const WithoutReadable&) = delete;
    ~WithoutReadable() { std::filesystem::remove_all(m_root); }

    [[nodiscard]] const std::filesystem::path& root() const { return m_root; }

private:
    std::filesystem::path m_root;
};

} // namespace

TEST_CASE("A usual engine whose file cannot be read is refused, not passed over for the next")
{
    const WithoutReadable data("vllm");
    const auto catalogue = Catalogue::open(data.root());
    REQUIRE(catalogue.has_value());
    CHECK(usualEngine(**catalogue, Platform::Cuda, {}) == "vllm");
    CHECK_FALSE(resolve(llama8bOn("h100-sxm-80gb"), **catalogue).has_value());
}

TEST_CASE("The usual engines of every platform are in the catalogue and run on it")
{
    for (const Platform platform : allPlatforms) {
        CAPTURE(platformName(platform));
        const PlatformRow row = *platformRow(platform);
        for (const std::string_view id : row.usualEngines) {
            if (id.empty())
                continue;
            const auto engine = shipped().engine(std::string(id));
            REQUIRE_MESSAGE(engine.has_value(), id);
            CHECK_MESSAGE((*engine)->runsOn(platform), id);
        }
        CHECK(!row.usualEngines.front().empty());
    }
}

TEST_CASE(
    "Every preset but the physical floor says what it runs on, and every accelerator how it is programmed")
{
    for (const std::string& id : shipped().engineIds())
        CHECK_MESSAGE((*shipped().engine(id))->platforms.empty() == (id == "ideal"), id);
    for (const std::string& id : shipped().gpuIds()) {
        const Gpu& gpu = **shipped().gpu(id);
        CHECK_MESSAGE((gpu.platform == Platform::Other) == (gpu.vendor == "Groq"), id);
        CHECK_MESSAGE((gpu.platform == Platform::Cpu) == gpu.processor(), id);
    }
}

TEST_CASE("An engine that was not named is the usual one of the accelerator, and told")
{
    CHECK(engineOn("h100-sxm-80gb") == "vllm");
    CHECK(engineOn("instinct-mi300x") == "vllm");
    CHECK(engineOn("apple-m3-ultra-80") == "llama-cpp");
    CHECK(engineOn("tpu-v6e") == "vllm-tpu");
    CHECK(engineOn("inferentia2") == "neuron");
    CHECK(engineOn("epyc-9654") == "llama-cpp");
    const auto resolved = resolve(llama8bOn("apple-m3-ultra-80"), shipped());
    REQUIRE(resolved);
    CHECK(tells(*resolved, "engine llama-cpp"));
    const auto named = resolve(llama8bOn("h100-sxm-80gb", "vllm"), shipped());
    REQUIRE(named);
    CHECK(!tells(*named, "engine vllm"));
}

TEST_CASE("Weights that the most used engine does not run take one that does")
{
    Scenario s = llama8bOn("geforce-rtx-4090");
    s.weights = DType::Q4_K_M;
    const auto resolved = resolve(s, shipped());
    REQUIRE(resolved);
    CHECK(resolved->deployment.engine->id == "llama-cpp");
    CHECK(tells(*resolved, "engine llama-cpp: vllm does not run q4_k_m weights"));
    s.gpus = {"tpu-v6e"}; // nobody runs them there
    const auto none = resolve(s, shipped());
    REQUIRE(!none);
    CHECK(none.error().front().where == "weights");
}

TEST_CASE("An engine has no figures where it has no build")
{
    for (const auto& [gpu, engine] :
         {std::pair{"instinct-mi300x", "tensorrt-llm"}, std::pair{"apple-m3-ultra-80", "sglang"},
          std::pair{"h100-sxm-80gb", "mlx-lm"}, std::pair{"h100-sxm-80gb", "optimum-habana"}}) {
        CAPTURE(gpu);
        const auto refused = resolve(llama8bOn(gpu, engine), shipped());
        REQUIRE(!refused);
        CHECK(refused.error().front().where == "engine");
        CHECK(refused.error().front().what.english().find("does not run on") != std::string::npos);
        CHECK(refused.error().front().hint.english().find("on it run") != std::string::npos);
    }
}

TEST_CASE("vLLM is what stands for it where its build has a preset of its own")
{
    CHECK(engineOn("tpu-v6e", "vllm") == "vllm-tpu");
    CHECK(engineOn("apple-m3-ultra-80", "vllm-2025") == "vllm-metal");
    const auto resolved = resolve(llama8bOn("inferentia2", "vllm"), shipped());
    REQUIRE(resolved);
    CHECK(resolved->deployment.engine->id == "neuron");
    CHECK(tells(*resolved, "engine neuron: what vLLM is on Inferentia2"));
}

TEST_CASE("An accelerator of a maker nobody knows gets the physical floor, unless an engine is named")
{
    CHECK(engineOn("groq-lpu-v1") == "ideal");
    const auto resolved = resolve(llama8bOn("groq-lpu-v1"), shipped());
    REQUIRE(resolved);
    CHECK(tells(*resolved, "nothing is known of engines"));
}
