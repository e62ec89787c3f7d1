#pragma once

#include "app/probe/failure.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace headroom::probe {

// The head of an answer, as far as it matters.
struct Head {
    int status = 0;
    std::string contentType;
    std::string contentEncoding;
    std::string location; // where a redirect points
};

// One request: a GET, or a POST when it has a body.
struct Exchange {
    std::string path; // behind that of the address
    std::string body;
};

// Who hears of an exchange. All times are those of the transport's clock.
class Receiver {
public:
    virtual ~Receiver() = default;
    // Connected, and the request is on its way.
    virtual void sent() = 0;
    // Some bytes of a head that is not complete.
    virtual void headBegins() = 0;
    // These two say whether more is wanted; when not, nothing else is heard.
    virtual bool head(const Head& head, double now) = 0;
    virtual bool take(std::string_view piece, double now) = 0;
    // The last that is heard, unless the receiver had enough. `failure` is empty after a whole answer.
    virtual void ended(const Failure& failure) = 0;
};

// What the machine that asks has spent, since the transport was made.
struct ClientUse {
    double processorSeconds = 0;
    // How late an event can have been noticed: nearly all (99 %) were within this, since it was last asked.
    double lag = 0;
};

// What a probe talks through: real connections, or a script with a clock of its own.
class Transport {
public:
    using Ticket = std::uint64_t;

    virtual ~Transport() = default;
    [[nodiscard]] virtual double now() const = 0; // seconds; never runs back
    // The receiver must live until it is told the end, has had enough, or the exchange is dropped.
    virtual Ticket start(Exchange exchange, Receiver& receiver) = 0;
    virtual void drop(Ticket ticket) = 0;
    // Carries on until something has arrived or the time has come. Receivers are only called from here.
    virtual void turn(double until) = 0;
    [[nodiscard]] virtual ClientUse use() = 0;
    // Connections that this machine has file descriptors for.
    [[nodiscard]] virtual int mostStreams() const = 0;
};

} // namespace headroom::probe
