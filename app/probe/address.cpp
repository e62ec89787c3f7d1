#include "app/probe/address.h"

#include "app/probe/curl_library.h"
#include "app/probe/shown_text.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>

namespace headroom::probe {

namespace {

class Parts {
public:
    [[nodiscard]] bool set(const std::string& text)
    {
        return m_curl.urlSet(m_parts.get(), CURLUPART_URL, text.c_str(), 0) == CURLUE_OK;
    }
    [[nodiscard]] std::optional<std::string> part(CURLUPart which) const
    {
        char* text = nullptr;
        if (m_curl.urlGet(m_parts.get(), which, &text, which == CURLUPART_PORT ? CURLU_DEFAULT_PORT : 0U)
            != CURLUE_OK)
            return std::nullopt;
        const std::unique_ptr<char, decltype(m_curl.free)> owned(text, m_curl.free);
        return std::string(text);
    }

private:
    CurlLibrary m_curl;
    std::unique_ptr<CURLU, decltype(m_curl.urlCleanup)> m_parts{m_curl.url(), m_curl.urlCleanup};
};

Result<Address> notOne(std::string_view text)
{
    // What stands before an @ may be a password.
    const bool login = text.find('@') != std::string_view::npos;
    return refuse("URL",
                  login
                      ? say("expected an address such as http://localhost:8000")
                      : say("expected an address such as http://localhost:8000, got '{}'", printable(text)));
}

} // namespace

std::string Address::text() const
{
    const bool v6 = host.find(':') != std::string::npos;
    return scheme + "://" + (v6 ? '[' + host + ']' : host) + ':' + port + path;
}

Result<Address> addressFromText(std::string_view text)
{
    const bool plain = std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7F; });
    if (!plain || (!text.starts_with("http://") && !text.starts_with("https://")))
        return notOne(text);
    Parts parts;
    if (!parts.set(std::string(text)))
        return notOne(text);
    if (parts.part(CURLUPART_USER) || parts.part(CURLUPART_PASSWORD))
        return refuse("URL", "a login does not belong in the address, where everybody can read it",
                      "give the key with --api-key-env NAME or --api-key-file FILE");
    if (parts.part(CURLUPART_QUERY) || parts.part(CURLUPART_FRAGMENT))
        return refuse("URL", "expected an address without '?' and '#', for paths are added to it");
    Address address{.scheme = *parts.part(CURLUPART_SCHEME),
                    .host = parts.part(CURLUPART_HOST).value_or(""),
                    .port = parts.part(CURLUPART_PORT).value_or(""),
                    .path = parts.part(CURLUPART_PATH).value_or("")};
    if (address.host.starts_with('[') && address.host.ends_with(']'))
        address.host = address.host.substr(1, address.host.size() - 2);
    while (address.path.ends_with('/'))
        address.path.pop_back();
    if (address.path.ends_with("/v1"))
        address.path.resize(address.path.size() - 3);
    int port = 0;
    const char* const last = address.port.data() + address.port.size();
    const auto [end, error] = std::from_chars(address.port.data(), last, port);
    if (error != std::errc{} || end != last || port <= 0 || port > 65535 || address.host.empty())
        return notOne(text);
    return address;
}

} // namespace headroom::probe
