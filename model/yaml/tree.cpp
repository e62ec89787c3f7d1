#include "model/yaml/tree.h"

#include "model/text/text_file.h"
#include "model/yaml/plain_yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <fmt/format.h>
#include <new>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <unordered_set>

namespace headroom {

namespace {

// Our largest file, a calibration with its raw samples, is below 1 MiB; four times that bounds memory and
// time.
constexpr std::size_t mostBytes = std::size_t{4} << 20;
constexpr std::size_t mostValues = 500'000;
constexpr std::size_t mostDepth = 32; // our deepest file has 5 levels

std::string place(const std::string& file, int line, int column)
{
    return fmt::format("{}:{}:{}", file, line, column);
}

// Stops the parser from inside an event.
struct Refused {
    Problem problem;
};

// Builds the tree bottom-up from the parser's events.
class TreeBuilder : public YAML::EventHandler {
public:
    explicit TreeBuilder(const std::string& file) : m_file(file) {}

    std::optional<YamlNode> root;
    Problems problems;

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override
    {
        scalar(mark, anchor, YamlNode::Kind::Null, {});
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuseAnchor(mark); }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override
    {
        checkTag(mark, tag);
        scalar(mark, anchor, YamlNode::Kind::Scalar, value);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override
    {
        open(mark, tag, anchor, YamlNode::Kind::List);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override
    {
        open(mark, tag, anchor, YamlNode::Kind::Map);
    }
    void OnMapEnd() override { close(); }

private:
    struct Open {
        YamlNode node;
        std::optional<YamlNode::Key> key; // Map: waiting for its value
        std::unordered_set<std::string> seen;
    };

    [[noreturn]] void stop(const YAML::Mark& mark, Message what, Message hint = {}) const
    {
        throw Refused{{place(m_file, mark.line + 1, mark.column + 1), std::move(what), std::move(hint)}};
    }
    [[noreturn]] void refuseAnchor(const YAML::Mark& mark) const
    {
        stop(mark, "anchors and aliases are not used here", "write the value out in full");
    }
    void checkTag(const YAML::Mark& mark, const std::string& tag) const
    {
        if (!tag.empty() && tag != "?" && tag != "!")
            stop(mark, say("the tag '{}' is not used here", tag.substr(0, 40)), "write the plain value");
    }
    YamlNode made(const YAML::Mark& mark, YamlNode::Kind kind)
    {
        if (++m_values > mostValues)
            stop(mark, say("more than {} values in one file", mostValues));
        YamlNode node;
        node.kind = kind;
        node.line = mark.line + 1;
        node.column = mark.column + 1;
        return node;
    }
    void scalar(const YAML::Mark& mark, YAML::anchor_t anchor, YamlNode::Kind kind, const std::string& value)
    {
        if (anchor != 0)
            refuseAnchor(mark);
        YamlNode node = made(mark, kind);
        node.text = value;
        if (awaitsKey())
            takeKey(mark, kind, value);
        else
            place(std::move(node));
    }
    void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YamlNode::Kind kind)
    {
        checkTag(mark, tag);
        if (anchor != 0)
            refuseAnchor(mark);
        if (awaitsKey())
            stop(mark, "a key must be a plain word");
        if (m_open.size() >= mostDepth)
            stop(mark, say("nested deeper than {} levels", mostDepth));
        m_open.push_back({made(mark, kind), {}, {}});
    }
    void close()
    {
        YamlNode node = std::move(m_open.back().node);
        m_open.pop_back();
        place(std::move(node));
    }
    [[nodiscard]] bool awaitsKey() const
    {
        return !m_open.empty() && m_open.back().node.kind == YamlNode::Kind::Map && !m_open.back().key;
    }
    void takeKey(const YAML::Mark& mark, YamlNode::Kind kind, const std::string& value)
    {
        if (kind == YamlNode::Kind::Null)
            stop(mark, "a key is missing before ':'");
        if (!m_open.back().seen.insert(value).second)
            problems.push_back({place(m_file, mark.line + 1, mark.column + 1) + ' ' + value.substr(0, 60),
                                "the key stands here a second time", "keep one of the two"});
        m_open.back().key = YamlNode::Key{value, mark.line + 1, mark.column + 1};
    }
    void place(YamlNode&& node)
    {
        if (m_open.empty()) {
            root = std::move(node);
            return;
        }
        Open& parent = m_open.back();
        if (parent.key) {
            parent.node.keys.push_back(std::move(*parent.key));
            parent.key.reset();
        }
        parent.node.items.push_back(std::move(node));
    }
    static std::string place(const std::string& file, int line, int column)
    {
        return headroom::place(file, line, column);
    }

    const std::string& m_file;
    std::vector<Open> m_open;
    std::size_t m_values = 0;
};

// The scanner of yaml-cpp takes some control characters for its own marks; text that has them is no YAML
// anyway.
std::optional<Problem> strayCharacter(const std::string& text, const std::string& file)
{
    int line = 1;
    int column = 1;
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        const bool blank = c == '\n' || c == '\r' || c == '\t';
        if ((code < 0x20 && !blank) || code == 0x7f)
            return Problem{
                place(file, line, column),
                say("a control character ({}) cannot stand in YAML", asIs(fmt::format("0x{:02x}", code))),
                "is this a text file in UTF-8?"};
        ++column;
        if (c == '\n') {
            ++line;
            column = 1;
        }
    }
    return std::nullopt;
}

} // namespace

Code kindName(const YamlNode& node)
{
    switch (node.kind) {
    case YamlNode::Kind::Null:
        return "nothing";
    case YamlNode::Kind::Scalar:
        return "a single value";
    case YamlNode::Kind::List:
        return "a list";
    case YamlNode::Kind::Map:
        return "a group";
    }
    return "nothing";
}

const YamlNode* YamlNode::find(std::string_view key) const
{
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i].name == key)
            return &items[i];
    return nullptr;
}

Result<YamlNode> parseYaml(const std::string& text, const std::string& file)
{
    if (text.size() > mostBytes)
        return refuse(file, say("{} bytes; the longest file read is {} bytes", text.size(), mostBytes));
    if (std::optional<YamlNode> plain = parsePlainYaml(text))
        return std::move(*plain);
    return parseAnyYaml(text, file);
}

Result<YamlNode> parseAnyYaml(const std::string& text, const std::string& file)
{
    if (std::optional<Problem> stray = strayCharacter(text, file))
        return refuse(Problems{std::move(*stray)});
    TreeBuilder builder(file);
    try {
        std::istringstream in(text);
        YAML::Parser parser(in);
        if (!parser.HandleNextDocument(builder) || !builder.root)
            return refuse(place(file, 1, 1), "the file is empty");
        YamlNode root = std::move(*builder.root);
        builder.root.reset();
        if (parser.HandleNextDocument(builder) && builder.root)
            return refuse(place(file, builder.root->line, builder.root->column),
                          "a second document starts here", "one file holds one document");
        if (!builder.problems.empty())
            return refuse(std::move(builder.problems));
        return root;
    } catch (const Refused& refused) {
        builder.problems.push_back(refused.problem);
    } catch (const YAML::Exception& error) {
        builder.problems.push_back({place(file, error.mark.line + 1, error.mark.column + 1),
                                    say("not valid YAML: {}", error.msg), ""});
    } catch (const std::bad_alloc&) {
        throw; // the machine's trouble, not the file's
    } catch (const std::exception& error) {
        builder.problems.push_back({file, say("not valid YAML: {}", asIs(error.what())), ""});
    }
    return refuse(std::move(builder.problems));
}

Result<YamlNode> parseYamlFile(const std::filesystem::path& path, const std::string& shownAs)
{
    return readTextFile(path, mostBytes).and_then([&](const std::string& text) {
        return parseYaml(text, shownAs);
    });
}

} // namespace headroom
