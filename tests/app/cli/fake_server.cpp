#include "tests/app/cli/fake_server.h"

#include "tests/app/loopback_listener.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <netinet/in.h>
#include <stdexcept>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace headroom::test {

namespace {

// Head and body of one request.
std::string received(int connection)
{
    std::string text;
    std::array<char, 4096> buffer{};
    std::size_t whole = std::string::npos;
    while (text.size() < whole) {
        const ssize_t got = ::recv(connection, buffer.data(), buffer.size(), 0);
        if (got <= 0)
            return text;
        text.append(buffer.data(), static_cast<std::size_t>(got));
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

// It answers once a connection and says so: who asks again on it would find it dead.
std::string closing(std::string head)
{
    constexpr std::string_view version = "HTTP/1.1 ";
    const std::size_t line = head.find("\r\n");
    if (head.starts_with(version) && line != std::string::npos
        && head.find("Connection: ") == std::string::npos)
        head.insert(line + 2, "Connection: close\r\n");
    return head;
}

std::string chunk(const std::string& body)
{
    std::array<char, 32> size{};
    std::snprintf(size.data(), size.size(), "%zx\r\n", body.size());
    return size.data() + body + "\r\n";
}

} // namespace

FakeServer::FakeServer(std::function<std::vector<std::string>(const std::string&)> answer)
    : m_answer(std::move(answer))
{
    const LoopbackListener listener = listenOnLoopback(64);
    m_socket = listener.socket;
    m_port = listener.port;
    m_thread = std::thread([this] { serve(); });
}

FakeServer::~FakeServer()
{
    ::shutdown(m_socket, SHUT_RDWR); // wakes accept
    m_thread.join();
    ::close(m_socket);
}

std::string FakeServer::url() const { return "http://127.0.0.1:" + std::to_string(m_port); }

void FakeServer::serve()
{
    for (int connection = ::accept(m_socket, nullptr, nullptr); connection >= 0;
         connection = ::accept(m_socket, nullptr, nullptr)) {
        const std::string request = received(connection);
        ++m_requests;
        for (const std::string& each : m_answer(request)) {
            const std::string piece = closing(each);
            if (::send(connection, piece.data(), piece.size(), MSG_NOSIGNAL) < 0)
                break;
        }
        ::shutdown(connection, SHUT_WR);
        ::close(connection);
    }
}

std::vector<std::string> modelList(const std::string& id)
{
    const std::string body = R"({"object":"list","data":[{"id":")" + id + R"("}]})";
    return {"HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body};
}

std::vector<std::string> tokenStream(int tokens, bool usage)
{
    std::vector<std::string> pieces{"HTTP/1.1 200 OK\r\nTransfer-", "Encoding: chunked\r\n\r\n"};
    for (int i = 0; i < tokens; ++i) {
        const std::string whole = chunk("data: {\"choices\":[{\"text\":\" a\"}]}\n\n");
        pieces.push_back(whole.substr(0, 7)); // cut inside the event: the reader must put it together
        pieces.push_back(whole.substr(7));
    }
    if (usage)
        pieces.push_back(chunk("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":"
                               + std::to_string(tokens) + "}}\n\n"));
    pieces.push_back(chunk("data: [DONE]\n\n") + "0\r\n\r\n");
    return pieces;
}

} // namespace headroom::test
