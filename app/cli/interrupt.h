#pragma once

#include <stop_token>

namespace headroom::cli {

// While it lives, the first Ctrl-C asks for a stop instead of ending the process; the second one ends it as
// usual.
class InterruptStops {
public:
    InterruptStops();
    ~InterruptStops();
    InterruptStops(const InterruptStops&) = delete;
    InterruptStops& operator=(const InterruptStops&) = delete;

    [[nodiscard]] std::stop_token token() const { return m_source.get_token(); }
    // To be called now and then by the work: hands an interrupt on to the token.
    void poll();

private:
    std::stop_source m_source;
};

} // namespace headroom::cli
