#include "calib/validate/launch_options.h"
#include "calib/validate/row_case.h"
#include "calib/validate/row_engine.h"
#include "calib/validate/run_figures.h"
#include "model/import/deployment_csv.h"
#include "model/text/csv.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

using namespace headroom;
using tests::shipped;

namespace {

MeasuredRow saturated(const std::string& engine, const std::string& model, const std::string& gpu, int gpus)
{
    MeasuredRow out;
    out.engine = engine;
    out.model = model;
    out.gpu = gpu;
    out.gpus = gpus;
    out.tp = gpus;
    out.inputLength = "128";
    out.outputLength = "128";
    out.load = "max";
    return out;
}

RowCase caseFor(const MeasuredRow& row)
{
    auto found = caseOf(row, shipped());
    const Message* const why = std::get_if<Message>(&found);
    CAPTURE((why != nullptr ? why->english() : std::string()));
    REQUIRE(why == nullptr);
    return std::get<RowCase>(std::move(found));
}

} // namespace

TEST_CASE("data-parallel attention joins its ranks in the experts, however the row says it")
{
    MeasuredRow row = saturated("TensorRT-LLM", "DeepSeek-R1", "B200-SXM", 4);
    row.weightDtype = "nvfp4";
    row.tp = 1;
    row.dp = 4;
    row.notes = "DEP4; trtllm-bench; DEPn=attention DP n + expert parallel n";
    CHECK(caseFor(row).deployment().layout == Layout{.ep = 4, .dp = 4});
    row.notes = "EP=4 attention_dp=4";
    CHECK(caseFor(row).deployment().layout == Layout{.ep = 4, .dp = 4});
    row.tp = 4;
    row.dp = 1;
    for (const char* const notes : {"serve --tp-size 4 --ep-size 4; EP on", "EP on"}) {
        row.notes = notes;
        CHECK(caseFor(row).deployment().layout == Layout{.tp = 4, .ep = 4});
    }
    row.notes = "EP off";
    CHECK(caseFor(row).deployment().layout == Layout{.tp = 4});
    // Servers of their own behind a router share none.
    row.gpus = 8;
    row.dp = 2;
    row.notes
        = "2 instance(s) of tp 4 pp 1 behind nginx; expert parallel flag given inside each instance: EP=4";
    CHECK(caseFor(row).deployment().layout == Layout{.tp = 4, .ep = 4, .replicas = 2});
    // A dense model has no experts to spread.
    MeasuredRow dense = saturated("vLLM", "Llama-3.1-8B", "H100-SXM", 2);
    dense.notes = "EP on";
    CHECK(caseFor(dense).deployment().layout == Layout{.tp = 2});
}

// 671 GB of weights on four cards of 192 GB leave an eighth: less than what SGLang keeps out of its own
// share.
TEST_CASE("what was measured had the memory that it took")
{
    MeasuredRow row = saturated("SGLang", "DeepSeek-R1", "B200-SXM", 4);
    row.weightDtype = "fp8";
    const RowCase wide = caseFor(row);
    CHECK(wide.deployment().engine->memoryFraction == doctest::Approx(0.97));
    CHECK(wide.assumed.english().find("97 % of the memory") != std::string::npos);
    MeasuredRow roomy = row;
    roomy.gpus = roomy.tp = 8;
    CHECK(caseFor(roomy).deployment().engine->memoryFraction == doctest::Approx(0.88));
    row.notes = "--mem-fraction-static 0.8"; // stated: taken as it is, though it cannot be
    CHECK(caseFor(row).deployment().engine->memoryFraction == doctest::Approx(0.8));
}

TEST_CASE("words of a row are read as they are meant")
{
    MeasuredRow row = saturated("SGLang", "DeepSeek-R1", "B200-SXM", 8);
    row.weightDtype = "fp8";
    row.load = "64";
    row.metric = Metric::Tpot;
    row.notes = "closed-loop concurrency; launch: --mem-fraction-static 0.8";
    CHECK(caseFor(row).load.kind == RunKind::ClosedLoop); // the word in a flag makes no static batch
    row.metric = Metric::Latency;
    CHECK(caseFor(row).load.kind == RunKind::ClosedLoop); // whole requests of a closed loop
    row.notes = "one static batch, end to end";
    CHECK(caseFor(row).load.kind == RunKind::Static);
    row.notes = "closed-loop concurrency; enable_attention_dp: false";
    CHECK(caseFor(row).deployment().layout.dp == 1);
    row.notes = "closed-loop concurrency; enable_attention_dp";
    CHECK(caseFor(row).deployment().layout.dp == 8);
    row.notes = "closed-loop concurrency; offered 1.5 requests/s";
    CHECK(caseFor(row).load.finiteRequests == 0);
    row.notes = "closed-loop concurrency; offered 1.5 requests/s, 640 requests after 8 warm-up prompts";
    CHECK(caseFor(row).scenario.requests == 640);
    // What a card has arithmetic for and what an engine's kernels use of it are two things.
    row.computeDtype = "bf16 (FP8 weight-only Marlin fallback)";
    CHECK(caseFor(row).deployment().compute == MathUnit::Bf16);
    row.gpu = "H100-SXM";
    row.gpus = 32;
    row.tp = 8;
    row.dp = 4;
    row.notes = "EP32 over 4 nodes";
    row.computeDtype.clear();
    CHECK(caseFor(row).deployment().layout.ep == 32);
}

TEST_CASE("a row that was told to multiply in 4 bits ran so, where its engine would widen the weights")
{
    MeasuredRow row = saturated("vLLM", "Qwen3-30B-A3B", "GB10", 1);
    row.weightDtype = "nvfp4";
    CHECK(caseFor(row).deployment().compute == MathUnit::Bf16);
    row.computeDtype = "nvfp4";
    CHECK(caseFor(row).deployment().compute == MathUnit::Fp4);
    row.computeDtype = "fp8";
    CHECK(caseFor(row).deployment().compute == MathUnit::Fp8);
}

// NVIDIA's page of 0.10 sends 2,000 requests to an engine built for steps of 2,048 tokens; later pages tell
// other numbers for the same tool.
TEST_CASE("what a row says of its saturated run comes before what its tool usually does")
{
    MeasuredRow row = saturated("TensorRT-LLM", "Llama-2-70B", "H100-SXM", 8);
    row.weightDtype = row.kvDtype = row.computeDtype = "fp8";
    row.notes = "offline max load, gptManagerBenchmark";
    const RowCase usual = caseFor(row);
    CHECK(usual.load.finiteRequests == 30000);
    CHECK(usual.scenario.memoryFraction == 0.95);
    row.notes += "; launch: --max_num_tokens 2048 --kv_cache_free_gpu_mem_fraction 0.9; 2000 requests";
    const RowCase told = caseFor(row);
    CHECK(told.load.finiteRequests == 2000);
    CHECK(told.scenario.maxBatchedTokens == 2048);
    CHECK(told.scenario.memoryFraction == 0.9);
}

// SGLang's launch scripts let it look every 30 steps on cards of 160 GiB, not on AMD's; its ROCm builds are
// slower.
TEST_CASE("who asks by name and what was measured get the same engine")
{
    Scenario asked;
    asked.model = "deepseek-r1";
    asked.gpus = {"b200-sxm-180gb"};
    asked.engine = "sglang";
    asked.tp = 8;
    asked.weights = DType::Fp8;
    const Result<Resolved> own = resolve(asked, shipped());
    REQUIRE(own.has_value());
    const Engine& engine = *own->deployment.engine;
    const auto unseen = [](const Deployment& d) {
        return d.engine->stepsToAdmission(d.gpu->memoryUsable, d.gpu->family, 64) - d.engine->admissionSteps;
    };
    CHECK(unseen(own->deployment) == doctest::Approx(14.5));
    MeasuredRow row = saturated("SGLang", "DeepSeek-R1", "B200-SXM", 8);
    row.engineVersion = "0.5.15";
    row.weightDtype = "fp8";
    CHECK(*caseFor(row).deployment().engine == engine);
    row.gpu = "MI300X";
    const RowCase rocm = caseFor(row);
    CHECK(unseen(rocm.deployment()) == 0);
    CHECK(rocm.deployment().engine->stepHostTime == engine.stepHostTime); // the same host
    CHECK(rocm.deployment().engine->kernelGap > engine.kernelGap);
    CHECK(rocm.deployment().engine->onFamilies.empty());
}

TEST_CASE("runs with multi-token prediction are read once it is stated how much was accepted")
{
    MeasuredRow row = saturated("SGLang", "DeepSeek-R1", "B200-SXM", 8);
    row.weightDtype = "fp8";
    row.notes = "MTP speculative decoding, 3 draft steps; accepted length not stated";
    CHECK(std::holds_alternative<Message>(caseOf(row, shipped())));
    // 1 + 0.5 + 0.25 + 0.125 tokens a step, where every second draft is accepted.
    row.notes = "MTP speculative decoding, 3 draft steps; accepted length 1.875";
    CHECK(caseFor(row).deployment().speculative.draftTokens == 3);
    CHECK(caseFor(row).deployment().speculative.acceptance == doctest::Approx(0.5));
    row.notes = "no MTP";
    CHECK(caseFor(row).deployment().speculative.kind == SpeculativeDecoding::Kind::None);
}

TEST_CASE("versions and types in other words")
{
    const auto id
        = [](const char* name, const char* version) { return (*engineOf(shipped(), name, version))->id; };
    CHECK(id("TensorRT-LLM", "feat/1.2-mlpinf") == "tensorrt-llm");
    CHECK(id("TensorRT-LLM", "0.20.0") == "tensorrt-llm-2024");
    CHECK(id("gpt-fast (PyTorch)", "2024") == "gpt-fast");
    CHECK(id("vLLM", "2024") == "vllm-v0");
    CHECK(storedTypeOf("gf4") == DType::Int4);
}

TEST_CASE("an open loop arrives as its tool sends it, and percentiles are judged as such")
{
    MeasuredRow row = saturated("vLLM", "Llama-3.1-8B", "H100-SXM", 1);
    row.engineVersion = "0.26.0";
    row.load = "qps 2";
    row.notes = "bursty arrivals, gamma shape 0.7; 200 requests";
    row.metric = Metric::Ttft;
    const RowCase run = caseFor(row);
    CHECK(run.scenario.traffic == "gamma:shape=0.7");
    CHECK(run.scenario.requests == 200);
    const RunFigures figures = runFigures(run);
    MeasuredRow late = row;
    late.statistic = Statistic::P95;
    CHECK(figureOf(figures, run, late).value > figureOf(figures, run, row).value);
    CHECK(statisticOfNotes("tier=A; statistic: median; few users") == Statistic::P50);
    CHECK(statisticOfNotes("statistic p95") == Statistic::P95);
    CHECK(statisticOfNotes("nothing of it") == Statistic::Mean);
}

TEST_CASE("a loop that a bound in flight closes begins at the rate that is offered")
{
    MeasuredRow row = saturated("vLLM", "Llama-3.1-8B", "H100-SXM", 1);
    row.load = "25";
    row.notes = "closed by --max-concurrency 25 with 1.5/s offered (mean in flight 24.1); 300 requests";
    const RowCase closed = caseFor(row);
    CHECK(closed.load.kind == RunKind::ClosedLoop);
    CHECK(closed.scenario.traffic == "poisson");
    CHECK(closed.scenario.requestsPerSecond == 1.5);
    CHECK(closed.scenario.concurrency == 25);
    // The first wave does not come in one moment.
    MeasuredRow together = row;
    together.notes = "300 requests";
    MeasuredRow late = row;
    late.metric = Metric::Ttft;
    late.statistic = Statistic::P99;
    const auto figure = [&](const RowCase& run) { return figureOf(runFigures(run), run, late).value; };
    CHECK(figure(closed) < figure(caseFor(together)));

    row.load = "qps 2";
    row.notes = "Poisson arrivals; cap 25 in flight, mean in flight 10.4; 300 requests";
    const RowCase open = caseFor(row);
    CHECK(open.load.kind == RunKind::OpenLoop);
    CHECK(open.scenario.concurrency == 25);
}

TEST_CASE("what joins machines of one accelerator is stated or the row says nothing")
{
    MeasuredRow row = saturated("TensorRT-LLM", "Llama-2-70B", "GH200-96", 4);
    row.weightDtype = "fp8";
    const auto found = caseOf(row, shipped());
    REQUIRE(std::holds_alternative<Message>(found));
    CHECK(std::get<Message>(found).english().find("joined") != std::string::npos);
    row.notes = "4 servers on InfiniBand";
    CHECK(caseFor(row).deployment().layout.tp == 4);
    MeasuredRow one = saturated("TensorRT-LLM", "Llama-3-8B", "GH200-96", 1);
    CHECK(caseFor(one).deployment().layout.tp == 1);
}

TEST_CASE("eight cards stand in a machine that holds eight")
{
    CHECK(caseFor(saturated("vLLM", "Llama-3-8B", "RTX-4090", 4)).deployment().node->gpusPerNode == 4);
    CHECK(caseFor(saturated("vLLM", "Llama-3-8B", "RTX-4090", 8)).deployment().node->gpusPerNode == 8);
}

TEST_CASE("a row may name the machine that it ran on")
{
    MeasuredRow row = saturated("vLLM", "Llama-3.1-8B", "H200-NVL", 2);
    const std::string usual = caseFor(row).deployment().node->id;
    for (const char* const notes : {"two cards: machine=h200-nvl-pairs",
                                    "machine=h200-nvl-pairs; by a bridge", "x, machine=h200-nvl-pairs, y"}) {
        row.notes = notes;
        CHECK(caseFor(row).deployment().node->id == "h200-nvl-pairs");
    }
    CHECK(simulateCommand(caseFor(row)).find("--node h200-nvl-pairs") != std::string::npos);
    for (const char* const notes : {"a machine= of its own", "their_machine=h200-nvl-pairs"}) {
        row.notes = notes;
        CHECK(caseFor(row).deployment().node->id == usual);
    }
    row.notes = "machine=dgx-h2000"; // no such machine: refused, not run on the usual one
    const auto found = caseOf(row, shipped());
    REQUIRE(std::holds_alternative<Message>(found));
    CHECK(std::get<Message>(found).english().find("dgx-h2000") != std::string::npos);
}

// Mixtral in 16 bits on two A100: weights of 93.4 GB in 23 ms are the floor of a step with room for hundreds
// of sequences, and 12.9e9 parameters twice for each of 256 tokens, at 624 TFLOPS, are 10.6 ms a request: no
// more than 128 tokens in that time. Prompts read one by one would each pay the 23 ms.
TEST_CASE("the limit of the hardware computes short prompts together")
{
    MeasuredRow row = saturated("TensorRT-LLM", "Mixtral-8x7B", "A100-SXM", 2);
    row.weightDtype = "fp16";
    const double limit = physicalLimit(caseFor(row), Metric::OutputThroughput);
    CHECK(limit > 128 / 0.023);
    CHECK(limit < 128 / 0.0105);
}

TEST_CASE("an engine whose version is not stated is as old as its model, its card and its tool")
{
    MeasuredRow unsaid = saturated("vLLM", "Llama-3-8B", "MI300X", 1);
    CHECK(caseFor(unsaid).scenario.engine == "vllm-v0");
    unsaid.notes = "measured by InferenceMAX";
    CHECK(caseFor(unsaid).scenario.engine != "vllm-v0");
    unsaid.notes.clear();
    unsaid.model = "Qwen3-8B"; // of 2025
    CHECK(caseFor(unsaid).scenario.engine != "vllm-v0");
}

TEST_CASE("a run that tells when it was measured had the engine of that month")
{
    MeasuredRow row = saturated("SGLang", "Llama-3-8B", "MI300X", 1);
    row.notes = "measured=2025-10-06T00:00:00.000Z; no version";
    CHECK(caseFor(row).scenario.engine == "sglang-2025-q3");
    row.notes = "measured=2025-12-20";
    CHECK(caseFor(row).scenario.engine == "sglang-2025");
    row.notes = "measured=2026-02-12";
    CHECK(caseFor(row).scenario.engine == "sglang-2026-q1");
    row.engineVersion = "0.5.12"; // what is stated counts
    CHECK(caseFor(row).scenario.engine == "sglang");
}

TEST_CASE("a version has builds of its own on some platforms")
{
    MeasuredRow row = saturated("SGLang", "Llama-3-8B", "MI300X", 1);
    row.engineVersion = "0.5.2";
    CHECK(caseFor(row).scenario.engine == "sglang-2025-q3");
    row.gpu = "H100-SXM";
    CHECK(caseFor(row).scenario.engine == "sglang-2025");
    row.engineVersion = "0.5.10.post1"; // captures prompts, which it does not for AMD's
    CHECK(caseFor(row).scenario.engine == "sglang-2026-04");
    row.gpu = "MI300X";
    CHECK(caseFor(row).scenario.engine == "sglang-2026-q1");
}

TEST_CASE("a row that says how long prompts are held back is run so")
{
    MeasuredRow row = saturated("TensorRT-LLM", "Llama-3-8B", "H100-SXM", 1);
    row.notes
        = "launch: --max_num_tokens 16384 --batch_wait_timeout_iters 20 --batch_wait_max_tokens_ratio 0.9";
    CHECK(caseFor(row).scenario.promptWait == 20);
    CHECK(caseFor(row).scenario.promptWaitShare == 0.9);
    CHECK(caseFor(row).deployment().engine->promptWait.steps == 20);
}

TEST_CASE("a tool that keeps its batch computes all prompts before it decodes, in the steps that it was "
          "started with")
{
    MeasuredRow bench = saturated("llama.cpp", "Gemma-3-4B", "GB10", 1);
    bench.weightDtype = "q4_0";
    bench.load = "16";
    bench.notes = "static batch: llama-batched-bench, -b 2048 -ub 2048 -fa 1";
    const RowCase run = caseFor(bench);
    CHECK(run.scenario.scheduler == "static");
    CHECK(run.scenario.maxSequences == 16);
    CHECK(run.scenario.maxBatchedTokens == 2048);
    const RunFigures figures = runFigures(run);
    CHECK(figures.ttft.p50 == figures.ttft.p99); // nobody answers before the others
}

// As a deployment's launch lines say it: the step's tokens are the prompts', the sequences those of who
// decodes.
TEST_CASE("pools of prompts and of decodes are started as their row says")
{
    MeasuredRow row = saturated("TensorRT-LLM", "DeepSeek-R1", "B200-SXM", 8);
    row.weightDtype = "fp8";
    row.replicas = 3;
    row.tp = 8;
    row.prompts = {.replicas = 1, .tp = 1, .dp = 8, .ep = 8};
    row.load = "4";
    row.notes
        = "closed loop; prompts on GPUs of their own; round robin; launch: prompts --max_num_tokens 16384, "
          "decodes --max_batch_size 1";
    const RowCase run = caseFor(row);
    REQUIRE(run.prompts);
    CHECK(run.prompts->deployment.engine->maxBatchedTokens == 16384);
    CHECK(run.prompts->deployment.engine->maxSequences > 1);
    CHECK(run.deployment().engine->maxSequences == 1);
    CHECK(run.inTurn);
    CHECK(simulateCommand(run).ends_with("--routing round-robin"));
    // Four users of three places: each goes round in four thirds of an answer, a third of which he waits.
    row.metric = Metric::Ttft;
    const RunFigures figures = runFigures(run);
    const double answer = figures.latency.mean.base() - figures.ttft.mean.base();
    CHECK(figures.ttft.mean.base() > 0.25 * answer);
    CHECK(figures.ttft.mean.base() < 0.75 * answer);
}

TEST_CASE("of a table of answers alone no prompt is computed on the way")
{
    const auto table = readCsvTable(
        "model,hardware,engine,engine_version,prefill_gpus_per_instance,decode_gpus_per_instance,decode_tp,"
        "decode_dp,decode_ep,decode_concurrency,decode_dtype,input_len,output_len,tpot_ms,mtp,notes\n"
        "DeepSeek-R1,H200-SXM,SGLang,0.5.2,,16,1,16,16,512,fp8,4096,512,40,no,--kv-cache-dtype fp8_e4m3\n",
        "decodes.csv");
    REQUIRE(table);
    const auto rows = deploymentRows(*table);
    REQUIRE(rows);
    REQUIRE(rows->size() == 1);
    const RowCase run = caseFor(rows->front());
    CHECK(run.deployment().kv == DType::Fp8);
    REQUIRE(run.prompts);
    const auto tokenTime = [](const MeasuredRow& row) { return runFigures(caseFor(row)).tpot.mean; };
    const Seconds alone = tokenTime(rows->front());
    MeasuredRow together = rows->front();
    REQUIRE(together.notes.starts_with("static batch; decode pool only"));
    together.notes = "static batch; --kv-cache-dtype fp8_e4m3";
    CHECK(tokenTime(together) > alone * 1.1);
}

TEST_CASE("a row that says so ran without captured graphs")
{
    CHECK(!withLaunchOptions({}, "CUDA graphs; --max-num-seqs 4").eager);
    CHECK(withLaunchOptions({}, "two boxes; --enforce-eager").eager);
    CHECK(withLaunchOptions({}, "TP2 by NCCL; enforce-eager; 50 runs").eager);
    CHECK(withLaunchOptions({}, "--disable-cuda-graph").eager);
}

TEST_CASE("the type of a recurrent state is a launch option like others")
{
    MeasuredRow row = saturated("vLLM", "Qwen3.5-397B-A17B", "GB200", 8);
    row.weightDtype = "nvfp4";
    CHECK(!caseFor(row).scenario.state);
    row.notes = "launch: --mamba-ssm-cache-dtype bfloat16 (the post)";
    CHECK(caseFor(row).scenario.state == DType::Bf16);
}
