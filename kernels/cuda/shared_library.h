#pragma once

#include <string>
#include <vector>

namespace headroom::kernels {

// A library taken when it is first needed and only if it is there: the program starts on machines without it.
class SharedLibrary {
public:
    // The first of `names` that loads; none: `loaded()` is false and `problem()` says what the loader said.
    explicit SharedLibrary(const std::vector<std::string>& names);
    ~SharedLibrary();
    SharedLibrary(const SharedLibrary&) = delete;
    SharedLibrary& operator=(const SharedLibrary&) = delete;

    [[nodiscard]] bool loaded() const { return m_handle != nullptr; }
    [[nodiscard]] const std::string& problem() const { return m_problem; }

    // Null when the library has no such function.
    template <typename F>
    [[nodiscard]] F* function(const char* name) const
    {
        return reinterpret_cast<F*>(symbol(name));
    }

private:
    [[nodiscard]] void* symbol(const char* name) const;

    void* m_handle = nullptr;
    std::string m_problem;
};

} // namespace headroom::kernels
