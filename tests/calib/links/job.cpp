#include "job.h"

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace headroom::test {

namespace {

struct Running {
    pid_t process = -1;
    int output = -1;
};

Running start(const Started& program)
{
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
        throw std::runtime_error("no pipe");
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(pipe[1], STDOUT_FILENO);
        ::dup2(pipe[1], STDERR_FILENO);
        std::vector<std::string> environment = program.environment;
        for (std::string& variable : environment)
            ::putenv(variable.data());
        std::vector<std::string> words = program.words;
        std::vector<char*> arguments;
        for (std::string& word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        ::execvp(arguments.front(), arguments.data());
        ::_exit(127);
    }
    ::close(pipe[1]);
    return {.process = child, .output = pipe[0]};
}

std::string everything(int descriptor)
{
    std::string out;
    std::array<char, 4096> part{};
    for (ssize_t got = 0; (got = ::read(descriptor, part.data(), part.size())) > 0;)
        out.append(part.data(), static_cast<std::size_t>(got));
    ::close(descriptor);
    return out;
}

} // namespace

std::vector<Ended> runTogether(const std::vector<Started>& programs)
{
    std::vector<Running> running;
    for (const Started& program : programs)
        running.push_back(start(program));
    std::vector<Ended> out;
    for (const Running& one : running) {
        Ended ended{.exitCode = -1, .text = everything(one.output)};
        int status = 0;
        ::waitpid(one.process, &status, 0);
        if (WIFEXITED(status))
            ended.exitCode = WEXITSTATUS(status);
        out.push_back(std::move(ended));
    }
    return out;
}

} // namespace headroom::test
