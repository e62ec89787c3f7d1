// The program under a limit of memory, from the least with which it starts.

#include "tests/sanitized.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using headroom::test::sanitized;
namespace fs = std::filesystem;

namespace {

struct Ended {
    int code = -1;
    std::string out;
};

Ended withMemory(int kibibytes, const std::string& words)
{
    const fs::path out = fs::temp_directory_path() / fmt::format("headroom-memory-{}", getpid());
    const int status = std::system(fmt::format("ulimit -v {}; exec {} {} >{} 2>/dev/null", kibibytes,
                                               HEADROOM_PROGRAM, words, out.string())
                                       .c_str());
    std::ifstream in(out, std::ios::binary);
    Ended ended{WIFEXITED(status) ? WEXITSTATUS(status) : -1, {std::istreambuf_iterator<char>(in), {}}};
    fs::remove(out);
    return ended;
}

} // namespace

TEST_CASE("with too little memory the program says so, as a document where one was asked for"
          * doctest::skip(sanitized))
{
    // The least with which the system can load it and it says who it is, to 64 KiB.
    constexpr int step = 64;
    int enough = 1 << 20;
    REQUIRE(withMemory(enough, "--version").code == 0);
    for (int less = 0; enough - less > step;) {
        const int middle = (enough + less) / 2;
        (withMemory(middle, "--version").code == 0 ? enough : less) = middle;
    }
    int tooLittle = 0;
    for (const char* words : {"size --model llama-3.1-70b --gpu l40s --tps 10 --json",
                              "sweep --model llama-3.1-8b --gpu l40s --over tp=1,2 --json"})
        for (int memory = enough; memory < enough + 16 * step; memory += step) {
            const Ended ended = withMemory(memory, words);
            CAPTURE(words);
            CAPTURE(memory);
            CAPTURE(ended.code);
            CHECK((ended.code == 0 || ended.code == 1 || ended.code == 3));
            const auto document = nlohmann::json::parse(ended.out);
            // what was told until then, or what broke alone
            const bool told = document.at("schema") == "headroom.error/1" || document.contains("broken_off");
            CHECK(told == (ended.code == 3));
            tooLittle += ended.code == 3 ? 1 : 0;
        }
    CHECK(tooLittle > 0);
}
