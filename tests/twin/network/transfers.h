#pragma once

#include "fabric.h"

#include <optional>
#include <vector>

namespace headroom::twin {

// Messages and what each waits for. Messages that pass a port together share it evenly, and nobody leaves a
// rate unused that somebody could have (max-min fair, as InfiniBand's and NVLink's arbiters come near to).
class Transfers {
public:
    explicit Transfers(const Fabric& fabric) : m_fabric(fabric) {}

    // Starts when all of `after` have arrived; without bytes or way to go it arrives at once. Returns its
    // number.
    int send(int from, int to, double bytes, std::vector<int> after = {});
    // Through stated ports: what a switch adds up or copies passes only one of its sides.
    int pass(std::vector<int> ports, double latency, double bytes, std::vector<int> after = {});
    // Waits for `after`, takes this long, moves nothing.
    int pause(double seconds, std::vector<int> after = {});

    struct Outcome {
        std::vector<double> arrival;   // of each message
        std::vector<double> portBytes; // through each port
        double end = 0;
    };
    // Empty where some message has no way.
    [[nodiscard]] std::optional<Outcome> run() const;

private:
    struct Message {
        std::vector<int> ports;
        double latency = 0;
        double bytes = 0;
        std::vector<int> after;
    };
    friend class Clockwork;

    const Fabric& m_fabric;
    std::vector<Message> m_messages;
    bool m_possible = true;
};

} // namespace headroom::twin
