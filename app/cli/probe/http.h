#pragma once

#include "model/result.h"

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace headroom::cli {

struct Url {
    std::string host;
    std::string port = "80";
    std::string path; // without a slash at its end

    friend bool operator==(const Url&, const Url&) = default;
};
// "http://localhost:8000" or "http://10.0.0.7:30000/api"; other schemes are refused.
[[nodiscard]] Result<Url> urlFromText(std::string_view text);

struct HttpAnswer {
    int status = 0;   // 0: no answer; `failure` says why
    std::string body; // unless a sink took it
    std::string failure;
};

// One request on a connection of its own. The body goes to `sink` as it comes, piece by piece, or into the
// answer when there is no sink; the body of a refusal (status from 300) always goes into the answer.
struct HttpRequest {
    std::string method = "GET";
    std::string path;   // behind that of the URL
    std::string header; // further lines, each ending in \r\n
    std::string body;
    std::chrono::seconds patience{120}; // longest silence of the server
};
[[nodiscard]] HttpAnswer httpExchange(const Url& url, const HttpRequest& request,
                                      const std::function<void(std::string_view)>& sink = {});

} // namespace headroom::cli
