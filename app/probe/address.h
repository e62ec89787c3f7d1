#pragma once

#include "model/base/result.h"

#include <string>
#include <string_view>

namespace headroom::probe {

// Where a server is.
struct Address {
    std::string scheme = "http"; // or "https"
    std::string host;            // of IPv6 without its brackets
    std::string port = "80";
    std::string path; // without a slash at its end and without /v1

    // "http://localhost:8000/api"
    [[nodiscard]] std::string text() const;

    friend bool operator==(const Address&, const Address&) = default;
};

// "http://localhost:8000" or "https://10.0.0.7:30000/api". Refused: other schemes, and a login, a question or
// a mark inside the address, for keys do not belong there.
[[nodiscard]] Result<Address> addressFromText(std::string_view text);

} // namespace headroom::probe
