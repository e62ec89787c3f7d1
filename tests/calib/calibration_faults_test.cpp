// A calibration of which any call that writes fails, or is the last.

#include "fake_device.h"
#include "tests/sanitized.h"

#include <doctest/doctest.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using headroom::test::Folder;
using headroom::test::sanitized;
using headroom::test::textOf;
namespace fs = std::filesystem;

namespace {

struct Ended {
    int code = -1; // -1: killed
    std::string said;
};

// HEADROOM_TEST_FAULT reaches the calibration alone.
class Calibration {
public:
    explicit Calibration(const Folder& folder) : m_out(folder.file("out")), m_said(folder.file("said"))
    {
        m_mark = folder.file("mark");
    }
    [[nodiscard]] fs::path yaml() const { return m_out / "c.yaml"; }
    [[nodiscard]] fs::path samples() const { return m_out / "c.samples.csv"; }

    void empty() const
    {
        fs::remove_all(m_out);
        fs::create_directory(m_out);
        fs::remove(m_mark);
    }
    [[nodiscard]] Ended undisturbed(const char* how) const { return run(how, "LD_PRELOAD="); }
    [[nodiscard]] Ended befallen(const char* how, int at, int error) const
    {
        return run(
            how, fmt::format("HEADROOM_TEST_FAULT={} {} {} {}", at, error, m_mark.string(), m_out.string()));
    }
    [[nodiscard]] bool wasBefallen() const { return fs::exists(m_mark); }

private:
    Ended run(const char* how, std::string fault) const
    {
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, m_said.c_str(),
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600);
        std::string program = HEADROOM_PLANTED;
        std::string file = yaml().string();
        std::string word = how;
        std::string preload = "LD_PRELOAD=" HEADROOM_FAILING_CALLS;
        std::array arguments{program.data(), file.data(), word.data(), static_cast<char*>(nullptr)};
        std::array environment{fault.data(), preload.data(), static_cast<char*>(nullptr)};
        pid_t child = 0;
        REQUIRE(posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environment.data())
                == 0);
        posix_spawn_file_actions_destroy(&actions);
        int status = 0;
        waitpid(child, &status, 0);
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, textOf(m_said)};
    }
    fs::path m_out, m_said, m_mark;
};

// Every line that is there is one of the undisturbed run's, in its order; half a line may follow a kill.
bool beginsAs(const std::string& whole, const std::string& text, bool killed)
{
    return whole.starts_with(text) && (killed || text.empty() || text.back() == '\n');
}

} // namespace

TEST_CASE(
    "a calibration, whichever call fails: samples are kept line by line, the calibration is old or new, and "
    "--resume ends as if nothing had been"
    * doctest::skip(sanitized))
{
    const Folder folder;
    const Calibration calibration(folder);
    calibration.empty();
    REQUIRE(calibration.undisturbed("new").code == 0);
    const std::string samples = textOf(calibration.samples());
    const std::string newer = textOf(calibration.yaml());
    REQUIRE(newer.size() > 100);
    for (const int error : {ENOSPC, EIO, EINTR, 0}) {
        int befallen = 0;
        for (int at = 1;; ++at, ++befallen) {
            calibration.empty();
            const Ended ended = calibration.befallen("new", at, error);
            if (!calibration.wasBefallen())
                break;
            CAPTURE(at);
            CAPTURE(error);
            CAPTURE(ended.said);
            const std::string kept = textOf(calibration.samples());
            CHECK(beginsAs(samples, kept, error == 0));
            const std::string now = textOf(calibration.yaml());
            CHECK((now.empty() || now == newer));
            if (ended.code == 0) {
                CHECK(now == newer);
                continue;
            }
            CHECK(ended.code == (error == 0 ? -1 : 3));
            if (error != 0)
                CHECK(ended.said.find(std::strerror(error)) != std::string::npos);
            // Of each kind of call one is gone on from: a whole run each time would take long.
            if (befallen % 16 == 0) {
                CHECK(calibration.undisturbed(kept.empty() ? "new" : "resume").code == 0);
                CHECK(textOf(calibration.samples()).starts_with(kept.substr(0, kept.rfind('\n') + 1)));
            }
        }
        CHECK(befallen > 60); // a write and a flush for each sample
    }
}
