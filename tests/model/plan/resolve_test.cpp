#include "model/count/operators.h"
#include "model/count/stored_type.h"
#include "model/count/weights.h"
#include "model/resolve/money.h"
#include "model/resolve/resolve.h"
#include "model/yaml/catalogue.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace headroom;
using tests::shipped;

namespace {

Scenario llama70bOn(const std::string& gpu)
{
    Scenario s;
    s.model = "llama-3.1-70b";
    s.gpus = {gpu};
    return s;
}

template <typename Sentences>
bool anySays(const Sentences& sentences, const std::string& words)
{
    return std::any_of(sentences.begin(), sentences.end(),
                       [&](const Message& s) { return s.english().find(words) != std::string::npos; });
}

} // namespace

TEST_CASE("141 GB of weights need two cards of 80 GB and four of 48 GB")
{
    const auto two = resolve(llama70bOn("a100-sxm-80gb"), shipped());
    REQUIRE(two);
    CHECK(two->deployment.layout == Layout{.tp = 2});
    const auto four = resolve(llama70bOn("l40s"), shipped());
    REQUIRE(four);
    CHECK(four->deployment.layout == Layout{.tp = 4});
}

TEST_CASE("every choice that was not made by the user is told")
{
    const auto open = resolve(llama70bOn("a100-sxm-80gb"), shipped());
    REQUIRE(open);
    for (const char* told :
         {"weights in bf16", "KV cache in bf16", "matrix products in bf16", "tensor parallel over 2",
          "engine vllm", "batch 1", "an hour on demand", "stands in"})
        CHECK_MESSAGE(anySays(open->assumptions, told), told);

    Scenario s = llama70bOn("a100-sxm-80gb");
    s.engine = "vllm";
    s.weights = DType::Bf16;
    s.kv = DType::Bf16;
    s.compute = MathUnit::Bf16;
    s.tp = 4;
    s.batch = 8;
    s.node = "dgx-a100";
    s.money.gpuPrice = dollarsPerHour(2);
    const auto closed = resolve(s, shipped());
    REQUIRE(closed);
    // What strangers' servers differ by is no choice of anybody.
    for (const Remark& told : closed->assumptions)
        CHECK(told.text.english().starts_with("ranges allow for servers"));
    CHECK(perHour(*closed->deployment.gpu->cloudPrice) == doctest::Approx(2));
}

TEST_CASE("an engine that keeps its 16 bits in fp16 alone is not refused for bf16")
{
    Scenario s;
    s.model = "llama-3.1-8b";
    s.gpus = {"geforce-rtx-4090"};
    s.engine = "calm";
    const auto resolved = resolve(s, shipped());
    REQUIRE(resolved);
    CHECK(resolved->deployment.weights == DType::Fp16);
    CHECK(resolved->deployment.kv == DType::Fp16);
    CHECK(anySays(resolved->assumptions, "KV cache in fp16"));
}

TEST_CASE("an engine of one type of weights is not asked for another")
{
    Scenario s;
    s.model = "mistral-7b-v0.3";
    s.gpus = {"geforce-rtx-4090"};
    s.engine = "autoawq";
    const auto resolved = resolve(s, shipped());
    REQUIRE(resolved);
    CHECK(resolved->deployment.weights == DType::Int4);
    CHECK(anySays(resolved->assumptions, "runs no others"));
}

TEST_CASE("a checkpoint in a type that the engine does not run is taken in the next one that loses nothing")
{
    Scenario s;
    s.model = "deepseek-v3"; // in fp8
    s.gpus = {"apple-m3-ultra-80"};
    s.engine = "llama-cpp";
    const auto r = resolve(s, shipped());
    REQUIRE(r);
    CHECK(r->deployment.weights == DType::Q8_0);
    CHECK(anySays(r->assumptions, "weights in q8_0, converted"));
    s.weights = DType::Fp8; // asked for: refused, as ever
    CHECK_FALSE(resolve(s, shipped()));
}

TEST_CASE("a card without bf16 computes in fp16 and says so")
{
    Scenario s;
    s.model = "llama-3.1-8b";
    s.gpus = {"v100-sxm2-32gb"};
    const auto resolved = resolve(s, shipped());
    REQUIRE(resolved);
    CHECK(resolved->deployment.weights == DType::Fp16);
    CHECK(resolved->deployment.compute == MathUnit::Fp16);
    CHECK(anySays(resolved->assumptions, "weights in fp16"));
}

TEST_CASE("8-bit weights multiply in 8 bit only where the hardware can")
{
    Scenario s = llama70bOn("h100-sxm-80gb");
    s.weights = DType::Fp8;
    CHECK(resolve(s, shipped())->deployment.compute == MathUnit::Fp8);
    s.gpus = {"a100-sxm-80gb"};
    CHECK(resolve(s, shipped())->deployment.compute == MathUnit::Bf16);
    s.compute = MathUnit::Fp8;
    const auto refused = resolve(s, shipped());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().front().where == "compute");
}

TEST_CASE("a KV cache of 4 bits on an accelerator without such arithmetic is told of, not refused")
{
    Scenario s = llama70bOn("b200-sxm-180gb");
    s.engine = "vllm";
    s.kv = DType::Nvfp4;
    const auto at = [&s] { return resolve(s, shipped()).value().warnings; };
    CHECK_FALSE(anySays(at(), "KV cache on accelerators that have"));
    s.gpus = {"h100-sxm-80gb"};
    CHECK(anySays(at(), "KV cache on accelerators that have"));
    s.kv = DType::Fp8;
    CHECK_FALSE(anySays(at(), "KV cache on accelerators that have"));
}

TEST_CASE("weights that an engine unpacks multiply in 16 bits, and that is told")
{
    Scenario s;
    s.model = "gpt-oss-120b";
    s.gpus = {"rtx-pro-6000-blackwell-server"};
    s.engine = "vllm";
    const auto unpacked = resolve(s, shipped());
    REQUIRE(unpacked);
    CHECK(unpacked->deployment.compute == MathUnit::Bf16);
    CHECK(anySays(unpacked->assumptions, "unpacks mxfp4 weights"));
    s.compute = MathUnit::Fp4; // whoever has such kernels says so
    CHECK(resolve(s, shipped())->deployment.compute == MathUnit::Fp4);
    s.compute.reset();
    s.gpus = {"b200-sxm-180gb"}; // the engine has kernels of its own
    CHECK(resolve(s, shipped())->deployment.compute == MathUnit::Fp4);
    s.engine = "llama-cpp"; // and this one for no card
    CHECK(resolve(s, shipped())->deployment.compute == MathUnit::Bf16);
}

TEST_CASE("everything that is wrong is told at once")
{
    Scenario s;
    s.model = "lama-3.1-70b-typo";
    s.gpus = {"zzzz-9000"};
    s.engine = "vlllm-nope";
    const auto refused = resolve(s, shipped());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().size() >= 2);
    Scenario empty;
    const auto missing = resolve(empty, shipped());
    REQUIRE_FALSE(missing);
    CHECK(missing.error().size() == 2); // model and gpu
}

TEST_CASE("a layout that the model's heads forbid is refused, one that does not fit is not")
{
    Scenario s = llama70bOn("a100-sxm-80gb");
    s.tp = 3;
    CHECK_FALSE(resolve(s, shipped()));
    s.tp = 1;
    const auto tight = resolve(s, shipped());
    REQUIRE(tight);
    CHECK_FALSE(predict(tight->deployment, tight->load).memory.fits);
}

TEST_CASE("a rate of requests keeps as many in service as arrive while one is served")
{
    Scenario s = llama70bOn("a100-sxm-80gb");
    s.tp = 4;
    s.requestsPerSecond = 1;
    const auto r = resolve(s, shipped());
    REQUIRE(r);
    const Prediction p = predict(r->deployment, r->load);
    const double residence = p.ttft.value.base() + p.tpotUnderLoad.value.base() * (r->load.outputTokens - 1);
    CHECK(r->load.batch == doctest::Approx(1 * residence).epsilon(0.1));
    s.requestsPerSecond = 1000;
    const auto over = resolve(s, shipped());
    REQUIRE(over);
    CHECK(anySays(over->warnings, "overloaded"));
}

TEST_CASE("a bought card costs its price over the years and its power")
{
    Scenario s = llama70bOn("a100-sxm-80gb");
    s.money.purchasePrice = Dollars(17532);   // 4 years of 8,766 hours: half a dollar an hour
    s.money.serverPrice = Dollars(4 * 17532); // two dollars, and eight modules come with it
    s.money.electricityPerKwh = 0.25;
    s.money.pue = 1;
    const auto r = resolve(s, shipped());
    REQUIRE(r);
    const Service service = predict(r->deployment, r->load).service;
    CHECK(perHour(service.price) == doctest::Approx(0.5 * 8 + 2 + service.power.value.base() / 1000 * 0.25));
    CHECK(*hourAtFullPower(r->deployment) >= perHour(service.price));
}

TEST_CASE("more GPUs than the usual machine holds stand in one that holds them")
{
    Scenario s = llama70bOn("geforce-rtx-4090");
    s.weights = DType::Int4;
    s.gpuCount = 4;
    const auto workstation = resolve(s, shipped());
    REQUIRE(workstation);
    CHECK(workstation->deployment.node->gpusPerNode == 4);
    s.gpuCount = 8;
    const auto server = resolve(s, shipped());
    REQUIRE(server);
    CHECK(server->deployment.node->gpusPerNode == 8);
    CHECK(anySays(server->assumptions, "(8 a box)"));
    s.gpuCount = 16; // none holds so many: the largest
    const auto servers = resolve(s, shipped());
    REQUIRE(servers);
    CHECK(servers->deployment.node->gpusPerNode == 8);
    Scenario usual = llama70bOn("a100-sxm-80gb");
    usual.gpuCount = 16; // the default is as large as any: it stays
    const auto boxes = resolve(usual, shipped());
    REQUIRE(boxes);
    CHECK(boxes->deployment.node->id == "dgx-a100");
}

TEST_CASE(
    "an engine that fills its ranks runs widths that divide no heads, with heads and columns that do nothing")
{
    Scenario s;
    s.model = "llama-3-8b"; // 32 query heads, 8 for keys and values, 14,336 columns
    s.gpus = {"inferentia2"};
    s.engine = "neuron";
    s.tp = 12;
    const auto twelve = resolve(s, shipped());
    REQUIRE(twelve);
    const LayerKind& kind = twelve->deployment.llm->kinds.front();
    CHECK(kind.attention().queryHeads == 36);
    CHECK(kind.attention().kvHeads == 12);
    CHECK(kind.mlp.intermediate == 14340);
    s.tp = 8;
    const auto eight = resolve(s, shipped());
    REQUIRE(eight);
    CHECK(*eight->deployment.llm == **shipped().model("llama-3-8b"));
    s.engine = "vllm";
    s.gpus = {"a100-sxm-80gb"};
    s.tp = 12;
    CHECK_FALSE(resolve(s, shipped()).has_value());
}

TEST_CASE("a GGUF of gpt-oss keeps what is no expert in eight bits")
{
    Scenario s;
    s.model = "gpt-oss-120b";
    s.gpus = {"dgx-spark-gb10"};
    s.weights = DType::Mxfp4;
    const auto bytesBy = [&](const char* engine) {
        s.engine = engine;
        const auto resolved = resolve(s, shipped());
        REQUIRE(resolved);
        return countWeights(*resolved->deployment.llm, DType::Mxfp4);
    };
    const WeightBytes gguf = bytesBy("llama-cpp");
    const WeightBytes hub = bytesBy("vllm");
    CHECK(gguf.experts == hub.experts);
    // 34 bytes of 32 values against 64.
    CHECK(gguf.linear.base() == doctest::Approx(hub.linear.base() * 34 / 64).epsilon(0.02));
    CHECK(gguf.total() < hub.total());
}

TEST_CASE("a copy of gpt-oss that keeps nothing wide has its attention in MXFP4, too: by hand")
{
    Scenario s;
    s.model = "gpt-oss-120b";
    s.gpus = {"dgx-spark-gb10"};
    s.engine = "vllm";
    s.weights = DType::Mxfp4;
    const auto weights = [&] {
        const auto resolved = resolve(s, shipped());
        REQUIRE(resolved);
        return countWeights(*resolved->deployment.llm, DType::Mxfp4);
    };
    const WeightBytes own = weights();
    s.keepsWide = {.nothing = true};
    const WeightBytes all = weights();
    // 36 layers of 64 heads and 8 of keys and values, 64 numbers each, by 2,880: 16 bits there, 4.25 here.
    const double matrices = 36.0 * 2880 * (64 * 64 + 2 * 8 * 64 + 64 * 64);
    CHECK((own.linear - all.linear).base() == doctest::Approx(matrices * (16 - 4.25) / 8).epsilon(1e-6));
    CHECK(all.experts == own.experts);
    CHECK(all.head == own.head);
}

TEST_CASE(
    "what a checkpoint keeps in 16 bits is taken for narrow weights alone, and refused where there is none")
{
    Scenario s;
    s.model = "qwen3.5-397b-a17b";
    s.gpus = {"gb200"};
    s.tp = 8;
    s.weights = DType::Nvfp4;
    s.keepsWide = {.sharedExperts = true};
    const auto kept = resolve(s, shipped());
    REQUIRE(kept);
    CHECK(kept->deployment.llm->keptWide.sharedExperts);
    const auto told = [](const Resolved& run) {
        return std::count_if(run.assumptions.begin(), run.assumptions.end(), [](const auto& one) {
            return one.text.english().find("keep-16bit = shared-experts:") == 0;
        });
    };
    CHECK(told(*kept) == 1);
    s.keepsWide = {};
    const auto usual = resolve(s, shipped());
    CHECK(told(*usual) == 0);
    s.keepsWide = {.nothing = true}; // mixers are narrow too
    const auto all = resolve(s, shipped());
    REQUIRE(all);
    CHECK(storedType(*all->deployment.llm, DType::Nvfp4, WeightPart::Mixer) == DType::Nvfp4);
    CHECK(storedType(*usual->deployment.llm, DType::Nvfp4, WeightPart::Mixer) == DType::Bf16);
    CHECK(storedType(*all->deployment.llm, DType::Nvfp4, WeightPart::Head) == DType::Bf16);
    s.keepsWide = {.sharedExperts = true};
    s.weights = DType::Bf16;
    CHECK_FALSE(resolve(s, shipped()));
    s.weights = DType::Fp8;
    s.model = "llama-3.1-70b";
    CHECK_FALSE(resolve(s, shipped()));
    s.keepsWide = {.attention = true};
    CHECK(resolve(s, shipped()));
    s.keepsWide = {.denseMlp = true};
    CHECK(resolve(s, shipped()));
    s.model = "mixtral-8x7b"; // experts in every layer
    CHECK_FALSE(resolve(s, shipped()));
}

// 45 layers of 64 heads with states of 128 by 128, read and written: 2 x 45 x 64 x 128 x 128 numbers a step.
TEST_CASE("recurrent layers keep their state in the type that is asked for, attention alone in none")
{
    Scenario s;
    s.model = "qwen3.5-397b-a17b";
    s.gpus = {"gb200"};
    s.tp = 8;
    const auto moved = [&] {
        const auto resolved = resolve(s, shipped());
        REQUIRE(resolved);
        double bytes = 0;
        const Deployment& d = resolved->deployment;
        forEachOperator(d, stageLayers(*d.llm, 1, 0), {.decodeSequences = 1, .decodeContext = 1},
                        [&](const Op& op) {
                            if (op.name == OpName::Scan)
                                bytes += op.count * op.kvBytes.base();
                        });
        return bytes * 8;
    };
    const double numbers = 2.0 * 45 * 64 * 128 * 128;
    CHECK(moved() == doctest::Approx(4 * numbers));
    s.state = DType::Bf16;
    CHECK(moved() == doctest::Approx(2 * numbers));
    s.state = DType::Fp8;
    CHECK(!resolve(s, shipped()));
    Scenario plain = llama70bOn("h100-sxm-80gb");
    plain.state = DType::Bf16;
    CHECK(!resolve(plain, shipped()));
}
