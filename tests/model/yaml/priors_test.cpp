#include "headroom_source_dir.h"
#include "model/yaml/efficiency_yaml.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace headroom;

namespace {

std::vector<EfficiencySet> shipped(const char* folder)
{
    std::vector<EfficiencySet> sets;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(HEADROOM_SOURCE_DIR "/hw_profiles/") + folder)) {
        if (entry.path().extension() != ".yaml")
            continue;
        std::stringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        const Result<EfficiencySet> set = readEfficiencySet(text.str(), entry.path().filename().string());
        REQUIRE_MESSAGE(set.has_value(), entry.path().string(),
                        set ? "" : set.error().front().what.english());
        sets.push_back(*set);
    }
    return sets;
}

} // namespace

TEST_CASE("every shipped prior is read, names its family and its evidence")
{
    const std::vector<EfficiencySet> priors = shipped("priors");
    CHECK(priors.size() >= 20);
    for (const EfficiencySet& set : priors) {
        CHECK(set.id == "prior-" + set.family);
        CHECK(!set.citations.empty());
        CHECK(set.form(GemmClass::Half).uncertainty.source == Source::Prior);
        CHECK(set.form(GemmClass::Half).computeEfficiency > 0.3);
        CHECK(set.form(GemmClass::Half).computeEfficiency <= 1);
    }
}

TEST_CASE(
    "a calibration with a wrong form, a bit rate for a time and an efficiency above two is refused thrice")
{
    const Result<EfficiencySet> set = readEfficiencySet(R"(id: x
family: hopper
implementation: vllm
forms:
  - {form: gem fp8, ln_spread: 0.1, evidence: prior}
  - {form: stream, launch: 2 GB/s, ln_spread: 0.1, evidence: prior}
  - {form: gemm fp8, compute_efficiency: 3, ln_spread: 0.1, evidence: prior}
)",
                                                        "x.yaml");
    REQUIRE(!set.has_value());
    CHECK(set.error().size() >= 3);
}

TEST_CASE("a calibration whose forms would divide by nothing is refused, number by number")
{
    const Result<EfficiencySet> set = readEfficiencySet(R"(id: x
family: hopper
implementation: vllm
forms:
  - {form: decode attention, piece_keys: 0, ln_spread: 0.1, evidence: prior}
  - {form: decode attention 8-bit cache, narrow_heads: 0, ln_spread: 0.1, evidence: prior}
  - {form: decode mla, sharpness: 0.5, ln_spread: 0.1, evidence: prior}
  - {form: decode mla 8-bit cache, latent_tile: 0, ln_spread: 0.1, evidence: prior}
)",
                                                        "x.yaml");
    REQUIRE(!set.has_value());
    CHECK(set.error().size() == 5); // those, and that no source is named
}
