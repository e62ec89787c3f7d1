#pragma once

#include <cstdint>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>

namespace headroom::test {

// A socket that listens on a free port of this machine, and the port.
struct LoopbackListener {
    int socket = -1;
    std::uint16_t port = 0;
};
inline LoopbackListener listenOnLoopback(int waiting)
{
    LoopbackListener out{.socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(out.socket, generic, size) != 0 || ::listen(out.socket, waiting) != 0
        || ::getsockname(out.socket, generic, &size) != 0)
        throw std::runtime_error("no port to listen on");
    out.port = ntohs(address.sin_port);
    return out;
}

} // namespace headroom::test
