#pragma once

#include <QString>

#include <cstdint>

namespace headroom::app {

enum class NoticeKind : std::uint8_t {
    Told,  // good to know: goes by itself
    Failed // something was not done: stays until it is closed
};

// One sentence the user should see.
struct Notice {
    QString text;
    NoticeKind kind = NoticeKind::Told;
    QString file = {}; // that was made, and can be opened
};

} // namespace headroom::app
