#include "model/resolve/resolve.h"

#include "model/base/estimate.h"
#include "model/base/quantity_text.h"
#include "model/closed_form/step_budget.h"
#include "model/closed_form/untrusted_forms.h"
#include "model/resolve/choose_types.h"
#include "model/resolve/engine_build.h"
#include "model/resolve/engine_choice.h"
#include "model/resolve/engine_model.h"
#include "model/resolve/engine_settings.h"
#include "model/resolve/known_prices.h"
#include "model/resolve/layout_ranges.h"
#include "model/resolve/part_of_box.h"
#include "model/resolve/speculation.h"
#include "model/resolve/used_calibration.h"
#include "model/resolve/usual_box.h"
#include "model/scenario/alternatives.h"
#include "model/scenario/stated_load.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace headroom {

namespace {

void append(Problems& all, Problems more, std::string_view where)
{
    for (Problem& problem : more) {
        if (problem.where.empty())
            problem.where = where;
        all.push_back(std::move(problem));
    }
}

// A name as typed becomes an id; another reading than the exact one is told.
std::string settle(Result<NameMatch> match, const std::string& typed, std::string_view key, Resolved& out,
                   Problems& problems)
{
    if (!match) {
        append(problems, std::move(match.error()), key);
        return {};
    }
    if (match->id != typed) {
        Message told = say("{} '{}' is read as {} ({})", asIs(key), typed, match->id, match->why);
        if (!match->others.empty())
            told = say("{}; it could also mean {}", told, joinedNames(match->others, ", "));
        out.assumptions.push_back(std::move(told));
    }
    return match->id;
}

template <typename T>
const T* take(Result<const T*> found, std::string_view key, Problems& problems)
{
    if (found)
        return *found;
    append(problems, std::move(found.error()), key);
    return nullptr;
}

// GPUs that a stated split takes together.
int replicaOf(const Scenario& s) { return s.tp.value_or(1) * s.pp.value_or(1) * s.dp.value_or(1); }

// GPUs that a box should hold, where nobody said which.
int togetherIn(const Scenario& s)
{
    return s.gpusPerBox.value_or(std::max(replicaOf(s), s.gpuCount.value_or(1)));
}

// A box that was named and is not sold with this accelerator; a file of the user's own says what it likes.
void tellForeignBox(Resolved& out)
{
    const Deployment& d = out.deployment;
    if (d.node == nullptr || d.gpu == nullptr || namesFile(out.scenario.node)
        || namesFile(out.scenario.gpus.front()))
        return;
    if (std::find(d.node->gpus.begin(), d.node->gpus.end(), d.gpu->id) == d.node->gpus.end())
        out.warnings.push_back(say("no {} with {} is known: its links and the rest are taken as they are",
                                   d.node->name, d.gpu->name));
}

void lookUp(Resolved& out, const Catalogue& catalogue, Problems& problems)
{
    Scenario& s = out.scenario;
    Deployment& d = out.deployment;
    if (s.model.empty())
        problems.push_back(
            {"model", "is missing", "for example --model llama-3.1-70b; `list models` shows them"});
    else if (namesFile(s.model)
             || !(s.model = settle(catalogue.findModel(s.model), s.model, "model", out, problems)).empty())
        d.llm = take(catalogue.model(s.model), "model", problems);
    for (Problem& twice : statedTwice(s))
        problems.push_back(std::move(twice));
    if (statesAlternatives(s)) { // the first of them, but all the accelerators that were named
        std::vector<std::string> all = s.gpus;
        s = alternativesOf(s).front();
        s.gpus = std::move(all);
    }
    takeDeviceOfCalibration(out, catalogue);
    if (s.gpus.empty())
        problems.push_back({"gpu", "is missing", "for example --gpu h100-sxm-80gb; `list gpus` shows them"});
    for (std::string& gpu : s.gpus)
        if (!namesFile(gpu))
            gpu = settle(catalogue.findGpu(gpu), gpu, "gpu", out, problems);
    if (!s.gpus.empty() && !s.gpus.front().empty())
        d.gpu = take(catalogue.gpu(s.gpus.front()), "gpu", problems);
    const std::string typed = s.engine;
    const bool named = !typed.empty();
    if (named && !namesFile(s.engine))
        s.engine = settle(catalogue.findEngine(s.engine), s.engine, "engine", out, problems);
    if (!named || !s.engine.empty())
        chooseEngine(out, catalogue, problems);
    takeVersionOf(typed, out);
    if (s.node.empty() && d.gpu != nullptr) {
        if (!d.gpu->defaultNode.empty())
            d.node = take(usualBox(catalogue, *d.gpu, togetherIn(s)), "node", problems);
        s.node = d.node != nullptr ? d.node->id : d.gpu->defaultNode;
        if (d.node != nullptr)
            out.assumptions.emplace_back(RemarkKind::Box, boxText(*d.gpu, *d.node));
        else
            problems.push_back({"node", say("nothing is known of the box that {} stands in", d.gpu->name),
                                "name one with --node; `list nodes` shows them"});
    } else if (!s.node.empty()) {
        if (namesFile(s.node)
            || !(s.node = settle(catalogue.findNode(s.node), s.node, "node", out, problems)).empty())
            d.node = take(catalogue.node(s.node), "node", problems);
        tellForeignBox(out);
    }
    standInPartOfBox(out, problems);
}

// The engine as it runs on this card with these settings.
void applyEngineSettings(Resolved& out, Problems& problems)
{
    Deployment& d = out.deployment;
    auto own = settledEngine(*d.engine, *d.gpu, out.scenario, problems);
    if (*own == *d.engine)
        return;
    d.engine = own.get();
    out.ownEngine = std::move(own);
}

void chooseEfficiencies(Resolved& out, const Catalogue& catalogue, Problems& problems)
{
    Deployment& d = out.deployment;
    d.efficiency = take(catalogue.efficiency(*d.gpu, *d.engine), "efficiency", problems);
    if (d.efficiency != nullptr && d.node != nullptr)
        append(problems, useCalibrations(out, catalogue), "calibration");
}

void applyRest(Resolved& out, const Catalogue& catalogue, Problems& problems)
{
    const Scenario& s = out.scenario;
    Deployment& d = out.deployment;
    if (d.gpu != nullptr && d.engine != nullptr)
        chooseEfficiencies(out, catalogue, problems);
    if (!s.speculation.empty()) {
        Result<SpeculativeDecoding> speculative = speculationFromText(s.speculation, catalogue);
        if (speculative)
            d.speculative = *speculative;
        else
            append(problems, std::move(speculative.error()), "spec-decode");
        if (d.engine != nullptr && !d.engine->speculative)
            problems.push_back({"spec-decode", say("{} has no speculative decoding", d.engine->name), {}});
        if (d.speculative.kind == SpeculativeDecoding::Kind::Mtp && d.llm != nullptr
            && d.llm->mtp.layers == 0)
            problems.push_back({"spec-decode",
                                say("{} has no layers that predict further tokens", d.llm->name),
                                "draft:MODEL:g=4,a=0.7 or ngram:g=4,a=0.4"});
    }
    d.expertBalance = s.expertBalance;
    d.overlapsBatches = s.overlapsBatches;
    d.dynamicChunks = s.dynamicChunks;
    d.loraAdapters = s.loraAdapters;
    d.loraRank = s.loraAdapters > 0 ? s.loraRank : 0;
    d.beams = s.beams;
    d.overheadMultiplier = s.overheadMultiplier;
    d.prefillSkipped = s.prefillSkipped;
    for (const auto& [key, lengths] : {std::pair("prompt", &s.prompt), std::pair("output", &s.output)})
        if (lengths->mean() < 1)
            problems.push_back({key, "no lengths were read", "the file must hold at least one length"});
}

void checkContext(Resolved& out)
{
    const double longest = out.scenario.prompt.quantile(0.99) + out.scenario.output.quantile(0.99);
    const auto most = static_cast<double>(out.deployment.llm->maxContext);
    if (most > 0 && longest > most)
        out.warnings.push_back(say("prompt and output together are {:.0f} tokens, {} was made for {:.0f}",
                                   longest, out.deployment.llm->name, most));
}

// Launch options that public scripts set for models of latent attention and nobody would guess.
void tellLatentLaunch(Resolved& out)
{
    const LatentLaunch& launch = out.deployment.engine->latent;
    if (!out.deployment.llm->attendsLatently())
        return;
    if (launch.promptsPerStep > 0)
        out.assumptions.push_back(
            say("room for {:g} prompt in a step beside the running sequences, as public "
                "launch scripts give models of latent attention",
                launch.promptsPerStep));
    if (launch.answerSteps > 0)
        out.assumptions.push_back(
            say("answers are streamed every {:g} steps, as public launch scripts set it, and the "
                "first text comes with the second piece",
                launch.answerSteps));
}

// Times that nobody's runs speak of, before anyone takes them for measured.
void tellUnmeasured(Resolved& out)
{
    const Engine& engine = *out.deployment.engine;
    if (!engine.measured)
        out.assumptions.push_back(
            say("no published run of {} on {} is known: what its host takes is estimated from its relatives, "
                "other engines there and other versions",
                engine.name, std::string(platformRow(out.deployment.gpu->platform)->name)));
}

// How much of every range is of whoever set the server up, and what takes it out: what nobody would notice is
// not told.
void tellStrangers(Resolved& out)
{
    constexpr double noticed = 1.05; // times either way
    const Engine& engine = *out.deployment.engine;
    const auto times = [](double lnSpread) { return std::exp(deviationsToNinetieth * lnSpread); };
    const double prompts = times(engine.lnSpreadSourcePrefill);
    const double decodes = times(engine.lnSpreadSourceDecode);
    if (prompts >= noticed && decodes >= noticed)
        out.assumptions.push_back(
            say("ranges allow for servers that others set up in their own way, up to {:.2f} times "
                "either way for prompts and {:.2f} for decodes: `validate --fit-engine` with runs of "
                "your own removes that",
                prompts, decodes));
    else if (prompts >= noticed || decodes >= noticed)
        out.assumptions.push_back(
            say("ranges allow for servers that others set up in their own way, up to {:.2f} times "
                "either way for {}: `validate --fit-engine` with runs of your own removes that",
                std::max(prompts, decodes), prompts >= noticed ? Message("prompts") : Message("decodes")));
}

} // namespace

bool namesFile(std::string_view name) { return name.ends_with(".yaml") || name.ends_with(".yml"); }

void standInOwnStorage(Resolved& out)
{
    if (!out.scenario.storageRead || out.deployment.node == nullptr)
        return;
    auto own = std::make_shared<Node>(*out.deployment.node);
    own->storageRead = *out.scenario.storageRead;
    out.deployment.node = own.get();
    out.ownNode = std::move(own);
}

Result<Resolved> resolveMachine(const Scenario& scenario, const Catalogue& catalogue)
{
    Resolved out;
    out.scenario = withStatedLoad(scenario);
    Problems problems = loadProblems(scenario);
    lookUp(out, catalogue, problems);
    applyRest(out, catalogue, problems);
    const Deployment& d = out.deployment;
    if (d.gpu != nullptr && d.node != nullptr)
        priceIn(out);
    standInOwnStorage(out);
    dateBuild(out, problems);
    if (d.engine != nullptr && d.gpu != nullptr)
        applyEngineSettings(out, problems);
    if (d.llm != nullptr && d.gpu != nullptr && d.engine != nullptr) {
        chooseTypes(out, problems);
        storeAsEngineDoes(out);
        storeWidePartsAsAsked(out, problems);
        storeStateAsAsked(out, problems);
    }
    const auto settle = [](const std::optional<int>& ways) { return ways.value_or(1); };
    out.deployment.layout = {.tp = settle(scenario.tp),
                             .pp = settle(scenario.pp),
                             .ep = settle(scenario.ep),
                             .dp = settle(scenario.dp),
                             .replicas = settle(scenario.replicas),
                             .redundantExperts = scenario.redundantExperts};
    if (!problems.empty()) {
        // The layout is judged in the same round, as far as there is something to judge it by.
        if (d.llm != nullptr && d.gpu != nullptr && d.engine != nullptr && d.node != nullptr)
            append(problems, layoutProblems(d), "");
        return refuse(std::move(problems));
    }
    checkContext(out);
    tellLatentLaunch(out);
    tellUnmeasured(out);
    tellStrangers(out);
    for (const Message& each : rangesOfLayout(d))
        out.assumptions.push_back(each);
    if (!d.gpu->memoryUsableKnown)
        out.assumptions.push_back(say("of {}'s memory {:.1f} GB are usable: estimated, no published reading",
                                      d.gpu->name, d.gpu->memoryUsable.base() / 1e9));
    out.load.promptTokens = out.scenario.prompt.mean();
    out.load.outputTokens = out.scenario.output.mean();
    out.load.prefixCached = out.scenario.prefixCached;
    out.load.batch = out.scenario.batch.value_or(1);
    out.load.openLoop = out.scenario.requestsPerSecond && !out.scenario.concurrency;
    return out;
}

Result<Resolved> resolve(const Scenario& scenario, const Catalogue& catalogue)
{
    Result<Resolved> resolved = resolveMachine(scenario, catalogue).and_then([](Resolved machine) {
        if (machine.scenario.gpus.size() > 1)
            machine.warnings.push_back(say("several accelerators are named, this is about the first: "
                                           "`compare` and `size` look at all {}",
                                           machine.scenario.gpus.size()));
        return chooseLayout(std::move(machine));
    });
    if (resolved)
        for (Message& each : untrustedTimes(resolved->deployment, resolved->load))
            resolved->warnings.push_back(std::move(each));
    return resolved;
}

} // namespace headroom
