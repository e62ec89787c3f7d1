// What verbs tell in Chinese: answers, tables, what is refused.
#include "headroom_source_dir.h"
#include "tests/app/cli/chinese_words.h"
#include "tests/app/cli/predict_words.h"
#include "tests/app/cli/process.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

using namespace headroom::test;

namespace {

std::string dataFile(const std::string& name)
{
    return std::string(HEADROOM_SOURCE_DIR) + "/tests/data/" + name;
}

} // namespace

TEST_CASE("a sentence of English is found between Chinese, a name or a command is not")
{
    CHECK(englishIn("结论  stable: the queue does not grow\n")
          == std::vector<std::string>{"the queue does not grow"});
    CHECK(englishIn("放得下, room for 39 序列").size() == 1);
    CHECK(
        englishIn("DeepSeek R1 671B，16 × NVIDIA H100 SXM 80GB（TP 16），vLLM，`validate the rows`").empty());
    CHECK(englishIn("预填充  gate_up  32  7.32 ms").empty());
}

TEST_CASE("predict, simulate and launch leave no English in a Chinese answer")
{
    for (const std::vector<std::string>& machine : std::vector<std::vector<std::string>>{
             {"--model", "deepseek-r1", "--gpu", "h100-sxm-80gb", "--tp", "16", "--batch", "8"},
             {"--model", "llama-3.1-8b", "--gpu", "apple-m3-ultra", "--engine", "llama.cpp", "--tp", "1"}}) {
        checkChinese(with({"predict"}, machine), 0);
        checkChinese(with({"predict", "--markdown"}, machine), 0);
        checkChinese(with({"predict", "--operators"}, machine), 0);
        checkChinese(with({"launch"}, machine), 0);
    }
    checkChinese({"predict", "--model", "llama-3.1-70b", "--gpu", "l4", "--tp", "1"}, 1);
    checkChinese({"simulate", "--model", "llama-3.1-70b", "--gpu", "l4", "--tp", "1", "--rps", "1"}, 1);
    const std::vector<std::string> small{"simulate", "--model", "llama-3.1-8b", "--gpu", "l40s",
                                         "--tp",     "1",       "--requests",   "200"};
    checkChinese(with(small, {"--rps", "2", "--tps", "10"}), 0);
    checkChinese(with(small, {"--rps", "200", "--ttft", "1"}), 1); // overloaded
    checkChinese(with(small, {"--concurrency", "8", "--markdown"}), 0);
    checkChinese(with(small, {"--rps", "2", "--prefill-replicas", "1"}), 0);
}

TEST_CASE("start lines of every kind have Chinese comments")
{
    const std::vector<std::string> pools{
        "launch", "--model", "llama-3.1-8b", "--gpu", "h100-sxm-80gb", "--disaggregate", "only",
        "--rps",  "20",      "--ttft",       "2"};
    checkChinese(pools, 0);
    checkChinese(with(pools, {"--kubernetes"}), 0);
    checkChinese(with(pools, {"--slurm"}), 0);
    checkChinese({"launch", "--model", "deepseek-r1", "--gpu", "h200-sxm-141gb", "--engine", "tensorrt-llm",
                  "--tp", "8", "--replicas", "2"},
                 0);
    checkChinese({"launch", "--model", "llama-3.1-70b", "--gpu", "mi300x", "--engine", "vllm", "--weights",
                  "int4", "--tp", "1", "--kubernetes"},
                 0);
}

TEST_CASE("what is refused is told in Chinese, words of the command line too")
{
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"predict", "--model", "llama-3.1-8b", "--gpu", "l4", "--tp", "x", "--bach", "4"},
             {"predict", "--model", "lama-3.1-8b", "--gpu", "l44", "--weights", "bf61", "--tps", "-1"},
             {"predict", "--model", "llama-3.1-8b", "--gpu", "l4", "--json", "--csv"},
             {"predict", "--model", "llama-3.1-8b", "--gpu", "l4", "--gpu", "l4", "--batch"},
             {"predict", "--model", "llama-3.1-8b", "--gpu", "l4", "--explain", "nothing"},
             {"simulate", "--model", "llama-3.1-8b", "--gpu", "l4", "--network", "900", "--routing", "any",
              "--class", "x share=2", "--prefill-tp", "2"},
             {"launch", "--model", "llama-3.1-8b", "--gpu", "l4", "--engine", "tgi", "--kv", "int4"},
             {"sweep", "--model", "llama-3.1-8b", "--gpu", "l4"},
             {"compare", "--model", "llama-3.1-8b", "--gpu", "l4"},
             {"show", "no-such-thing"},
             {"list", "modles"}})
        checkChinese(words, 2);
}

TEST_CASE("the catalogue is listed and shown in Chinese; sources and remarks stay as they were written")
{
    for (const char* kind : {"models", "gpus", "engines", "nodes", "calibrations"}) {
        CAPTURE(kind);
        const Finished done = headroomProgram({"list", kind, "--lang", "zh"});
        CHECK(done.exitCode == 0);
        CHECK(listed(englishIn(done.out.substr(0, done.out.find('\n')))) == "");
    }
    for (const std::vector<std::string>& entry : std::vector<std::vector<std::string>>{
             {"model", "deepseek-r1"}, {"gpu", "h200"}, {"node", "dgx-h100"}, {"engine", "tensorrt-llm"}}) {
        CAPTURE(entry.back());
        const Finished done = headroomProgram(with(with({"show"}, entry), {"--lang", "zh"}));
        CHECK(done.exitCode == 0);
        const std::size_t sources = done.out.find("\n来源\n");
        REQUIRE(sources != std::string::npos);
        std::istringstream lines(done.out.substr(0, sources));
        std::string told;
        for (std::string line; std::getline(lines, line);)
            if (!line.starts_with("备注") && !line.starts_with("价格范围") && !line.starts_with("别名"))
                told += line + '\n';
        CHECK(listed(englishIn(told)) == "");
        CHECK(listed(englishIn(done.err)) == "");
    }
}

TEST_CASE("what is wrong with files of the user is told in Chinese")
{
    const TemporaryFile scenario("model: !x llama-3.1-8b\ngpu: l4\n");
    const TemporaryFile keys("model: llama-3.1-8b\ngpu: l4\ntp: x\nbach: 4\ntp: 2\n");
    const TemporaryFile trace("arrival_s,prompt_tokens\n0,5\n");
    const TemporaryFile late("arrival_s,prompt_tokens,output_tokens\n-1,5,9\n2,x,9\n3,5\n");
    const std::vector<std::string> machine{"--model", "llama-3.1-8b", "--gpu", "l4"};
    checkChinese({"predict", "--scenario", scenario.path()}, 2);
    checkChinese({"predict", "--scenario", keys.path()}, 2);
    checkChinese({"predict", "--scenario", "/nowhere.yaml"}, 2);
    checkChinese(with(with({"simulate"}, machine), {"--trace", trace.path()}), 2);
    checkChinese(with(with({"simulate"}, machine), {"--trace", late.path()}), 2);
    checkChinese({"check", keys.path(), scenario.path(), "/nowhere.yaml"}, 2);
    const TemporaryFile good("model: llama-3.1-8b\ngpu: l4\n");
    checkChinese({"check", good.path()}, 0);
    const TemporaryFile gpu("id: x y\nname: -a\ncompute: 5\nmemory: {size: 80 Gb, bandwidth: 3 TB}\n");
    checkChinese({"check", gpu.path()}, 2);
}

TEST_CASE("import tells in Chinese what it took, what is missing and what it refuses")
{
    checkSaysChinese({"import", "model", dataFile("hf_configs/Falcon-40B.json")}, 0);
    checkSaysChinese({"import", "bench", dataFile("bench/llmperf_individual_responses.json")}, 0);
    const TemporaryFile written("", ".csv");
    checkSaysChinese({"import", "bench", dataFile("bench/llama_bench.md"), "-o", written.path()}, 2);
    checkSaysChinese({"import", "bench", dataFile("bench/llama_bench.md"), "--replace", "-o", written.path()},
                     0);
    const TemporaryFile unknown(R"({"architectures": ["NewForCausalLM"]})", ".json");
    const TemporaryFile wrong(
        R"({"architectures": ["LlamaForCausalLM"], "hidden_size": "x", "num_hidden_layers": {}})", ".json");
    const TemporaryFile broken(R"({"architectures" 5})", ".json");
    const TemporaryFile weights("GGUX", ".gguf");
    const TemporaryFile tensors("12345678901", ".safetensors");
    for (const TemporaryFile* file : {&unknown, &wrong, &broken, &weights, &tensors})
        checkSaysChinese({"import", "model", file->path()}, 2);
    const TemporaryFile rows("model,gpu,metric,value,unit,tp\nm,g,speed,-1,s,x\nm,g,tpot,nan,s,0\n", ".csv");
    const TemporaryFile table("| model | test | t/s |\n|---|---|---|\n| llama 8B | xx9 | fast |\n", ".md");
    const TemporaryFile neither(R"({"a": 1})", ".json");
    for (const TemporaryFile* file : {&rows, &table, &neither})
        checkSaysChinese({"import", "bench", file->path()}, 2);
    checkSaysChinese(
        {"import", "bench", neither.path(), "--gpus", "x", "--prompt", "long", "--concurrency", "all"}, 2);
    checkSaysChinese({"import", "weights", neither.path()}, 2);
    checkSaysChinese({"import", "model"}, 2);
}

TEST_CASE("calibrate tells in Chinese what it measured and what it refuses")
{
    const TemporaryFile written("");
    std::filesystem::remove(written.path());
    // As many of a card's samples as tell its own rates.
    std::ifstream all(dataFile("h100/h100-sxm-80gb-headroom.samples.csv"));
    std::string some;
    std::size_t count = 0;
    for (std::string line; count < 400 && std::getline(all, line); ++count)
        some += line + '\n';
    const TemporaryFile kept(some, ".csv");
    const std::string samples = kept.path();
    const Finished done
        = headroomProgram({"calibrate", "--refit", samples, "-o", written.path(), "--lang", "zh"});
    CHECK(done.exitCode == 0);
    CHECK(listed(englishIn(done.err)) == "");
    std::istringstream lines(done.out);
    std::string told; // forms, devices, their states and sources go by their own names
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("注") || line.starts_with("  通过") || line.find("可信") != std::string::npos
            || line.find("测点") != std::string::npos)
            told += line + '\n';
    CAPTURE(told);
    CHECK(told.find("通过 ") != std::string::npos);
    CHECK(told.find("held out") == std::string::npos);
    CHECK(told.find(" error") == std::string::npos);
    checkSaysChinese({"calibrate", "--device", "abacus", "-o", written.path() + ".yaml"}, 2);
    checkSaysChinese({"calibrate", "--device", "abacus", "--seconds", "long", "--seed", "-1", "-o", "x.txt"},
                     2);
    checkSaysChinese({"calibrate", "--device", "cpu", "-o", written.path()}, 2);
    checkSaysChinese({"calibrate", "--device", "cpu", "--links"}, 2);
    checkSaysChinese(
        {"calibrate", "--device", "cpu", "--model", "deepseek-r1", "-o", written.path() + ".yaml"}, 2);
    checkSaysChinese({"calibrate", "--refit", samples, "--quick", "--resume"}, 2);
    checkSaysChinese({"calibrate", "--refit", written.path(), "-o", written.path()}, 2);
}

TEST_CASE("validate tells its tables and its reasons in Chinese; pages and documents are in English")
{
    const TemporaryFile rows(
        "id,source,engine,engine_version,model,gpu,gpus,tp,weight_dtype,input_len,output_len,batch_or_"
        "concurrency,"
        "metric,value,unit,notes\n"
        "r1,bench,vLLM,0.9,Llama-3.1-8B,H100-SXM,1,1,bf16,1024,256,8,tpot_ms,9,ms,\n"
        "r2,bench,vLLM,,Llama-3.1-8B,H100-SXM,1,1,bf16,1024,256,64,output_throughput_tok_s_total,3000,tok/"
        "s,\n"
        "r3,bench,vLLM,0.9,Llama-3.1-8B,H100-SXM,1,1,bf16,1024,256,1,tpot_ms,0.01,ms,static batch\n"
        "r4,bench,vLLM,0.9,Llama-3.1-8B,H100-SXM,,,bf16,1024,256,8,tpot_ms,9,ms,\n"
        "r5,bench,vLLM,0.9,Llama-3.1-8B,H100-SXM,1,1,bf16,some,256,8,tpot_ms,9,ms,\n"
        "r6,bench,vLLM,0.9,Llama-9-1000B,H100-SXM,1,1,bf16,1024,256,8,tpot_ms,9,ms,\n",
        ".csv");
    const auto toldOf = [](const std::string& told) { // names of groups are those of the rows
        std::istringstream lines(told);
        std::string out;
        for (std::string line; std::getline(lines, line);)
            if (!line.starts_with("static batch") && !line.starts_with("one box")
                && line.find("| static batch") == std::string::npos
                && line.find("one box") == std::string::npos && line.find("not known") == std::string::npos
                && line.find("not stated") == std::string::npos)
                out += line + '\n';
        return out;
    };
    for (const std::vector<std::string>& form : std::vector<std::vector<std::string>>{{}, {"--markdown"}}) {
        const Finished done = headroomProgram(with(with({"validate", rows.path()}, form), {"--lang", "zh"}));
        CHECK(done.exitCode == 0);
        CHECK(done.out.find("误差中位数") != std::string::npos);
        CHECK(done.out.find("既没有给出 GPU 数量") != std::string::npos);
        CHECK(listed(englishIn(toldOf(done.out))) == "");
        CHECK(listed(englishIn(done.err)) == "");
    }
    const TemporaryFile page("", ".md");
    checkSaysChinese({"validate", rows.path(), rows.path(), "--write-report", page.path()}, 0);
    std::ifstream written(page.path());
    const std::string text{std::istreambuf_iterator<char>(written), {}};
    CHECK(text.starts_with("# Accuracy\n"));
    CHECK(text.find("## Not used\n\n| reason | rows |") != std::string::npos);
    CHECK(headroomProgram({"validate", rows.path(), "--csv", "--lang", "zh"}).out
          == headroomProgram({"validate", rows.path(), "--csv"}).out);
    for (const std::vector<std::string>& flags :
         std::vector<std::vector<std::string>>{{"--row", "r1"},
                                               {"--row", "r9", "--command"},
                                               {"--row", "r5", "--command"},
                                               {"--ops"},
                                               {"--fit-engine", "x.yaml", "--ops"},
                                               {"--calibration", "x.yaml", "--hold-out"},
                                               {"--calibration", "/nowhere.yaml"},
                                               {rows.path(), "--ops"}})
        checkSaysChinese(with({"validate", rows.path()}, flags), 2);
    checkSaysChinese({"validate"}, 2);
}

TEST_CASE("fit-engine tells in Chinese what it fitted, what it passed over and what it refuses")
{
    const std::vector<std::string> machine{"--model", "llama-3.1-8b", "--gpu", "h100-sxm-80gb"};
    const std::vector<std::string> measured{"fit-engine", dataFile("h100/llama-cpp/h100-qwen2.5-7b.json")};
    checkChinese(with(measured, {"--check"}), 0);
    const TemporaryFile written("");
    checkChinese(with(measured, {"--points", "-o", written.path()}), 0);
    CHECK(headroomProgram(with(measured, {"--check", "--json", "--lang", "zh"})).out
          == headroomProgram(with(measured, {"--check", "--json"})).out);
    checkSaysChinese(with(measured, {"--gpu", "l4", "--check"}), 2);
    checkSaysChinese({"fit-engine", dataFile("bench/guidellm.json")}, 2);
    checkSaysChinese(with({"fit-engine", dataFile("bench/vllm_bench_serve.json")}, machine), 2);
    checkSaysChinese(with({"fit-engine", dataFile("bench/k6_out.csv"), "--check"}, machine), 2);
    checkSaysChinese({"fit-engine", "/nowhere.json"}, 2);
    checkSaysChinese({"fit-engine"}, 2);
}
