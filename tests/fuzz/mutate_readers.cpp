// mutate_readers READER SECONDS SEED: changed files go through a reader for so long. Says how many did, each
// minute too, so that a run that is stopped is a figure; an input that ends the program is left in the file
// READER.SEED.input.

#include "mutator.h"
#include "readers.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/time.h>
#include <unistd.h>

using namespace headroom::test;

namespace {

std::string input;
std::string left; // the file's name

extern "C" void keepInput(int signal)
{
    const int file = open(left.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    (void)!write(file, input.data(), input.size());
    (void)std::signal(signal, SIG_DFL);
    (void)raise(signal);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 4) {
        std::fputs("mutate_readers READER SECONDS SEED\n", stderr);
        return 2;
    }
    const double seconds = std::atof(argv[2]);
    left = std::string(argv[1]) + '.' + argv[3] + ".input";
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGVTALRM})
        (void)std::signal(signal, keepInput);
    // Who reads longer hangs; of the processor's time, for others may be busy.
    constexpr itimerval longestRun{.it_interval = {}, .it_value = {.tv_sec = 20, .tv_usec = 0}};
    for (const FuzzedReader& reader : fuzzedReaders()) {
        if (reader.name != argv[1])
            continue;
        Mutator mutator(seedsOf(reader), std::strtoull(argv[3], nullptr, 10));
        const auto begin = std::chrono::steady_clock::now();
        const auto spent
            = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
        constexpr double minute = 60;
        long runs = 0;
        const auto tell = [&](double so) {
            std::printf("%s, seed %s: %ld runs in %.0f s\n", argv[1], argv[3], runs, so);
            (void)std::fflush(stdout);
        };
        double told = 0;
        for (double now = 0; now < seconds; now = spent(), ++runs) {
            if (now - told >= minute)
                tell(told = now);
            input = mutator.next();
            (void)setitimer(ITIMER_VIRTUAL, &longestRun, nullptr);
            (void)reader.read(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
        }
        constexpr itimerval off{};
        (void)setitimer(ITIMER_VIRTUAL, &off, nullptr);
        tell(spent());
        return 0;
    }
    std::fputs("no reader of this name\n", stderr);
    return 2;
}
