#include "model/report/text_page.h"

namespace headroom {

// Columns that a label takes on the screen, Chinese characters being two wide.
std::size_t widthOf(std::string_view text)
{
    std::size_t width = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xC0U) != 0x80U)
            width += byte >= 0xE3 ? 2 : 1; // from U+3000 on; arrows, dashes and signs stand below
    }
    return width;
}

std::string padded(std::string text, std::size_t width)
{
    const std::size_t taken = widthOf(text);
    text.append(width > taken ? width - taken : 0, ' ');
    return text;
}

std::string TextPage::unusedOf(const ask::Question& question) const
{
    std::string text;
    for (const ask::Unused& one : question.unused) {
        text += std::string(text.empty() ? "" : say("; ", "；")) + say2("'{}'", "“{}”", one.said);
        if (!one.why.empty())
            text += say2(" ({})", "（{}）", one.why);
    }
    return text;
}

void TextPage::reading(const ask::Question& question)
{
    bool first = true;
    for (const ask::Interpretation& one : question.interpretation) {
        line(first ? say("Read as", "理解为") : "", fmt::format("{} → {}", one.said, one.readAs));
        first = false;
    }
    if (const std::string unused = unusedOf(question); !unused.empty())
        line(say("Not used", "未使用"), unused);
}

void TextPage::line(std::string_view label, std::string_view text)
{
    constexpr std::size_t column = 13;
    const std::size_t width = widthOf(label);
    m_text += label;
    m_text.append(column > width ? column - width : 1, ' ');
    m_text += text;
    m_text += '\n';
}

} // namespace headroom
