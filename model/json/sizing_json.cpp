#include "model/json/sizing_json.h"

#include "model/advise/choices.h"
#include "model/advise/hints.h"
#include "model/advise/stated_order.h"
#include "model/json/costs_json.h"
#include "model/json/memory_json.h"
#include "model/json/prediction_json.h"
#include "model/json/scenario_json.h"
#include "model/scenario/stated_layout.h"
#include "model/search/job_time.h"

namespace headroom {

namespace {

// Rows shown beside the answer: enough for any table, small enough for a pipe.
constexpr std::size_t mostCandidates = 50;

Json candidateJson(const Candidate& c, bool whole)
{
    const Deployment& d = c.deployment;
    const Prediction& p = c.point.prediction;
    Json out{{"gpus", c.gpus()},
             {"gpu", d.gpu->id},
             {"nodes", c.nodes()},
             {"node", d.node->id},
             {"tp", d.layout.tp},
             {"pp", d.layout.pp},
             {"ep", d.layout.ep},
             {"dp", d.layout.dp},
             {"replicas", d.layout.replicas},
             {"weights", std::string(name(d.weights))},
             {"kv", std::string(name(d.kv))},
             {"engine", d.engine->id},
             {"meets", c.meets},
             {"reason", c.reason.english()},
             {"batch", numberJson(c.load.batch)},
             {"max_concurrency", numberJson(c.maxConcurrency)},
             {"max_requests_per_s", numberJson(c.maxRequestsPerSecond)},
             {"limited_by", c.limitedBy().english()},
             {"confidence", numberJson(c.confidence)},
             {"evidence", std::string(sourceName(c.evidence()).text)},
             {"tokens_per_s_per_user", estimateJson(c.point.tokensPerSecondPerUser)},
             {"ttft_s", estimateJson(c.point.ttft)},
             {"tpot_s", estimateJson(c.point.tpot)},
             {"latency_s", estimateJson(c.point.latency)},
             {"power_w", knownJson(p.service.power)}};
    // Unknown is not free.
    out["usd_per_hour"] = p.service.priceKnown ? numberJson(perHour(p.service.price)) : Json();
    out["usd_per_million_output_tokens"]
        = p.service.priceKnown ? estimateJson(p.service.dollarsPerMillionOutputTokens) : Json();
    if (c.simulated) {
        const UserTimes judged = judgedTimes(c);
        const auto range = [&](const Estimate<Seconds>& time) {
            return c.simulated->stable ? Json{numberJson(time.low.base()), numberJson(time.high.base())}
                                       : Json();
        };
        out["simulated"] = {{"percentile", numberJson(c.simulated->percentile)},
                            {"ttft_s", numberJson(c.simulated->ttft.base())},
                            {"tpot_s", numberJson(c.simulated->tpot.base())},
                            {"latency_s", numberJson(c.simulated->latency.base())},
                            {"ranges",
                             {{"ttft_s", range(judged.ttft)},
                              {"tpot_s", range(judged.tpot)},
                              {"latency_s", range(judged.latency)}}},
                            {"stable", c.simulated->stable},
                            {"ended_early", c.simulated->broken || c.simulated->clear}};
    }
    out["decided_by"] = c.simulated ? "simulation" : "closed form";
    if (c.prompts) {
        const Deployment& prompts = c.prompts->deployment;
        const Layout& split = prompts.layout;
        out["prefill"] = {{"gpus", split.gpus()},
                          {"gpu", prompts.gpu->id},
                          {"nodes", nodesOf(prompts)},
                          {"tp", split.tp},
                          {"pp", split.pp},
                          {"ep", split.ep},
                          {"dp", split.dp},
                          {"replicas", split.replicas},
                          {"busy", numberJson(c.prompts->busy)},
                          {"transfer_s", numberJson(c.prompts->transfer.base())}};
    }
    if (whole)
        out["prediction"] = predictionJson(d, p);
    return out;
}

// The services to choose from; none where the answer is no.
Json choicesJson(const SizingPlan& plan)
{
    const Choices choices = choicesOf(plan);
    Json all = Json::array();
    for (const Choice& choice : choices.all) {
        Json kinds = Json::array();
        for (const ChoiceKind kind : choice.kinds)
            kinds.push_back(std::string(choiceKey(kind)));
        all.push_back({{"kinds", std::move(kinds)}, {"service", candidateJson(*choice.service, false)}});
    }
    Json unpriced = Json::array();
    for (const Candidate* each : choices.unpriced)
        unpriced.push_back(candidateJson(*each, false));
    Json out{{"all", std::move(all)}, {"unpriced", std::move(unpriced)}};
    if (!choices.all.empty())
        out["recommended"] = {{"index", choices.recommended},
                              {"because", std::string(recommendedKey(choices.because))},
                              {"why", recommendedText(choices.because).english()}};
    return out;
}

Json hintsJson(const SizingPlan& plan)
{
    Json out = Json::array();
    for (const Hint& hint : plan.hints)
        out.push_back({{"kind", std::string(hintKey(hint.kind))},
                       {"change", hint.change.english()},
                       {"flags", hint.flags},
                       {"saved", hint.saved > 0 ? numberJson(hint.saved) : Json()},
                       {"carries_more", hint.more > 0 ? numberJson(hint.more) : Json()},
                       {"answer", candidateJson(hint.answer, false)},
                       {"instead_of", candidateJson(hint.instead, false)}});
    return out;
}

// One of what was named to be weighed, and how the answer stands to it.
Json weighedJson(const SizingPlan& plan, const Candidate& each)
{
    Json out{{"candidate", candidateJson(each, false)}};
    if (&each == &plan.weighed.front())
        return out;
    const StatedOrder order = orderOf(plan.scenario, plan.answer, each);
    out["answer_is_better"] = {{"by", std::string(decidedByKey(order.by))},
                               {"times", numberJson(order.times)},
                               {"sure_at_least", order.sure ? numberJson(*order.sure) : Json()}};
    return out;
}

Json scenarioOf(const SizingPlan& plan)
{
    Resolved resolved = *plan.answer.machine;
    resolved.scenario = plan.scenario;
    resolved.deployment = plan.answer.deployment;
    resolved.load = plan.answer.load;
    // Only what was asked: what was assumed in its place is told beside it.
    if (plan.assumed.tokensPerSecond)
        resolved.scenario.targets.tokensPerSecond.reset();
    if (plan.assumed.ttft)
        resolved.scenario.targets.ttft.reset();
    Json out = scenarioJson(resolved);
    out["gpus"] = plan.scenario.gpus;
    if (plan.scenario.gpuCount)
        out["gpu_count"] = *plan.scenario.gpuCount;
    if (!plan.scenario.gpuCounts.empty())
        out["gpu_counts"] = plan.scenario.gpuCounts;
    for (const std::optional<int>& box : plan.scenario.boxSizes)
        out["box_sizes"].push_back(box ? Json(*box) : Json());
    if (!plan.scenario.layouts.empty())
        out["layouts"] = textOf(plan.scenario.layouts);
    for (const StatedLayout& own : plan.scenario.gpuLayouts)
        out["gpu_layouts"].push_back(own == StatedLayout{} ? Json() : Json(textOf(own)));
    for (const DType type : plan.scenario.weightTypes)
        out["weight_types"].push_back(std::string(name(type)));
    return out;
}

Json documentOf(const SizingPlan& plan)
{
    Json out{{"scenario", scenarioOf(plan)},
             {"verdict", plan.meets ? "meets" : "cannot"},
             {"reason", plan.reason.english()},
             {"answer", candidateJson(plan.answer, true)}};
    if (plan.assumed.tokensPerSecond)
        out["assumed_targets"]["tokens_per_s_per_user"] = numberJson(*plan.assumed.tokensPerSecond);
    if (plan.assumed.ttft)
        out["assumed_targets"]["ttft_s"] = numberJson(plan.assumed.ttft->base());
    const UsersCarried users = plan.usersCarried();
    out["users_at_once"]
        = {{"told", numberJson(users.told)},
           {"most_likely", numberJson(users.mostLikely)},
           {"safe", plan.safeUsers ? numberJson(*plan.safeUsers) : Json()},
           {"confidence_of_most_likely", plan.mostLikely ? numberJson(plan.mostLikely->confidence) : Json()}};
    out["max_concurrency_safe"] = plan.safeUsers ? numberJson(*plan.safeUsers) : Json();
    out["safe_answer"] = plan.safe ? candidateJson(*plan.safe, false) : Json();
    out["likely_answer"] = plan.likely ? candidateJson(*plan.likely, false) : Json();
    out["most_likely_answer"] = plan.mostLikely ? candidateJson(*plan.mostLikely, false) : Json();
    out["surest_answer"] = plan.surest ? candidateJson(*plan.surest, false) : Json();
    out["choices"] = choicesJson(plan);
    Json& candidates = out["candidates"] = Json::array();
    for (std::size_t i = 0; i < plan.candidates.size() && i < mostCandidates; ++i)
        candidates.push_back(candidateJson(plan.candidates[i], false));
    for (const Candidate& each : plan.weighed)
        out["weighed"].push_back(weighedJson(plan, each));
    Json& remedies = out["remedies"] = Json::array();
    for (const Remedy& remedy : plan.remedies)
        remedies.push_back({{"change", remedy.change.english()},
                            {"effect", remedy.effect.english()},
                            {"answer", candidateJson(remedy.answer, false)}});
    out["hints"] = hintsJson(plan);
    Json& sensitivity = out["sensitivity"] = Json::array();
    for (const Sensitivity& s : plan.sensitivity)
        sensitivity.push_back({{"input", s.input.english()},
                               {"low", s.lowText.english()},
                               {"high", s.highText.english()},
                               {"gpus_low", s.gpusLow},
                               {"gpus_high", s.gpusHigh},
                               {"tokens_per_s_per_user_low", numberJson(s.speedLow)},
                               {"tokens_per_s_per_user_high", numberJson(s.speedHigh)}});
    Json& breaks = out["break_points"] = Json::array();
    for (const BreakPoint& b : plan.breakPoints)
        breaks.push_back({{"input", b.input.english()}, {"above", numberJson(b.from)}, {"gpus", b.gpus}});
    Json& pareto = out["pareto"] = Json::array();
    for (const ParetoPoint& p : plan.pareto)
        pareto.push_back({{"tp", p.layout.tp},
                          {"pp", p.layout.pp},
                          {"ep", p.layout.ep},
                          {"dp", p.layout.dp},
                          {"batch", numberJson(p.users)},
                          {"tokens_per_s_per_user", numberJson(p.tokensPerSecondPerUser)},
                          {"tokens_per_s_per_gpu", numberJson(p.tokensPerSecondPerGpu)}});
    Json& growth = out["growth"] = Json::array();
    for (const YearOfGrowth& year : plan.growth)
        growth.push_back(
            {{"year", year.year}, {"gpus", year.gpus}, {"usd_per_hour", numberJson(year.usdPerHour)}});
    if (plan.rentOrOwn)
        out["rent_or_own"] = rentOrOwnJson(*plan.rentOrOwn);
    if (plan.costs)
        out["costs"] = costsJson(*plan.costs);
    if (const std::optional<JobTime> job = jobTime(plan))
        out["job"] = {{"requests", numberJson(job->requests)},
                      {"tokens", numberJson(job->tokens)},
                      {"time_s", numberJson(job->time.base())},
                      {"usd", job->price ? numberJson(job->price->base()) : Json()},
                      {"api_usd", job->apiPrice ? numberJson(job->apiPrice->base()) : Json()}};
    if (plan.day) {
        const FleetDay& d = *plan.day;
        Json curve = Json::array();
        for (std::size_t i = 0; i < d.gpus.size(); ++i)
            curve.push_back({{"from_s", numberJson(static_cast<double>(i) * d.curve.stretch.base())},
                             {"requests_per_s", numberJson(d.curve.requestsPerSecond[i])},
                             {"gpus", d.gpus[i]}});
        out["day"] = {{"mean_requests_per_s", numberJson(d.curve.mean())},
                      {"peak_requests_per_s", numberJson(d.curve.peak())},
                      {"gpu_hours_static", numberJson(d.gpuHoursStatic)},
                      {"gpu_hours_following", numberJson(d.gpuHoursFollowing)},
                      {"usd_static", d.usdStatic ? numberJson(*d.usdStatic) : Json()},
                      {"usd_following", d.usdFollowing ? numberJson(*d.usdFollowing) : Json()},
                      {"wasted", numberJson(d.wasted())},
                      {"curve", std::move(curve)}};
    }
    out["evaluated"] = plan.evaluated;
    out["assumptions"] = inEnglish(plan.assumptions);
    out["warnings"] = inEnglish(plan.warnings);
    return out;
}

} // namespace

std::string sizingJson(const SizingPlan& plan)
{
    Json out{{"schema", "headroom.size/1"}};
    out.update(documentOf(plan));
    return documentText(out);
}

std::string sizingJson(const SizingPlan& plan, const ask::Question& question, const BesideAnswer& beside)
{
    Json out{{"schema", "headroom.size/1"}, {"question", question.text}};
    Json& read = out["interpretation"] = Json::array();
    for (const ask::Interpretation& one : question.interpretation)
        read.push_back({{"said", one.said},
                        {"read_as", one.readAs},
                        {"why", one.why},
                        {"others", one.others},
                        {"position", one.position}});
    Json& unused = out["unused"] = Json::array();
    for (const ask::Unused& one : question.unused)
        unused.push_back({{"said", one.said}, {"why", one.why}, {"position", one.position}});
    if (beside.memory != nullptr)
        out["memory"] = memoryJson(*beside.memory);
    if (beside.firstEnablingRemedy != nullptr)
        out["runs_with"] = {{"change", beside.firstEnablingRemedy->change.english()},
                            {"answer", candidateJson(beside.firstEnablingRemedy->answer, true)}};
    out.update(documentOf(plan));
    Json assumptions = question.assumptions;
    for (const Message& one : plan.assumptions)
        assumptions.push_back(one.english());
    out["assumptions"] = std::move(assumptions);
    return documentText(out);
}

} // namespace headroom
