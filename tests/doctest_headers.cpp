// Nothing of its own: CMake precompiles headers for a target that has a file to compile with them, and
// doctest_main.cpp goes without.
