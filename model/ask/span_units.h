#pragma once

#include "model/ask/spans.h"

#include <vector>

namespace headroom::ask {

[[nodiscard]] inline bool isPeople(const Item& item) { return item.note == "User" || item.note == "People"; }
// What one of something is called, where any role can be said of one of it: a user, a card, a replica, a
// school.
[[nodiscard]] Meaning scopeAt(const Draft& draft, std::size_t i);

// What the words behind a quantity say it is per or of one of: "per hour", "/gpu/h", "each", "一张".
void readPerBehind(const Draft& draft, Span& span);
// And those in front: "每秒 20 个 token", "每人每天 20 次请求", "monthly budget $5000".
void readPerInFront(const Draft& draft, Span& span);

} // namespace headroom::ask
