#include "kernels/cuda/library_places.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace headroom::kernels {

namespace {

namespace fs = std::filesystem;

// Sub-folders of `folder`, the latest version first; none where it is none.
std::vector<fs::path> within(const fs::path& folder, const std::string& prefix)
{
    std::vector<fs::path> out;
    std::error_code missing;
    for (fs::directory_iterator at(folder, missing), end; !missing && at != end; at.increment(missing))
        if (at->path().filename().string().starts_with(prefix))
            out.push_back(at->path());
    std::sort(out.rbegin(), out.rend());
    return out;
}

class Places {
public:
    void folder(const fs::path& path)
    {
        std::error_code missing;
        if (fs::is_directory(path, missing) && std::find(m_all.begin(), m_all.end(), path) == m_all.end())
            m_all.push_back(path);
    }
    // Wheels: nvidia/cublas/lib and nvidia/nccl/lib until CUDA 12, nvidia/cu13/lib and nvidia/nccl/lib
    // since 13.
    void packages(const fs::path& sitePackages)
    {
        for (const fs::path& package : within(sitePackages / "nvidia", ""))
            folder(package / "lib");
    }
    // Where something with a Python of its own is installed.
    void prefix(const fs::path& path)
    {
        if (path.empty())
            return;
        folder(path / "lib");
        folder(path / "targets/x86_64-linux/lib"); // conda's cuda-toolkit
        folder(path / "targets/sbsa-linux/lib");
        for (const char* const lib : {"lib", "local/lib"})
            for (const fs::path& python : within(path / lib, "python3"))
                for (const char* const kind : {"site-packages", "dist-packages"})
                    packages(python / kind);
    }
    void toolkit(const fs::path& path)
    {
        if (path.empty())
            return;
        folder(path / "lib64");
        folder(path / "lib");
        folder(path / "targets/x86_64-linux/lib");
    }
    [[nodiscard]] std::vector<fs::path> take() { return std::move(m_all); }

private:
    std::vector<fs::path> m_all;
};

std::vector<std::string> listed(const std::string& text)
{
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, ':');)
        if (!part.empty())
            out.push_back(part);
    return out;
}

} // namespace

Environment::Environment()
    : variable([](const char* name) {
          const char* const value = std::getenv(name);
          return std::string(value != nullptr ? value : "");
      })
{}

LibraryPlaces libraryPlaces(const Environment& environment)
{
    Places named;
    for (const std::string& folder : listed(environment.variable("HEADROOM_CUDA_LIBRARIES")))
        named.folder(folder);
    Places places;
    for (const char* const name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
        places.prefix(environment.variable(name));
    for (const char* const name : {"CUDA_HOME", "CUDA_PATH"})
        places.toolkit(environment.variable(name));
    for (const std::string& folder : listed(environment.variable("PYTHONPATH")))
        places.packages(folder);
    // The environment that a shell's `python3` belongs to, active or not.
    for (const std::string& folder : listed(environment.variable("PATH"))) {
        std::error_code missing;
        if (!fs::exists(fs::path(folder) / "python3", missing))
            continue;
        places.prefix(fs::path(folder).parent_path());
        break;
    }
    if (const std::string home = environment.variable("HOME"); !home.empty()) {
        places.prefix(fs::path(home) / ".local");
        for (const char* const conda : {"miniconda3", "anaconda3", "miniforge3"})
            places.prefix(fs::path(home) / conda);
    }
    const fs::path& root = environment.root;
    places.toolkit(root / "usr/local/cuda");
    for (const fs::path& toolkit : within(root / "usr/local", "cuda-"))
        places.toolkit(toolkit);
    for (const char* const prefix : {"usr", "opt/conda"})
        places.prefix(root / prefix);
    places.folder(root / "usr/lib/x86_64-linux-gnu");
    places.folder(root / "usr/lib/aarch64-linux-gnu");
    return {.first = named.take(), .after = places.take()};
}

} // namespace headroom::kernels
