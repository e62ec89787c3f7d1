#pragma once

#include "model/ask/question.h"
#include "model/report/measure.h"
#include "model/report/translation.h"

#include <cstddef>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <string_view>

namespace headroom {

// Columns that text takes on the screen, Chinese characters being two wide.
[[nodiscard]] std::size_t widthOf(std::string_view text);
// With blanks behind it, up to that width.
[[nodiscard]] std::string padded(std::string text, std::size_t width);

// Lines of a label and what it says, in the reader's language.
class TextPage {
public:
    explicit TextPage(ask::Language language) : m_chinese(language == ask::Language::Chinese) {}

    [[nodiscard]] bool chinese() const { return m_chinese; }
    [[nodiscard]] ask::Language language() const
    {
        return m_chinese ? ask::Language::Chinese : ask::Language::English;
    }
    [[nodiscard]] std::string_view say(std::string_view english, std::string_view chinese) const
    {
        return m_chinese ? chinese : english;
    }
    template <typename... T>
    [[nodiscard]] std::string say2(std::string_view english, std::string_view chinese,
                                   const T&... values) const
    {
        return fmt::format(fmt::runtime(say(english, chinese)), values...);
    }

    [[nodiscard]] std::string tell(const Message& message) const
    {
        return m_chinese ? inChinese(message) : message.english();
    }
    // For what tells whole tables.
    [[nodiscard]] std::function<std::string(const Message&)> teller() const
    {
        if (m_chinese)
            return inChinese;
        return &Message::english;
    }
    template <typename V>
    [[nodiscard]] std::string people(const V& value, Measure measure) const
    {
        return tell(inUnits(value, measure));
    }

    // What the question said that the plan does not use, each with its reason; empty when nothing.
    [[nodiscard]] std::string unusedOf(const ask::Question& question) const;

    // How the question was read, phrase by phrase, and what of it is not used.
    void reading(const ask::Question& question);

    void add(std::string_view text) { m_text += text; }
    void line(std::string_view label, std::string_view text);
    [[nodiscard]] std::string text() && { return std::move(m_text); }

private:
    bool m_chinese;
    std::string m_text;
};

} // namespace headroom
