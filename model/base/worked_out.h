#pragma once

#include <memory>
#include <utility>

namespace headroom {

// A result kept as a member of the value it was worked out from, for callers that need it often. It is empty
// until somebody who no longer changes the value fills it. A copied or moved value starts empty, since its
// new owner may change it: the result never belongs to another value. It does not count when values are
// compared.
template <typename T>
class WorkedOut {
public:
    WorkedOut() = default;
    WorkedOut(const WorkedOut&) noexcept {}
    WorkedOut& operator=(const WorkedOut& /*other*/) noexcept
    {
        m_held.reset();
        return *this;
    }
    ~WorkedOut() = default;

    void hold(std::shared_ptr<const T> it) { m_held = std::move(it); }
    [[nodiscard]] const T* get() const { return m_held.get(); }

    friend bool operator==(const WorkedOut&, const WorkedOut&) { return true; }

private:
    std::shared_ptr<const T> m_held;
};

} // namespace headroom
