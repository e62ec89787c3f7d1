#pragma once

#include "model/base/code.h"

#include <cstddef>
#include <cstdint>
#ifndef __CUDACC__ // which does not compile it
#include <fmt/format.h>
#endif
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace headroom {

class Message;

// Text that is the same in every language: a name, an id, an amount, what a user typed.
[[nodiscard]] Message asIs(std::string_view text);

// Something said to a user: a code, which is its English template, and the arguments that stand in the
// template's places. English and Chinese are two renderings of it (english() here, inChinese() in
// report/translation.h): nothing has to look into a finished sentence, and neither language gets into the
// other, for words that stand in a place are a message of their own.
class Message {
public:
    enum class Kind : std::uint8_t {
        Value, // text that needs no translation, or a number
        Said,  // code() with arguments() in its places
        List   // arguments() with code() between them
    };

    // Not inline: most files make messages, and each would compile how a tree of them is copied and given up.
    Message();
    Message(const Message& other);
    Message(Message&& other) noexcept;
    Message& operator=(const Message& other);
    Message& operator=(Message&& other) noexcept;
    ~Message();
    Message(Code code);
    // A code without arguments: a literal is one, a finished sentence is not.
    template <std::size_t N>
    Message(const char (&code)[N]) : Message(N > 1 ? Kind::Said : Kind::Value, std::string_view(code, N - 1))
    {}
    [[nodiscard]] static Message said(std::string_view code, std::vector<Message> arguments);
    [[nodiscard]] static Message said(std::string_view code, Message* arguments,
                                      std::size_t count); // moved from
    [[nodiscard]] static Message list(std::string_view separator, std::vector<Message> items);
    [[nodiscard]] static Message number(double value);
    [[nodiscard]] static Message number(std::int64_t value);

    [[nodiscard]] bool empty() const;
    [[nodiscard]] bool is(Code code) const { return m_kind == Kind::Said && m_code == code.text; }
    [[nodiscard]] std::string english() const;

    // One after the other, nothing between them.
    Message& operator+=(const Message& more);
    [[nodiscard]] friend Message operator+(Message first, const Message& more) { return first += more; }
    friend bool operator==(const Message&, const Message&) = default;

    // For a renderer of another language. A value is written in the form of its place: "{:.1f}".
    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] std::string_view code() const { return m_code; }
    [[nodiscard]] const std::vector<Message>& arguments() const { return m_arguments; }
    [[nodiscard]] std::string valueIn(std::string_view form) const;

private:
    Message(Kind kind, std::string_view code);
    friend Message asIs(std::string_view text);

    Kind m_kind = Kind::Value;
    std::string_view m_code; // of static storage
    std::variant<std::string, double, std::int64_t> m_value;
    std::vector<Message> m_arguments;
};

// A template in pieces: text, and after it a place or nothing. "{}" takes the next argument, "{1}" that one.
struct TemplatePiece {
    std::string_view text;
    bool place = false;
    std::size_t argument = 0;
    std::string_view form; // ":.1f" of "{:.1f}"
};
[[nodiscard]] std::vector<TemplatePiece> piecesOf(std::string_view code);

namespace message_detail {

// How a value is checked against its place: words go where text goes.
template <typename T>
using Shown = std::conditional_t<std::is_arithmetic_v<T>, T, std::string_view>;

template <typename T>
[[nodiscard]] Message argument(const T& value)
{
    if constexpr (std::is_same_v<T, Message> || std::is_same_v<T, Code>) {
        return value;
    } else if constexpr (std::is_floating_point_v<T>) {
        return Message::number(static_cast<double>(value));
    } else if constexpr (std::is_integral_v<T>) {
        return Message::number(static_cast<std::int64_t>(value));
    } else {
        // Words of the program are messages. A name in a literal or a view is told to be one: asIs().
        static_assert(std::is_same_v<T, std::string>);
        return asIs(value);
    }
}

} // namespace message_detail

#ifndef __CUDACC__

// say("{} of {:.1f} s", what, seconds): places and arguments are checked when it is compiled.
template <typename... T>
[[nodiscard]] Message say(fmt::format_string<message_detail::Shown<T>...> code, const T&... values)
{
    const fmt::string_view text(code);
    if constexpr (sizeof...(T) == 0) {
        return Message::said(std::string_view(text.data(), text.size()), nullptr, 0);
    } else {
        Message arguments[] = {message_detail::argument(values)...};
        return Message::said(std::string_view(text.data(), text.size()), arguments, sizeof...(T));
    }
}

#endif

// The items with a separator between them, which is a code as well: ", ", "; ".
template <std::size_t N>
[[nodiscard]] Message joined(std::vector<Message> items, const char (&separator)[N])
{
    return Message::list(std::string_view(separator, N - 1), std::move(items));
}
template <std::size_t N>
[[nodiscard]] Message joinedNames(const std::vector<std::string>& names, const char (&separator)[N])
{
    std::vector<Message> items;
    items.reserve(names.size());
    for (const std::string& name : names)
        items.push_back(asIs(name));
    return joined(std::move(items), separator);
}

#ifndef __CUDACC__

// "1 replica", "1,024 users": both templates have one place.
[[nodiscard]] Message counted(double count, fmt::format_string<std::string_view> one,
                              fmt::format_string<std::string_view> many);

#endif

[[nodiscard]] std::vector<std::string> inEnglish(const std::vector<Message>& messages);

} // namespace headroom
