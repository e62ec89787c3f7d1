#pragma once

#include "model/ask/spans.h"

#include <vector>

namespace headroom::ask {

// The items that a span ends and begins with, while its parts are still in the order they were found in.
[[nodiscard]] inline std::size_t back(const Span& span)
{
    return *std::max_element(span.parts.begin(), span.parts.end());
}
[[nodiscard]] inline std::size_t front(const Span& span)
{
    return *std::min_element(span.parts.begin(), span.parts.end());
}

[[nodiscard]] inline bool isPeople(const Item& item) { return item.note == "User" || item.note == "People"; }
// What one of something is called, where any role can be said of one of it: a user, a card, a replica, a
// school.
[[nodiscard]] Meaning scopeAt(const Draft& draft, std::size_t i);

// What the words behind a quantity say it is per or of one of: "per hour", "/gpu/h", "each", "一张".
void readPerBehind(const Draft& draft, Span& span);
// And those in front: "每秒 20 个 token", "每人每天 20 次请求", "monthly budget $5000".
void readPerInFront(const Draft& draft, Span& span);

} // namespace headroom::ask
