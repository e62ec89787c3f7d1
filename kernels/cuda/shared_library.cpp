#include "kernels/cuda/shared_library.h"

#include <dlfcn.h>

namespace headroom::kernels {

SharedLibrary::SharedLibrary(const std::vector<std::string>& names, const LibraryPlaces& places)
{
    if (takesFrom(places.first, names))
        return;
    for (const std::string& name : names)
        if (takes(name))
            return;
    if (takesFrom(places.after, names))
        return;
    // Of a library that is nowhere the loader says only that.
    m_problem = !m_broken.empty() ? m_broken
        : names.empty()           ? Message()
                        : say("{} was found neither by the system's loader nor where CUDA's packages put it "
                              "(HEADROOM_CUDA_LIBRARIES "
                              "names another folder)",
                              names.front());
}

SharedLibrary::~SharedLibrary()
{
    if (m_handle != nullptr)
        dlclose(m_handle);
}

bool SharedLibrary::takesFrom(const std::vector<std::filesystem::path>& places,
                              const std::vector<std::string>& names)
{
    for (const std::filesystem::path& place : places)
        for (const std::string& name : names) {
            std::error_code missing;
            if (!std::filesystem::exists(place / name, missing))
                continue;
            if (takes((place / name).string()))
                return true;
            if (m_broken.empty())
                m_broken = m_problem;
        }
    return false;
}

bool SharedLibrary::takes(const std::string& name)
{
    m_handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (m_handle != nullptr)
        m_name = name;
    else if (const char* const said = dlerror())
        m_problem = asIs(said);
    return m_handle != nullptr;
}

void* SharedLibrary::symbol(const char* name) const
{
    return m_handle != nullptr ? dlsym(m_handle, name) : nullptr;
}

} // namespace headroom::kernels
