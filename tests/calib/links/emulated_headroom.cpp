// The program on a machine with four emulated cards, and a stand-in for NCCL where LD_LIBRARY_PATH has it
// first.

#include "app/cli/run.h"
#include "cuda_runtime.h"

#include <iostream>

// Little memory keeps messages short: a processor's copies stand for the wire.
int main(int argc, char** argv)
{
    emulatedCard().count = 4;
    emulatedCard().memoryBytes = std::size_t(8) << 20;
    return headroom::cli::run({argv + 1, argv + argc}, std::cout, std::cerr);
}
