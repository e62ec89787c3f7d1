#pragma once

#include "kernels/cuda/shared_library.h"

#include <filesystem>
#include <functional>
#include <string>

namespace headroom::kernels {

// What tells where things are installed; tests bring their own.
struct Environment {
    std::function<std::string(const char* name)> variable; // empty where it is not set
    std::filesystem::path root = "/";
    Environment(); // of this process
};

// Folders, of those that exist: first those that HEADROOM_CUDA_LIBRARIES names; after the loader those in
// which CUDA's installers, pip's and conda's packages put its libraries, the nearest first: the active
// virtual or conda environment, CUDA_HOME and CUDA_PATH, Python's own packages, the toolkit.
[[nodiscard]] LibraryPlaces libraryPlaces(const Environment& environment);

} // namespace headroom::kernels
