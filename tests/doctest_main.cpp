#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

// Each test program has a folder of its own for what it writes, so that two runs beside each other share no
// file.
int main(int argc, char** argv)
{
    namespace fs = std::filesystem;
    ::setenv("LC_ALL", "C.UTF-8", 1); // the program speaks the language of its environment
    const pid_t self = ::getpid();
    std::string folder = (fs::temp_directory_path() / "headroom-tests-XXXXXX").string();
    const bool own = ::mkdtemp(folder.data()) != nullptr;
    if (own)
        ::setenv("TMPDIR", folder.c_str(), 1);
    doctest::Context context;
    context.applyCommandLine(argc, argv);
    const int result = context.run();
    std::error_code ignored;
    if (own && ::getpid() == self)
        fs::remove_all(folder, ignored);
    return result;
}
