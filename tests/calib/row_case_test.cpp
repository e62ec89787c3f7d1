#include "calib/validate/row_case.h"
#include "calib/validate/run_figures.h"

#include <doctest/doctest.h>

using namespace headroom;

namespace {

const Catalogue& catalogue()
{
    static const auto open = Catalogue::open(HEADROOM_SOURCE_DIR);
    return **open;
}

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
    auto found = caseOf(row, catalogue());
    const std::string* const why = std::get_if<std::string>(&found);
    CAPTURE((why != nullptr ? *why : std::string()));
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
    CHECK(caseFor(row).deployment.layout == Layout{.ep = 4, .dp = 4});
    row.notes = "EP=4 attention_dp=4";
    CHECK(caseFor(row).deployment.layout == Layout{.ep = 4, .dp = 4});
    row.tp = 4;
    row.dp = 1;
    for (const char* const notes : {"serve --tp-size 4 --ep-size 4; EP on", "EP on"}) {
        row.notes = notes;
        CHECK(caseFor(row).deployment.layout == Layout{.tp = 4, .ep = 4});
    }
    row.notes = "EP off";
    CHECK(caseFor(row).deployment.layout == Layout{.tp = 4});
    // A dense model has no experts to spread.
    MeasuredRow dense = saturated("vLLM", "Llama-3.1-8B", "H100-SXM", 2);
    dense.notes = "EP on";
    CHECK(caseFor(dense).deployment.layout == Layout{.tp = 2});
}

// 671 GB of weights on four cards of 192 GB leave an eighth: less than what SGLang keeps out of its own
// share.
TEST_CASE("what was measured had the memory that it took")
{
    MeasuredRow row = saturated("SGLang", "DeepSeek-R1", "B200-SXM", 4);
    row.weightDtype = "fp8";
    const RowCase wide = caseFor(row);
    CHECK(wide.deployment.engine->memoryFraction == doctest::Approx(0.97));
    CHECK(wide.assumed.find("97 % of the memory") != std::string::npos);
    MeasuredRow roomy = row;
    roomy.gpus = roomy.tp = 8;
    CHECK(caseFor(roomy).deployment.engine->memoryFraction == wide.preset->memoryFraction);
    row.notes = "--mem-fraction-static 0.8"; // stated: taken as it is, though it cannot be
    CHECK(caseFor(row).deployment.engine->memoryFraction == doctest::Approx(0.8));
}

TEST_CASE("eight cards stand in a machine that holds eight")
{
    CHECK(caseFor(saturated("vLLM", "Llama-3-8B", "RTX-4090", 4)).deployment.node->gpusPerNode == 4);
    CHECK(caseFor(saturated("vLLM", "Llama-3-8B", "RTX-4090", 8)).deployment.node->gpusPerNode == 8);
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
