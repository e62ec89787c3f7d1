#include "calib/validate/ops_validation.h"
#include "calib/validate/row_case.h"

#include <doctest/doctest.h>

using namespace headroom;

namespace {

const Catalogue& catalogue()
{
    static const auto opened = Catalogue::open(HEADROOM_SOURCE_DIR);
    REQUIRE(opened.has_value());
    return **opened;
}

} // namespace

TEST_CASE("published times of single operators are met within a few tens of percent")
{
    // microsoft/vidur@7d47513, A100 80GB and H100 SXM, Llama-2-70B's fused up projection at 64 and 4,096
    // rows.
    const auto report = validateOps("gpu,op,dtype,m,n,k,time_us\n"
                                    "a100-sxm-80gb,gemm,fp16,64,57344,8192,604\n"
                                    "a100-sxm-80gb,gemm,fp16,4096,57344,8192,15940\n"
                                    "h100-sxm-80gb,gemm,fp16,64,57344,8192,319\n"
                                    "h100-sxm-80gb,gemm,fp16,4096,57344,8192,5668\n",
                                    "ops.csv", catalogue(), "vllm");
    REQUIRE(report.has_value());
    CHECK(report->all.used == 4);
    for (const JudgedRow& row : report->rows)
        CHECK(std::abs(row.error()) < 0.25);
    CHECK(report->by.at("metric").count("gemm") == 1);
}

TEST_CASE("operators that cannot be predicted say why, and a file without times is refused")
{
    const auto report = validateOps("gpu,op,time_us\nno-such-gpu,gemm,1\nh100-sxm-80gb,magic,1\n", "ops.csv",
                                    catalogue(), "vllm");
    REQUIRE(report.has_value());
    CHECK(report->all.used == 0);
    CHECK(report->rows[0].whySkipped.find("accelerator") != std::string::npos);
    CHECK(report->rows[1].whySkipped.find("magic") != std::string::npos);
    CHECK(!validateOps("gpu,op\nx,gemm\n", "ops.csv", catalogue(), "vllm").has_value());
}

TEST_CASE("a row names the preset of its engine's version")
{
    const auto of
        = [](const char* name, const char* version) { return (*engineOf(catalogue(), name, version))->id; };
    CHECK(of("vLLM", "0.6.3.post2 (Nov 2024)") == "vllm-v0");
    CHECK(of("vLLM", "0.11.2") == "vllm");
    CHECK(of("vLLM", "0.18.0") == "vllm-2026");
    CHECK(of("TensorRT-LLM", "0.14.0") == "tensorrt-llm-2024");
    CHECK(of("TensorRT-LLM", "1.2.0rc6.post3") == "tensorrt-llm");
}

TEST_CASE("cells that name a type in their own way are read")
{
    CHECK(storedTypeOf("fp16/bf16 (doc: Mixed)") == DType::Fp16);
    CHECK(storedTypeOf("gptq-int4") == DType::Int4);
    CHECK(storedTypeOf("awq") == DType::Int4);
    CHECK(!storedTypeOf("EXL2 2.5 bpw").has_value());
}
