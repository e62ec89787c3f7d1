#include "kernels/cuda/shared_library.h"

#include <dlfcn.h>

namespace headroom::kernels {

SharedLibrary::SharedLibrary(const std::vector<std::string>& names)
{
    for (const std::string& name : names) {
        m_handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (m_handle != nullptr)
            return;
        if (const char* const said = dlerror())
            m_problem = said;
    }
}

SharedLibrary::~SharedLibrary()
{
    if (m_handle != nullptr)
        dlclose(m_handle);
}

void* SharedLibrary::symbol(const char* name) const
{
    return m_handle != nullptr ? dlsym(m_handle, name) : nullptr;
}

} // namespace headroom::kernels
