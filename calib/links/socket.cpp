#include "calib/links/socket.h"

#include <arpa/inet.h>
#include <cerrno>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace headroom {

namespace {

constexpr std::uint32_t longestWord = 16U << 20; // a thousand times the largest that is sent

bool ready(int descriptor, short what, double seconds)
{
    pollfd wait{.fd = descriptor, .events = what, .revents = 0};
    int status = 0;
    do
        status = ::poll(&wait, 1, static_cast<int>(seconds * 1e3));
    while (status < 0 && errno == EINTR);
    return status > 0;
}

bool sendAll(int descriptor, const char* data, std::size_t length)
{
    while (length > 0) {
        const ssize_t sent = ::send(descriptor, data, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        data += sent;
        length -= static_cast<std::size_t>(sent);
    }
    return true;
}

bool receiveAll(int descriptor, char* data, std::size_t length, std::optional<double> seconds)
{
    while (length > 0) {
        if (seconds && !ready(descriptor, POLLIN, *seconds))
            return false;
        const ssize_t got = ::recv(descriptor, data, length, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        data += got;
        length -= static_cast<std::size_t>(got);
    }
    return true;
}

// Orders are short and waited for.
void atOnce(int descriptor)
{
    const int yes = 1;
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

} // namespace

Socket::~Socket()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

Socket::Socket(Socket&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}

Socket& Socket::operator=(Socket&& other) noexcept
{
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

bool Socket::send(const std::string& word) const
{
    const std::uint32_t length = htonl(static_cast<std::uint32_t>(word.size()));
    std::string whole(reinterpret_cast<const char*>(&length), sizeof length);
    whole += word;
    return sendAll(m_descriptor, whole.data(), whole.size());
}

std::optional<std::string> Socket::receive(std::optional<double> seconds) const
{
    std::uint32_t length = 0;
    if (!receiveAll(m_descriptor, reinterpret_cast<char*>(&length), sizeof length, seconds))
        return std::nullopt;
    length = ntohl(length);
    if (length > longestWord)
        return std::nullopt;
    std::string word(length, '\0');
    if (!receiveAll(m_descriptor, word.data(), word.size(), seconds))
        return std::nullopt;
    return word;
}

std::optional<Socket> listening(int port, Reach reach)
{
    const bool near = reach == Reach::ThisMachine;
    // The newer protocol's loopback takes no connections of the older one: there the older one does.
    Socket socket(near ? -1 : ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in6 everywhere{};
    everywhere.sin6_family = AF_INET6;
    everywhere.sin6_addr = in6addr_any;
    everywhere.sin6_port = htons(static_cast<std::uint16_t>(port));
    const int no = 0;
    const int yes = 1;
    if (socket.descriptor() >= 0) {
        ::setsockopt(socket.descriptor(), IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
        ::setsockopt(socket.descriptor(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        if (::bind(socket.descriptor(), reinterpret_cast<sockaddr*>(&everywhere), sizeof everywhere) == 0
            && ::listen(socket.descriptor(), SOMAXCONN) == 0)
            return socket;
    }
    // A machine without the newer protocol.
    Socket older(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(near ? INADDR_LOOPBACK : INADDR_ANY);
    any.sin_port = htons(static_cast<std::uint16_t>(port));
    if (older.descriptor() < 0)
        return std::nullopt;
    ::setsockopt(older.descriptor(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (::bind(older.descriptor(), reinterpret_cast<sockaddr*>(&any), sizeof any) != 0
        || ::listen(older.descriptor(), SOMAXCONN) != 0)
        return std::nullopt;
    return older;
}

int portOf(const Socket& socket)
{
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    if (::getsockname(socket.descriptor(), reinterpret_cast<sockaddr*>(&address), &length) != 0)
        return 0;
    const bool newer = address.ss_family == AF_INET6;
    return ntohs(newer ? reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port
                       : reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

std::optional<Socket> accepted(const Socket& listener, double seconds)
{
    if (!ready(listener.descriptor(), POLLIN, seconds))
        return std::nullopt;
    Socket socket(::accept4(listener.descriptor(), nullptr, nullptr, SOCK_CLOEXEC));
    if (socket.descriptor() < 0)
        return std::nullopt;
    atOnce(socket.descriptor());
    return socket;
}

std::optional<Socket> connected(const std::string& host, int port)
{
    addrinfo wanted{};
    wanted.ai_family = AF_UNSPEC;
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found) != 0)
        return std::nullopt;
    constexpr double patience = 3; // an address of another network answers nothing
    std::optional<Socket> out;
    for (const addrinfo* at = found; at != nullptr && !out; at = at->ai_next) {
        Socket socket(::socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        if (socket.descriptor() < 0)
            continue;
        if (::connect(socket.descriptor(), at->ai_addr, at->ai_addrlen) != 0
            && (errno != EINPROGRESS || !ready(socket.descriptor(), POLLOUT, patience)))
            continue;
        int error = 0;
        socklen_t length = sizeof error;
        if (::getsockopt(socket.descriptor(), SOL_SOCKET, SO_ERROR, &error, &length) != 0 || error != 0)
            continue;
        const int flags = ::fcntl(socket.descriptor(), F_GETFL);
        if (::fcntl(socket.descriptor(), F_SETFL, flags & ~O_NONBLOCK) != 0)
            continue;
        atOnce(socket.descriptor());
        out = std::move(socket);
    }
    ::freeaddrinfo(found);
    return out;
}

std::vector<std::string> ownAddresses()
{
    std::vector<std::string> out;
    std::vector<std::string> loopback;
    ifaddrs* all = nullptr;
    if (::getifaddrs(&all) != 0)
        return {"127.0.0.1"};
    for (const ifaddrs* at = all; at != nullptr; at = at->ifa_next) {
        if (at->ifa_addr == nullptr || at->ifa_addr->sa_family != AF_INET || (at->ifa_flags & IFF_UP) == 0)
            continue;
        char text[INET_ADDRSTRLEN] = {};
        const auto* const address = reinterpret_cast<const sockaddr_in*>(at->ifa_addr);
        if (::inet_ntop(AF_INET, &address->sin_addr, text, sizeof text) != nullptr)
            ((at->ifa_flags & IFF_LOOPBACK) != 0 ? loopback : out).emplace_back(text);
    }
    ::freeifaddrs(all);
    out.insert(out.end(), loopback.begin(), loopback.end());
    return out;
}

} // namespace headroom
