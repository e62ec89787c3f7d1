#pragma once

#include "model/base/message.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace headroom::probe {

// How a request can fail. Each has a name of its own in results; equal ones in a row end a level.
enum class FailureKind : std::uint8_t {
    None,
    // Before anything is answered.
    NoAddress,    // the name has none
    NotConnected, // refused or unreachable
    SlowConnect,  // no connection, TLS included, in the time that silence may last
    Tls,          // not encrypted as it should be: certificate, name, protocol
    Proxy,
    // The answer as HTTP.
    NoAnswer,    // closed without one
    NotHttp,     // what answers speaks something else
    SlowHeaders, // its head does not come to an end
    HugeHeaders,
    Status,     // of 400 and above
    Redirect,   // not followed
    WrongType,  // no stream of events
    Compressed, // which nobody asked for
    Malformed,  // broken chunks or frames
    Reset,
    // The stream.
    Silence,   // nothing comes any more
    SlowBody,  // bytes, but no whole event
    OnlyPings, // signs of life instead of tokens
    RequestDeadline,
    LongLine,
    NotUtf8,
    BadEvent,    // no JSON
    ServerError, // the server says so
    HalfStream,  // ends without saying that it is complete
    NoText,
    TooShort,     // fewer tokens than were asked for
    TooLong,      // more than were asked for, without an end
    WrongUsage,   // the count is no count
    UsageTooHigh, // more tokens than were asked for or can have been seen
    UsageTooLow,  // fewer than were seen
    // Ours.
    LevelDeadline,
    ClientFiles, // no file descriptor for one more connection
    ClientPorts, // no port for one more connection
    ClientMemory,
};

// "slow-headers"
[[nodiscard]] std::string_view failureName(FailureKind kind);
// Not the server's fault: a limit of the machine that asks.
[[nodiscard]] bool isClients(FailureKind kind);

struct Failure {
    FailureKind kind = FailureKind::None;
    int status = 0; // of Status and Redirect
    Message detail; // fit to be shown: no secret, no control character

    explicit operator bool() const { return kind != FailureKind::None; }
    // "status-429", "slow-headers"
    [[nodiscard]] std::string name() const;
    // "slow-headers: the head of the answer is not complete after 120 s"
    [[nodiscard]] Message sentence() const;
};

} // namespace headroom::probe
