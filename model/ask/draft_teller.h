#pragma once

#include "model/ask/draft.h"

#include <string>
#include <string_view>

namespace headroom::ask {

// Who settles a part of a draft and tells of it in the question's language.
class DraftTeller {
protected:
    explicit DraftTeller(Draft& draft) : m_draft(draft) {}

    [[nodiscard]] std::string_view say(std::string_view english, std::string_view chinese) const
    {
        return m_draft.say(english, chinese);
    }
    template <typename... T>
    [[nodiscard]] std::string tell(std::string_view english, std::string_view chinese,
                                   const T&... values) const
    {
        return m_draft.tell(english, chinese, values...);
    }

    Draft& m_draft;
};

} // namespace headroom::ask
