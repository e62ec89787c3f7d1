#pragma once

#include "model/base/message.h"

#include <string>
#include <string_view>
#include <vector>

namespace headroom::probe {

// Text of a stranger, fit for a terminal and a document: what is no UTF-8 becomes U+FFFD; control characters,
// escape codes and marks that reverse the direction of writing become blanks; what is longer than `most`
// bytes ends in "…".
[[nodiscard]] std::string printable(std::string_view text, std::size_t most = 200);

[[nodiscard]] bool isUtf8(std::string_view text);

// What nobody may read: keys, and the header lines and addresses that carry them.
class Secrets {
public:
    // Also finds it as JSON, as part of an address and as base64 of a login would write it.
    void add(std::string_view secret);

    // With "[redacted]" instead of each of them.
    [[nodiscard]] std::string redacted(std::string_view text) const;
    // Redacted first and made printable then, so that no cut leaves half a key.
    [[nodiscard]] std::string shown(std::string_view text, std::size_t most = 200) const;
    // A message is kept where nothing of it must be hidden; else its English is shown like any text.
    [[nodiscard]] Message shown(const Message& message) const;

private:
    std::vector<std::string> m_spellings; // longest first
};

} // namespace headroom::probe
