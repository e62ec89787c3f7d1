#include "app/probe/curl_transfer.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <sys/socket.h>

namespace headroom::probe {

namespace {

constexpr std::size_t largestHead = 64U << 10U;    // of all interim answers and the last one
constexpr std::size_t mostThrownAway = 64U << 10U; // after a receiver had enough
constexpr long bufferBytes = 8L << 10U;            // for each stream: events are small, streams many
constexpr long uploadBytes = 16L << 10U;           // the least that curl takes
constexpr long longPatience = 24L * 3600 * 1000;   // ms; those who listen have deadlines of their own

bool isHeader(std::string_view line, std::string_view name)
{
    return line.size() > name.size() && line[name.size()] == ':'
        && std::equal(name.begin(), name.end(), line.begin(),
                      [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

std::string valueOf(std::string_view line)
{
    line.remove_prefix(line.find(':') + 1);
    const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    const std::size_t end = line.find_last_not_of(" \t\r\n");
    return std::string(end == std::string_view::npos || end < begin ? ""
                                                                    : line.substr(begin, end - begin + 1));
}

} // namespace

CurlTransfer::CurlTransfer(CURL* handle, const Common& common) : m_handle(handle), m_common(common)
{
    setCommon(common);
}

CurlTransfer::~CurlTransfer() { m_common.curl.easyCleanup(m_handle); }

CurlTransfer& CurlTransfer::of(const CurlLibrary& curl, CURL* handle)
{
    char* self = nullptr;
    curl.easyGetinfo(handle, CURLINFO_PRIVATE, &self);
    return *reinterpret_cast<CurlTransfer*>(self);
}

void CurlTransfer::setCommon(const Common& common)
{
    const auto set
        = [this](CURLoption option, auto value) { m_common.curl.easySetopt(m_handle, option, value); };
    set(CURLOPT_NOSIGNAL, 1L); // the loop sees to the only one there is
    set(CURLOPT_PRIVATE, static_cast<void*>(this));
    set(CURLOPT_ERRORBUFFER, m_error.data());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
    set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    if (!common.options.caFile.empty())
        set(CURLOPT_CAINFO, common.options.caFile.c_str());
    set(CURLOPT_HEADEROPT, static_cast<long>(CURLHEADER_SEPARATE)); // a proxy is told no key
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    set(CURLOPT_DNS_CACHE_TIMEOUT, -1L); // one look-up, not a thread for each of thousands
    set(CURLOPT_CONNECTTIMEOUT_MS, longPatience);
    set(CURLOPT_BUFFERSIZE, bufferBytes);
    set(CURLOPT_UPLOAD_BUFFERSIZE, uploadBytes);
    set(CURLOPT_HEADERFUNCTION, &CurlTransfer::onHeader);
    set(CURLOPT_HEADERDATA, static_cast<void*>(this));
    set(CURLOPT_WRITEFUNCTION, &CurlTransfer::onBody);
    set(CURLOPT_WRITEDATA, static_cast<void*>(this));
    set(CURLOPT_PREREQFUNCTION, &CurlTransfer::onSent);
    set(CURLOPT_PREREQDATA, static_cast<void*>(this));
    set(CURLOPT_OPENSOCKETFUNCTION, &CurlTransfer::onSocket);
    set(CURLOPT_OPENSOCKETDATA, static_cast<void*>(this));
}

void CurlTransfer::begin(Transport::Ticket ticket, Exchange exchange, Receiver& receiver)
{
    m_ticket = ticket;
    m_exchange = std::move(exchange);
    m_receiver = &receiver;
    m_head = {};
    m_headBytes = m_thrownAway = 0;
    m_sent = m_headWhole = false;
    m_socketError = 0;
    m_error.front() = '\0';
    const auto set
        = [this](CURLoption option, auto value) { m_common.curl.easySetopt(m_handle, option, value); };
    set(CURLOPT_URL, (m_common.url + m_exchange.path).c_str());
    const bool post = !m_exchange.body.empty();
    if (post) {
        set(CURLOPT_POST, 1L);
        set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(m_exchange.body.size()));
        set(CURLOPT_POSTFIELDS, m_exchange.body.data());
    } else {
        set(CURLOPT_HTTPGET, 1L);
    }
    set(CURLOPT_HTTPHEADER, post ? m_common.postHeaders.get() : m_common.getHeaders.get());
}

int CurlTransfer::onSent(void* self, char* /*server*/, char* /*here*/, int /*port*/, int /*port*/)
{
    auto& transfer = *static_cast<CurlTransfer*>(self);
    transfer.m_sent = true;
    if (transfer.m_receiver != nullptr)
        transfer.m_receiver->sent();
    return CURL_PREREQFUNC_OK;
}

curl_socket_t CurlTransfer::onSocket(void* self, curlsocktype /*purpose*/, curl_sockaddr* address)
{
    const int handle = ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (handle < 0)
        static_cast<CurlTransfer*>(self)->m_socketError = errno;
    return handle < 0 ? CURL_SOCKET_BAD : handle;
}

// What it does not take ends the transfer.
std::size_t CurlTransfer::onHeader(char* data, std::size_t /*one*/, std::size_t size, void* self)
{
    auto& transfer = *static_cast<CurlTransfer*>(self);
    transfer.m_headBytes += size;
    if (transfer.m_headBytes > largestHead)
        return 0;
    return transfer.m_receiver == nullptr || transfer.headerLine({data, size}) ? size : 0;
}

bool CurlTransfer::headerLine(std::string_view line)
{
    if (m_headWhole) // what follows a body
        return true;
    if (line.starts_with("HTTP/")) {
        m_head = {};
        m_receiver->headBegins();
        const std::size_t blank = std::min(line.find(' '), line.size() - 1);
        std::from_chars(line.data() + blank + 1, line.data() + line.size(), m_head.status);
    } else if (isHeader(line, "content-type")) {
        m_head.contentType = valueOf(line);
    } else if (isHeader(line, "content-encoding")) {
        m_head.contentEncoding = valueOf(line);
    } else if (isHeader(line, "location")) {
        m_head.location = valueOf(line);
    } else if ((line == "\r\n" || line == "\n") && m_head.status >= 200) {
        m_headWhole = true;
        if (!m_receiver->head(m_head, m_common.awake)) {
            m_receiver = nullptr;
            return false;
        }
    }
    return true;
}

std::size_t CurlTransfer::onBody(char* data, std::size_t /*one*/, std::size_t size, void* self)
{
    auto& transfer = *static_cast<CurlTransfer*>(self);
    if (transfer.m_receiver == nullptr) {
        transfer.m_thrownAway += size;
        return transfer.m_thrownAway <= mostThrownAway ? size : 0;
    }
    if (!transfer.m_receiver->take({data, size}, transfer.m_common.awake)) {
        transfer.m_receiver = nullptr;
        transfer.m_common.onEnough(transfer.m_ticket);
    }
    return size;
}

void CurlTransfer::end(CURLcode code)
{
    if (m_receiver != nullptr)
        std::exchange(m_receiver, nullptr)->ended(failureOf(code));
}

Failure CurlTransfer::failureOf(CURLcode code) const
{
    const std::string words = m_error.front() != '\0' ? m_error.data() : m_common.curl.easyStrerror(code);
    const auto as = [&](FailureKind kind) { return Failure{kind, 0, asIs(words)}; };
    // What curl says of a header line that is longer than it holds: "out of memory" until version 8.6, then
    // "too large", its number 100.
    const bool tooLarge
        = code == static_cast<CURLcode>(100) || (code == CURLE_OUT_OF_MEMORY && m_sent && !m_headWhole);
    if (tooLarge
        || code == CURLE_WRITE_ERROR) // or ours: nothing else ends a transfer that somebody listens to
        return {FailureKind::HugeHeaders, 0, "the head of the answer is longer than 64 KiB"};
    long systemError = m_socketError;
    if (systemError == 0)
        m_common.curl.easyGetinfo(m_handle, CURLINFO_OS_ERRNO, &systemError);
    switch (code) {
    case CURLE_OK:
        return {};
    case CURLE_COULDNT_RESOLVE_HOST:
        return as(FailureKind::NoAddress);
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_PROXY:
        return as(FailureKind::Proxy);
    case CURLE_OUT_OF_MEMORY:
        return as(FailureKind::ClientMemory);
    case CURLE_COULDNT_CONNECT:
        if (systemError == EMFILE || systemError == ENFILE)
            return {FailureKind::ClientFiles, 0, asIs(std::strerror(int(systemError)))};
        if (systemError == EADDRNOTAVAIL)
            return {FailureKind::ClientPorts, 0, "no port of this machine is free"};
        if (systemError == ENOBUFS || systemError == ENOMEM)
            return {FailureKind::ClientMemory, 0, asIs(std::strerror(int(systemError)))};
        return as(FailureKind::NotConnected);
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
        return as(FailureKind::Tls);
    case CURLE_GOT_NOTHING:
        return as(FailureKind::NoAnswer);
    case CURLE_UNSUPPORTED_PROTOCOL: // what it calls HTTP/0.9
    case CURLE_WEIRD_SERVER_REPLY:
        return as(FailureKind::NotHttp);
    case CURLE_PARTIAL_FILE:
        return as(FailureKind::HalfStream);
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_SEND_ERROR:
        return as(FailureKind::Reset);
    case CURLE_RECV_ERROR:
        return as(words.find("chunk") != std::string::npos ? FailureKind::Malformed : FailureKind::Reset);
    default:
        return as(m_headWhole ? FailureKind::Malformed : FailureKind::NotHttp);
    }
}

} // namespace headroom::probe
