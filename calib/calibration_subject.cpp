#include "calib/calibration_subject.h"

#include "calib/sweep/held_out_layers.h"
#include "kernels/links.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/efficiency_yaml.h"

namespace headroom {

namespace {

Result<SweepRequest> requestOf(const kernels::DeviceFacts& facts, const CalibrationOptions& options,
                               const Catalogue& catalogue)
{
    SweepRequest request{.deviceKind = facts.kind,
                         .holdOut = heldOutLayers(catalogue, facts.kind),
                         .settling = settlingLayers(catalogue, facts.kind),
                         .model = nullptr,
                         .seed = options.seed};
    if (options.model.empty())
        return request;
    const Result<NameMatch> model = catalogue.findModel(options.model);
    if (!model)
        return refuse(model.error());
    const Result<const Llm*> llm = catalogue.model(model->id);
    if (!llm)
        return refuse(llm.error());
    if (matricesOf(**llm, 1).empty())
        return refuse("--model", say("{} has layers that no kernel here executes", (*llm)->name),
                      "models of plain attention with dense or routed MLPs are measured");
    request.model = *llm;
    return request;
}

bool exchanges(const Sweep& sweep)
{
    for (const SweepPoint& point : sweep.points)
        if (kernels::isCollective(point.tasks.front().kernel))
            return true;
    return false;
}

} // namespace

Result<CalibrationSubject> identified(const kernels::DeviceFacts& facts, const CalibrationOptions& options,
                                      const Catalogue& catalogue)
{
    const bool cpu = facts.kind == "cpu";
    const Result<NameMatch> match = catalogue.findGpu(!options.gpu.empty() ? options.gpu
                                                          : cpu            ? "cpu"
                                                                           : facts.name);
    if (!match) {
        Problems problems = match.error();
        problems.push_back({"--gpu", say("the catalogue does not know {}", facts.name),
                            "name the accelerator with --gpu ID, or describe it in a file like those of "
                            "hw_profiles/gpus"});
        return refuse(std::move(problems));
    }
    const Result<const Gpu*> gpu = catalogue.gpu(match->id);
    if (!gpu)
        return refuse(gpu.error());
    const Result<EfficiencySet> prior = readPrior(Catalogue::defaultRoot(), (*gpu)->family);
    if (!prior)
        return refuse(prior.error());
    return CalibrationSubject{.gpu = **gpu, .prior = *prior, .sweep = {}, .anchors = {}, .links = {}};
}

Result<Node> nodeOf(const Gpu& gpu, const CalibrationOptions& options, const Catalogue& catalogue)
{
    std::string id = gpu.defaultNode;
    if (!options.node.empty()) {
        const Result<NameMatch> match = catalogue.findNode(options.node);
        if (!match)
            return refuse(match.error());
        id = match->id;
    }
    if (id.empty())
        return refuse("--node", say("nothing is known of the machine that {} stands in", gpu.name),
                      "name one with --node; `list nodes` shows them");
    const Result<const Node*> node = catalogue.node(id);
    if (!node)
        return refuse(node.error());
    return **node;
}

Result<CalibrationSubject> subjectOf(kernels::Device& device, const CalibrationOptions& options,
                                     const Catalogue& catalogue)
{
    const kernels::DeviceFacts& facts = device.facts();
    Result<CalibrationSubject> subject = identified(facts, options, catalogue);
    if (!subject)
        return subject;
    const Result<SweepRequest> request = requestOf(facts, options, catalogue);
    if (!request)
        return refuse(request.error());
    subject->sweep = sweepFor(device, *request);
    subject->anchors = anchorTasks(facts.kind);
    if (exchanges(subject->sweep)) {
        const Result<Node> node = nodeOf(subject->gpu, options, catalogue);
        if (!node)
            return refuse(node.error());
        subject->links = LinksSubject{
            .node = *node, .ranks = facts.visibleDevices, .nodes = 1, .library = device.links()->version()};
    }
    return subject;
}

} // namespace headroom
