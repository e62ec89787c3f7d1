#include "app/probe/curl_library.h"

#include "headroom_curl_soname.h"

#include <dlfcn.h>
#include <stdexcept>
#include <string>

namespace headroom::probe {

namespace {

template <typename Function>
void find(void* library, const char* name, Function& function)
{
    void* const found = ::dlsym(library, name);
    if (found == nullptr)
        throw std::runtime_error(std::string(HEADROOM_CURL_SONAME) + " has no " + name + ": it is too old");
    function = reinterpret_cast<Function>(found);
}

} // namespace

// It stays until the program ends, as what is linked does: what it brings along may have left functions to be
// called then.
CurlLibrary::CurlLibrary()
{
    void* const library = ::dlopen(HEADROOM_CURL_SONAME, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == nullptr) {
        const char* const why = ::dlerror();
        throw std::runtime_error(std::string("the library for connections cannot be loaded: ")
                                 + (why != nullptr ? why : HEADROOM_CURL_SONAME));
    }
    find(library, "curl_global_init", globalInit);
    find(library, "curl_global_cleanup", globalCleanup);
    find(library, "curl_multi_init", multiInit);
    find(library, "curl_multi_cleanup", multiCleanup);
    find(library, "curl_multi_setopt", multiSetopt);
    find(library, "curl_multi_assign", multiAssign);
    find(library, "curl_multi_add_handle", multiAddHandle);
    find(library, "curl_multi_remove_handle", multiRemoveHandle);
    find(library, "curl_multi_socket_action", multiSocketAction);
    find(library, "curl_multi_info_read", multiInfoRead);
    find(library, "curl_easy_init", easyInit);
    find(library, "curl_easy_cleanup", easyCleanup);
    find(library, "curl_easy_setopt", easySetopt);
    find(library, "curl_easy_getinfo", easyGetinfo);
    find(library, "curl_easy_strerror", easyStrerror);
    find(library, "curl_slist_append", slistAppend);
    find(library, "curl_slist_free_all", slistFreeAll);
    find(library, "curl_url", url);
    find(library, "curl_url_set", urlSet);
    find(library, "curl_url_get", urlGet);
    find(library, "curl_url_cleanup", urlCleanup);
    find(library, "curl_free", free);
}

} // namespace headroom::probe
