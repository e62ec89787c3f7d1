#pragma once

#include "model/base/units.h"
#include "model/scenario/scenario.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::serve {

// One request as it reaches the service. Kept small: a day of traffic holds millions.
struct Request {
    Seconds arrival; // ignored when it follows another request or a fixed number of users takes turns
    Seconds think;   // pause between the answer before it (of its session, else of its user) and its arrival
    std::int32_t promptTokens = 1;
    std::int32_t outputTokens = 1;
    std::int32_t follows = -1;      // index of the turn before it in its session; -1: none
    std::int32_t session = -1;      // requests of one session extend one text; -1: a text of its own
    std::int32_t systemTokens = 0;  // leading tokens shared by every request of its class
    std::int32_t sessionTokens = 0; // leading tokens that repeat the session so far, system prompt included
    std::uint32_t hashBegin = 0;    // its prefix hashes in Workload::prefixHashes
    std::uint16_t hashCount = 0;
    std::uint16_t classIndex = 0;

    friend bool operator==(const Request&, const Request&) = default;
};

// What requests of one kind are promised.
struct RequestClass {
    std::string name = "all";
    Targets targets;

    friend bool operator==(const RequestClass&, const RequestClass&) = default;
};

// When a request that was really served had its first and its last token, on the clock of its arrival.
struct RecordedTimes {
    Seconds firstToken, lastToken;
};

// Requests in the order of their arrival. Content is known only as far as it is shared: by class, by session,
// or by hashes of leading blocks (equal hash, equal text up to the end of that block).
struct Workload {
    std::vector<Request> requests;
    std::vector<RequestClass> classes{RequestClass{}};
    std::vector<std::uint32_t> prefixHashes;
    std::vector<RecordedTimes> recorded; // of a trace that knows them one for each request, otherwise none
    std::int32_t hashedTokens = 0;       // tokens behind one prefix hash (Mooncake: 512)
    std::int32_t users = 0;              // closed loop: this many hold conversations; 0: arrivals are given
    // Given arrivals: so many conversations are in flight at most, the others wait where they come from; 0:
    // without bound.
    std::int32_t mostInFlight = 0;

    [[nodiscard]] bool sharesPrefixes() const;
};

} // namespace headroom::serve
