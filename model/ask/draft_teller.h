#pragma once

#include "model/ask/draft.h"

#include <string>
#include <string_view>

namespace headroom::ask {

// Who settles a part of a draft and tells of it in the question's language.
class DraftTeller {
protected:
    explicit DraftTeller(Draft& draft) : m_draft(draft) {}

    [[nodiscard]] std::string_view say(const auto& wording) const { return m_draft.say(wording); }
    template <typename... T>
    [[nodiscard]] std::string tell(const auto& wording, const T&... values) const
    {
        return m_draft.tell(wording, values...);
    }

    Draft& m_draft;
};

} // namespace headroom::ask
