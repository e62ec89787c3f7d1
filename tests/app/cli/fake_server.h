#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace headroom::test {

// A server on a free port of this machine that gives every request the pieces that `answer` returns for it,
// one send for each, and closes the connection.
class FakeServer {
public:
    explicit FakeServer(std::function<std::vector<std::string>(const std::string& request)> answer);
    ~FakeServer();
    FakeServer(const FakeServer&) = delete;
    FakeServer& operator=(const FakeServer&) = delete;

    [[nodiscard]] std::string url() const;
    [[nodiscard]] int requests() const { return m_requests; }

private:
    void serve();

    std::function<std::vector<std::string>(const std::string&)> m_answer;
    int m_socket = -1;
    int m_port = 0;
    std::atomic<int> m_requests = 0;
    std::thread m_thread;
};

// The usual answers: a list with one model, and a stream of so many tokens in chunks.
[[nodiscard]] std::vector<std::string> modelList(const std::string& id);
[[nodiscard]] std::vector<std::string> tokenStream(int tokens, bool usage);

} // namespace headroom::test
