// What this calculator found wrong in the program once, each against a value worked out by hand.
#include "model/closed_form/operating_point.h"
#include "model/cost/step_cost.h"
#include "model/count/operators.h"
#include "model/count/weights.h"
#include "model/serve/serving_run.h"
#include "model/yaml/catalogue.h"
#include "resolved.h"
#include "tests/app/cli/process.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace headroom;
using twin::resolved;

namespace {

double sumOf(const Deployment& d, const StepShape& shape, Bytes Op::*bytes)
{
    double sum = 0;
    forEachOperator(d, stageLayers(*d.llm, 1, 0), shape,
                    [&](const Op& op) { sum += op.count * (op.*bytes).base(); });
    return sum;
}
double sumOf(const Deployment& d, const StepShape& shape, OpName name, Bytes Op::*bytes)
{
    double sum = 0;
    forEachOperator(d, stageLayers(*d.llm, 1, 0), shape, [&](const Op& op) {
        if (op.name == name)
            sum += op.count * (op.*bytes).base();
    });
    return sum;
}

Scenario onH100(const char* model, DType weights)
{
    Scenario s;
    s.model = model;
    s.gpus = {"h100-sxm-80gb"};
    s.engine = "ideal";
    s.weights = weights;
    s.tp = 1;
    return s;
}

StepShape decode(double sequences, double context)
{
    return {.decodeSequences = sequences, .decodeContext = context, .sampledRows = sequences};
}

} // namespace

// Llama 3.1 8B in q4_k_m: blocks of Q4_K are 4.5 bits, of Q6_K 6.5625. Of 32 layers 16 have the better v and
// down: 4 at the start, 4 at the end, each third of the 24 between. The head is Q6_K; the table is not read.
TEST_CASE("1: a decode step of a llama.cpp file reads the better blocks as such")
{
    const double q4 = 4.5 / 8, q6 = 6.5625 / 8;
    const double always = 2 * 4096.0 * 4096 + 4096.0 * 1024 + 2 * 4096.0 * 14336; // q, o, k, gate, up
    const double mixed = 4096.0 * 1024 + 4096.0 * 14336;                          // v, down
    const double hand = 32 * always * q4 + 16 * mixed * (q4 + q6) + 128256 * 4096.0 * q6;
    const Resolved on = resolved(onH100("llama-3.1-8b", DType::Q4_K_M));
    CHECK(sumOf(on.deployment, decode(1, 100), &Op::weightBytes) == doctest::Approx(hand).epsilon(0.002));
    CHECK(StepTimer(on.deployment).cost(decode(1, 100)).rate.value.base() >= hand / 3.35e12);
}

// HuggingFaceTB/SmolLM2-135M-Instruct in Q4_K_M is a file of 105.5 MB, of which 1.7 MB are tokeniser and
// header. 576 columns are no multiple of 256: Q4_K becomes Q5_0 and Q6_K becomes Q8_0.
TEST_CASE("2: rows that blocks of 256 do not fit take other blocks")
{
    const double perLayer = (2 * 576.0 * 576 + 576 * 192.0 + 2 * 576.0 * 1536) * 5.5
            / 8 // q, o, k, gate, up
                // v and down (1,536 columns) have better blocks in 14 of 30 layers: the first 3, the last 4,
                // every third between
        + 576 * 192.0 * (16 * 5.5 + 14 * 8.5) / 30 / 8 + 576 * 1536.0 * (16 * 4.5 + 14 * 6.5625) / 30 / 8;
    const double hand = 30 * perLayer + 49152 * 576.0 * 8.5 / 8 + 61 * 576.0 * 4;
    CHECK(hand == doctest::Approx(105.5e6 - 1.7e6).epsilon(0.005));
    const Llm& llm = *twin::shippedCatalogue().model("smollm2-135m").value();
    CHECK(countWeights(llm, DType::Q4_K_M).total().base() == doctest::Approx(hand).epsilon(0.002));
}

// vLLM keeps chunked layers in full from pull request 21761 (2025-07) until 29627 (2025-12): 48 layers, 2 x 8
// heads x 128 values x 2 B.
TEST_CASE("3: vLLM of the 0.11 class holds every layer of Llama 4 in full")
{
    Scenario s = onH100("llama-4-scout-17b-16e", DType::Bf16);
    s.engine = "vllm-2025";
    s.kv = DType::Bf16;
    s.tp = 8;
    const Resolved on = resolved(s);
    const MemoryPlan plan
        = planMemory(on.deployment, {.sequences = 1, .meanContext = 160000, .maxContext = 160000});
    CHECK(plan.perGpu.kv.base() == doctest::Approx(48 * 2 * 8 * 128 * 2 * 160000.0 / 8).epsilon(0.002));
}

// A position p sees p mod 8192 + 1 keys: 20,000 positions 2 x 8192 x 8193 / 2 + 3616 x 3617 / 2 of them, in
// 36 of 48 layers; the other 12 see 20,000 x 20,001 / 2. Each pair is 4 x 40 heads x 128 operations.
TEST_CASE("4: chunked attention sees half a chunk on average, prompts and decodes")
{
    Resolved on = resolved(onH100("llama-4-scout-17b-16e", DType::Fp8));
    const double inChunks = 8192 * 8193.0 + 3616 * 3617.0 / 2;
    const double all = 20000 * 20001.0 / 2;
    double attention = 0;
    forEachOperator(on.deployment, stageLayers(*on.deployment.llm, 1, 0),
                    {.prefillTokens = 20000, .prefillSequences = 1, .sampledRows = 1}, [&](const Op& op) {
                        if (op.name == OpName::PrefillAttention)
                            attention += op.count * op.flops.base();
                    });
    CHECK(attention == doctest::Approx(4 * 40 * 128.0 * (36 * inChunks + 12 * all)).epsilon(0.002));

    // Decodes anywhere within the third chunk: 4,096.5 keys of it on average.
    const double perKey = 2 * 8 * 128 * (on.deployment.kv == DType::Fp8 ? 1.0 : 2.0);
    double read = 0;
    double hand = 0;
    for (int i = 0; i < 128; ++i) {
        const double context = 16384 + 64 * i + 32;
        read += sumOf(on.deployment, decode(1, context), OpName::DecodeAttention, &Op::kvBytes) / 128;
        hand += perKey * (36 * 4096.5 + 12 * (context + 1)) / 128;
    }
    CHECK(read == doctest::Approx(hand).epsilon(0.01));
}

// vLLM's cache of DeepSeek-V3.2 in fp8: 656 B a token and layer (512 values, 16 B of scales, 64 rotated
// values in 16 bit), and 132 B for the index key (128 values in fp8, a 4-byte scale) whatever the cache's
// type.
TEST_CASE("5: the index key of sparse attention has a type of its own")
{
    Scenario s = onH100("deepseek-v3.2", DType::Fp8);
    s.gpus = {"h200-sxm-141gb"};
    s.tp = 8;
    s.engine = "vllm";
    const auto pool = [&](DType kv) {
        s.kv = kv;
        const MemoryPlan plan = planMemory(resolved(s).deployment, {.sequences = 1, .maxContext = 65536});
        return plan.kvPool.base() / plan.kvCapacityTokens;
    };
    CHECK(pool(DType::Fp8) == doctest::Approx(61 * (656 + 132)).epsilon(0.002));
    CHECK(pool(DType::Bf16) == doctest::Approx(61 * (576 * 2 + 132)).epsilon(0.002));
}

// Of each layer of Llama 3.1 70B an adapter of rank 64 has 64 x (rows + columns) of q, k, v, o, gate, up,
// down.
TEST_CASE("6: eight adapters of rank 64 lengthen a decode step by what they weigh")
{
    const double rowsAndColumns = 2 * (8192 + 8192.0) + 2 * (8192 + 1024.0) + 3 * (8192 + 28672.0);
    const double adapters = 8 * 64 * 80 * rowsAndColumns * 2;
    Scenario s = onH100("llama-3.1-70b", DType::Fp8);
    const Resolved without = resolved(s);
    s.loraAdapters = 8;
    s.loraRank = 64;
    const Resolved with = resolved(s);
    const double before = sumOf(without.deployment, decode(8, 100), &Op::weightBytes);
    CHECK(adapters / before == doctest::Approx(0.19).epsilon(0.02));
    CHECK(sumOf(with.deployment, decode(8, 100), &Op::weightBytes) - before
          == doctest::Approx(adapters).epsilon(0.002));
    const auto time
        = [](const Resolved& on) { return StepTimer(on.deployment).cost(decode(8, 100)).rate.value.base(); };
    CHECK(time(with) >= time(without) + 0.998 * adapters / 3.35e12);
}

// Nemotron-H 56B: 54 layers keep 16384 x 256 values of each sequence in 16 bit; a decode reads and writes
// them.
TEST_CASE("7: a recurrent state is moved in the type it is stored in")
{
    const Resolved on = resolved(onH100("nemotron-h-56b", DType::Fp8));
    const double hand = 64 * 54 * 2 * 16384.0 * 256 * 2;
    CHECK(sumOf(on.deployment, decode(64, 1000), OpName::Scan, &Op::kvBytes)
          == doctest::Approx(hand).epsilon(0.002));
}

// DeepSeek-V3 over eight H200: the prediction module reads a layer (latent attention, of it the two down
// projections whole on every rank; eight experts and the shared one) and the head in 16 bit.
TEST_CASE("8: a drafted token costs a layer and the head")
{
    Scenario s = onH100("deepseek-v3", DType::Fp8);
    s.gpus = {"h200-sxm-141gb"};
    s.tp = 8;
    s.speculation = "mtp:g=1,a=0.8";
    const Resolved on = resolved(s);
    const double split = 1536 * 24576.0 + 512 * 32768.0 + 16384 * 7168.0 + 9 * 3 * 7168 * 2048.0;
    const double bytes = split / 8 + (1536 + 576) * 7168.0 + 129280 * 7168 * 2.0 / 8;
    CHECK(bytes / 4.8e12 == doctest::Approx(67e-6).epsilon(0.02));
    CHECK(draftTime(on.deployment, decode(1, 1000)).value.base() >= bytes / 4.8e12);
}

// Little's law: users who take turns wait for all of a request's latency.
TEST_CASE("9: eight users hold eight requests, in the simulation")
{
    Scenario s = onH100("llama-3.1-8b", DType::Bf16);
    s.engine = "vllm";
    s.concurrency = 8;
    s.prompt = LengthDistribution::of(1000);
    s.output = LengthDistribution::of(16);
    s.traffic = "closed";
    s.requests = 400;
    const Resolved on = resolved(s);
    const auto plan = serve::servingPlan(on.scenario, on.deployment, on.load);
    REQUIRE(plan);
    const auto run = serve::makeServingRun(*plan);
    REQUIRE(run);
    const serve::Measures& seen = run->measures;
    CHECK(seen.requestRate.base() * seen.latency.mean.base() == doctest::Approx(8).epsilon(0.03));
}

TEST_CASE("9: a batch holds no more requests than it has, in the closed form")
{
    for (const double output : {4.0, 16.0, 256.0}) {
        CAPTURE(output);
        Scenario s = onH100("llama-3.1-8b", DType::Bf16);
        s.engine = "vllm";
        s.batch = 8;
        s.prompt = LengthDistribution::of(1000);
        s.output = LengthDistribution::of(output);
        const Resolved on = resolved(s);
        const Prediction p = predict(on.deployment, on.load);
        const double inside
            = p.ttft.value.base() + p.inLine.value.base() + (output - 1) * p.tpotUnderLoad.value.base();
        CHECK(p.requestsPerSecond.value.base() * inside <= 8 * 1.035);
    }
}

TEST_CASE("10: predict tells that it does not use a pool for prompts")
{
    const auto words = [](std::vector<std::string> more) {
        std::vector<std::string> all{"predict", "--model", "llama-3.1-8b", "--gpu", "h100-sxm-80gb",
                                     "--tp",    "1"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    const auto without = test::headroomProgram(words({}));
    REQUIRE(without.exitCode == 0);
    const auto with = test::headroomProgram(words({"--prefill-replicas", "2"}));
    CHECK((with.exitCode != 0 || with.out + with.err != without.out + without.err));
}
