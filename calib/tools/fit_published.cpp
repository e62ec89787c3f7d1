#include "calib/fit/contradictions.h"
#include "calib/judge/form_record.h"
#include "calib/measure/timing.h"
#include "calib/tools/published_samples.h"
#include "model/cost/forms.h"
#include "model/cost/op_slot.h"
#include "model/text/write_file.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/efficiency_yaml.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <optional>

namespace {

using namespace headroom;

void print(const Problems& problems)
{
    for (const Problem& p : problems)
        fmt::print(stderr, "{}: {} {}\n", p.where, p.what.english(), p.hint.english());
}

// Kernels are timed from the processor when even the best of a hundred timings takes longer beyond its work
// than any launch on a GPU. A few tens, mostly of one layer, do not tell: it may be slow throughout. Experts
// are launches of their own for putting tokens in order, for both products, for the gate and for the sums.
constexpr double slowestLaunch = 40e-6;
constexpr double slowestLaunchOfExperts = 75e-6;
constexpr std::size_t enoughToTell = 100;

// What the fastest of them takes beyond its work at usual rates.
double leastOverhead(const std::vector<OpSample>& samples, const Gpu& gpu)
{
    const OpSample& fastest = *std::min_element(
        samples.begin(), samples.end(), [](const OpSample& a, const OpSample& b) { return a.time < b.time; });
    const Seconds reading = fastest.op.bytes() / gpu.memoryBandwidth;
    const FlopsPerSecond peak = gpu.peak(fastest.op.unit);
    const Seconds multiplying = peak.base() > 0 ? fastest.op.flops / peak : Seconds{};
    constexpr double usual = 0.7; // of the datasheet's
    return (fastest.time - std::max(reading, multiplying) / usual).base();
}

struct Gathered {
    FormSlot slot;
    std::vector<OpSample> samples;
    std::string origin;
    std::size_t contradicting = 0;
};

// The share of its link that the largest message of the most cards gets. A host without transfers between its
// cards gets almost none, and says nothing of the accelerator.
bool throughTheHost(const Gathered& gathered, const Node& node)
{
    if (gathered.slot.cls != OpClass::Collective)
        return false;
    // Of the widest group, whose messages need not be as large as those of two cards.
    const auto wider = [](const OpSample& a, const OpSample& b) {
        return a.op.ranks != b.op.ranks ? a.op.ranks < b.op.ranks : a.op.message < b.op.message;
    };
    const OpSample& largest = *std::max_element(gathered.samples.begin(), gathered.samples.end(), wider);
    const double gathers = gathered.slot.collective == CollectiveClass::AllGather ? largest.op.ranks : 1;
    constexpr double least = 0.15;
    const double rate = largest.op.message.base() * gathers / largest.time.base();
    return rate < least * node.intra.perGpuPerDirection.base();
}

std::vector<Gathered> bySlot(const PublishedSet& set, const Gpu& gpu, int leastYear = 0)
{
    std::vector<Gathered> out;
    for (const PublishedSet::Part& part : set.parts) {
        if (part.year < leastYear)
            continue;
        for (const OpSample& sample : part.samples) {
            const FormSlot slot = slotOf(sample.op);
            auto found
                = std::find_if(out.begin(), out.end(), [&](const Gathered& g) { return g.slot == slot; });
            if (found == out.end()) {
                out.push_back({.slot = slot, .samples = {}, .origin = {}, .contradicting = 0});
                found = out.end() - 1;
            }
            if (found->origin.find(part.origin) == std::string::npos)
                found->origin += (found->origin.empty() ? "" : "; ") + part.origin;
            found->samples.push_back(sample);
            if (std::string& sweep = found->samples.back().sweep; !sweep.empty())
                sweep = part.origin + ' ' + sweep; // times of two versions need not agree
        }
    }
    // Engines' own exchanges leave messages to NCCL, whose form is fitted before.
    std::stable_partition(out.begin(), out.end(), [](const Gathered& gathered) {
        return gathered.slot.cls == OpClass::Collective
            && gathered.slot.collective == CollectiveClass::NcclAllReduce;
    });
    for (Gathered& gathered : out) {
        Consistent consistent = withoutContradictions(std::move(gathered.samples), gpu);
        gathered.samples = std::move(consistent.samples);
        gathered.contradicting = consistent.left;
    }
    return out;
}

struct Fitted {
    EfficiencySet set;
    FormFit fit;
};
Fitted fitOf(const EfficiencySet& start, const Gathered& gathered, const Gpu& gpu, const Node& node)
{
    Fitted out{.set = start, .fit = {}};
    out.fit = fitForm(out.set, gathered.slot, gathered.samples, gpu, node);
    return out;
}

// A timing whose own uncertainty is half of what a form of experts may err (form_gates.h) can contradict
// others, but no form is fitted to it or judged by it.
void leaveUnsure(std::vector<OpSample>& samples)
{
    constexpr double mostSpread = 0.05;
    std::erase_if(samples, [](const OpSample& sample) { return sample.lnSpread > mostSpread; });
}

// The same form of the newest libraries alone, where what all years give is not theirs: more than a tenth off
// in the median.
std::optional<Gathered> newestWhereOthersDiffer(const PublishedSet& published, const Gathered& all,
                                                const Fitted& ofAll, const Gpu& gpu, const Node& node)
{
    constexpr std::size_t enough = 40;
    constexpr double mostBias = 0.1;
    for (Gathered& newest : bySlot(published, gpu, PublishedCollector::newestYear)) {
        leaveUnsure(newest.samples);
        if (newest.slot != all.slot || newest.samples.size() < enough
            || newest.samples.size() == all.samples.size())
            continue;
        std::vector<double> errors;
        for (const OpSample& sample : newest.samples)
            errors.push_back(std::log(sample.time / timeOp(sample.op, gpu, node, ofAll.set).total));
        if (std::abs(medianOf(errors)) > mostBias)
            return std::move(newest);
    }
    return std::nullopt;
}

// A form's fit where its samples say enough; told and left out where they do not.
std::optional<Fitted> fitted(const EfficiencySet& set, const PublishedSet& published, Gathered& gathered,
                             const Gpu& gpu, const Node& node)
{
    constexpr std::size_t fewest = 12; // below, a prior knows more (docs/executor.md)
    const double fastest = leastOverhead(gathered.samples, gpu);
    const double slowest = gathered.slot.cls == OpClass::GroupedGemm ? slowestLaunchOfExperts : slowestLaunch;
    const bool fromProcessor = gathered.samples.size() >= enoughToTell && fastest > slowest;
    const std::string name(slotName(gathered.slot));
    if (gathered.samples.size() < fewest || fromProcessor || throughTheHost(gathered, node)) {
        fmt::print("{:28} {:30} passed over: {} samples, {:.1f} us beyond their work\n", set.id, name,
                   gathered.samples.size(), fastest * 1e6);
        return std::nullopt;
    }
    leaveUnsure(gathered.samples);
    if (gathered.samples.size() < fewest) {
        fmt::print("{:28} {:30} passed over: {} samples of a load that is known\n", set.id, name,
                   gathered.samples.size());
        return std::nullopt;
    }
    Fitted out = fitOf(set, gathered, gpu, node);
    if (auto newest = newestWhereOthersDiffer(published, gathered, out, gpu, node)) {
        gathered = std::move(*newest);
        out = fitOf(set, gathered, gpu, node);
    }
    // Errors of a form that does not say what these kernels do.
    constexpr double noMedian = 0.4;
    constexpr double noMean = 0.6;
    const GroupedErrors& errors = out.fit.crossValidated;
    if (errors.median > noMedian || errors.mean > noMean) {
        fmt::print("{:28} {:30} passed over: median error {:.0f}%, mean {:.0f}%\n", set.id, name,
                   errors.median * 100, errors.mean * 100);
        return std::nullopt;
    }
    return out;
}

// What no table tells stays in a form as its prior has it, with the prior's own words of its origin.
std::string originOfFit(const EfficiencySet& prior)
{
    std::string out = "fitted by calib/tools/fit_published to the public timings that each form names";
    for (const std::string_view kept : {"gathered_efficiency: ", "gathered_spread: "})
        for (const Citation& citation : prior.citations)
            if (const std::size_t begin = citation.text.find(kept);
                citation.key == "fit" && begin != std::string::npos)
                out += "; " + citation.text.substr(begin, citation.text.find("; ", begin) - begin);
    return out;
}

void fitSet(const PublishedSet& published, const Catalogue& catalogue, const Gpu& gpu,
            const std::string& folder)
{
    const Result<const Node*> node = catalogue.node(gpu.defaultNode);
    static const Node alone;
    const Result<EfficiencySet> prior = readPrior(Catalogue::defaultRoot(), gpu.family);
    EfficiencySet set = prior ? *prior : EfficiencySet{};
    set.id = fmt::format("{}-{}", published.gpu, published.implementation);
    set.gpu = published.gpu;
    set.family = gpu.family;
    set.implementation = published.implementation;
    set.records.clear();
    set.citations = {{.key = "fit", .text = originOfFit(set), .confidence = Confidence::Medium}};
    const Node& itsNode = node ? **node : alone;
    for (Gathered& gathered : bySlot(published, gpu)) {
        const std::optional<Fitted> form = fitted(set, published, gathered, gpu, itsNode);
        if (!form)
            continue;
        const FormFit& fit = form->fit;
        const GroupedErrors& errors = fit.crossValidated;
        set = form->set;
        set.records.push_back(recordForm(set, fit, gathered.samples, gathered.origin, JudgedBy::Shapes));
        set.records.back().contradicting = static_cast<std::int64_t>(gathered.contradicting);
        std::string values;
        for (std::size_t j = 0; j < fit.parameters.size(); ++j)
            values += fmt::format(" {}={:.4g}", fit.parameters[j], fit.outcome.values[j]);
        fmt::print("{:28} {:30} n={:6} median {:5.1f}% mean {:5.1f}% p90 {:5.1f}% bias {:+.2f} {}{}\n",
                   set.id, slotName(gathered.slot), fit.samples, errors.median * 100, errors.mean * 100,
                   errors.p90 * 100, errors.lnBias,
                   uncertaintyOf(set, gathered.slot).trusted ? "trusted" : "not trusted", values);
    }
    if (set.records.empty())
        return;
    const std::filesystem::path target = std::filesystem::path(folder) / gpu.family;
    std::filesystem::create_directories(target);
    writeFile(target / (set.id + ".yaml"), efficiencyYaml(set));
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 3 || argc > 4) {
        fmt::print(stderr, "usage: fit_published FOLDER_OF_TABLES OUTPUT_FOLDER [GPU_ID]\n");
        return 2;
    }
    const Result<std::shared_ptr<const Catalogue>> catalogue = Catalogue::open(Catalogue::defaultRoot());
    if (!catalogue) {
        print(catalogue.error());
        return 2;
    }
    const FindGpu find = [&](const std::string& id) -> const Gpu* {
        if (argc == 4 && id != argv[3])
            return nullptr;
        const Result<const Gpu*> gpu = (*catalogue)->gpu(id);
        return gpu ? *gpu : nullptr;
    };
    const Result<std::vector<PublishedSet>> sets = readPublished(argv[1], find);
    if (!sets) {
        print(sets.error());
        return 2;
    }
    for (const PublishedSet& set : *sets)
        fitSet(set, **catalogue, *find(set.gpu), argv[2]);
    return 0;
}
