#include "model/report/translation.h"

#include "headroom_chinese.h"
#include "model/text/tsv.h"

#include <algorithm>
#include <cctype>

namespace headroom {

namespace {

using WordTable = std::map<std::string, std::string, std::less<>>;

// Rows of two cells.
WordTable tableFrom(std::string_view text)
{
    WordTable out;
    for (const TsvRow& row : tsvRows(text))
        out.emplace(row[0], row[1]);
    return out;
}

const std::string* foundIn(const WordTable& table, std::string_view key)
{
    const auto found = table.find(key);
    return found == table.end() ? nullptr : &found->second;
}

// In the form that the code's own place has: "{:.1f}".
std::string argumentInChinese(const Message& said, std::size_t argument)
{
    const Message& value = said.arguments().at(argument);
    if (value.kind() == Message::Kind::Value)
        for (const TemplatePiece& piece : piecesOf(said.code()))
            if (piece.place && piece.argument == argument && !piece.form.empty())
                return value.valueIn(piece.form);
    return inChinese(value);
}

std::string listInChinese(const Message& list)
{
    const std::string* const separator = foundIn(chineseByKey(), list.code());
    std::string out;
    for (const Message& item : list.arguments()) {
        if (&item != &list.arguments().front())
            out += separator != nullptr ? *separator : std::string(list.code());
        out += inChinese(item);
    }
    return out;
}

std::string nameInChinese(const Message& value)
{
    static const WordTable names = tableFrom(chineseNames); // never changed, made when first asked for
    const std::string text = value.valueIn({});
    const std::string* const name = foundIn(names, text);
    return name != nullptr ? *name : text;
}

bool isLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
// Whether a Chinese character has this first of its three bytes.
bool beginsHan(char c)
{
    return static_cast<unsigned char>(c) >= 0xE4 && static_cast<unsigned char>(c) <= 0xE9;
}
bool endsInHan(std::string_view text) { return text.size() >= 3 && beginsHan(text[text.size() - 3]); }

// Writes a template and what stands in its places one after the other. Between Chinese and letters or figures
// stands a blank, between Chinese and Chinese none: which it is depends on what a place holds.
class ChineseLine {
public:
    void text(std::string_view piece)
    {
        const bool glued
            = m_afterPlace && endsInHan(m_out) && piece.size() > 1 && piece[0] == ' ' && beginsHan(piece[1]);
        join(glued ? piece.substr(1) : piece);
        m_blankAfterHan = piece.ends_with(' ') && endsInHan(piece.substr(0, piece.size() - 1));
        m_afterPlace = false;
    }
    void place(std::string_view value)
    {
        if (m_blankAfterHan && !value.empty() && beginsHan(value.front()))
            m_out.pop_back();
        join(value);
        m_blankAfterHan = false;
        m_afterPlace = true;
    }
    [[nodiscard]] std::string line() && { return std::move(m_out); }

private:
    void join(std::string_view more)
    {
        const bool meet = !m_out.empty() && !more.empty();
        if (meet
            && ((endsInHan(m_out) && isLetter(more.front()))
                || (isLetter(m_out.back()) && beginsHan(more.front()))))
            m_out += ' ';
        m_out += more;
    }

    std::string m_out;
    bool m_blankAfterHan = false; // the template ends so, before a place
    bool m_afterPlace = false;
};

// What has no Chinese: its own template, and Chinese in its places.
std::string saidInChinese(const Message& message, const std::string* chinese)
{
    std::string out;
    if (chinese == nullptr) {
        for (const TemplatePiece& piece : piecesOf(message.code())) {
            out += piece.text;
            if (piece.place)
                out += argumentInChinese(message, piece.argument);
        }
        return out;
    }
    ChineseLine line;
    const std::string_view all = *chinese;
    for (std::size_t at = 0; at < all.size();) {
        const bool place = all[at] == '%' && at + 1 < all.size() && all[at + 1] >= '1' && all[at + 1] <= '9';
        if (place) {
            line.place(argumentInChinese(message, static_cast<std::size_t>(all[at + 1] - '1')));
            at += 2;
            continue;
        }
        const std::size_t next = std::min(all.find('%', at + 1), all.size());
        line.text(all.substr(at, next - at));
        at = next;
    }
    return std::move(line).line();
}

} // namespace

const std::map<std::string, std::string, std::less<>>& chineseByKey()
{
    static const WordTable all = tableFrom(chineseMessages); // never changed, made when first asked for
    return all;
}

std::string translationKey(std::string_view code)
{
    std::string key;
    for (const TemplatePiece& piece : piecesOf(code)) {
        key += piece.text;
        if (piece.place)
            key += '%' + std::to_string(piece.argument + 1);
    }
    return key;
}

std::string inChinese(const Message& message)
{
    switch (message.kind()) {
    case Message::Kind::Value:
        return nameInChinese(message);
    case Message::Kind::List:
        return listInChinese(message);
    case Message::Kind::Said:
        break;
    }
    if (!message.arguments().empty())
        return saidInChinese(message, foundIn(chineseByKey(), translationKey(message.code())));
    const std::string* const said = foundIn(chineseByKey(), message.code());
    return said != nullptr ? *said : message.english();
}

} // namespace headroom
