#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

// One end of a TCP connection between two processes of a job; words go through it whole.
class Socket {
public:
    explicit Socket(int descriptor) : m_descriptor(descriptor) {}
    ~Socket();
    Socket(Socket&& other) noexcept;
    Socket& operator=(Socket&& other) noexcept;
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;

    // False when the other end has gone.
    [[nodiscard]] bool send(const std::string& word) const;
    // Empty when the other end has gone, says something impossible or, with a limit, says nothing for so many
    // seconds.
    [[nodiscard]] std::optional<std::string> receive(std::optional<double> seconds = {}) const;
    [[nodiscard]] int descriptor() const { return m_descriptor; }

private:
    int m_descriptor;
};

// Who can connect at all.
enum class Reach : std::uint8_t { ThisMachine, Network };
// Listens on the loopback or on all addresses of this machine; port 0: any that is free. Empty when it
// cannot.
[[nodiscard]] std::optional<Socket> listening(int port, Reach reach);
[[nodiscard]] int portOf(const Socket& socket);
// The next who connects; empty when nobody did for so many seconds.
[[nodiscard]] std::optional<Socket> accepted(const Socket& listener, double seconds);
// Empty when nobody listens there.
[[nodiscard]] std::optional<Socket> connected(const std::string& host, int port);

// Names under which other machines may reach this one: its addresses, the loopback's last.
[[nodiscard]] std::vector<std::string> ownAddresses();

} // namespace headroom
