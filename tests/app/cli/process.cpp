#include "tests/app/cli/process.h"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace headroom::test {

namespace {

std::string contentOf(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void setVariable(const char* name, const char* value)
{
    if (value != nullptr)
        ::setenv(name, value, 1);
    else
        ::unsetenv(name);
}

} // namespace

Finished headroomProgram(const std::vector<std::string>& words, const std::string& output, int files,
                         const std::function<void(int)>& started)
{
    const auto stem
        = (std::filesystem::temp_directory_path() / ("headroom-test-" + std::to_string(getpid()))).string();
    const std::string out = stem + ".out";
    const std::string err = stem + ".err";
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.empty() ? out.c_str() : output.c_str(),
                                     flags, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), flags, 0600);
    std::vector<std::string> owned{HEADROOM_PROGRAM};
    if (files > 0) // the hard limit, too, which only a shell lowers for its child alone
        owned = {"/bin/sh", "-c", "ulimit -n " + std::to_string(files) + " && exec \"$@\"", "sh",
                 HEADROOM_PROGRAM};
    owned.insert(owned.end(), words.begin(), words.end());
    std::vector<char*> arguments;
    for (std::string& word : owned)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    if (posix_spawn(&child, owned.front().c_str(), &actions, nullptr, arguments.data(), environ) != 0)
        throw std::runtime_error("cannot start " HEADROOM_PROGRAM);
    posix_spawn_file_actions_destroy(&actions);
    if (started)
        started(child);
    int status = 0;
    waitpid(child, &status, 0);
    Finished finished{WIFEXITED(status) ? WEXITSTATUS(status) : -1, contentOf(out), contentOf(err)};
    std::filesystem::remove(out);
    std::filesystem::remove(err);
    return finished;
}

Variable::Variable(const char* name, const char* value) : m_name(name)
{
    if (const char* const before = std::getenv(name))
        m_before = before;
    setVariable(name, value);
}

Variable::~Variable() { setVariable(m_name, m_before ? m_before->c_str() : nullptr); }

} // namespace headroom::test
