// Calibrations of this machine that are found by themselves.
#include "headroom_source_dir.h"
#include "headroom_version.h"
#include "model/resolve/resolve.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/efficiency_yaml.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

using namespace headroom;

namespace {

const ThisMachine here{.processor = "AMD EPYC", .cores = 2, .driver = {}};

EfficiencySet ofProcessor(std::string name, int cores)
{
    EfficiencySet set;
    set.id = "mine";
    set.gpu = "cpu";
    set.family = "cpu";
    set.implementation = "headroom";
    set.gemm[1].uncertainty = {.lnSpread = 0.1, .source = Source::MeasuredHere};
    set.calibration.emplace();
    MeasuredMachine& machine = set.calibration->machine;
    machine.kind = "cpu";
    machine.name = std::move(name);
    machine.units = cores;
    machine.memory = Bytes(16e9);
    machine.read = BytesPerSecond(20e9);
    machine.sustained[static_cast<std::size_t>(MathUnit::Fp32)] = FlopsPerSecond(2e11);
    set.calibration->run = {.created = "2026-11-23", .tool = "headroom " HEADROOM_VERSION, .mode = "generic"};
    for (const char* key : {"overheads", "machine", "run"})
        set.citations.push_back({.key = key, .text = "planted", .confidence = Confidence::High});
    return set;
}

class Folder {
public:
    Folder() : m_path(std::filesystem::temp_directory_path() / "headroom-own-calibrations")
    {
        std::filesystem::remove_all(m_path);
        std::filesystem::create_directories(m_path);
    }
    ~Folder() { std::filesystem::remove_all(m_path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    void put(const std::string& name, const EfficiencySet& set) const
    {
        std::ofstream(m_path / name) << efficiencyYaml(set);
    }
    [[nodiscard]] std::shared_ptr<const Catalogue> catalogue(const ThisMachine& machine) const
    {
        const auto opened = Catalogue::open(HEADROOM_SOURCE_DIR, {m_path, machine});
        REQUIRE(opened.has_value());
        return *opened;
    }

private:
    std::filesystem::path m_path;
};

Scenario onProcessor()
{
    Scenario s;
    s.model = "qwen2.5-0.5b";
    s.gpus = {"cpu"};
    s.engine = "llama-cpp";
    return s;
}

bool says(const std::vector<Remark>& remarks, const std::string& words)
{
    return std::any_of(remarks.begin(), remarks.end(),
                       [&](const Remark& r) { return r.text.english().find(words) != std::string::npos; });
}

} // namespace

TEST_CASE("a calibration of this machine is used unasked, and the answer names it")
{
    const Folder folder;
    folder.put("cpu.yaml", ofProcessor("AMD EPYC", 2));
    const auto catalogue = folder.catalogue(here);
    const auto used = resolve(onProcessor(), *catalogue);
    REQUIRE(used.has_value());
    CHECK(used->deployment.gpu->memoryBandwidth == BytesPerSecond(20e9));
    CHECK(says(used->assumptions, "cpu.yaml"));
    Scenario without = onProcessor();
    without.calibration = "none";
    const auto plain = resolve(without, *catalogue);
    REQUIRE(plain.has_value());
    CHECK(plain->deployment.gpu->memoryBandwidth != BytesPerSecond(20e9));
    CHECK_FALSE(says(plain->assumptions, "cpu.yaml"));
}

TEST_CASE("a calibration of another processor, of other cores or another driver is left alone")
{
    const Folder folder;
    folder.put("other.yaml", ofProcessor("Intel Xeon", 2));
    folder.put("larger.yaml", ofProcessor("AMD EPYC", 96));
    EfficiencySet card = ofProcessor("NVIDIA H100", 132);
    card.gpu = "h100-sxm-80gb";
    card.calibration->machine.kind = "cuda";
    card.calibration->machine.driver = "570.1";
    folder.put("card.yaml", card);
    ThisMachine machine = here;
    machine.driver = "580.1";
    const auto catalogue = folder.catalogue(machine);
    const auto used = resolve(onProcessor(), *catalogue);
    REQUIRE(used.has_value());
    CHECK_FALSE(says(used->assumptions, ".yaml"));
    CHECK_FALSE(madeOn(card, machine));
    machine.driver = "570.1";
    CHECK(madeOn(card, machine));
}

TEST_CASE("a broken file among them is passed over and known")
{
    const Folder folder;
    folder.put("cpu.yaml", ofProcessor("AMD EPYC", 2));
    std::ofstream(std::filesystem::temp_directory_path() / "headroom-own-calibrations" / "broken.yaml")
        << "id: [";
    const auto catalogue = folder.catalogue(here);
    const auto used = resolve(onProcessor(), *catalogue);
    REQUIRE(used.has_value());
    CHECK(says(used->assumptions, "cpu.yaml"));
    CHECK(says(used->warnings, "broken.yaml cannot be read"));
    REQUIRE(catalogue->unreadCalibrations().size() == 1);
    CHECK(catalogue->unreadCalibrations().front().find("broken.yaml") != std::string::npos);
}

TEST_CASE("a calibration implies its device")
{
    const Folder folder;
    folder.put("cpu.yaml", ofProcessor("AMD EPYC", 2));
    Scenario s = onProcessor();
    s.gpus.clear();
    s.calibration
        = (std::filesystem::temp_directory_path() / "headroom-own-calibrations" / "cpu.yaml").string();
    const auto catalogue = folder.catalogue({});
    const auto resolved = resolve(s, *catalogue);
    REQUIRE(resolved.has_value());
    CHECK(resolved->scenario.gpus == std::vector<std::string>{"cpu"});
    CHECK(says(resolved->assumptions, "which the calibration is of"));
}

TEST_CASE("a processor is not another one of its maker")
{
    const auto catalogue = Folder().catalogue({});
    for (const char* name : {"AMD EPYC", "amd epyc", "Intel Xeon", "epyc"}) {
        const auto match = catalogue->findGpu(name);
        REQUIRE(match.has_value());
        CHECK_MESSAGE(match->id == "cpu", name);
    }
    CHECK(catalogue->findGpu("EPYC 9654")->id == "epyc-9654");
    CHECK_FALSE(catalogue->findGpu("AMD EPYC 7763").has_value());
}
