#pragma once

#include <memory>
#include <utility>

namespace headroom {

// What was worked out of the value that it stands in, for whoever asks often; nothing until somebody who will
// change that value no more puts it there. A copy begins with nothing, for its owner may change it, and so
// does what a value is moved to: it never tells of another value than the one it stands in. Two values are
// equal whether or not it was worked out.
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
