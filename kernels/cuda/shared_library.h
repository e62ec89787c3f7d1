#pragma once

#include "model/base/message.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::kernels {

// Folders to look into before and after the system's loader is asked.
struct LibraryPlaces {
    std::vector<std::filesystem::path> first;
    std::vector<std::filesystem::path> after;
};

// A library taken when it is first needed and only if it is there: the program starts on machines without it.
class SharedLibrary {
public:
    // The first of `names` that is in one of the first places, that the system's loader finds, or that is in
    // one of the other places. None: `loaded()` is false and `problem()` says what is wrong with one that is
    // there, or where it was looked for.
    explicit SharedLibrary(const std::vector<std::string>& names, const LibraryPlaces& places = {});
    ~SharedLibrary();
    SharedLibrary(const SharedLibrary&) = delete;
    SharedLibrary& operator=(const SharedLibrary&) = delete;

    [[nodiscard]] bool loaded() const { return m_handle != nullptr; }
    [[nodiscard]] const std::string& name() const { return m_name; } // as it was loaded
    [[nodiscard]] const Message& problem() const { return m_problem; }

    // Null when the library has no such function.
    template <typename F>
    [[nodiscard]] F* function(const char* name) const
    {
        return reinterpret_cast<F*>(symbol(name));
    }

private:
    [[nodiscard]] void* symbol(const char* name) const;
    bool takes(const std::string& name);
    bool takesFrom(const std::vector<std::filesystem::path>& places, const std::vector<std::string>& names);

    void* m_handle = nullptr;
    std::string m_name;
    Message m_problem;
    Message m_broken; // what the loader said of the first one that is there and does not load
};

} // namespace headroom::kernels
