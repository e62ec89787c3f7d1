#include "model/report/translation.h"

#include "headroom_chinese.h"
#include "model/text/tsv.h"

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
    for (std::size_t i = 0; i < chinese->size(); ++i) {
        const char next = i + 1 < chinese->size() ? (*chinese)[i + 1] : '\0';
        if ((*chinese)[i] == '%' && next >= '1' && next <= '9') {
            out += argumentInChinese(message, static_cast<std::size_t>(next - '1'));
            ++i;
        } else {
            out += (*chinese)[i];
        }
    }
    return out;
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
