#include "model/yaml/plain_yaml.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace headroom {

namespace {

// Far below what is refused: deeper or longer files are the library's.
constexpr int deepestPlain = 16;
constexpr std::size_t mostPlainValues = 100'000;
constexpr std::size_t longestKey = 200;

bool isWordByte(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }
// May begin a word that is not quoted: no sign that YAML gives a meaning of its own.
bool beginsWord(char c) { return isWordByte(c) || c == '/' || c == '.' || c == '(' || c == '_' || c == '+'; }

bool meansNothing(std::string_view word)
{
    return word == "~" || word == "null" || word == "Null" || word == "NULL";
}

// Each reader of a part returns false where the text is not plain.
class PlainParser {
public:
    explicit PlainParser(std::string_view text) : m_text(text) {}

    [[nodiscard]] std::optional<YamlNode> document()
    {
        YamlNode root;
        const bool plain = std::all_of(m_text.begin(), m_text.end(), isPlainByte) && toNextLine()
            && m_indent == 0 && block(root, 0, 0) && atEnd();
        return plain ? std::optional(std::move(root)) : std::nullopt;
    }

private:
    static bool isPlainByte(char c)
    {
        const auto code = static_cast<unsigned char>(c);
        return c == '\n' || (code >= 0x20 && code != 0x7f);
    }
    [[nodiscard]] bool atEnd() const { return m_at == m_text.size(); }
    [[nodiscard]] char here() const { return m_at < m_text.size() ? m_text[m_at] : '\n'; }
    [[nodiscard]] char next() const { return m_at + 1 < m_text.size() ? m_text[m_at + 1] : '\n'; }
    [[nodiscard]] int column() const { return static_cast<int>(m_at - m_lineBegin); }
    void skipBlanks()
    {
        while (here() == ' ' && !atEnd())
            ++m_at;
    }
    void begin(YamlNode& node, YamlNode::Kind kind) const
    {
        node.kind = kind;
        node.line = m_line;
        node.column = column() + 1;
    }

    // To the first sign of the next line that has one; a comment may end this one.
    bool toNextLine()
    {
        while (!atEnd()) {
            const bool lineBegins = m_at == m_lineBegin;
            skipBlanks();
            if (here() == '#') {
                if (!lineBegins && m_text[m_at - 1] != ' ')
                    return false; // right behind a value
                m_at = std::min(m_text.find('\n', m_at), m_text.size());
            } else if (here() != '\n') {
                if (!lineBegins)
                    return false; // something stands behind a value
                m_indent = column();
                return !(m_indent == 0 && (marksDocument("---") || marksDocument("...")));
            }
            if (!atEnd()) {
                ++m_at;
                ++m_line;
                m_lineBegin = m_at;
            }
        }
        m_indent = -1;
        return true;
    }
    [[nodiscard]] bool marksDocument(std::string_view mark) const { return m_text.substr(m_at, 3) == mark; }
    [[nodiscard]] bool atItem() const { return here() == '-' && (next() == ' ' || next() == '\n'); }

    // A map or list whose lines all begin in the column `indent`.
    bool block(YamlNode& node, int indent, int depth)
    {
        if (depth > deepestPlain || ++m_values > mostPlainValues)
            return false;
        if (atItem())
            return blockList(node, indent, depth);
        begin(node, YamlNode::Kind::Map);
        do {
            if (atItem() || !keyAndValue(node, indent, depth))
                return false;
        } while (m_indent == indent);
        return m_indent < indent;
    }
    bool blockList(YamlNode& node, int indent, int depth)
    {
        begin(node, YamlNode::Kind::List);
        do {
            ++m_at;
            skipBlanks();
            YamlNode& item = node.items.emplace_back();
            // A map that begins behind the dash goes on below its first key.
            const bool isMap = here() != '\n' && wordEndsInColon();
            if (isMap ? !block(item, column(), depth + 1) : !(here() != '#' && value(item, indent, depth)))
                return false;
        } while (m_indent == indent && atItem());
        // Behind a list in its key's own column the map goes on.
        return m_indent <= indent;
    }
    static bool isNew(std::string_view key, const YamlNode& node)
    {
        return key.size() <= longestKey && !meansNothing(key) && !node.find(key);
    }
    bool keyAndValue(YamlNode& node, int indent, int depth)
    {
        YamlNode key;
        begin(key, YamlNode::Kind::Scalar);
        if (!word(key.text, ":") || here() != ':' || (next() != ' ' && next() != '\n')
            || !isNew(key.text, node))
            return false;
        ++m_at;
        skipBlanks();
        node.keys.push_back({std::move(key.text), key.line, key.column});
        YamlNode& held = node.items.emplace_back();
        if (here() != '\n' && here() != '#')
            return value(held, indent, depth);
        if (!toNextLine() || m_indent < indent || (m_indent == indent && !atItem()))
            return false; // a key without a value
        return block(held, m_indent, depth + 1);
    }
    // A value that ends with its line; then to the next line.
    bool value(YamlNode& node, int indent, int depth)
    {
        const bool read = here() == '[' || here() == '{' ? bracketed(node, depth + 1) : scalar(node, "");
        // A deeper line would go on with the word or stand where no value may.
        return read && toNextLine() && m_indent <= indent;
    }

    bool scalar(YamlNode& node, std::string_view ends)
    {
        if (++m_values > mostPlainValues)
            return false;
        begin(node, YamlNode::Kind::Scalar);
        if (here() == '"' || here() == '\'')
            return quoted(node.text);
        if (!word(node.text, ends))
            return false;
        if (meansNothing(node.text)) {
            node.kind = YamlNode::Kind::Null;
            node.text.clear();
        }
        return true;
    }
    bool quoted(std::string& text)
    {
        const char quote = here();
        for (++m_at; here() != quote; ++m_at) {
            if (here() == '\n')
                return false;
            if (here() == '\\' && quote == '"') {
                ++m_at;
                if (here() != '"' && here() != '\\')
                    return false;
            }
            text += here();
        }
        ++m_at;
        return here() != quote; // '' is a quote inside of quotes
    }
    // A word that is not quoted, up to one of `ends`, a comment or the end of the line, without blanks
    // behind.
    bool word(std::string& text, std::string_view ends)
    {
        const std::size_t begin = m_at;
        if (!beginsWord(here()) && !(here() == '-' && isWordByte(next())))
            return false;
        const bool inBrackets = ends.size() > 1;
        for (; here() != '\n' && ends.find(here()) == std::string_view::npos; ++m_at) {
            if (here() == ':' && (next() == ' ' || next() == '\n'))
                return false;
            if (here() == '#' && m_text[m_at - 1] == ' ')
                break;
            if (inBrackets && (here() == '?' || here() == ':' || here() == '[' || here() == '{'))
                return false;
        }
        std::size_t end = m_at;
        while (m_text[end - 1] == ' ')
            --end;
        text = m_text.substr(begin, end - begin);
        return true;
    }
    [[nodiscard]] bool wordEndsInColon() const
    {
        if (!isWordByte(here()))
            return false;
        for (std::size_t i = m_at; i < m_text.size() && m_text[i] != '\n'; ++i)
            if (m_text[i] == ':')
                return i + 1 == m_text.size() || m_text[i + 1] == ' ' || m_text[i + 1] == '\n';
        return false;
    }

    bool bracketed(YamlNode& node, int depth)
    {
        if (depth > deepestPlain || ++m_values > mostPlainValues)
            return false;
        const bool isMap = here() == '{';
        const char close = isMap ? '}' : ']';
        begin(node, isMap ? YamlNode::Kind::Map : YamlNode::Kind::List);
        ++m_at;
        skipBlanks();
        while (here() != close) {
            if (!node.items.empty()) {
                if (here() != ',')
                    return false;
                ++m_at;
                skipBlanks();
            }
            if (isMap && !bracketedKey(node))
                return false;
            YamlNode& item = node.items.emplace_back();
            if (!(here() == '[' || here() == '{' ? bracketed(item, depth + 1) : scalar(item, ",]}")))
                return false;
            skipBlanks();
        }
        ++m_at;
        return true;
    }
    bool bracketedKey(YamlNode& node)
    {
        YamlNode key;
        begin(key, YamlNode::Kind::Scalar);
        const std::size_t end = m_text.find(':', m_at);
        if (end == std::string_view::npos || !isWordByte(here()))
            return false;
        key.text = m_text.substr(m_at, end - m_at);
        const auto plain = [](char c) { return isWordByte(c) || c == '_' || c == '-' || c == '.'; };
        if (!std::all_of(key.text.begin(), key.text.end(), plain) || !isNew(key.text, node))
            return false;
        m_at = end + 1;
        if (here() != ' ')
            return false;
        skipBlanks();
        node.keys.push_back({std::move(key.text), key.line, key.column});
        return true;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_lineBegin = 0;
    int m_line = 1;
    int m_indent = -1; // of the line that was begun last; -1 behind the last
    std::size_t m_values = 0;
};

} // namespace

std::optional<YamlNode> parsePlainYaml(std::string_view text) { return PlainParser(text).document(); }

} // namespace headroom
