#pragma once

#include "tests/app/probe/certificate.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace headroom::test {

// The other end of one connection, as a script of a test uses it.
class Peer {
public:
    virtual ~Peer() = default;
    // False when nobody takes it any more.
    virtual bool send(std::string_view text) = 0;
    virtual std::string receive() = 0; // what comes next; empty at the end
    virtual void waitUntilClosed() = 0;
    virtual void reset() = 0; // ends the connection rudely
    // Sends chunks of HTTP/1.1, the head before the first and the end after the last.
    bool sendStream(const std::vector<std::string>& pieces);
};

// A server on a free port of this machine, a thread for each connection. The script is called for each
// request of it (head and body) and says whether the connection serves another.
class HostileServer {
public:
    using Script = std::function<bool(Peer&, const std::string& request)>;

    // With a certificate it speaks TLS. `onConnection` is called first, without any TLS; it says whether to
    // go on.
    explicit HostileServer(Script script, const Certificate* certificate = nullptr,
                           std::function<bool()> onConnection = {});
    ~HostileServer();
    HostileServer(const HostileServer&) = delete;
    HostileServer& operator=(const HostileServer&) = delete;

    [[nodiscard]] int port() const { return m_port; }
    [[nodiscard]] std::string url() const;
    [[nodiscard]] int requests() const { return m_requests; }
    [[nodiscard]] int connections() const { return m_connections; }
    // What the client offered to speak over TLS, such as "h2 http/1.1".
    [[nodiscard]] std::string offered() const;

private:
    struct Tls;
    void accept();
    void serve(int handle);
    void converse(Peer& peer);

    Script m_script;
    std::function<bool()> m_onConnection;
    std::unique_ptr<Tls> m_tls;
    int m_socket = -1;
    int m_port = 0;
    std::atomic<int> m_requests = 0, m_connections = 0;
    std::mutex m_mutex; // of the three below
    std::vector<int> m_open;
    std::vector<std::thread> m_threads;
    std::thread m_acceptor;
};

[[nodiscard]] std::string chunkOf(std::string_view body);
[[nodiscard]] std::string plainAnswer(int status, const std::string& type, const std::string& body,
                                      const std::string& headers = {});

} // namespace headroom::test
