#include "model/yaml/efficiency_source.h"

#include "model/efficiency/efficiency_choice.h"
#include "model/text/text_file.h"
#include "model/yaml/efficiency_yaml.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

namespace {

// p of the norm that joins compute and memory time: as good as their maximum (2^(1/p) - 1 is below 1e-6).
constexpr double asSharpAsMaximum = 1e6;

constexpr Uncertainty certain{.lnBias = 0, .lnSpread = 0, .source = Source::Exact};

} // namespace

EfficiencySet idealEfficiency()
{
    const PrefillAttentionForm prefill{
        .computeEfficiency = 1, .memoryEfficiency = 1, .halfLength = 0, .launch = {}, .uncertainty = certain};
    const DecodeAttentionForm decode{.memoryEfficiency = 1,
                                     .computeEfficiency = 1,
                                     .floor = {},
                                     .launch = {},
                                     .floorSharpness = asSharpAsMaximum,
                                     .uncertainty = certain};
    const StreamForm stream{.memoryEfficiency = 1, .launch = {}, .uncertainty = certain};
    const CollectiveForm collective{.floorBase = {},
                                    .floorPerRank = {},
                                    .perHop = {},
                                    .linkEfficiency = 1,
                                    .sharpness = asSharpAsMaximum,
                                    .uncertainty = certain};
    EfficiencySet set{.id = "ideal", .gpu = {}, .family = {}, .implementation = "ideal"};
    set.gemm.fill({.computeEfficiency = 1,
                   .memoryEfficiency = 1,
                   .launch = {},
                   .sharpness = asSharpAsMaximum,
                   .waveExponent = 0,
                   .quantiseEfficiency = 0,
                   .uncertainty = certain});
    set.grouped.fill({.expertTiles = ExpertTiles::None,
                      .computeEfficiency = 1,
                      .memoryEfficiency = 1,
                      .launch = {},
                      .sharpness = asSharpAsMaximum,
                      .uncertainty = certain});
    set.prefillAttention = set.prefillMla = prefill;
    set.decodeAttention = set.decodeAttention8 = set.decodeMla = set.decodeMla8 = decode;
    set.stream = set.scan = stream;
    set.intraNode.fill(collective);
    set.interNode.fill(collective);
    set.graphNode = set.eagerLaunch = {};
    set.deviceSpread = 0;
    return set;
}

namespace {

// hw_profiles/calibrations/<family>/*.yaml, in the order of their names; a family nobody measured has no
// folder.
Result<std::vector<EfficiencySet>> familyCalibrations(const std::filesystem::path& root,
                                                      const std::string& family, const EfficiencySet& prior)
{
    const std::filesystem::path folder = root / "hw_profiles" / "calibrations" / family;
    std::error_code missing;
    if (!std::filesystem::is_directory(folder, missing))
        return std::vector<EfficiencySet>{};
    std::vector<std::filesystem::path> files;
    for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(folder, missing))
        if (entry.path().extension() == ".yaml")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    constexpr std::uintmax_t longest = 1U << 20;
    std::vector<EfficiencySet> sets;
    Problems problems;
    for (const std::filesystem::path& file : files) {
        const std::string shown = "hw_profiles/calibrations/" + family + "/" + file.filename().string();
        Result<EfficiencySet> set = readTextFile(file, longest).and_then([&](const std::string& text) {
            return readEfficiencySet(text, shown, prior);
        });
        if (set)
            sets.push_back(std::move(*set));
        else
            problems.insert(problems.end(), set.error().begin(), set.error().end());
    }
    if (!problems.empty())
        return refuse(std::move(problems));
    return sets;
}

// Families whose multiprocessors are those of another one that was timed: kernels compiled for compute
// capability 12 serve all of it, those for 8.6 and 8.9 gaming cards and servers' alike.
struct Kin {
    std::string_view family;
    std::string_view timed;
};
constexpr std::array kinFamilies{Kin{"gb10", "rtx-pro-blackwell"}, Kin{"geforce-ada", "ampere-ada-server"},
                                 Kin{"geforce-ampere", "ampere-ada-server"},
                                 Kin{"geforce-blackwell", "rtx-pro-blackwell"}};

Result<std::vector<EfficiencySet>> kinCalibrations(const std::filesystem::path& root,
                                                   const std::string& family, const EfficiencySet& prior)
{
    const auto* const kin = std::find_if(kinFamilies.begin(), kinFamilies.end(),
                                         [&](const Kin& each) { return each.family == family; });
    if (kin == kinFamilies.end())
        return std::vector<EfficiencySet>{};
    return familyCalibrations(root, std::string(kin->timed), prior);
}

// Timings of single kernels hold the pass that narrows activations and its launch; fused, neither is left.
// Scales for blocks are found in a pass of their own (NVIDIA/TensorRT-LLM: fp8_quantize_1x128 stands before
// each fp8_block_scaling_gemm).
void fuseQuantise(EfficiencySet& set)
{
    const Seconds launch = set.form(GemmClass::Half).launch;
    for (const GemmClass type : {GemmClass::Fp8, GemmClass::Int8, GemmClass::Fp4}) {
        GemmForm& form = set.gemm[static_cast<std::size_t>(type)];
        form.quantiseEfficiency = 0;
        form.launch = std::min(form.launch, launch);
    }
}

} // namespace

Result<EfficiencySet> chosenEfficiency(const std::filesystem::path& root, const Gpu& gpu,
                                       const Engine& engine)
{
    if (engine.id == "ideal")
        return idealEfficiency();
    const Result<EfficiencySet> prior = readPrior(root, gpu.family);
    if (!prior)
        return prior;
    const Result<std::vector<EfficiencySet>> shipped = familyCalibrations(root, gpu.family, *prior);
    if (!shipped)
        return refuse(shipped.error());
    const Result<std::vector<EfficiencySet>> kin = kinCalibrations(root, gpu.family, *prior);
    if (!kin)
        return refuse(kin.error());
    const auto pointers = [](const std::vector<EfficiencySet>& sets) {
        std::vector<const EfficiencySet*> out;
        for (const EfficiencySet& set : sets)
            out.push_back(&set);
        return out;
    };
    std::vector<std::string> kernels = engine.kernels;
    // Kernels of the others are closer than a prior.
    for (const std::string_view any : {"trtllm", "vllm", "sglang", "rocm"})
        if (std::find(kernels.begin(), kernels.end(), any) == kernels.end())
            kernels.emplace_back(any);
    EfficiencySet chosen = chooseEfficiency(gpu, kernels, pointers(*shipped), pointers(*kin), *prior);
    if (engine.fusesQuantise)
        fuseQuantise(chosen);
    return chosen;
}

Result<std::vector<EfficiencySet>> publishedCalibrations(const std::filesystem::path& root)
{
    std::vector<std::string> families;
    std::error_code missing;
    for (const std::filesystem::directory_entry& entry :
         std::filesystem::directory_iterator(root / "hw_profiles" / "calibrations", missing))
        if (entry.is_directory())
            families.push_back(entry.path().filename().string());
    std::sort(families.begin(), families.end());
    std::vector<EfficiencySet> all;
    Problems problems;
    const auto keep
        = [&](const Problems& these) { problems.insert(problems.end(), these.begin(), these.end()); };
    for (const std::string& family : families) {
        const Result<EfficiencySet> prior = readPrior(root, family);
        if (!prior) {
            keep(prior.error());
            continue;
        }
        Result<std::vector<EfficiencySet>> sets = familyCalibrations(root, family, *prior);
        if (sets)
            std::move(sets->begin(), sets->end(), std::back_inserter(all));
        else
            keep(sets.error());
    }
    if (!problems.empty())
        return refuse(std::move(problems));
    return all;
}

} // namespace headroom
