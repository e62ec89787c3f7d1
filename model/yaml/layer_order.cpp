#include "model/yaml/layer_order.h"

#include "model/base/spelling.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace headroom {

namespace {

constexpr int deepest = 4; // parentheses inside each other

// Recursive descent over  order := item ('+' item)*  and  item := [count] (name | '(' order ')').
class OrderParser {
public:
    OrderParser(std::string_view text, std::span<const std::string> names) : m_rest(text), m_names(names) {}

    std::vector<std::uint8_t> order(int depth)
    {
        std::vector<std::uint8_t> layers = item(depth);
        while (m_problem.empty() && accept('+'))
            append(layers, item(depth), 1);
        return layers;
    }
    void finish()
    {
        skipSpace();
        if (m_problem.empty() && !m_rest.empty())
            m_problem = say("expected '+' or the end at '{}'", asIs(m_rest.substr(0, 20)));
    }
    [[nodiscard]] const Message& problem() const { return m_problem; }

private:
    std::vector<std::uint8_t> item(int depth)
    {
        const std::size_t times = count();
        std::vector<std::uint8_t> once;
        if (accept('(')) {
            if (depth >= deepest)
                m_problem = "parentheses nest too deep";
            else
                once = order(depth + 1);
            if (m_problem.empty() && !accept(')'))
                m_problem = "a '(' is not closed";
        } else {
            once = name();
        }
        std::vector<std::uint8_t> layers;
        append(layers, once, times);
        return layers;
    }
    std::vector<std::uint8_t> name()
    {
        skipSpace();
        const std::size_t length = std::min(m_rest.find_first_of(" +()"), m_rest.size());
        const std::string word(m_rest.substr(0, length));
        m_rest.remove_prefix(length);
        const auto found = std::find(m_names.begin(), m_names.end(), word);
        if (found != m_names.end())
            return {static_cast<std::uint8_t>(found - m_names.begin())};
        if (m_problem.empty())
            m_problem = word.empty() ? Message("expected the name of a layer kind") : unknownKind(word);
        return {};
    }
    [[nodiscard]] Message unknownKind(std::string_view word) const
    {
        Message hint = spellingHint(word, {m_names.begin(), m_names.end()});
        return hint.empty() ? say("'{}' is not under 'kinds:'", asIs(word))
                            : say("'{}' is not under 'kinds:': {}", asIs(word), hint);
    }
    std::size_t count()
    {
        skipSpace();
        std::size_t value = 1;
        const char* const end = m_rest.data() + m_rest.size();
        const auto [stop, error] = std::from_chars(m_rest.data(), end, value);
        if (stop == m_rest.data())
            return 1;
        m_rest.remove_prefix(static_cast<std::size_t>(stop - m_rest.data()));
        if ((error != std::errc{} || value < 1 || value > mostLayers) && m_problem.empty())
            m_problem = say("a count is from 1 to {}", mostLayers);
        return error == std::errc{} ? value : 1;
    }
    void append(std::vector<std::uint8_t>& layers, const std::vector<std::uint8_t>& once, std::size_t times)
    {
        if (!m_problem.empty())
            return;
        if (!once.empty() && (times > mostLayers || layers.size() + times * once.size() > mostLayers)) {
            m_problem = say("more than {} layers", mostLayers);
            return;
        }
        for (std::size_t i = 0; i < times; ++i)
            layers.insert(layers.end(), once.begin(), once.end());
    }
    bool accept(char c)
    {
        skipSpace();
        if (m_rest.empty() || m_rest.front() != c)
            return false;
        m_rest.remove_prefix(1);
        return true;
    }
    void skipSpace() { m_rest.remove_prefix(std::min(m_rest.find_first_not_of(' '), m_rest.size())); }

    std::string_view m_rest;
    std::span<const std::string> m_names;
    Message m_problem;
};

std::string times(std::size_t count, const std::string& what)
{
    return count == 1 ? what : fmt::format("{} {}", count, what);
}

// Runs of equal layers: the pieces a period may be made of.
struct Run {
    std::uint8_t kind = 0;
    std::size_t length = 0;
    friend bool operator==(const Run&, const Run&) = default;
};

// How often the `period` runs from `first` repeat.
std::size_t repeats(std::span<const Run> runs, std::size_t first, std::size_t period)
{
    std::size_t count = 1;
    while (first + (count + 1) * period <= runs.size()
           && std::equal(runs.begin() + static_cast<std::ptrdiff_t>(first),
                         runs.begin() + static_cast<std::ptrdiff_t>(first + period),
                         runs.begin() + static_cast<std::ptrdiff_t>(first + count * period)))
        ++count;
    return count;
}

} // namespace

tl::expected<std::vector<std::uint8_t>, Message> parseLayerOrder(std::string_view text,
                                                                 std::span<const std::string> names)
{
    OrderParser parser(text, names);
    std::vector<std::uint8_t> layers = parser.order(0);
    parser.finish();
    if (!parser.problem().empty())
        return tl::unexpected<Message>(parser.problem());
    return layers;
}

std::string layerOrderText(std::span<const std::uint8_t> layers, std::span<const std::string> names)
{
    std::vector<Run> runs;
    for (const std::uint8_t kind : layers)
        if (!runs.empty() && runs.back().kind == kind)
            ++runs.back().length;
        else
            runs.push_back({kind, 1});

    std::vector<std::string> items;
    for (std::size_t i = 0; i < runs.size();) {
        std::size_t period = 1;
        std::size_t most = 1;
        for (std::size_t p = 2; p <= (runs.size() - i) / 2; ++p)
            if (const std::size_t count = repeats(runs, i, p); count > 1 && count * p > most * period) {
                period = p;
                most = count;
            }
        std::vector<std::string> once;
        for (std::size_t r = i; r < i + period; ++r)
            once.push_back(times(runs[r].length, names[runs[r].kind]));
        items.push_back(most == 1 ? once.front() : times(most, fmt::format("({})", fmt::join(once, " + "))));
        i += most == 1 ? 1 : most * period;
    }
    return fmt::format("{}", fmt::join(items, " + "));
}

} // namespace headroom
