// Every verb that writes a file, with each system call of the writing failing or being the last.

#include "headroom_source_dir.h"
#include "tests/app/cli/process.h"
#include "tests/sanitized.h"
#include "tests/thorough.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using headroom::test::Finished;
using headroom::test::headroomProgram;
using headroom::test::sanitized;
using headroom::test::thorough;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

class Folder {
public:
    Folder()
    {
        std::string name = (fs::temp_directory_path() / "headroom-writers-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        m_path = name;
        fs::create_directory(m_path / "out");
    }
    ~Folder() { fs::remove_all(m_path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] const fs::path& path() const { return m_path; }
    [[nodiscard]] fs::path file(const std::string& name) const { return m_path / "out" / name; }
    [[nodiscard]] std::size_t files() const
    {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(m_path / "out"), fs::directory_iterator()));
    }

private:
    fs::path m_path;
};

std::string content(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void put(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

Words predict(const std::string& file)
{
    return {"predict", "--model", "llama-3.1-8b", "--gpu", "h100-sxm-80gb", "--json", "-o", file};
}

// One way in which a verb writes a file.
struct Writer {
    Words words;
    fs::path file;
    // Whether what stands in the file is what the verb writes; by default, what it wrote undisturbed.
    std::function<bool(const std::string& now, const std::string& newer)> whole
        = [](const std::string& now, const std::string& newer) { return now == newer; };
    std::vector<int> errors{EIO, 0}; // 0: killed
    int stride = 1;                  // of the calls that fail, every day: where a run takes long
};

// One row of measurements for `validate`.
constexpr const char* measuredRow
    = "id,source,engine,model,gpu,gpus,tp,pp,dp,weight_dtype,kv_dtype,input_len,output_len,"
      "batch_or_concurrency,metric,value,unit\n"
      "one,here,vllm,llama-3.1-8b,h100-sxm-80gb,1,1,1,1,bf16,bf16,512,128,16,tpot_ms,9,ms\n";

// A document whose head tells the hour in which it was made.
bool wholePdf(const std::string& now, const std::string& newer)
{
    return now.starts_with("%PDF-") && now.ends_with("%%EOF\n") && now.size() > newer.size() / 2;
}

std::vector<Writer> writers(const Folder& folder)
{
    const std::string source = HEADROOM_SOURCE_DIR "/tests/data/";
    const auto at = [&](const char* name) { return folder.file(name).string(); };
    const Words traffic{"simulate", "--model", "llama-3.1-8b", "--gpu",    "h100-sxm-80gb", "--rps",
                        "2",        "--json",  "--requests",   "40",       "--prompt",      "128",
                        "--output", "16",      "--timeline",   at("t.csv")};
    std::vector<Writer> all{
        {.words = predict(at("p.json")), .file = at("p.json"), .errors = {ENOSPC, EIO, EINTR, 0}},
        {.words = {"import", "model", source + "hf_configs/Falcon-40B.json", "--replace", "-o", at("m.yaml")},
         .file = at("m.yaml")},
        {.words = {"import", "bench", source + "bench/vllm_bench_serve.json", "--replace", "-o", at("b.csv")},
         .file = at("b.csv")},
        {.words = traffic, .file = at("t.csv")},
        {.words = {"fit-engine", source + "bench/llama_bench.md", "--model", "llama-3.1-8b", "--gpu", "l40s",
                   "-o", at("e.yaml")},
         .file = at("e.yaml")},
    };
    for (const char* flag : {"--html", "--write-report", "--record"})
        all.push_back({.words = {"validate", folder.path() / "rows.csv", flag, at("v")}, .file = at("v")});
    if (fs::exists(fs::path(HEADROOM_PROGRAM).parent_path() / "headroom-report"))
        all.push_back({.words = {"report", "--model", "llama-3.1-8b", "--gpu", "l40s", "--tps", "20", "-o",
                                 at("r.pdf")},
                       .file = at("r.pdf"),
                       .whole = wholePdf,
                       .stride = 2});
    return all;
}

std::string shell(const std::string& command)
{
    const fs::path said = fs::temp_directory_path() / ("headroom-said-" + std::to_string(getpid()));
    const int status = std::system((command + " 2>" + said.string()).c_str());
    std::string out = std::to_string(WEXITSTATUS(status)) + " " + content(said);
    fs::remove(said);
    return out;
}

} // namespace

namespace {

// The n-th call of the writing fails with this error, or is the last one.
void befall(const Folder& folder, int at, int error)
{
    ::setenv("HEADROOM_TEST_FAULT",
             fmt::format("{} {} {} {}", at, error, (folder.path() / "mark").string(),
                         (folder.path() / "out").string())
                 .c_str(),
             1);
}

void checkDocument(const Writer& writer, const Finished& done, const std::string& what)
{
    if (std::find(writer.words.begin(), writer.words.end(), "--json") == writer.words.end())
        return;
    const auto document = nlohmann::json::parse(done.out);
    CHECK(document.at("schema") == "headroom.error/1");
    CHECK(document.at("problems").at(0).at("where") == writer.file.string());
    CHECK(document.at("problems").at(0).at("what") == "could not be written: " + what);
}

void checkFault(const Writer& writer, const Folder& folder, const Finished& done, const std::string& older,
                const std::string& newer, int error, int plainCode)
{
    const std::string now = content(writer.file);
    const bool isNew = writer.whole(now, newer);
    CHECK((now == older || isNew));
    if (error == 0) {
        CHECK(done.exitCode != plainCode);
        return;
    }
    CHECK(folder.files() == 1);
    if (done.exitCode == plainCode) {
        CHECK(isNew);
        return;
    }
    CHECK(done.exitCode == 3);
    CHECK(done.err.find(writer.file.string()) != std::string::npos);
    CHECK(done.err.find(std::string("could not be written: ") + std::strerror(error)) != std::string::npos);
    checkDocument(writer, done, std::strerror(error));
}

} // namespace

TEST_CASE("every writer, whichever call fails: the old file or the new one, the reason, and exit code 3"
          * doctest::skip(sanitized))
{
    const Folder folder;
    const std::string older = "what was there before\n";
    const fs::path mark = folder.path() / "mark";
    put(folder.path() / "rows.csv", measuredRow);
    ::setenv("LD_PRELOAD", HEADROOM_FAILING_CALLS, 1);
    for (const Writer& writer : writers(folder)) {
        ::unsetenv("HEADROOM_TEST_FAULT");
        fs::remove(writer.file);
        const Finished plain = headroomProgram(writer.words);
        CAPTURE(writer.words.front());
        CHECK_MESSAGE(plain.exitCode <= 1, plain.err);
        const std::string newer = content(writer.file);
        REQUIRE_FALSE(newer.empty());
        // Every day each call meets one of the errors, in turn; else each call meets all of them.
        const auto kinds = writer.errors.size();
        for (std::size_t round = 0; round < (thorough() ? kinds : 1); ++round) {
            std::size_t befallen = 0;
            for (int at = 1;; at += thorough() ? 1 : writer.stride, ++befallen) {
                const int error = writer.errors[(round + befallen) % kinds];
                fs::remove(mark);
                for (const auto& left : fs::directory_iterator(folder.path() / "out"))
                    fs::remove(left.path());
                put(writer.file, older);
                befall(folder, at, error);
                const Finished done = headroomProgram(writer.words);
                if (!fs::exists(mark))
                    break;
                CAPTURE(at);
                CAPTURE(error);
                CAPTURE(done.err);
                checkFault(writer, folder, done, older, newer, error, plain.exitCode);
            }
            CHECK(befallen
                  >= (thorough() ? 6 : 6 / writer.stride)); // open, mode, write, flush, close, rename
        }
    }
    ::unsetenv("HEADROOM_TEST_FAULT");
    ::unsetenv("LD_PRELOAD");
}

TEST_CASE("the index of the catalogue, whichever call fails: each of its files is the old or the new one"
          * doctest::skip(sanitized))
{
    const Folder folder;
    const fs::path root = folder.path() / "out" / "catalogue";
    fs::create_directories(root);
    for (const char* part : {"hw_profiles", "models", "resources"})
        fs::copy(fs::path(HEADROOM_SOURCE_DIR) / part, root / part, fs::copy_options::recursive);
    const auto indexFiles = [&] {
        std::map<fs::path, std::string> all;
        for (const auto& one : fs::recursive_directory_iterator(root))
            if (one.path().filename() == "index.yaml")
                all[one.path()] = content(one.path());
        return all;
    };
    ::setenv("HEADROOM_DATA", root.c_str(), 1);
    ::setenv("LD_PRELOAD", HEADROOM_FAILING_CALLS, 1);
    REQUIRE(headroomProgram({"check", "--write-index"}).exitCode == 0);
    const std::map<fs::path, std::string> newer = indexFiles();
    REQUIRE(newer.size() == 3);
    for (const int round : {0, 1}) {
        if (round == 1 && !thorough())
            break;
        int befallen = 0;
        for (int at = 1;; ++at, ++befallen) {
            const int error = (round + at) % 2 == 0 ? EIO : 0;
            fs::remove(folder.path() / "mark");
            for (const auto& [file, text] : newer)
                put(file, "# older\n" + text);
            befall(folder, at, error);
            const Finished done = headroomProgram({"check", "--write-index"});
            if (!fs::exists(folder.path() / "mark"))
                break;
            CAPTURE(at);
            CAPTURE(error);
            CAPTURE(done.err);
            for (const auto& [file, text] : indexFiles()) {
                CAPTURE(file);
                const bool whole = text == newer.at(file) || text == "# older\n" + newer.at(file);
                CHECK(whole);
            }
            if (done.exitCode == 0) { // closing the folder tells nothing that matters
                CHECK(indexFiles() == newer);
                continue;
            }
            CHECK(done.exitCode == (error == 0 ? -1 : 3));
            if (error != 0)
                CHECK(done.err.find(std::strerror(error)) != std::string::npos);
        }
        CHECK(befallen >= 3 * 6);
    }
    ::unsetenv("HEADROOM_TEST_FAULT");
    ::unsetenv("LD_PRELOAD");
    ::unsetenv("HEADROOM_DATA");
}

TEST_CASE("-o writes what would go to standard output, and says nothing else")
{
    const Folder folder;
    const Words scenario{"--model",  "llama-3.1-8b", "--gpu",    "h100-sxm-80gb",
                         "--prompt", "128",          "--output", "16"};
    const auto with = [&](Words words, const Words& more) {
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    const std::vector<Words> verbs{
        {"ask", "how many A100s for Llama-70B at 20 TPS"},
        with({"size", "--tps", "20"}, {"--model", "llama-3.1-8b", "--gpu", "h100-sxm-80gb"}),
        with({"predict", "--json"}, scenario),
        with({"simulate", "--json", "--no-wall", "--rps", "2", "--requests", "30"}, scenario),
        with({"sweep", "--csv", "--over", "tp=1,2"}, scenario),
        with({"compare"}, {"--model", "llama-3.1-8b", "--gpu", "h100-sxm-80gb,l40s", "--tps", "20"}),
        {"fit", "--gpu", "l40s"},
        {"list", "gpus", "--json"},
        {"show", "gpu", "l40s", "--markdown"},
        {"check", HEADROOM_SOURCE_DIR "/models/llama-3.1-8b.yaml"},
        with({"launch", "--slurm", "--tp", "1", "--engine", "vllm"}, scenario),
    };
    for (const Words& words : verbs) {
        CAPTURE(words.front());
        const Finished shown = headroomProgram(words);
        const std::string file = folder.file("result").string();
        for (const char* flag : {"-o", "--output-file"}) {
            fs::remove(file);
            const Finished kept = headroomProgram(with(words, {flag, file}));
            CHECK_MESSAGE(kept.exitCode == shown.exitCode, kept.err);
            CHECK(kept.out.empty());
            CHECK(content(file) == shown.out);
        }
    }
}

TEST_CASE("two simulations of one question give the same document")
{
    const Words words{"simulate", "--model",    "llama-3.1-8b", "--gpu",  "l40s",     "--rps",
                      "2",        "--requests", "40",           "--json", "--no-wall"};
    const Finished first = headroomProgram(words);
    CHECK(first.exitCode <= 1);
    CHECK(first.out == headroomProgram(words).out);
}

TEST_CASE("where the folder of one's own calibrations cannot be made, that is what is told")
{
    const Folder folder;
    put(folder.file("file"), "");
    ::setenv("XDG_DATA_HOME", folder.file("file").c_str(), 1);
    const Finished done
        = headroomProgram({"fit-engine", HEADROOM_SOURCE_DIR "/tests/data/bench/llama_bench.md", "--model",
                           "llama-3.1-8b", "--gpu", "l40s"});
    ::unsetenv("XDG_DATA_HOME");
    CHECK(done.exitCode == 3);
    CHECK(done.err.find("headroom/calibrations: could not be written: Not a directory") != std::string::npos);
}

TEST_CASE("a refusal leaves the file of -o as it was")
{
    const Folder folder;
    put(folder.file("r.json"), "older");
    Words words = predict(folder.file("r.json").string());
    words.insert(words.end(), {"--tp", "3.5"});
    const Finished done = headroomProgram(words);
    CHECK(done.exitCode == 2);
    CHECK(nlohmann::json::parse(done.out).at("schema") == "headroom.error/1");
    CHECK(content(folder.file("r.json")) == "older");
}

TEST_CASE("an import keeps what is there unless it is told to replace it")
{
    const Folder folder;
    put(folder.file("m.yaml"), "corrected by hand");
    Words words{"import", "model", HEADROOM_SOURCE_DIR "/tests/data/hf_configs/Falcon-40B.json", "-o",
                folder.file("m.yaml").string()};
    const Finished refused = headroomProgram(words);
    CHECK(refused.exitCode == 2);
    CHECK(refused.err.find("--replace") != std::string::npos);
    CHECK(content(folder.file("m.yaml")) == "corrected by hand");
    words.emplace_back("--replace");
    CHECK(headroomProgram(words).exitCode == 0);
    CHECK(content(folder.file("m.yaml")).find("falcon") != std::string::npos);
}

TEST_CASE("a full or closed standard output is told by every verb, with exit code 3")
{
    const std::string scenario = " --model llama-3.1-8b --gpu l40s";
    for (const std::string& words :
         {std::string("list gpus"), std::string("show gpu l40s"), "predict" + scenario,
          "fit --gpu l40s" + std::string(), "size --tps 5" + scenario, "sweep --csv --over tp=1,2" + scenario,
          "launch --tp 1" + scenario, std::string("ask \"how many L40S for Llama 8B at 10 TPS\""),
          std::string("--help"), "simulate --rps 1 --requests 20" + scenario,
          "check " HEADROOM_SOURCE_DIR "/models/llama-3.1-8b.yaml" + std::string()}) {
        CAPTURE(words);
        const std::string full = shell(std::string(HEADROOM_PROGRAM) + ' ' + words + " >/dev/full");
        CHECK(full.starts_with("3 "));
        CHECK(full.find("standard output could not be written") != std::string::npos);
        const std::string closed = shell(std::string(HEADROOM_PROGRAM) + ' ' + words + " >&-");
        CHECK(closed.starts_with("3 "));
        CHECK(closed.find("standard output could not be written") != std::string::npos);
    }
}

TEST_CASE("/dev/stdout is where it is, a pipe or a file that is added to")
{
    const Folder folder;
    const std::string program = HEADROOM_PROGRAM;
    const std::string file = folder.file("log").string();
    CHECK(std::system((program + " list engines --json -o /dev/stdout | cat >" + file).c_str()) == 0);
    CHECK(nlohmann::json::parse(content(file)).at("schema") == "headroom.list/1");
    put(file, "before\n");
    CHECK(std::system((program + " list engines --json -o /dev/stdout >>" + file).c_str()) == 0);
    CHECK(content(file).starts_with("before\n{"));
}
