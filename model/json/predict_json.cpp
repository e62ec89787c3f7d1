#include "model/json/predict_json.h"

#include "model/closed_form/operating_point.h"
#include "model/count/parameters.h"
#include "model/json/prediction_json.h"
#include "model/json/scenario_json.h"
#include "model/memory/loading_time.h"
#include "model/report/op_rows.h"

namespace headroom {

namespace {

Json memoryJson(const MemoryPlan& memory)
{
    const GpuMemory& one = memory.perGpu;
    return {{"fits", memory.fits},
            {"kv_bytes_per_token", numberJson(memory.kvBytesPerToken.base())},
            {"kv_capacity_tokens", numberJson(memory.kvCapacityTokens)},
            {"max_batch", numberJson(memory.maxBatch)},
            {"per_gpu",
             {{"weights_bytes", numberJson(one.weights.base())},
              {"kv_bytes", numberJson(one.kv.base())},
              {"activation_bytes", numberJson(one.activation.base())},
              {"runtime_bytes", numberJson(one.runtime.base())},
              {"used_bytes", numberJson(one.used.base())},
              {"usable_bytes", numberJson(one.usable.base())},
              {"capacity_bytes", numberJson(one.capacity.base())}}}};
}

Json stepJson(const StepCost& step, double computeUtilisation, double memoryUtilisation)
{
    return {{"flops", numberJson(step.flops.base())},
            {"bytes", numberJson(step.bytes.base())},
            {"bound", std::string(boundName(step.bound).text)},
            {"compute_utilisation", numberJson(computeUtilisation)},
            {"memory_utilisation", numberJson(memoryUtilisation)},
            {"parts",
             {{"compute_s", numberJson(step.compute.base())},
              {"memory_s", numberJson(step.memory.base())},
              {"link_s", numberJson(step.link.base())},
              {"launch_s", numberJson(step.launch.base())},
              {"host_s", numberJson(step.host.base())}}}};
}

Json serviceJson(const Service& service)
{
    Json out{{"gpus", service.gpus},
             {"output_tokens_per_s", estimateJson(service.outputTokensPerSecond)},
             {"total_tokens_per_s", estimateJson(service.totalTokensPerSecond)},
             {"power_w", knownJson(service.power)},
             {"joules_per_output_token", knownJson(service.joulesPerOutputToken)}};
    // Unknown is not free.
    out["usd_per_hour"] = service.priceKnown ? numberJson(perHour(service.price)) : Json();
    out["usd_per_million_output_tokens"]
        = service.priceKnown ? estimateJson(service.dollarsPerMillionOutputTokens) : Json();
    return out;
}

Json opJson(const OpRow& row)
{
    return {{"phase", std::string(row.phase.text)},
            {"name", row.name},
            {"count", numberJson(row.count)},
            {"flops", numberJson(row.flops)},
            {"bytes", numberJson(row.bytes)},
            {"time_s", numberJson(row.seconds)},
            {"bound", std::string(boundName(row.bound).text)},
            {"source", std::string(sourceName(row.source).text)}};
}

} // namespace

Json loadingJson(const Deployment& deployment)
{
    const std::optional<LoadingTime> loading = loadingTime(deployment);
    if (!loading)
        return Json();
    return {{"from_storage_s", numberJson(loading->fromStorage.base())},
            {"from_host_memory_s", numberJson(loading->fromHostMemory.base())},
            {"bound", loading->boundByStorage ? "storage" : "host link"},
            {"storage_bytes_per_s", numberJson(deployment.node->storageRead.base())}};
}

Json predictionJson(const Deployment& deployment, const Prediction& p)
{
    const ParameterCount params = countParameters(*deployment.llm);
    Json prefill{{"ttft_s", estimateJson(p.ttft)}};
    prefill.update(stepJson(p.prefill, p.prefillComputeUtilisation, p.prefillMemoryUtilisation));
    Json decode{{"tpot_s", estimateJson(p.tpot)}, {"tpot_under_load_s", estimateJson(p.tpotUnderLoad)}};
    decode.update(stepJson(p.decode, p.decodeComputeUtilisation, p.decodeMemoryUtilisation));
    decode["tokens_per_s_per_user"] = estimateJson(p.tokensPerSecondPerUser);
    decode["tokens_per_s"] = estimateJson(p.tokensPerSecond);
    return {{"params", {{"total", params.total}, {"active", params.active}}},
            {"memory", memoryJson(p.memory)},
            {"loading", loadingJson(deployment)},
            {"prefill", std::move(prefill)},
            {"decode", std::move(decode)},
            {"request",
             {{"latency_s", estimateJson(p.latency)},
              {"tokens_per_s", estimateJson(p.requestTokensPerSecond)},
              {"requests_per_s", estimateJson(p.requestsPerSecond)}}},
            {"service", serviceJson(p.service)}};
}

std::string predictJson(const Resolved& resolved, const Prediction& prediction)
{
    Json document{{"schema", "headroom.predict/1"}, {"scenario", scenarioJson(resolved)}};
    document.update(predictionJson(resolved.deployment, prediction));
    // As `size` tells it: others' prompts between one's tokens.
    const UserTimes felt = operateAt(resolved.deployment, resolved.load, resolved.load.batch);
    document["at_load"] = {{"ttft_s", estimateJson(felt.ttft)},
                           {"tpot_s", estimateJson(felt.tpot)},
                           {"tokens_per_s_per_user", estimateJson(felt.tokensPerSecondPerUser)},
                           {"latency_s", estimateJson(felt.latency)}};
    Json& ops = document["ops"] = Json::array();
    for (const OpRow& row : operatorRows(resolved.deployment, resolved.load))
        ops.push_back(opJson(row));
    document["assumptions"] = inEnglish(textsOf(resolved.assumptions));
    document["warnings"] = inEnglish(textsOf(resolved.warnings));
    return documentText(document);
}

} // namespace headroom
