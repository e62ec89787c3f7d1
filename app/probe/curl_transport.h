#pragma once

#include "app/probe/address.h"
#include "app/probe/transport.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headroom::probe {

struct CurlOptions {
    Address address;
    std::vector<std::string> headers; // "Name: value", sent with every request
    std::string caFile;               // certificates to trust instead of the system's
};

// Real connections, all in one loop of one thread. TLS is verified, HTTP/2 spoken where the server offers it
// over TLS, proxies taken from the environment as curl does, redirects not followed, nothing unpacked.
class CurlTransport : public Transport {
public:
    // `clock`: seconds, instead of those of this machine.
    explicit CurlTransport(CurlOptions options, std::function<double()> clock = {});
    ~CurlTransport() override;
    CurlTransport(const CurlTransport&) = delete;
    CurlTransport& operator=(const CurlTransport&) = delete;

    [[nodiscard]] double now() const override { return m_clock(); }
    Ticket start(Exchange exchange, Receiver& receiver) override;
    void drop(Ticket ticket) override;
    void turn(double until) override;
    [[nodiscard]] ClientUse use() override;
    [[nodiscard]] int mostStreams() const override { return m_mostStreams; }

private:
    class Loop;
    std::function<double()> m_clock;
    int m_mostStreams;
    std::unique_ptr<Loop> m_loop;
};

} // namespace headroom::probe
