// The whole path, from the processes of a launcher to the plan, on emulated cards and with a stand-in for
// NCCL.

#include "../fake_device.h"
#include "calib/measure/samples_file.h"
#include "job.h"
#include "model/text/text_file.h"
#include "model/yaml/efficiency_yaml.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

using namespace headroom;
using namespace headroom::test;

namespace {

// All points, however long a busy machine takes for them: a budget that no run comes to the end of.
std::vector<std::string> calibrating(const std::string& file)
{
    const std::string seconds = "100000";
    return {HEADROOM_EMULATED_PROGRAM,
            "calibrate",
            "--links",
            "--gpu",
            "h100-sxm-80gb",
            "--seconds",
            seconds,
            "-o",
            file};
}

std::vector<std::string> withLibrary() { return {std::string("LD_LIBRARY_PATH=") + HEADROOM_STAND_IN}; }

// `ranks` processes as torchrun would start them, so many on each of several machines.
std::vector<Ended> launched(int ranks, int each, const std::vector<std::string>& words)
{
    std::vector<Started> programs;
    for (int rank = 0; rank < ranks; ++rank) {
        Started one{.environment = withLibrary(), .words = words};
        one.environment.push_back(fmt::format("RANK={}", rank));
        one.environment.push_back(fmt::format("WORLD_SIZE={}", ranks));
        one.environment.push_back(fmt::format("GROUP_RANK={}", rank / each));
        programs.push_back(std::move(one));
    }
    return runTogether(programs);
}

EfficiencySet writtenIn(const std::string& file)
{
    const auto text = readTextFile(file, 1U << 22);
    REQUIRE(text.has_value());
    auto set = readEfficiencySet(*text, file);
    REQUIRE(set.has_value());
    return *set;
}

bool measuredHere(const CollectiveForm& form) { return form.uncertainty.source == Source::MeasuredHere; }

// Whether exchanges of NCCL were fitted; engines' own all-reduce is none of them.
std::size_t fitted(const std::array<CollectiveForm, collectiveClassCount>& forms)
{
    return static_cast<std::size_t>(std::count_if(forms.begin(), forms.end(), measuredHere));
}
constexpr std::size_t all = 4;

// Every exchange took what the planted wire takes, to what a float of milliseconds tells.
void asLongAsTheWire(const std::filesystem::path& samples)
{
    const auto file = readSamples(samples);
    REQUIRE(file.has_value());
    std::size_t looked = 0;
    for (const Sample& sample : file->samples) {
        if (sample.what.find("all_reduce") != 0)
            continue;
        const double bytes = std::stod(sample.what.substr(sample.what.find("bytes=") + 6));
        const bool between = sample.what.find("nodes=") != std::string::npos;
        const double wire = between ? 8e-3 + bytes / 5e7 : 2e-3 + bytes / 2e8;
        CHECK(sample.timing.perLaunch.base() == doctest::Approx(wire).epsilon(1e-4));
        ++looked;
    }
    CHECK(looked > 0);
}

bool hasMpirun() { return std::system("command -v mpirun >/dev/null 2>&1") == 0; }

std::vector<Ended> underMpirun(int ranks, const std::string& file)
{
    std::vector<std::string> words{"mpirun", "-n", std::to_string(ranks), "--oversubscribe"};
    if (::getuid() == 0)
        words.emplace_back("--allow-run-as-root");
    for (const std::string& word : calibrating(file))
        words.push_back(word);
    return runTogether({{.environment = withLibrary(), .words = words}});
}

} // namespace

TEST_CASE("four ranks of two machines, no MPI: their links are measured, written, shown and planned with")
{
    const Folder folder;
    const std::string file = folder.file("links.yaml").string();
    const std::vector<Ended> ended = launched(4, 2, calibrating(file));
    for (const Ended& one : ended)
        CHECK_MESSAGE(one.exitCode == 0, one.text);
    CHECK(ended[0].text.find("4 ranks in 2 of dgx-h100") != std::string::npos);
    CHECK(ended[3].text.empty()); // one process speaks for all

    const EfficiencySet set = writtenIn(file);
    REQUIRE(set.links.has_value());
    CHECK(set.links->ranks == 4);
    CHECK(set.links->nodes == 2);
    CHECK(set.links->node == "dgx-h100");
    CHECK(set.links->library == "NCCL 2.28.9");
    CHECK(set.links->refused == 0);
    CHECK_FALSE(set.calibration.has_value()); // nothing was measured of the cards
    CHECK(fitted(set.intraNode) == all);
    CHECK(fitted(set.interNode) == all);
    asLongAsTheWire(folder.file("links.links.samples.csv"));

    const std::vector<Ended> shown = runTogether(
        {{.environment = {}, .words = {HEADROOM_EMULATED_PROGRAM, "show", "calibration", file}}});
    CHECK(shown[0].exitCode == 0);
    CHECK(shown[0].text.find("nccl-all-reduce between nodes") != std::string::npos);

    std::vector<std::string> plan{HEADROOM_EMULATED_PROGRAM, "predict", "--model", "llama-3.1-70b", "--gpu",
                                  "h100-sxm-80gb",           "--tp",    "16",      "--engine",      "vllm",
                                  "--concurrency",           "8"};
    const Ended before = runTogether({{.environment = {}, .words = plan}})[0];
    plan.insert(plan.end(), {"--calibration", file});
    const Ended after = runTogether({{.environment = {}, .words = plan}})[0];
    CHECK_MESSAGE(after.exitCode == 0, after.text);
    CHECK(after.text.find("exchanges measured between 4 ranks in 2 machines") != std::string::npos);
    CHECK(after.text != before.text);
    plan.insert(plan.end(), {"--node", "hgx-h100-ethernet-100"});
    const Ended elsewhere = runTogether({{.environment = {}, .words = plan}})[0];
    CHECK(elsewhere.text.find("exchanges keep the catalogue's figures") != std::string::npos);
}

TEST_CASE("one process with four cards measures the links between them, and goes on where it was stopped")
{
    const Folder folder;
    const std::string file = folder.file("links.yaml").string();
    const auto run = [&](std::vector<std::string> words) {
        return runTogether({{.environment = withLibrary(), .words = std::move(words)}})[0];
    };
    const Ended first = run(calibrating(file));
    CHECK_MESSAGE(first.exitCode == 0, first.text);
    // As if it had been stopped in the middle.
    const std::filesystem::path samples = folder.file("links.links.samples.csv");
    std::vector<std::string> lines;
    {
        std::ifstream in(samples);
        for (std::string line; std::getline(in, line);)
            lines.push_back(line);
    }
    REQUIRE(lines.size() > 12);
    {
        std::ofstream out(samples);
        for (std::size_t i = 0; i < lines.size() / 4; ++i)
            out << lines[i] << '\n';
    }
    const auto before = readSamples(samples);
    REQUIRE(before.has_value());
    std::vector<std::string> words = calibrating(file);
    words.emplace_back("--resume");
    const Ended second = run(words);
    CAPTURE(first.text);
    CAPTURE(second.text);
    CHECK(second.exitCode == 0);
    const auto after = readSamples(samples);
    REQUIRE(after.has_value());
    CHECK(after->samples.size() > before->samples.size());
    CHECK(after->samples.front().timing == before->samples.front().timing);
    const EfficiencySet set = writtenIn(file);
    REQUIRE(set.links.has_value());
    CHECK(set.links->ranks == 4);
    CHECK(set.links->nodes == 1);
    CHECK(fitted(set.interNode) == 0);
}

TEST_CASE("more processes than cards: the one too many is named, and one sentence is said")
{
    const Folder folder;
    const std::vector<Ended> ended = launched(5, 5, calibrating(folder.file("l.yaml").string()));
    CHECK(ended[0].exitCode == 3);
    CHECK(ended[0].text.find("has the same device as rank 0: start one process for each GPU")
          != std::string::npos);
    for (std::size_t rank = 1; rank < ended.size(); ++rank)
        CHECK(ended[rank].text.empty());
}

TEST_CASE("mpirun starts the ranks")
{
    if (!hasMpirun()) {
        MESSAGE("skipped: no mpirun here");
        return;
    }
    for (const int ranks : {2, 4}) {
        const Folder folder;
        const std::string file = folder.file("links.yaml").string();
        const Ended ended = underMpirun(ranks, file)[0];
        CHECK_MESSAGE(ended.exitCode == 0, ended.text);
        const EfficiencySet set = writtenIn(file);
        REQUIRE(set.links.has_value());
        CHECK(set.links->ranks == ranks);
    }
}
