#include "model/text/json_document.h"
#include "model/text/utf8.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

} // namespace

class JsonParser {
public:
    JsonParser(JsonDocument& document, const JsonLimits& limits) : m_doc(document), m_limits(limits) {}

    Problems parse()
    {
        if (m_doc.m_text.size() > m_limits.bytes) {
            fail(say("the text has {} bytes, at most {} are read", m_doc.m_text.size(), m_limits.bytes));
            return std::move(m_problems);
        }
        space();
        value({});
        while (m_problems.empty() && !m_open.empty())
            member();
        space();
        if (m_problems.empty() && m_at < text().size())
            fail(textAfterValue);
        return std::move(m_problems);
    }

private:
    using Node = JsonDocument::Node;
    struct Key {
        std::uint32_t begin = 0;
        std::uint32_t length = 0;
    };
    struct Open { // an array or object whose end has not come
        std::uint32_t node = 0;
        std::uint32_t last = JsonDocument::none; // child read last
    };

    [[nodiscard]] std::string_view text() const { return m_doc.m_text; }
    [[nodiscard]] char here() const { return m_at < text().size() ? text()[m_at] : '\0'; }
    [[nodiscard]] bool ended() const { return m_at >= text().size(); }
    void space()
    {
        while (here() == ' ' || here() == '\t' || here() == '\n' || here() == '\r')
            ++m_at;
    }

    void fail(Message what) { failAt(m_at, std::move(what)); }
    void failAt(std::size_t at, Message what)
    {
        if (!m_problems.empty())
            return; // what follows a syntax error is noise
        const std::string_view before = text().substr(0, at);
        const auto line
            = m_doc.m_firstLine + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
        const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
        m_problems.push_back({fmt::format("{}:{}:{}", m_doc.m_name, line, column), std::move(what), {}});
    }
    // "got 'x'" or "the text ends here"
    [[nodiscard]] Message found() const
    {
        if (ended())
            return "the text ends here";
        const std::size_t length = std::max<std::size_t>(1, utf8At(text(), m_at).bytes);
        const auto byte = static_cast<unsigned char>(here());
        if (byte < 0x20 || (byte >= 0x80 && length == 1))
            return say("got the byte {}", asIs(fmt::format("0x{:02x}", byte)));
        return say("got '{}'", asIs(text().substr(m_at, length)));
    }

    // The next member or element of the innermost open value, or its end.
    void member()
    {
        Open& open = m_open.back();
        const bool object = m_doc.m_nodes[open.node].type == JsonType::Object;
        const char close = object ? '}' : ']';
        const bool first = open.last == JsonDocument::none;
        space();
        if (here() == close && !ended())
            return closed(object);
        if (!first) {
            if (here() != ',')
                return fail(say("expected ',' or '{}', {}", std::string(1, close), found()));
            ++m_at;
            space();
        }
        Key key;
        if (object) {
            if (here() != '"')
                return fail(first ? say("expected a key in quotes or '{}', {}", std::string("}"), found())
                                  : say("expected a key in quotes, {}", found()));
            key = string();
            space();
            if (m_problems.empty() && here() != ':')
                return fail(say("expected ':' after the key, {}", found()));
            ++m_at;
            space();
        }
        if (m_problems.empty())
            value(key);
    }

    void closed(bool object)
    {
        ++m_at;
        if (object)
            checkKeys(m_open.back().node);
        m_open.pop_back();
    }

    void checkKeys(std::uint32_t object)
    {
        struct Seen {
            std::string_view key;
            std::uint32_t at;
        };
        std::vector<Seen> seen;
        seen.reserve(m_doc.m_nodes[object].children);
        for (std::uint32_t i = m_doc.m_nodes[object].firstChild; i != JsonDocument::none;
             i = m_doc.m_nodes[i].next) {
            const Node& node = m_doc.m_nodes[i];
            seen.push_back(
                {std::string_view(m_doc.m_strings).substr(node.keyBegin, node.keyLength), node.at});
        }
        std::stable_sort(seen.begin(), seen.end(),
                         [](const Seen& a, const Seen& b) { return a.key < b.key; });
        const auto twice = std::adjacent_find(seen.begin(), seen.end(),
                                              [](const Seen& a, const Seen& b) { return a.key == b.key; });
        if (twice != seen.end())
            failAt((twice + 1)->at,
                   say("the key \"{}\" stands twice in this object", asIs(twice->key.substr(0, 60))));
    }

    void value(Key key)
    {
        if (m_doc.m_nodes.size() >= m_limits.values)
            return fail(say("more than {} values, that is no file of this kind", m_limits.values));
        Node node{.at = static_cast<std::uint32_t>(m_at), .keyBegin = key.begin, .keyLength = key.length};
        if (!m_open.empty())
            node.parent = m_open.back().node;
        scalarOrOpening(node);
        if (!m_problems.empty())
            return;
        const auto index = static_cast<std::uint32_t>(m_doc.m_nodes.size());
        m_doc.m_nodes.push_back(node);
        if (!m_open.empty()) {
            Open& open = m_open.back();
            ++m_doc.m_nodes[open.node].children;
            (open.last == JsonDocument::none ? m_doc.m_nodes[open.node].firstChild
                                             : m_doc.m_nodes[open.last].next)
                = index;
            open.last = index;
        }
        if (node.type == JsonType::Object || node.type == JsonType::Array) {
            if (m_open.size() >= m_limits.depth)
                return failAt(node.at, say("nested more than {} levels deep", m_limits.depth));
            m_open.push_back({.node = index});
        }
    }

    void scalarOrOpening(Node& node)
    {
        const char c = here();
        if (c == '{' || c == '[') {
            node.type = c == '{' ? JsonType::Object : JsonType::Array;
            ++m_at;
        } else if (c == '"') {
            const Key content = string();
            node.type = JsonType::String;
            node.begin = content.begin;
            node.length = content.length;
        } else {
            const std::size_t begin = m_at;
            node.type = word();
            node.begin = static_cast<std::uint32_t>(begin);
            node.length = static_cast<std::uint32_t>(m_at - begin);
        }
    }

    JsonType word()
    {
        struct Word {
            std::string_view text;
            JsonType type;
        };
        constexpr std::array words{
            Word{"null", JsonType::Null},          Word{"true", JsonType::True},
            Word{"false", JsonType::False},        Word{"NaN", JsonType::NonFinite},
            Word{"Infinity", JsonType::NonFinite}, Word{"-Infinity", JsonType::NonFinite}};
        for (const Word& known : words)
            if (text().substr(m_at).starts_with(known.text)) {
                m_at += known.text.size();
                return known.type;
            }
        number();
        return JsonType::Number;
    }

    void digits()
    {
        if (!isDigit(here()))
            fail(say("expected a digit, {}", found()));
        while (isDigit(here()))
            ++m_at;
    }
    void number()
    {
        if (here() != '-' && !isDigit(here()))
            return fail(say("expected a value, {}", found()));
        if (here() == '-')
            ++m_at;
        if (here() == '0') {
            ++m_at;
            if (isDigit(here()))
                return fail("a number does not start with 0");
        } else {
            digits();
        }
        if (here() == '.') {
            ++m_at;
            digits();
        }
        if (here() == 'e' || here() == 'E') {
            ++m_at;
            if (here() == '+' || here() == '-')
                ++m_at;
            digits();
        }
    }

    Key string()
    {
        const std::size_t quote = m_at;
        std::string& out = m_doc.m_strings; // never longer than the text
        Key key{.begin = static_cast<std::uint32_t>(out.size())};
        for (++m_at; m_problems.empty();) {
            if (ended()) {
                failAt(quote, "the text ends inside the string that starts here");
                break;
            }
            const char c = here();
            if (c == '"') {
                ++m_at;
                break;
            }
            if (c == '\\')
                escape(out);
            else
                character(out);
        }
        key.length = static_cast<std::uint32_t>(out.size()) - key.begin;
        return key;
    }
    void character(std::string& out)
    {
        if (static_cast<unsigned char>(here()) < 0x20)
            return fail(say("a control character in a string: {}", found()));
        const std::size_t length = utf8At(text(), m_at).bytes;
        if (length == 0)
            return fail(say("not UTF-8 text: {}", found()));
        out.append(text().substr(m_at, length));
        m_at += length;
    }
    void escape(std::string& out)
    {
        constexpr std::string_view letters = "\"\\/bfnrt";
        constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        ++m_at;
        const std::size_t known = letters.find(here());
        if (!ended() && known != std::string_view::npos) {
            out += meanings[known];
            ++m_at;
        } else if (here() == 'u') {
            ++m_at;
            unicode(out);
        } else {
            fail(say("unknown escape, {}", found()));
        }
    }
    // Half of a surrogate pair on its own becomes U+FFFD: load tools write such text when a token cuts a
    // character.
    void unicode(std::string& out)
    {
        constexpr std::uint32_t replacement = 0xFFFD;
        const std::uint32_t first = hex4();
        if (first < 0xD800 || first > 0xDFFF)
            return appendUtf8(out, first);
        const bool pairFollows = first <= 0xDBFF && text().substr(m_at).starts_with("\\u");
        if (!pairFollows)
            return appendUtf8(out, replacement);
        const std::size_t before = m_at;
        m_at += 2;
        const std::uint32_t second = hex4();
        if (second >= 0xDC00 && second <= 0xDFFF)
            return appendUtf8(out, 0x10000 + ((first - 0xD800) << 10U) + (second - 0xDC00));
        m_at = before; // the second escape is a character of its own
        appendUtf8(out, replacement);
    }
    std::uint32_t hex4()
    {
        std::uint32_t value = 0;
        for (int i = 0; i < 4; ++i, ++m_at) {
            const char c = here();
            const char lower = static_cast<char>(c | 0x20);
            if (isDigit(c))
                value = value * 16 + static_cast<std::uint32_t>(c - '0');
            else if (lower >= 'a' && lower <= 'f')
                value = value * 16 + static_cast<std::uint32_t>(lower - 'a' + 10);
            else {
                fail(say("expected four hexadecimal digits after \\u, {}", found()));
                return 0;
            }
        }
        return value;
    }

    JsonDocument& m_doc;
    const JsonLimits& m_limits;
    std::size_t m_at = 0;
    std::vector<Open> m_open;
    Problems m_problems;
};

Result<JsonDocument> JsonDocument::parse(std::string text, std::string name, const JsonLimits& limits,
                                         std::size_t firstLine)
{
    JsonDocument document;
    document.m_text = std::move(text);
    if (document.m_text.starts_with("\xEF\xBB\xBF"))
        document.m_text.erase(0, 3);
    document.m_name = std::move(name);
    document.m_firstLine = firstLine;
    Problems problems = JsonParser(document, limits).parse();
    if (!problems.empty())
        return refuse(std::move(problems));
    return document;
}

} // namespace headroom
