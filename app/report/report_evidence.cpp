#include "app/desktop/text/cell_text.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/question_words.h"
#include "app/desktop/text/scenario_line.h"
#include "app/report/report_sections.h"
#include "model/launch/launch_pools.h"
#include "model/report/explain.h"
#include "model/report/explain_at_load.h"
#include "model/yaml/scenario_yaml.h"

namespace headroom::app {

std::optional<ask::Question> Report::readQuestion() const
{
    return questionOf(m_planView.asked, *m_planView.catalogue,
                      speaksChinese() ? ask::Language::Chinese : ask::Language::English);
}

// The words of the question say what they left open.
QStringList Report::assumedByTheQuestion() const
{
    QStringList lines;
    if (const std::optional<ask::Question> question = readQuestion())
        for (const std::string& each : question->assumptions)
            lines << QString::fromStdString(each);
    return lines;
}

void Report::assumptions()
{
    m_page.section(tr("Assumptions"));
    QStringList lines = assumedByTheQuestion();
    if (const QStringList usual = usualValues(m_planView); lines.isEmpty() && !usual.isEmpty())
        lines << tr("Usual values: %1").arg(usual.join(QStringLiteral(" · ")));
    for (const Message& each : m_planView.assumptions())
        lines << modelText(each);
    m_page.bullets(lines);
    QStringList warnings;
    for (const Message& each : m_planView.warnings())
        warnings << modelText(each);
    if (!warnings.isEmpty())
        m_page.heading(tr("To keep in mind"));
    m_page.bullets(warnings);
    m_page.heading(tr("Accuracy"));
    m_page.paragraph(
        tr("Every range runs from the 10th to the 90th percentile: one figure in ten is expected below it "
           "and one above. "
           "The widest source in a sum is the one shown. The times of this answer come from: %1.")
            .arg(sourceText(timesSource(m_planView))));
}

void Report::cite(const QString& what, const std::vector<Citation>& citations)
{
    if (citations.empty())
        return;
    m_page.heading(what);
    QStringList lines;
    for (const Citation& citation : citations)
        lines << QString::fromStdString(citation.key) + QStringLiteral(": ")
                + QString::fromStdString(citation.text);
    lines.removeDuplicates(); // several calibrations together may name the same
    m_page.bullets(lines);
}

void Report::tellFigure(const Explanation& explanation)
{
    m_page.heading(
        titled(modelText(explanation.title), measureText(explanation.result, explanation.measure)));
    m_page.code((modelText(explanation.formula) + u'\n' + modelText(explanation.worked)).trimmed());
}

void Report::sources()
{
    m_page.section(tr("Figures and their sources"));
    const std::vector<Explanation> atLoad = explainAtLoad(m_planView.answer());
    if (!atLoad.empty())
        m_page.quiet(
            tr("The times of this plan at its load come first; those of one request alone, which they "
               "are made from, are named so."));
    for (const Explanation& explanation : atLoad)
        tellFigure(explanation);
    const auto explained = explainFigures(m_planView.resolved, m_planView.prediction, "all");
    if (explained)
        for (const Explanation& explanation : *explained) {
            const bool money = explanation.measure == Measure::HourlyPrice
                || explanation.measure == Measure::MillionPrice || explanation.measure == Measure::Money;
            if (money && !m_planView.prediction.service.priceKnown)
                continue; // nothing times nothing
            if (m_planView.answer().prompts && explanation.result == 0)
                continue; // of prompts, which others compute
            tellFigure(explanation);
        }
    const Deployment& d = m_planView.resolved.deployment;
    cite(QString::fromStdString(d.gpu->name), d.gpu->citations);
    cite(modelText(asIs(d.node->name)), d.node->citations);
    cite(QString::fromStdString(d.llm->name), d.llm->citations);
    cite(QString::fromStdString(d.engine->name), d.engine->citations);
    cite(tr("Efficiencies"), d.efficiency->citations);
}

void Report::launch()
{
    if (!m_planView.sizing->meets)
        return; // nothing that should be started
    m_page.section(tr("How to start it"));
    const Result<std::string> text = launchText(launchedPools(m_planView.answer()), LaunchTarget::Shell);
    if (!text) {
        for (const Problem& problem : text.error())
            m_page.quiet(problemText(problem));
        return;
    }
    m_page.code(QString::fromStdString(*text).trimmed());
}

void Report::reproduction()
{
    m_page.section(tr("To make it again"));
    m_page.paragraph(
        tr("Headroom %1. The scenario is attached to this file as scenario.yaml and printed here.")
            .arg(m_options.version));
    m_page.code(QString::fromStdString(writeScenario(m_planView.asked)).trimmed());
    m_page.code(QStringLiteral("headroom size --scenario scenario.yaml"));
    m_page.paragraph(tr("The same as one line, to be pasted into the window's question:"));
    m_page.code(scenarioLine(m_planView.asked));
}

} // namespace headroom::app
