#pragma once

#include "calib/links/launched.h"
#include "calib/links/socket.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headroom {

// Words between the processes of one job, no data: tickets of groups, orders, results. The process of rank 0
// leads. Every process calls the same functions in the same order; each throws CalibrationBroken when another
// process has gone.
class Exchange {
public:
    virtual ~Exchange() = default;
    Exchange() = default;
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    // What the leader says, for all.
    [[nodiscard]] virtual std::string broadcast(const std::string& mine) = 0;
    // What each says, by rank, for the leader; empty for the others.
    [[nodiscard]] virtual std::vector<std::string> gather(const std::string& mine) = 0;
};

// What each says, for all.
[[nodiscard]] std::vector<std::string> gatherForAll(Exchange& exchange, const std::string& mine);

// Lists of words as one: each after its length.
[[nodiscard]] std::string packed(const std::vector<std::string>& words);
[[nodiscard]] std::vector<std::string> unpacked(const std::string& pack);

// Through MPI, where this program was built with it and it started this process; else null.
[[nodiscard]] std::unique_ptr<Exchange> mpiExchange(const Launched& launched);

// Through sockets. The ranks meet at `place`: HOST:PORT of rank 0, or a file that all of them see, in which
// rank 0 writes where it listens. Returns when all are there; throws CalibrationBroken when they are not in
// time.
struct Meeting {
    std::string place;
    double patience = 120; // seconds
    Reach reach = Reach::Network;
};
[[nodiscard]] std::unique_ptr<Exchange> socketExchange(const Launched& launched, const Meeting& meeting);

// Where ranks meet that were told nothing: a file beside the one they are to write.
[[nodiscard]] std::string meetingBeside(const std::filesystem::path& file, const Launched& launched);

} // namespace headroom
