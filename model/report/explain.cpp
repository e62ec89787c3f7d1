#include "model/report/explain.h"

#include "model/base/spelling.h"
#include "model/report/explained_figures.h"
#include "model/report/text_page.h"

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
    std::vector<std::string> all{"all"};
    all.insert(all.end(), names.begin(), names.end());
    const Message hint = spellingHint(figure, names);
    const Message known = say("known are {}", joinedNames(all, ", "));
    return refuse("--explain", say("no figure is called '{}'", asIs(figure)),
                  hint.empty() ? known : say("{} {}", hint, known));
}

namespace {

// Longer sources stand below, each once, with the numbers pointing at them.
class Footnotes {
public:
    std::string mark(const std::string& source)
    {
        constexpr std::size_t longest = 60;
        if (widthOf(source) <= longest)
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

Message explainedBy(const std::string& figure) { return say("--explain {}", figure); }

std::string figureExplaining(const Message& source)
{
    return source.is("--explain {}") ? source.arguments().front().english() : std::string();
}

std::string explanationText(const Explanation& e, ask::Language language)
{
    const TextPage page(language);
    std::string out = page.tell(say("{}: {}", e.title, inUnits(e.result, e.measure))) + "\n  "
        + page.tell(e.formula) + '\n';
    if (!e.worked.empty())
        out += "  " + page.tell(e.worked) + '\n';
    std::size_t widest = 0;
    for (const ExplainedNumber& number : e.numbers)
        widest = std::max(widest, widthOf(page.tell(number.symbol)));
    constexpr std::size_t valueWidth = 16;
    Footnotes footnotes;
    for (const ExplainedNumber& number : e.numbers)
        out += "    " + padded(page.tell(number.symbol), widest) + "  "
            + padded(page.people(number.value, number.measure), valueWidth) + "  "
            + footnotes.mark(page.tell(number.source)) + '\n';
    for (const Message& note : e.notes)
        out += "  " + page.tell(note) + '\n';
    return out + footnotes.text();
}

} // namespace headroom
