#pragma once

#include "app/probe/curl_library.h"
#include "app/probe/curl_transport.h"

#include <array>
#include <chrono>
#include <string>

namespace headroom::probe {

// One exchange on its curl handle, between curl's callbacks and its receiver.
class CurlTransfer {
public:
    using Lines = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;
    // What all transfers of a transport have in common.
    struct Common {
        const CurlLibrary& curl;
        CurlOptions options;
        std::string url; // of the server, paths are added
        Lines getHeaders{nullptr, curl.slistFreeAll};
        Lines postHeaders{nullptr, curl.slistFreeAll};
        double awake = 0; // when the loop last woke: what it finds then had arrived
        std::function<void(Transport::Ticket)> onEnough; // a receiver had enough before the end of the body
    };

    CurlTransfer(CURL* handle, const Common& common);
    ~CurlTransfer();
    CurlTransfer(const CurlTransfer&) = delete;
    CurlTransfer& operator=(const CurlTransfer&) = delete;

    // Readies the handle for this exchange.
    void begin(Transport::Ticket ticket, Exchange exchange, Receiver& receiver);
    void end(CURLcode code); // tells the receiver, when it still listens
    void detach() { m_receiver = nullptr; }

    [[nodiscard]] CURL* handle() const { return m_handle; }
    [[nodiscard]] Transport::Ticket ticket() const { return m_ticket; }
    [[nodiscard]] static CurlTransfer& of(const CurlLibrary& curl, CURL* handle);

private:
    static std::size_t onHeader(char* data, std::size_t one, std::size_t size, void* self);
    static std::size_t onBody(char* data, std::size_t one, std::size_t size, void* self);
    static int onSent(void* self, char*, char*, int, int);
    static curl_socket_t onSocket(void* self, curlsocktype purpose, curl_sockaddr* address);
    void setCommon(const Common& common);
    bool headerLine(std::string_view line);
    [[nodiscard]] Failure failureOf(CURLcode code) const;

    CURL* m_handle;
    const Common& m_common;
    Transport::Ticket m_ticket = 0;
    Exchange m_exchange;
    Receiver* m_receiver = nullptr;
    Head m_head;
    std::size_t m_headBytes = 0, m_thrownAway = 0;
    bool m_sent = false, m_headWhole = false;
    int m_socketError = 0;
    std::array<char, CURL_ERROR_SIZE> m_error{};
};

} // namespace headroom::probe
