// Writing a file while the system fails: whatever call fails, and wherever the process ends, the old file or
// the new one stands there.

#include "model/text/write_file.h"

#include <doctest/doctest.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace headroom;
namespace fs = std::filesystem;

namespace {

class Folder {
public:
    Folder()
    {
        std::string name = (fs::temp_directory_path() / "headroom-write-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        m_path = name;
    }
    ~Folder() { fs::remove_all(m_path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] fs::path file(const std::string& name) const { return m_path / name; }
    [[nodiscard]] std::vector<std::string> names() const
    {
        std::vector<std::string> out;
        for (const auto& entry : fs::directory_iterator(m_path))
            out.push_back(entry.path().filename().string());
        return out;
    }

private:
    fs::path m_path;
};

std::string content(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

mode_t modeOf(const fs::path& file)
{
    struct stat facts {};
    REQUIRE(::stat(file.c_str(), &facts) == 0);
    return facts.st_mode & 07777U;
}

enum class Call { Open, Write, Owner, Mode, Flush, Close, Rename, Unlink };
constexpr std::array allCalls{Call::Open,  Call::Write, Call::Owner,  Call::Mode,
                              Call::Flush, Call::Close, Call::Rename, Call::Unlink};

// What befalls the n-th call of one kind, or of any.
struct Plan {
    Call call = Call::Open;
    bool any = false;
    int at = 0;            // 0: never
    int error = 0;         // 0: the process ends there
    std::size_t piece = 0; // a write takes no more; 0: all
    int seen = 0;
    bool fired = false;
};
Plan plan; // calls are plain functions: what they do can only stand outside them

// True where this call is to fail.
bool befalls(Call call)
{
    if ((!plan.any && call != plan.call) || ++plan.seen != plan.at)
        return false;
    plan.fired = true;
    if (plan.error == 0)
        _exit(9);
    errno = plan.error;
    return true;
}

const FileCalls& failing()
{
    static const FileCalls calls{
        .open = [](const char* path, int flags,
                   mode_t mode) { return befalls(Call::Open) ? -1 : ::open(path, flags, mode); },
        .write = [](int descriptor, const void* bytes, std::size_t count) -> ssize_t {
            if (befalls(Call::Write))
                return -1;
            return ::write(descriptor, bytes, plan.piece > 0 ? std::min(plan.piece, count) : count);
        },
        .changeOwner
        = [](int d, uid_t user, gid_t group) { return befalls(Call::Owner) ? -1 : ::fchown(d, user, group); },
        .changeMode = [](int d, mode_t mode) { return befalls(Call::Mode) ? -1 : ::fchmod(d, mode); },
        .flush = [](int d) { return befalls(Call::Flush) ? -1 : ::fsync(d); },
        .close =
            [](int d) {
                const bool fails = befalls(Call::Close);
                const int error = errno;
                ::close(d); // closed all the same, as Linux does
                errno = error;
                return fails ? -1 : 0;
            },
        .rename
        = [](const char* from, const char* to) { return befalls(Call::Rename) ? -1 : std::rename(from, to); },
        .unlink = [](const char* path) { return befalls(Call::Unlink) ? -1 : ::unlink(path); }};
    return calls;
}

const std::string older(3000, 'o');
const std::string newer(5000, 'n');

} // namespace

TEST_CASE("a file is written whole, keeps its mode, and a new one follows the user's mask")
{
    const Folder folder;
    const fs::path file = folder.file("a.txt");
    const mode_t mask = ::umask(027);
    writeFile(file, older);
    ::umask(mask);
    CHECK(content(file) == older);
    CHECK(modeOf(file) == 0640);
    REQUIRE(::chmod(file.c_str(), 0751) == 0);
    writeFile(file, newer);
    CHECK(content(file) == newer);
    CHECK(modeOf(file) == 0751);
    CHECK(folder.names().size() == 1);
    writeFile(folder.file("secret"), "x", {.mode = 0600});
    CHECK(modeOf(folder.file("secret")) == 0600);
    writeFile(file, "");
    CHECK(fs::file_size(file) == 0);
}

TEST_CASE("a link stays a link, and what it points to is written; one that points nowhere makes the file")
{
    const Folder folder;
    writeFile(folder.file("real"), older);
    fs::create_directory(folder.file("links"));
    fs::create_symlink("../real", folder.file("links/one"));
    fs::create_symlink("one", folder.file("links/two"));
    writeFile(folder.file("links/two"), newer);
    CHECK(content(folder.file("real")) == newer);
    CHECK(fs::is_symlink(folder.file("links/two")));
    CHECK(fs::is_symlink(folder.file("links/one")));
    fs::create_symlink("../not-yet", folder.file("links/dangling"));
    writeFile(folder.file("links/dangling"), older);
    CHECK(content(folder.file("not-yet")) == older);
    fs::create_symlink("round", folder.file("round"));
    CHECK_THROWS_AS(writeFile(folder.file("round"), "x"), CannotWrite);
}

TEST_CASE("a pipe, a device and a descriptor are written straight and stay what they are")
{
    const Folder folder;
    const fs::path pipe = folder.file("pipe");
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    fs::create_symlink("pipe", folder.file("to-pipe"));
    std::string read;
    std::thread reader([&] { read = content(pipe); });
    writeFile(folder.file("to-pipe"), newer);
    reader.join();
    CHECK(read == newer);
    CHECK(fs::is_fifo(pipe));

    const fs::path device = folder.file("null"); // a null device of our own, where one can be made
    if (::mknod(device.c_str(), S_IFCHR | 0666, makedev(1, 3)) == 0) {
        try {
            writeFile(device, older);
        } catch (const CannotWrite&) { // a file system may be mounted without devices
        }
        CHECK(fs::is_character_file(device));
    }
    const int descriptor = ::open(folder.file("kept").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    REQUIRE(::write(descriptor, "head ", 5) == 5);
    writeFile("/dev/fd/" + std::to_string(descriptor), "tail");
    ::close(descriptor);
    CHECK(content(folder.file("kept")) == "head tail");
}

TEST_CASE("what cannot be written is told with the file and the reason, and nothing is left behind")
{
    const Folder folder;
    const auto why = [](const fs::path& file) -> std::string {
        try {
            writeFile(file, "x");
        } catch (const CannotWrite& broken) {
            return broken.what();
        }
        return {};
    };
    const fs::path nowhere = folder.file("no/such/folder");
    CHECK(why(nowhere) == nowhere.string() + ": could not be written: No such file or directory");
    fs::create_directory(folder.file("folder"));
    CHECK(why(folder.file("folder")).find("Is a directory") != std::string::npos);
    CHECK(why(folder.file(std::string(300, 'n'))).find("File name too long") != std::string::npos);
    CHECK(folder.names().size() == 1);
}

TEST_CASE("whichever call fails, the old file or the new one stands there, and the reason is told")
{
    const Folder folder;
    const fs::path file = folder.file("a.txt");
    int failures = 0;
    for (const bool fresh : {false, true})
        for (const Call call : allCalls)
            for (const int error : {ENOSPC, EIO, EDQUOT, EINTR})
                for (int at = 1;; ++at) {
                    fs::remove(file);
                    if (!fresh)
                        writeFile(file, older);
                    plan = {.call = call, .at = at, .error = error, .piece = 2000};
                    std::string told;
                    try {
                        writeFile(file, newer, {.calls = failing()});
                    } catch (const CannotWrite& broken) {
                        told = broken.what();
                    }
                    if (!plan.fired)
                        break;
                    ++failures;
                    CAPTURE(static_cast<int>(call));
                    CAPTURE(at);
                    CAPTURE(std::strerror(error));
                    const std::string now = fs::exists(file) ? content(file) : "";
                    const bool whole = now == newer || now == (fresh ? "" : older);
                    CHECK(whole);
                    if (error == EINTR && call != Call::Owner && call != Call::Mode)
                        CHECK(now == newer); // it was only asked to try again
                    if (told.empty())
                        CHECK(now == newer);
                    else
                        CHECK(told == file.string() + ": could not be written: " + std::strerror(error));
                    CHECK(folder.names().size() == (now.empty() ? 0U : 1U));
                }
    CHECK(failures > 60);
}

TEST_CASE("a process that is killed at any call leaves the old file or the new one")
{
    const Folder folder;
    const fs::path file = folder.file("a.txt");
    int killed = 0;
    for (int at = 1;; ++at) {
        writeFile(file, older);
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            plan = {.any = true, .at = at, .piece = 1000};
            writeFile(file, newer, {.calls = failing()});
            _exit(0);
        }
        int status = 0;
        REQUIRE(waitpid(child, &status, 0) == child);
        const std::string now = content(file);
        const bool whole = now == older || now == newer;
        CHECK(whole);
        if (WEXITSTATUS(status) == 0)
            break;
        ++killed;
    }
    CHECK(killed >= 10);
    CHECK(content(file) == newer);
}

TEST_CASE("many writers of one file: the last of them stands there whole, and no draft is left")
{
    const Folder folder;
    const fs::path file = folder.file("a.txt");
    constexpr int writers = 8;
    std::vector<std::thread> threads;
    for (int i = 0; i < writers; ++i)
        threads.emplace_back([&, i] {
            for (int round = 0; round < 25; ++round)
                writeFile(file, std::string(10000 + static_cast<std::size_t>(i), static_cast<char>('a' + i)));
        });
    for (std::thread& thread : threads)
        thread.join();
    const std::string now = content(file);
    CHECK(now == std::string(10000 + static_cast<std::size_t>(now.front() - 'a'), now.front()));
    CHECK(folder.names().size() == 1);
}
