#pragma once

#include <type_traits>

namespace headroom {

// A non-owning reference to whoever takes what is counted: counting a step must not allocate.
template <typename Counted>
class Sink {
public:
    template <typename F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, Sink>) Sink(const F& take)
        : m_context(&take),
          m_take([](const void* f, const Counted& one) { (*static_cast<const F*>(f))(one); })
    {}
    void operator()(const Counted& one) const { m_take(m_context, one); }

private:
    const void* m_context;
    void (*m_take)(const void*, const Counted&);
};

} // namespace headroom
