#include "tests/app/probe/hostile_server.h"

#include "tests/app/loopback_listener.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace headroom::test {

namespace {

// Whoever tests behind a proxy does not ask it for this machine.
[[maybe_unused]] const int direct = ::setenv("no_proxy", "127.0.0.1", 1);

class PlainPeer : public Peer {
public:
    explicit PlainPeer(int handle) : m_handle(handle) {}

    bool send(std::string_view text) override
    {
        while (!text.empty()) {
            const ssize_t sent = ::send(m_handle, text.data(), text.size(), MSG_NOSIGNAL);
            if (sent <= 0)
                return false;
            text.remove_prefix(static_cast<std::size_t>(sent));
        }
        return true;
    }
    std::string receive() override
    {
        std::array<char, 65536> buffer{};
        const ssize_t got = ::recv(m_handle, buffer.data(), buffer.size(), 0);
        return got > 0 ? std::string(buffer.data(), std::size_t(got)) : std::string();
    }
    void waitUntilClosed() override
    {
        while (!receive().empty()) {}
    }
    void reset() override
    {
        const linger rude{.l_onoff = 1, .l_linger = 0};
        ::setsockopt(m_handle, SOL_SOCKET, SO_LINGER, &rude, sizeof rude);
    }

private:
    int m_handle;
};

class TlsPeer : public Peer {
public:
    TlsPeer(SSL* ssl, int handle) : m_ssl(ssl), m_plain(handle) {}

    bool send(std::string_view text) override
    {
        return text.empty() || SSL_write(m_ssl, text.data(), int(text.size())) > 0;
    }
    std::string receive() override
    {
        std::array<char, 16384> buffer{};
        const int got = SSL_read(m_ssl, buffer.data(), int(buffer.size()));
        return got > 0 ? std::string(buffer.data(), std::size_t(got)) : std::string();
    }
    void waitUntilClosed() override
    {
        while (!receive().empty()) {}
    }
    void reset() override { m_plain.reset(); }

private:
    SSL* m_ssl;
    PlainPeer m_plain;
};

// Head and body of the next request; empty at the end.
std::string nextRequest(Peer& peer)
{
    std::string text;
    std::size_t whole = std::string::npos;
    while (text.size() < whole) {
        const std::string piece = peer.receive();
        if (piece.empty())
            return {};
        text += piece;
        const std::size_t head = text.find("\r\n\r\n");
        if (head == std::string::npos)
            continue;
        constexpr std::string_view name = "Content-Length: ";
        std::size_t length = 0;
        if (const std::size_t at = text.find(name); at < head)
            std::from_chars(text.data() + at + name.size(), text.data() + head, length);
        whole = head + 4 + length;
    }
    return text;
}

} // namespace

struct HostileServer::Tls {
    std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context{SSL_CTX_new(TLS_server_method()),
                                                              &SSL_CTX_free};
    std::mutex mutex;
    std::string offered;
};

bool Peer::sendStream(const std::vector<std::string>& pieces)
{
    if (!send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"))
        return false;
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i)
        if (!send(chunkOf(pieces[i])))
            return false;
    // In one write: who has read the last piece has the end of the body, too, and may use the connection
    // again.
    return send((pieces.empty() ? std::string() : chunkOf(pieces.back())) + "0\r\n\r\n");
}

HostileServer::HostileServer(Script script, const Certificate* certificate,
                             std::function<bool()> onConnection)
    : m_script(std::move(script)), m_onConnection(std::move(onConnection))
{
    if (certificate != nullptr) {
        m_tls = std::make_unique<Tls>();
        SSL_CTX_use_PrivateKey_file(m_tls->context.get(), certificate->key().c_str(), SSL_FILETYPE_PEM);
        SSL_CTX_use_certificate_file(m_tls->context.get(), certificate->file().c_str(), SSL_FILETYPE_PEM);
        const auto heard = [](SSL*, const unsigned char**, unsigned char*, const unsigned char* list,
                              unsigned size, void* self) {
            auto& tls = *static_cast<Tls*>(self);
            const std::lock_guard lock(tls.mutex);
            tls.offered.clear();
            for (unsigned at = 0; at < size; at += 1U + list[at])
                tls.offered.append(tls.offered.empty() ? "" : " ")
                    .append(list + at + 1, list + at + 1 + list[at]);
            return SSL_TLSEXT_ERR_NOACK; // HTTP/1.1 it is
        };
        SSL_CTX_set_alpn_select_cb(m_tls->context.get(), heard, m_tls.get());
    }
    const LoopbackListener listener = listenOnLoopback(512);
    m_socket = listener.socket;
    m_port = listener.port;
    m_acceptor = std::thread([this] { accept(); });
}

HostileServer::~HostileServer()
{
    ::shutdown(m_socket, SHUT_RDWR); // wakes accept
    m_acceptor.join();
    ::close(m_socket);
    std::vector<std::thread> threads;
    {
        const std::lock_guard lock(m_mutex);
        for (const int handle : m_open)
            ::shutdown(handle, SHUT_RDWR);
        threads.swap(m_threads);
    }
    for (std::thread& thread : threads)
        thread.join();
}

std::string HostileServer::url() const
{
    return std::string(m_tls ? "https" : "http") + "://127.0.0.1:" + std::to_string(m_port);
}

std::string HostileServer::offered() const
{
    const std::lock_guard lock(m_tls->mutex);
    return m_tls->offered;
}

void HostileServer::accept()
{
    for (int handle = ::accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC); handle >= 0;
         handle = ::accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC)) {
        ++m_connections;
        // As servers of streams do: a token would else wait for the answer to the one before it, and several
        // come at once.
        const int atOnce = 1;
        ::setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &atOnce, sizeof atOnce);
        const std::lock_guard lock(m_mutex);
        m_open.push_back(handle);
        m_threads.emplace_back([this, handle] { serve(handle); });
    }
}

void HostileServer::serve(int handle)
{
    sigset_t pipes; // OpenSSL writes to connections that are closed
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipes, nullptr);
    const bool goOn = !m_onConnection || m_onConnection();
    if (!goOn) {
        PlainPeer(handle).waitUntilClosed();
    } else if (m_tls) {
        const std::unique_ptr<SSL, decltype(&SSL_free)> ssl(SSL_new(m_tls->context.get()), &SSL_free);
        SSL_set_fd(ssl.get(), handle);
        TlsPeer peer(ssl.get(), handle);
        if (SSL_accept(ssl.get()) > 0)
            converse(peer);
    } else {
        PlainPeer peer(handle);
        converse(peer);
    }
    const std::lock_guard lock(m_mutex);
    m_open.erase(std::find(m_open.begin(), m_open.end(), handle));
    ::close(handle);
}

void HostileServer::converse(Peer& peer)
{
    for (std::string request = nextRequest(peer); !request.empty(); request = nextRequest(peer)) {
        ++m_requests;
        if (!m_script(peer, request))
            return;
    }
}

std::string chunkOf(std::string_view body)
{
    std::array<char, 32> size{};
    std::snprintf(size.data(), size.size(), "%zx\r\n", body.size());
    return std::string(size.data()).append(body).append("\r\n");
}

std::string plainAnswer(int status, const std::string& type, const std::string& body,
                        const std::string& headers)
{
    return "HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Type: " + type + "\r\n" + headers
        + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

} // namespace headroom::test
