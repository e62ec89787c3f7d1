#include "app/cli/run.h"

#include <iostream>

int main(int argc, char** argv) { return headroom::cli::run({argv + 1, argv + argc}, std::cout, std::cerr); }
