#include "app/cli/run.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <initializer_list>
#include <iostream>
#include <new>
#include <string_view>
#include <unistd.h>

namespace {

// With standard output closed, the next file that is opened would get its number, and results would be
// printed into that file. So closed streams are filled first, such that printing to them still fails.
void occupyStandardStreams()
{
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            std::_Exit(3);
}

bool wantsDocument = false; // of what went wrong: set before any thread begins

void put(int stream, std::initializer_list<std::string_view> parts)
{
    for (const std::string_view part : parts)
        (void)!write(stream, part.data(), part.size());
}

// The terminate handler: an exception in a thread, or where none may be thrown. It allocates nothing. Verbs
// print their JSON document only when it is whole, so this one never stands beside half of another.
[[noreturn]] void tellAndEnd()
{
    std::string_view what = "broke off";
    try {
        if (const std::exception_ptr thrown = std::current_exception())
            std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
        what = "there is not enough memory for this";
    } catch (...) {}
    put(STDERR_FILENO, {"headroom: ", what, "\n"});
    if (wantsDocument)
        put(STDOUT_FILENO,
            {R"({"schema": "headroom.error/1", "problems": [{"where": "", "what": ")", what,
             R"(", "hint": ""}]})", "\n"});
    std::_Exit(3);
}

} // namespace

int main(int argc, char** argv)
{
    occupyStandardStreams();
    wantsDocument
        = std::any_of(argv, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
    std::set_terminate(tellAndEnd);
    std::signal(SIGXFSZ, SIG_IGN); // a file at its limit is a full disk, told by the write that fails
    return headroom::cli::run({argv + 1, argv + argc}, std::cout, std::cerr);
}
