#include "app/probe/curl_transport.h"

#include "app/probe/curl_transfer.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <deque>
#include <optional>
#include <stdexcept>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>
#include <unordered_map>

namespace headroom::probe {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int reservedFiles = 64; // for everything that is no stream
constexpr int eventsOfTurn = 64;  // what comes while they are seen to is noticed within a millisecond or two
constexpr int mostFilesWanted = 65536;
constexpr std::chrono::seconds longestLinger{1}; // for the end of a body whose [DONE] was read

double secondsOf(Clock::time_point time)
{
    return std::chrono::duration<double>(time.time_since_epoch()).count();
}

double processorSeconds()
{
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    const auto seconds
        = [](const timeval& time) { return double(time.tv_sec) + double(time.tv_usec) * 1e-6; };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// As many files as this user may open at all.
int raisedFileLimit()
{
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, std::max<rlim_t>(limit.rlim_cur, mostFilesWanted));
    ::setrlimit(RLIMIT_NOFILE, &limit);
    ::getrlimit(RLIMIT_NOFILE, &limit);
    return int(std::min<rlim_t>(limit.rlim_cur, 1'000'000));
}

// Times in classes, each a tenth wider than the one before it, from a microsecond on.
class LagCounts {
public:
    void add(double seconds, int events)
    {
        const double place = std::log(std::max(seconds, 1e-6) / 1e-6) / std::log(1.1);
        m_counts[std::min(m_counts.size() - 1, static_cast<std::size_t>(place))] += events;
        m_all += events;
    }
    // Within which 99 % were; starts anew.
    double take()
    {
        std::int64_t seen = 0;
        std::size_t place = 0;
        while (place + 1 < m_counts.size() && (seen += m_counts[place]) < m_all * 99 / 100)
            ++place;
        const double lag = m_all > 0 ? 1e-6 * std::pow(1.1, double(place + 1)) : 0;
        *this = {};
        return lag;
    }

private:
    std::array<std::int64_t, 192> m_counts{}; // to 80 s
    std::int64_t m_all = 0;
};

void add(const CurlLibrary& curl, CurlTransfer::Lines& list, const std::string& line)
{
    if (curl_slist* const longer = curl.slistAppend(list.get(), line.c_str())) {
        (void)list.release();
        list.reset(longer);
    }
}

} // namespace

// curl's multi handle on an epoll of our own: curl_multi_poll looks at every stream for each event of one.
class CurlTransport::Loop {
public:
    Loop(CurlOptions options, int mostStreams);
    ~Loop();
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    Ticket start(Exchange exchange, Receiver& receiver);
    void drop(Ticket ticket);
    void turn(double patience, const std::function<double()>& clock);
    double takeLag() { return m_lags.take(); }

private:
    static int onSocketWish(CURL*, curl_socket_t handle, int what, void* self, void* known);
    static int onTimerWish(CURLM*, long milliseconds, void* self);
    void act(curl_socket_t handle, int what);
    void finished();
    void endLingering();
    void countLag(int events);

    CurlLibrary m_curl;
    CURLM* m_multi;
    int m_epoll;
    CurlTransfer::Common m_common{m_curl};
    std::unordered_map<Ticket, std::unique_ptr<CurlTransfer>> m_transfers;
    std::vector<std::unique_ptr<CurlTransfer>> m_idle;
    std::deque<std::pair<Clock::time_point, Ticket>> m_lingering;
    Ticket m_next = 1;
    std::optional<Clock::time_point> m_timer;
    LagCounts m_lags;
    Clock::time_point m_behindSince = Clock::now();
    bool m_behind = false;
    struct sigaction m_pipeBefore {};
};

CurlTransport::Loop::Loop(CurlOptions options, int mostStreams)
    : m_multi((m_curl.globalInit(CURL_GLOBAL_DEFAULT), m_curl.multiInit())),
      m_epoll(::epoll_create1(EPOLL_CLOEXEC))
{
    if (m_multi == nullptr || m_epoll < 0)
        throw std::runtime_error("this machine has no file or memory left for a connection");
    m_common.url = options.address.text();
    m_common.options = std::move(options);
    struct sigaction ignored {};
    ignored.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignored, &m_pipeBefore); // a server that hangs up is a result
    m_common.onEnough
        = [this](Ticket ticket) { m_lingering.emplace_back(Clock::now() + longestLinger, ticket); };
    for (const std::string& line : m_common.options.headers) {
        add(m_curl, m_common.getHeaders, line);
        add(m_curl, m_common.postHeaders, line);
    }
    add(m_curl, m_common.postHeaders, "Content-Type: application/json");
    add(m_curl, m_common.postHeaders, "Accept: text/event-stream");
    add(m_curl, m_common.postHeaders, "Expect:"); // prompts go out at once
    m_curl.multiSetopt(m_multi, CURLMOPT_SOCKETFUNCTION, &Loop::onSocketWish);
    m_curl.multiSetopt(m_multi, CURLMOPT_SOCKETDATA, this);
    m_curl.multiSetopt(m_multi, CURLMOPT_TIMERFUNCTION, &Loop::onTimerWish);
    m_curl.multiSetopt(m_multi, CURLMOPT_TIMERDATA, this);
    m_curl.multiSetopt(m_multi, CURLMOPT_MAXCONNECTS, static_cast<long>(mostStreams));
}

CurlTransport::Loop::~Loop()
{
    for (const auto& [ticket, transfer] : m_transfers)
        m_curl.multiRemoveHandle(m_multi, transfer->handle());
    m_transfers.clear();
    m_idle.clear();
    m_curl.multiCleanup(m_multi);
    ::close(m_epoll);
    m_curl.globalCleanup();
    ::sigaction(SIGPIPE, &m_pipeBefore, nullptr);
}

int CurlTransport::Loop::onSocketWish(CURL* /*easy*/, curl_socket_t handle, int what, void* self, void* known)
{
    auto& loop = *static_cast<Loop*>(self);
    epoll_event event{};
    event.data.fd = handle;
    event.events
        = ((what & CURL_POLL_IN) != 0 ? EPOLLIN : 0U) | ((what & CURL_POLL_OUT) != 0 ? EPOLLOUT : 0U);
    if (what == CURL_POLL_REMOVE) {
        ::epoll_ctl(loop.m_epoll, EPOLL_CTL_DEL, handle, nullptr);
    } else if (::epoll_ctl(loop.m_epoll, known != nullptr ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, handle, &event)
               == 0) {
        loop.m_curl.multiAssign(loop.m_multi, handle, &loop);
    }
    return 0;
}

int CurlTransport::Loop::onTimerWish(CURLM* /*multi*/, long milliseconds, void* self)
{
    auto& loop = *static_cast<Loop*>(self);
    loop.m_timer.reset();
    if (milliseconds >= 0)
        loop.m_timer = Clock::now() + std::chrono::milliseconds(milliseconds);
    return 0;
}

Transport::Ticket CurlTransport::Loop::start(Exchange exchange, Receiver& receiver)
{
    if (m_idle.empty()) {
        CURL* const handle = m_curl.easyInit();
        if (handle == nullptr)
            throw std::bad_alloc();
        m_idle.push_back(std::make_unique<CurlTransfer>(handle, m_common));
    }
    std::unique_ptr<CurlTransfer> transfer = std::move(m_idle.back());
    m_idle.pop_back();
    const Ticket ticket = m_next++;
    transfer->begin(ticket, std::move(exchange), receiver);
    m_curl.multiAddHandle(m_multi, transfer->handle());
    m_transfers[ticket] = std::move(transfer);
    return ticket;
}

void CurlTransport::Loop::drop(Ticket ticket)
{
    const auto found = m_transfers.find(ticket);
    if (found == m_transfers.end())
        return;
    found->second->detach();
    m_curl.multiRemoveHandle(m_multi, found->second->handle());
    m_idle.push_back(std::move(found->second));
    m_transfers.erase(found);
}

void CurlTransport::Loop::act(curl_socket_t handle, int what)
{
    int running = 0;
    m_curl.multiSocketAction(m_multi, handle, what, &running);
}

void CurlTransport::Loop::turn(double patience, const std::function<double()>& clock)
{
    const auto before = Clock::now();
    if (m_timer)
        patience = std::min(patience, secondsOf(*m_timer) - secondsOf(before));
    std::array<epoll_event, eventsOfTurn> events{};
    const int wait = int(std::ceil(std::clamp(patience, 0.0, 1.0) * 1000));
    const int count = ::epoll_wait(m_epoll, events.data(), int(events.size()), wait);
    m_common.awake = clock();
    m_behindSince = m_behind ? m_behindSince : Clock::now();
    for (int i = 0; i < count; ++i) {
        const epoll_event& event = events[static_cast<std::size_t>(i)];
        act(event.data.fd,
            ((event.events & EPOLLIN) != 0 ? CURL_CSELECT_IN : 0)
                | ((event.events & EPOLLOUT) != 0 ? CURL_CSELECT_OUT : 0)
                | ((event.events & (EPOLLERR | EPOLLHUP)) != 0 ? CURL_CSELECT_ERR : 0));
    }
    if (m_timer && *m_timer <= Clock::now()) {
        m_timer.reset();
        act(CURL_SOCKET_TIMEOUT, 0);
    }
    finished();
    endLingering();
    countLag(count);
}

// What was ready and did not fit into a turn has waited since the turns began to be full.
void CurlTransport::Loop::countLag(int events)
{
    if (events > 0)
        m_lags.add(std::chrono::duration<double>(Clock::now() - m_behindSince).count(), events);
    m_behind = events == eventsOfTurn;
}

void CurlTransport::Loop::finished()
{
    int left = 0;
    while (const CURLMsg* const message = m_curl.multiInfoRead(m_multi, &left)) {
        if (message->msg != CURLMSG_DONE)
            continue;
        const CURLcode code = message->data.result; // the message does not outlive its handle
        const auto found = m_transfers.find(CurlTransfer::of(m_curl, message->easy_handle).ticket());
        const std::unique_ptr<CurlTransfer>& transfer = found->second;
        transfer->end(code);
        m_curl.multiRemoveHandle(m_multi, transfer->handle());
        m_idle.push_back(std::move(found->second));
        m_transfers.erase(found);
    }
}

void CurlTransport::Loop::endLingering()
{
    const auto now = Clock::now();
    while (!m_lingering.empty() && m_lingering.front().first <= now) {
        drop(m_lingering.front().second);
        m_lingering.pop_front();
    }
}

CurlTransport::CurlTransport(CurlOptions options, std::function<double()> clock)
    : m_clock(clock ? std::move(clock) : [] { return secondsOf(Clock::now()); }),
      m_mostStreams(std::max(1, raisedFileLimit() - reservedFiles)),
      m_loop(std::make_unique<Loop>(std::move(options), m_mostStreams))
{}

CurlTransport::~CurlTransport() = default;

Transport::Ticket CurlTransport::start(Exchange exchange, Receiver& receiver)
{
    return m_loop->start(std::move(exchange), receiver);
}

void CurlTransport::drop(Ticket ticket) { m_loop->drop(ticket); }

void CurlTransport::turn(double until) { m_loop->turn(until - m_clock(), m_clock); }

ClientUse CurlTransport::use() { return {processorSeconds(), m_loop->takeLag()}; }

} // namespace headroom::probe
