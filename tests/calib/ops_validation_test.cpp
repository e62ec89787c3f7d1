#include "calib/validate/ops_validation.h"
#include "calib/validate/row_engine.h"
#include "calib/validate/row_types.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

using namespace headroom;
using tests::shipped;

TEST_CASE("published times of single operators are met within a few tens of percent")
{
    // microsoft/vidur@7d47513, A100 80GB and H100 SXM, Llama-2-70B's fused up projection at 64 and 4,096
    // rows.
    const auto report = validateOps("gpu,op,dtype,m,n,k,time_us\n"
                                    "a100-sxm-80gb,gemm,fp16,64,57344,8192,604\n"
                                    "a100-sxm-80gb,gemm,fp16,4096,57344,8192,15940\n"
                                    "h100-sxm-80gb,gemm,fp16,64,57344,8192,319\n"
                                    "h100-sxm-80gb,gemm,fp16,4096,57344,8192,5668\n",
                                    "ops.csv", shipped(), "vllm");
    REQUIRE(report.has_value());
    CHECK(report->all.used == 4);
    for (const JudgedRow& row : report->rows)
        CHECK(std::abs(row.error()) < 0.25);
    CHECK(report->by.at("metric").count("gemm") == 1);
}

TEST_CASE("operators that cannot be predicted say why, and a file without times is refused")
{
    const auto report = validateOps("gpu,op,time_us\nno-such-gpu,gemm,1\nh100-sxm-80gb,magic,1\n", "ops.csv",
                                    shipped(), "vllm");
    REQUIRE(report.has_value());
    CHECK(report->all.used == 0);
    CHECK(report->rows[0].whySkipped.english().find("accelerator") != std::string::npos);
    CHECK(report->rows[1].whySkipped.english().find("magic") != std::string::npos);
    CHECK(!validateOps("gpu,op\nx,gemm\n", "ops.csv", shipped(), "vllm").has_value());
}

TEST_CASE("a row without what its operator needs is skipped and says what")
{
    const auto why = [](const std::string& row) {
        const auto report = validateOps(
            "gpu,op,dtype,m,n,k,batch,context,heads,kv_heads,head_dim,bytes,ranks,time_us\n" + row + '\n',
            "ops.csv", shipped(), "vllm");
        REQUIRE(report.has_value());
        REQUIRE(report->rows.size() == 1);
        CHECK(!report->rows[0].used);
        return report->rows[0].whySkipped.english();
    };
    CHECK(why("h100,gemm,bf16,64,4096,,,,,,,,,10") == "needs a figure in column 'k'");
    CHECK(why("h100,gemm,bf16,64,-4096,4096,,,,,,,,10")
          == "column 'n' expects a positive figure, got '-4096'");
    CHECK(why("h100,gemm,bf16,64,4096,4096,,,,,,,,soon")
          == "column 'time_us' expects a positive figure, got 'soon'");
    CHECK(why("h100,attention_decode,bf16,,,,8,1024,32,8,,,,10") == "needs a figure in column 'head_dim'");
    CHECK(why("h100,all_reduce,bf16,,,,,,,,,1048576,,10") == "needs a figure in column 'ranks'");
    CHECK(why("h100,all_reduce,bf16,,,,,,,,,1048576,1,10") == "column 'ranks' expects 2 or more");
    CHECK(why("h100,copy,,,,,,,,,,,,10") == "needs a figure in column 'bytes'");
}

TEST_CASE("every operator of the contract is predicted")
{
    const auto report
        = validateOps("gpu,op,dtype,m,n,k,batch,context,heads,kv_heads,head_dim,bytes,ranks,time_us\n"
                      "h100,gemm,fp8,64,4096,4096,,,,,,,,12\n"
                      "h100,attention_prefill,bf16,512,,,1,4096,32,8,128,,,100\n"
                      "h100,attention_decode,fp8,,,,8,1024,32,8,128,,,20\n"
                      "h100,all_reduce,bf16,,,,,,,,,1048576,8,25\n"
                      "h100,all_gather,bf16,,,,,,,,,1048576,8,20\n"
                      "h100,send_recv,bf16,,,,,,,,,1048576,2,15\n"
                      "h100,copy,,,,,,,,,,1e9,,350\n"
                      "h100,elementwise,bf16,,,,,,,,,1e6,,4\n",
                      "ops.csv", shipped(), "vllm");
    REQUIRE(report.has_value());
    for (const JudgedRow& row : report->rows)
        CHECK_MESSAGE(row.used, row.operation << ": " << row.whySkipped.english());
    // Reading and writing 1 GB on an H100 takes between its bandwidth's time and twice that.
    const double copied = report->rows[6].predicted.value;
    CHECK(copied > 1e9 / 3.35e12 * 1e6);
    CHECK(copied < 2 * 1e9 / 3.35e12 * 1e6);
}

TEST_CASE("a row names the preset of its engine's version")
{
    const auto of
        = [](const char* name, const char* version) { return (*engineOf(shipped(), name, version))->id; };
    CHECK(of("vLLM", "0.6.3.post2 (Nov 2024)") == "vllm-v0");
    CHECK(of("vLLM", "0.11.2") == "vllm-2025");
    CHECK(of("vLLM", "0.18.0") == "vllm");
    CHECK(of("TensorRT-LLM", "0.14.0") == "tensorrt-llm-2024");
    CHECK(of("TensorRT-LLM", "1.2.0rc6.post3") == "tensorrt-llm");
}

TEST_CASE("cells that name a type in their own way are read")
{
    CHECK(storedTypeOf("fp16/bf16 (doc: Mixed)") == DType::Fp16);
    CHECK(storedTypeOf("gptq-int4") == DType::Int4);
    CHECK(storedTypeOf("awq") == DType::Int4);
    CHECK(storedTypeOf("awq-int4 g128") == DType::Int4);
    CHECK(storedTypeOf("gptq-4bit g128") == DType::Int4);
    CHECK(storedTypeOf("int8 gptq") == DType::Int8);
    CHECK(storedTypeOf("int4 weight-only") == DType::Int4);
    CHECK(!storedTypeOf("EXL2 2.5 bpw").has_value());
}
