// What is decided, on one page: a sentence that recommends, the ways to buy (report_costs.cpp), and what may
// go wrong.
#include "app/desktop/text/choice_text.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/scenario_fields.h"
#include "app/desktop/text/window_words.h"
#include "app/report/report_sections.h"
#include "model/advise/choices.h"
#include "model/report/layout_text.h"
#include "model/resolve/money.h"
#include "model/resolve/offers.h"
#include "model/scenario/scenario_values.h"
#include "model/scenario/stated_load.h"
#include "model/search/safe_confidence.h"
#include "model/search/sizing_plan.h"

#include <QRegularExpression>

#include <algorithm>
#include <optional>

namespace headroom::app {

namespace {

// How old the prices are that the answer is told at: an offer will differ. Nothing of the user's own.
QString priceDate(const PlanView& planView)
{
    const Gpu& gpu = *planView.answer().deployment.gpu;
    const Money& money = planView.asked.money;
    if (buys(money) ? money.purchasePrice.has_value() : money.gpuPrice.has_value())
        return {};
    QString day;
    if (const RentOffer* const offer = buys(money) ? nullptr : offerTaken(gpu, money))
        day = QString::fromStdString(offer->asOf);
    static const QRegularExpression date(QStringLiteral("purchase:.*?(20\\d\\d-\\d\\d(-\\d\\d)?)"));
    for (const Citation& citation : gpu.citations)
        if (buys(money) && citation.key == "price")
            day = date.match(QString::fromStdString(citation.text)).captured(1);
    return day.isEmpty()
        ? QCoreApplication::translate("headroom::app::Report",
                                      "Prices are list prices; an offer will differ.")
        : QCoreApplication::translate("headroom::app::Report",
                                      "Prices are list prices as of %1; an offer will differ.")
              .arg(day);
}

// A Chinese full stop brings its own.
QString sentenceSpace() { return speaksChinese() ? QString() : QStringLiteral(" "); }

bool isGeForce(const Candidate& candidate)
{
    return candidate.deployment.gpu->name.find("GeForce") != std::string::npos;
}

} // namespace

void Report::summary()
{
    question();
    m_page.title(answerTitle(m_planView));
    m_page.lead(recommendation());
    m_page.verdict(verdictText(m_planView), verdictTone(m_planView));
    QStringList facts;
    for (const QVector<Fact>& line : answerFacts(m_planView))
        for (const Fact& fact : line)
            facts << fact.text;
    if (!facts.isEmpty())
        m_page.paragraph(facts.join(QStringLiteral(" · ")));
    if (m_planView.sizing->meets) {
        const std::vector<Choice> rows = waysToBuy();
        choices(tr("The choice"), rows, Marked::Answer);
        if (!job(m_planView.answer())) { // which comes once
            rentOrOwn();
            costCurve(rows);
        }
    }
    std::vector<Choice> changes;
    for (const Remedy& remedy : m_planView.sizing->remedies)
        changes.push_back({modelText(remedy.change), &remedy.answer, {}});
    if (!changes.empty())
        choices(tr("What would help"), changes);
    risks();
}

void Report::question()
{
    const std::string& name = m_planView.asked.name;
    if (!name.empty())
        m_page.quiet(tr("Capacity report"));
    m_page.section(name.empty() ? tr("Capacity report") : QString::fromStdString(name));
    m_page.quiet(tr("Asked: %1").arg(questionText(m_planView)));
    const QString separator = QStringLiteral(" · ");
    if (const QStringList assumed = assumedByTheQuestion(); !assumed.isEmpty())
        m_page.quiet(tr("Assumed: %1").arg(assumed.join(separator)));
    else if (const QStringList usual = usualValues(m_planView); !usual.isEmpty())
        m_page.quiet(tr("Usual values: %1").arg(usual.join(separator)));
    QStringList unused;
    if (const std::optional<ask::Question> question = readQuestion())
        for (const ask::Unused& one : question->unused)
            unused << (one.why.empty()
                           ? tr("“%1”").arg(QString::fromStdString(one.said))
                           : tr("“%1” (%2)")
                                 .arg(QString::fromStdString(one.said), QString::fromStdString(one.why)));
    if (!unused.isEmpty())
        m_page.quiet(tr("Not used of the question: %1").arg(unused.join(separator)));
}

// For whoever reads one sentence.
QString Report::recommendation() const
{
    const Candidate& answer = m_planView.answer();
    const SizingPlan& sizing = *m_planView.sizing;
    if (!sizing.meets)
        return tr("Nothing can be recommended as it was asked.");
    const Service& service = m_planView.prediction.service;
    const QString cost = service.priceKnown ? costSentence() : answerHeadline(m_planView);
    const bool isJob = job(answer).has_value();
    if (!hasTargets() && !isJob)
        return tr("Recommended: %1. It runs the model; no target was set that it could miss.").arg(cost);
    const Choices choices = choicesOf(sizing);
    QStringList sentences{tr("Recommended: %1.").arg(cost)};
    if (!hasTargets())
        return withHint(std::move(sentences)); // what a job takes is said below
    if (choices.because != Recommended::TooUnsure && choices.because != Recommended::TooMany)
        sentences << tr("Of what meets the targets it is best by what was looked for: %1.")
                         .arg(scenarioValueText("objective",
                                                scenarioValue(chosenScenario(m_planView), "objective")));
    sentences << tr("Why this one: %1.").arg(recommendedWords(choices));
    if (sizing.safe && sizing.safe->gpus() != answer.gpus() && answer.confidence < safeConfidence)
        sentences << tr("That is %1; who must keep them takes %2.")
                         .arg(confidenceText(answer.confidence),
                              QString::fromStdString(machinesText(*sizing.safe)));
    return withHint(std::move(sentences));
}

QString Report::withHint(QStringList sentences) const
{
    const std::vector<Hint>& hints = m_planView.sizing->hints;
    if (!hints.empty())
        sentences << tr("Worth trying first: %1.").arg(hintTitle(hints.front()));
    return sentences.join(sentenceSpace());
}

std::vector<Report::Choice> Report::waysToBuy() const
{
    const Choices choices = choicesOf(*m_planView.sizing);
    std::vector<Choice> rows;
    for (std::size_t i = 0; i < choices.all.size(); ++i) {
        const bool recommended = i == choices.recommended;
        rows.push_back(
            {recommended ? QStringLiteral("★ ") + choiceTitle(choices.all[i]) : choiceTitle(choices.all[i]),
             choices.all[i].service, QStringLiteral("choices.all.%1.service").arg(i)});
    }
    return rows;
}

// What a reader must know before he signs; all of it is told in its own section.
void Report::risks()
{
    const Candidate& answer = m_planView.answer();
    QStringList lines;
    if (hasTargets() && m_planView.sizing->meets)
        lines << tr("The targets are kept with a chance of %1.").arg(probabilityText(answer.confidence));
    else if (worksOffJob(m_planView.asked) && m_planView.sizing->meets)
        lines << tr("The job is done by then with a chance of %1.").arg(probabilityText(answer.confidence));
    if (const Source source = timesSource(m_planView); source == Source::Prior)
        lines << tr("The times are estimated: nothing like it was measured. Measure before you buy.");
    else
        lines << tr("The times rest on: %1.").arg(sourceText(source));
    lines.last() += sentenceSpace() + tr("Ranges run from the 10th to the 90th percentile.");
    if (const QString dated = priceDate(m_planView);
        m_planView.prediction.service.priceKnown && !dated.isEmpty())
        lines << dated;
    if (isGeForce(answer))
        lines << tr("NVIDIA's licence of the GeForce driver does not allow its use in data centres.");
    lines << tr("Delivery times are not part of this plan: ask for them with the offer.");
    for (const Message& warning : m_planView.warnings())
        lines << inWindowWords(modelText(warning));
    constexpr qsizetype most = 7; // lines of a page that is read in a minute
    const qsizetype more = lines.size() - most;
    lines = lines.mid(0, most);
    for (QString& line : lines)
        line.replace(0, 1, line.at(0).toUpper());
    if (more > 0)
        lines << tr("%n more under “Assumptions”", nullptr, static_cast<int>(more));
    m_page.heading(tr("Risks"));
    m_page.bullets(lines);
}

void Report::contents()
{
    m_page.newPage();
    m_page.heading(tr("Contents"));
    m_page.contents();
}

} // namespace headroom::app
