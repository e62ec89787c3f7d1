#include "calib/calibrate.h"
#include "calib/links/exchange.h"
#include "calib/links/socket.h"
#include "model/text/write_file.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <random>
#include <thread>

namespace headroom {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::string_view greeting = "headroom ranks";
constexpr std::string_view welcome = "welcome";

class Deadline {
public:
    explicit Deadline(double seconds)
        : m_end(Clock::now()
                + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)))
    {}
    [[nodiscard]] double left() const
    {
        return std::max(0.0, std::chrono::duration<double>(m_end - Clock::now()).count());
    }

private:
    Clock::time_point m_end;
};

// Where rank 0 listens, and the word by which its ranks are told from whoever else knocks.
struct Place {
    std::vector<std::string> hosts;
    int port = 0;
    std::string token;
};

// "HOST:PORT" as such; anything else is the name of a file.
std::optional<Place> placeIn(const std::string& text, const std::string& token)
{
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos || colon == 0 || text.find('/') != std::string::npos)
        return std::nullopt;
    const std::string digits = text.substr(colon + 1);
    if (digits.empty() || digits.size() > 5 || digits.find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
    return Place{.hosts = {text.substr(0, colon)}, .port = std::stoi(digits), .token = token};
}

void writePlace(const fs::path& file, const Place& place)
{
    std::string text = fmt::format("{}\n{}\n", place.token, place.port);
    for (const std::string& host : place.hosts)
        text += host + '\n';
    try { // the token is for this user's processes alone
        writeFile(file, text, {.mode = 0600});
    } catch (const CannotWrite& broken) {
        throw CalibrationBroken(say("{}, and the ranks were to meet there", asIs(broken.what())));
    }
}

std::optional<Place> readPlace(const fs::path& file)
{
    std::ifstream in(file);
    Place place;
    std::string port;
    if (!std::getline(in, place.token) || !std::getline(in, port))
        return std::nullopt;
    const auto known = placeIn("here:" + port, place.token);
    for (std::string host; std::getline(in, host);)
        place.hosts.push_back(host);
    place.port = known ? known->port : 0;
    return place.port > 0 && !place.hosts.empty() ? std::optional(place) : std::nullopt;
}

std::vector<std::string> hostsWithin(Reach reach)
{
    return reach == Reach::Network ? ownAddresses() : std::vector<std::string>{"127.0.0.1"};
}

std::string randomToken()
{
    std::random_device random;
    return fmt::format("{:08x}{:08x}", random(), random());
}

[[noreturn]] void gone(int rank) { throw CalibrationBroken(say("the process of rank {} has gone", rank)); }

// Rank 0 in the middle of all others.
class Leader final : public Exchange {
public:
    explicit Leader(std::vector<Socket> others) : m_others(std::move(others)) {}

    [[nodiscard]] std::string broadcast(const std::string& mine) override
    {
        for (std::size_t i = 0; i < m_others.size(); ++i)
            if (!m_others[i].send(mine))
                gone(static_cast<int>(i) + 1);
        return mine;
    }
    [[nodiscard]] std::vector<std::string> gather(const std::string& mine) override
    {
        std::vector<std::string> out{mine};
        for (std::size_t i = 0; i < m_others.size(); ++i) {
            std::optional<std::string> word = m_others[i].receive();
            if (!word)
                gone(static_cast<int>(i) + 1);
            out.push_back(std::move(*word));
        }
        return out;
    }

private:
    std::vector<Socket> m_others; // of rank 1 first
};

class Follower final : public Exchange {
public:
    explicit Follower(Socket leader) : m_leader(std::move(leader)) {}

    [[nodiscard]] std::string broadcast(const std::string&) override
    {
        std::optional<std::string> word = m_leader.receive();
        if (!word)
            gone(0);
        return *word;
    }
    [[nodiscard]] std::vector<std::string> gather(const std::string& mine) override
    {
        if (!m_leader.send(mine))
            gone(0);
        return {};
    }

private:
    Socket m_leader;
};

// Rank, when it is one of ours that is not here yet.
std::optional<int> admitted(const Socket& socket, const std::string& token,
                            const std::vector<std::optional<Socket>>& here)
{
    constexpr double patience = 3;
    const std::optional<std::string> said = socket.receive(patience);
    if (!said)
        return std::nullopt;
    const std::string expected = fmt::format("{} {} ", greeting, token);
    if (!said->starts_with(expected))
        return std::nullopt;
    const auto number = placeIn("rank:" + said->substr(expected.size()), {});
    const int rank = number ? number->port : 0;
    const bool wanted
        = rank > 0 && static_cast<std::size_t>(rank) < here.size() && !here[static_cast<std::size_t>(rank)];
    return wanted && socket.send(std::string(welcome)) ? std::optional(rank) : std::nullopt;
}

std::unique_ptr<Exchange> lead(const Launched& launched, const Meeting& meeting)
{
    const auto said = placeIn(meeting.place, launched.job);
    std::optional<Socket> listener = listening(said ? said->port : 0, meeting.reach);
    if (!listener)
        throw CalibrationBroken(said ? say("port {} is taken, and the ranks were to meet there", said->port)
                                     : say("no port is free for the ranks to meet at"));
    const Place place = said
        ? *said
        : Place{.hosts = hostsWithin(meeting.reach), .port = portOf(*listener), .token = randomToken()};
    if (!said)
        writePlace(meeting.place, place);
    std::vector<std::optional<Socket>> here(static_cast<std::size_t>(launched.ranks));
    int come = 1;
    const Deadline deadline(meeting.patience);
    while (come < launched.ranks && deadline.left() > 0)
        if (std::optional<Socket> socket = accepted(*listener, deadline.left()))
            if (const auto rank = admitted(*socket, place.token, here)) {
                here[static_cast<std::size_t>(*rank)] = std::move(socket);
                ++come;
            }
    std::error_code left;
    if (!said)
        fs::remove(meeting.place, left);
    if (come < launched.ranks)
        throw CalibrationBroken(meeting.reach == Reach::ThisMachine
                                    ? say("{} of {} processes came to {} within {:.0f} s; those of other "
                                          "machines need --meet HOST:PORT or "
                                          "a file",
                                          come, launched.ranks, meeting.place, meeting.patience)
                                    : say("{} of {} processes came to {} within {:.0f} s", come,
                                          launched.ranks, meeting.place, meeting.patience));
    std::vector<Socket> others;
    for (std::size_t rank = 1; rank < here.size(); ++rank)
        others.push_back(std::move(*here[rank]));
    return std::make_unique<Leader>(std::move(others));
}

std::optional<Socket> joined(const Place& place, int rank)
{
    constexpr double patience = 3;
    for (const std::string& host : place.hosts) {
        std::optional<Socket> socket = connected(host, place.port);
        if (socket && socket->send(fmt::format("{} {} {}", greeting, place.token, rank))
            && socket->receive(patience) == welcome)
            return socket;
    }
    return std::nullopt;
}

std::unique_ptr<Exchange> follow(const Launched& launched, const Meeting& meeting)
{
    const auto said = placeIn(meeting.place, launched.job);
    const Deadline deadline(meeting.patience);
    // A file of an earlier run may still be there: nobody listens where it points to.
    do {
        const std::optional<Place> place = said ? said : readPlace(meeting.place);
        if (place)
            if (std::optional<Socket> socket = joined(*place, launched.rank))
                return std::make_unique<Follower>(std::move(*socket));
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    } while (deadline.left() > 0);
    throw CalibrationBroken(
        say("rank {} waited {:.0f} s at {} and met nobody", launched.rank, meeting.patience, meeting.place));
}

} // namespace

std::string meetingBeside(const fs::path& file, const Launched& launched)
{
    std::string name = "." + file.filename().string() + ".meeting";
    // Ids of jobs may hold what names of files cannot.
    for (const char c : launched.job)
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
    return (file.parent_path() / name).string();
}

std::unique_ptr<Exchange> socketExchange(const Launched& launched, const Meeting& meeting)
{
    return launched.rank == 0 ? lead(launched, meeting) : follow(launched, meeting);
}

} // namespace headroom
