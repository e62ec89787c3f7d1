#include "model/base/message.h"

#include "model/base/figure_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace headroom {

Message::Message() = default;
Message::Message(const Message& other) = default;
Message::Message(Message&& other) noexcept = default;
Message& Message::operator=(const Message& other) = default;
Message& Message::operator=(Message&& other) noexcept = default;
Message::~Message() = default;
Message::Message(Kind kind, std::string_view code) : m_kind(kind), m_code(code) {}
Message::Message(Code code) : Message(code.text.empty() ? Kind::Value : Kind::Said, code.text) {}

Message asIs(std::string_view text)
{
    Message out;
    out.m_value = std::string(text);
    return out;
}

std::vector<TemplatePiece> piecesOf(std::string_view code)
{
    std::vector<TemplatePiece> out;
    std::size_t next = 0;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < code.size(); ++at) {
        if (code[at] != '{' && code[at] != '}')
            continue;
        if (at + 1 < code.size() && code[at + 1] == code[at]) { // a brace, written twice
            out.push_back({.text = code.substr(begin, at + 1 - begin)});
            begin = ++at + 1;
            continue;
        }
        const std::size_t end = code.find('}', at);
        std::string_view inside = code.substr(at + 1, end - at - 1);
        TemplatePiece piece{.text = code.substr(begin, at - begin), .place = true};
        if (!inside.empty() && inside.front() >= '0' && inside.front() <= '9') {
            piece.argument = static_cast<std::size_t>(inside.front() - '0');
            inside.remove_prefix(1);
        } else {
            piece.argument = next++;
        }
        piece.form = inside;
        out.push_back(piece);
        begin = end + 1;
        at = end;
    }
    if (begin < code.size())
        out.push_back({.text = code.substr(begin)});
    return out;
}

Message Message::said(std::string_view code, std::vector<Message> arguments)
{
    Message out;
    out.m_kind = Kind::Said;
    out.m_code = code;
    out.m_arguments = std::move(arguments);
    return out;
}

Message Message::said(std::string_view code, Message* arguments, std::size_t count)
{
    return said(code, {std::make_move_iterator(arguments), std::make_move_iterator(arguments + count)});
}

Message Message::list(std::string_view separator, std::vector<Message> items)
{
    Message out = said(separator, std::move(items));
    out.m_kind = Kind::List;
    return out;
}

Message Message::number(double value)
{
    Message out;
    out.m_value = value;
    return out;
}

Message Message::number(std::int64_t value)
{
    Message out;
    out.m_value = value;
    return out;
}

bool Message::empty() const
{
    if (m_kind == Kind::List)
        return std::all_of(m_arguments.begin(), m_arguments.end(),
                           [](const Message& item) { return item.empty(); });
    const std::string* const text = std::get_if<std::string>(&m_value);
    return m_kind == Kind::Value && text != nullptr && text->empty();
}

std::string Message::valueIn(std::string_view form) const
{
    const std::string place = '{' + std::string(form) + '}';
    return std::visit([&](const auto& value) { return fmt::format(fmt::runtime(place), value); }, m_value);
}

std::string Message::english() const
{
    if (m_kind == Kind::Value)
        return valueIn({});
    std::string out;
    if (m_kind == Kind::List) {
        for (const Message& item : m_arguments) {
            if (&item != &m_arguments.front())
                out += m_code;
            out += item.english();
        }
        return out;
    }
    if (m_arguments.empty()) // a plain literal: its braces are braces
        return std::string(m_code);
    for (const TemplatePiece& piece : piecesOf(m_code)) {
        out += piece.text;
        if (!piece.place)
            continue;
        const Message& argument = m_arguments.at(piece.argument);
        out += argument.m_kind == Kind::Value ? argument.valueIn(piece.form) : argument.english();
    }
    return out;
}

Message& Message::operator+=(const Message& more)
{
    if (empty())
        return *this = more;
    if (more.empty())
        return *this;
    if (m_kind != Kind::List || !m_code.empty())
        *this = list("", {*this});
    m_arguments.push_back(more);
    return *this;
}

Message counted(double count, fmt::format_string<std::string_view> one,
                fmt::format_string<std::string_view> many)
{
    const fmt::string_view code(std::round(count) == 1 ? one : many);
    return Message::said(std::string_view(code.data(), code.size()), {asIs(groupedDigits(count))});
}

std::vector<std::string> inEnglish(const std::vector<Message>& messages)
{
    std::vector<std::string> out;
    out.reserve(messages.size());
    for (const Message& message : messages)
        out.push_back(message.english());
    return out;
}

} // namespace headroom
