#include "model/report/explain.h"

#include "model/base/spelling.h"
#include "model/report/explained_figures.h"

#include <algorithm>
#include <fmt/format.h>

namespace headroom {

std::vector<std::string> explainedFigures()
{
    std::vector<std::string> names;
    for (const ExplainedFigure& figure : allExplainedFigures())
        names.emplace_back(figure.name);
    return names;
}

Result<std::vector<Explanation>> explainFigures(const Resolved& resolved, const Prediction& prediction,
                                                std::string_view figure)
{
    std::vector<Explanation> out;
    for (const ExplainedFigure& known : allExplainedFigures())
        if (figure == "all" || figure == known.name) {
            out.push_back(known.explain(resolved, prediction));
            out.back().figure = known.name;
        }
    if (!out.empty())
        return out;
    const std::vector<std::string> names = explainedFigures();
    std::string all = "all";
    for (const std::string& name : names)
        all += ", " + name;
    std::string hint = spellingHint(figure, names);
    return refuse("--explain", "no figure is called '" + std::string(figure) + "'",
                  (hint.empty() ? "" : hint + " ") + "known are " + all);
}

namespace {

// Longer sources stand below, each once, with the numbers pointing at them.
class Footnotes {
public:
    std::string mark(const std::string& source)
    {
        constexpr std::size_t longest = 60;
        if (source.size() <= longest)
            return source;
        const auto found = std::find(m_notes.begin(), m_notes.end(), source);
        const auto number = static_cast<std::size_t>(found - m_notes.begin()) + 1;
        if (found == m_notes.end())
            m_notes.push_back(source);
        return fmt::format("[{}]", number);
    }
    [[nodiscard]] std::string text() const
    {
        std::string out;
        for (std::size_t i = 0; i < m_notes.size(); ++i)
            out += fmt::format("  [{}] {}\n", i + 1, m_notes[i]);
        return out;
    }

private:
    std::vector<std::string> m_notes;
};

} // namespace

std::string explanationText(const Explanation& e)
{
    std::string out = fmt::format("{}: {}\n  {}\n", e.title, forPeople(e.result, e.measure), e.formula);
    if (!e.worked.empty())
        out += fmt::format("  {}\n", e.worked);
    std::size_t widest = 0;
    for (const ExplainedNumber& number : e.numbers)
        widest = std::max(widest, number.symbol.size());
    Footnotes footnotes;
    for (const ExplainedNumber& number : e.numbers)
        out += fmt::format("    {:<{}}  {:<16}  {}\n", number.symbol, widest,
                           forPeople(number.value, number.measure), footnotes.mark(number.source));
    for (const std::string& note : e.notes)
        out += fmt::format("  {}\n", note);
    return out + footnotes.text();
}

} // namespace headroom
