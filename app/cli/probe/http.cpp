#include "app/cli/probe/http.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <optional>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <utility>

namespace headroom::cli {

namespace {

constexpr std::size_t largestHead = 64U << 10U; // of an answer, before it is taken for no HTTP
constexpr std::size_t largestBody = 16U << 20U; // kept of an answer without a sink

class Socket {
public:
    explicit Socket(int handle) : m_handle(handle) {}
    Socket(Socket&& other) noexcept : m_handle(std::exchange(other.m_handle, -1)) {}
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    Socket& operator=(Socket&&) = delete;
    ~Socket()
    {
        if (m_handle >= 0)
            ::close(m_handle);
    }
    [[nodiscard]] int handle() const { return m_handle; }

private:
    int m_handle;
};

std::string lower(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return out;
}

std::optional<Socket> connected(const Url& url, std::chrono::seconds patience, std::string& failure)
{
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int error = ::getaddrinfo(url.host.c_str(), url.port.c_str(), &hints, &found); error != 0) {
        failure = "no address for '" + url.host + "': " + ::gai_strerror(error);
        return std::nullopt;
    }
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(found, ::freeaddrinfo);
    const timeval silence{.tv_sec = patience.count(), .tv_usec = 0};
    for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
        Socket socket(::socket(at->ai_family, at->ai_socktype, at->ai_protocol));
        if (socket.handle() < 0)
            continue;
        ::setsockopt(socket.handle(), SOL_SOCKET, SO_RCVTIMEO, &silence, sizeof silence);
        ::setsockopt(socket.handle(), SOL_SOCKET, SO_SNDTIMEO, &silence, sizeof silence);
        if (::connect(socket.handle(), at->ai_addr, at->ai_addrlen) == 0)
            return socket;
        failure = "cannot connect to " + url.host + ':' + url.port + ": " + std::strerror(errno);
    }
    return std::nullopt;
}

bool sendAll(const Socket& socket, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t sent = ::send(socket.handle(), text.data(), text.size(), MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

// Takes a body apart as it comes: plain, of a known length, or in chunks.
class BodyReader {
public:
    BodyReader(bool chunked, std::optional<std::size_t> length, std::function<void(std::string_view)> take)
        : m_chunked(chunked), m_left(length), m_take(std::move(take))
    {}

    [[nodiscard]] bool finished() const { return m_finished || (!m_chunked && m_left && *m_left == 0); }
    [[nodiscard]] bool broken() const { return m_broken; }

    void add(std::string_view piece)
    {
        if (!m_chunked) {
            const std::size_t taken = m_left ? std::min(*m_left, piece.size()) : piece.size();
            m_take(piece.substr(0, taken));
            if (m_left)
                *m_left -= taken;
            return;
        }
        m_pending += piece;
        while (!m_finished && !m_broken && step()) {}
    }

private:
    // One chunk, or nothing while it is incomplete.
    bool step()
    {
        const std::size_t line = m_pending.find("\r\n");
        if (line == std::string::npos) {
            m_broken = m_pending.size() > 1024; // no size line is that long
            return false;
        }
        std::size_t size = 0;
        const auto [end, error] = std::from_chars(m_pending.data(), m_pending.data() + line, size, 16);
        if (error != std::errc{} || size > largestBody) {
            m_broken = true;
            return false;
        }
        if (size == 0) {
            m_finished = true;
            return false;
        }
        const std::size_t begin = line + 2;
        if (m_pending.size() < begin + size + 2)
            return false;
        m_take(std::string_view(m_pending).substr(begin, size));
        m_pending.erase(0, begin + size + 2);
        return true;
    }

    bool m_chunked;
    std::optional<std::size_t> m_left;
    std::function<void(std::string_view)> m_take;
    std::string m_pending;
    bool m_finished = false;
    bool m_broken = false;
};

struct Head {
    int status = 0;
    bool chunked = false;
    std::optional<std::size_t> length;
};

std::optional<Head> readHead(std::string_view text)
{
    Head head;
    if (!text.starts_with("HTTP/1.") || text.size() < 12)
        return std::nullopt;
    if (std::from_chars(text.data() + 9, text.data() + 12, head.status).ec != std::errc{})
        return std::nullopt;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find("\r\n"), text.size());
        const std::string line = lower(text.substr(0, end));
        text.remove_prefix(std::min(text.size(), end + 2));
        constexpr std::string_view lengthName = "content-length:";
        if (line.starts_with("transfer-encoding:") && line.find("chunked") != std::string::npos)
            head.chunked = true;
        if (line.starts_with(lengthName)) {
            const std::size_t digits = std::min(line.find_first_of("0123456789"), line.size());
            std::size_t length = 0;
            if (std::from_chars(line.data() + digits, line.data() + line.size(), length).ec == std::errc{})
                head.length = length;
        }
    }
    return head;
}

void receive(const Socket& socket, HttpAnswer& answer, const std::function<void(std::string_view)>& sink)
{
    std::string before; // the head, until its end is seen
    std::optional<BodyReader> body;
    std::array<char, 16384> buffer{};
    const auto take = [&](std::string_view piece) {
        if (sink && answer.status < 300)
            sink(piece);
        else if (answer.body.size() + piece.size() <= largestBody)
            answer.body += piece;
    };
    while (!body || !body->finished()) {
        const ssize_t got = ::recv(socket.handle(), buffer.data(), buffer.size(), 0);
        if (got < 0) {
            answer.failure
                = errno == EAGAIN || errno == EWOULDBLOCK ? "the server fell silent" : std::strerror(errno);
            return;
        }
        if (got == 0)
            break;
        const std::string_view piece(buffer.data(), static_cast<std::size_t>(got));
        if (body) {
            body->add(piece);
        } else {
            before += piece;
            const std::size_t end = before.find("\r\n\r\n");
            if (end == std::string::npos && before.size() <= largestHead)
                continue;
            const std::optional<Head> head
                = end == std::string::npos ? std::nullopt : readHead(std::string_view(before).substr(0, end));
            if (!head) {
                answer.failure = "what answers there does not speak HTTP";
                return;
            }
            answer.status = head->status;
            body.emplace(head->chunked, head->length, take);
            body->add(std::string_view(before).substr(end + 4));
        }
        if (body->broken()) {
            answer.failure = "the server's answer is broken off or malformed";
            return;
        }
    }
    if (!body)
        answer.failure = "the server closed the connection without an answer";
}

} // namespace

Result<Url> urlFromText(std::string_view text)
{
    constexpr std::string_view scheme = "http://";
    if (text.starts_with("https://"))
        return refuse("URL", "only plain HTTP is spoken here, got '" + std::string(text) + "'",
                      "probe the engine itself, behind what encrypts: http://localhost:8000");
    if (!text.starts_with(scheme))
        return refuse("URL",
                      "expected an address such as http://localhost:8000, got '" + std::string(text) + "'");
    std::string_view rest = text.substr(scheme.size());
    Url url;
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    url.path = rest.substr(slash);
    while (url.path.ends_with('/'))
        url.path.pop_back();
    if (url.path.ends_with("/v1"))
        url.path.resize(url.path.size() - 3);
    rest = rest.substr(0, slash);
    const bool bracketed = rest.starts_with('[') && rest.find(']') != std::string_view::npos; // IPv6
    const std::size_t hostEnd = bracketed ? rest.find(']') + 1 : std::min(rest.find(':'), rest.size());
    url.host = bracketed ? rest.substr(1, hostEnd - 2) : rest.substr(0, hostEnd);
    if (hostEnd < rest.size())
        url.port = rest.substr(hostEnd + 1);
    int port = 0;
    const auto [end, error] = std::from_chars(url.port.data(), url.port.data() + url.port.size(), port);
    const bool goodPort
        = error == std::errc{} && end == url.port.data() + url.port.size() && port > 0 && port < 65536;
    const bool goodText = text.find_first_of(" \t\r\n") == std::string_view::npos;
    if (url.host.empty() || !goodPort || !goodText)
        return refuse("URL",
                      "expected an address such as http://localhost:8000, got '" + std::string(text) + "'");
    return url;
}

HttpAnswer httpExchange(const Url& url, const HttpRequest& request,
                        const std::function<void(std::string_view)>& sink)
{
    HttpAnswer answer;
    const std::optional<Socket> socket = connected(url, request.patience, answer.failure);
    if (!socket)
        return answer;
    std::string text = request.method + ' ' + url.path + request.path + " HTTP/1.1\r\nHost: " + url.host + ':'
        + url.port + "\r\nConnection: close\r\n" + request.header;
    if (!request.body.empty())
        text += "Content-Type: application/json\r\nContent-Length: " + std::to_string(request.body.size())
            + "\r\n";
    text += "\r\n" + request.body;
    if (sendAll(*socket, text))
        receive(*socket, answer, sink);
    else
        answer.failure = std::string("cannot send to the server: ") + std::strerror(errno);
    return answer;
}

} // namespace headroom::cli
