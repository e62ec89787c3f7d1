// What is decided, on one page: a sentence that recommends, the ways to buy, what they cost over the years,
// and what may go wrong.
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
#include "model/scenario/scenario_values.h"
#include "model/search/safe_confidence.h"
#include "model/search/sizing_plan.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <optional>

namespace headroom::app {

namespace {

constexpr int yearsTold = 3; // that machines are budgeted for

constexpr double monthsOfYear = 12;

// A dash where no price is known.
QString amountOrDash(const Service& service, double dollars)
{
    return service.priceKnown ? text(Dollars(dollars)) : QStringLiteral("–");
}

// What is rented costs while it runs, what is owned all the time.
double dollarsAMonth(const Candidate& candidate, const Money& money)
{
    const Service& service = candidate.point.prediction.service;
    return perMonth(service.price, service.power.value, candidate.deployment, money);
}

// How old the prices are: an offer will differ.
QString priceDate(const QString& citation)
{
    static const QRegularExpression date(QStringLiteral("20\\d\\d-\\d\\d(-\\d\\d)?"));
    const QString day = date.match(citation).captured();
    return day.isEmpty()
        ? QCoreApplication::translate("headroom::app::Report",
                                      "Prices are list prices; an offer will differ.")
        : QCoreApplication::translate("headroom::app::Report",
                                      "Prices are list prices as of %1; an offer will differ.")
              .arg(day);
}

// Costs are told as far as they are known.
std::size_t lastMonthTold(const CostOverYears& costs)
{
    const std::size_t known
        = std::max({costs.ownByMonth.size(), costs.rentByMonth.size(), costs.apiByMonth.size()});
    return std::min(static_cast<std::size_t>(yearsTold * monthsOfYear), known > 0 ? known - 1 : 0);
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
    m_page.paragraph(facts.join(QStringLiteral(" · ")));
    if (m_planView.sizing->meets) {
        const std::vector<Choice> rows = waysToBuy();
        choices(tr("The choice"), rows, Marked::Answer);
        rentOrOwn();
        costCurve(rows);
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
}

// For whoever reads one sentence.
QString Report::recommendation() const
{
    const Candidate& answer = m_planView.answer();
    const SizingPlan& sizing = *m_planView.sizing;
    if (!sizing.meets)
        return tr("Nothing can be recommended as it was asked.");
    const Service& service = m_planView.prediction.service;
    const QString machines = answerHeadline(m_planView);
    const QString cost = service.priceKnown
        ? tr("%1 for %2, %3 over %4 years")
              .arg(machines, perHourText(service.price),
                   text(Dollars(dollarsAMonth(answer, m_planView.asked.money) * yearsTold * monthsOfYear)))
              .arg(yearsTold)
        : machines;
    if (!hasTargets())
        return tr("Recommended: %1. It runs the model; no target was set that it could miss.").arg(cost);
    const Choices choices = choicesOf(sizing);
    QStringList sentences{tr("Recommended: %1.").arg(cost)};
    if (choices.because != Recommended::TooUnsure && choices.because != Recommended::TooMany)
        sentences << tr("Of what meets the targets it is best by what was looked for: %1.")
                         .arg(scenarioValueText("objective", scenarioValue(m_planView.asked, "objective")));
    sentences << tr("Why this one: %1.").arg(recommendedWords(choices));
    if (sizing.safe && sizing.safe->gpus() != answer.gpus() && answer.confidence < safeConfidence)
        sentences << tr("That is %1; who must keep them takes %2.")
                         .arg(confidenceText(answer.confidence),
                              QString::fromStdString(machinesText(*sizing.safe)));
    if (!sizing.hints.empty())
        sentences << tr("Worth trying first: %1.").arg(hintTitle(sizing.hints.front()));
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

void Report::choices(const QString& title, const std::vector<Choice>& rows, Marked marked)
{
    const bool priced = std::any_of(rows.begin(), rows.end(), [](const Choice& choice) {
        return choice.candidate->point.prediction.service.priceKnown;
    });
    ReportTable table{.headers = {QString(), tr("Speed (tok/s)")},
                      .rows = {},
                      .widths = {5, 2.2},
                      .right = {false, true, true, true, true, true, true},
                      .strong = -1};
    if (hasTargets()) {
        table.headers << tr("Sure");
        table.widths << 0.8;
    }
    const auto usersOf = [&](const Candidate& candidate) {
        return m_planView.asked.concurrency.value_or(candidate.maxConcurrency);
    };
    const bool each = priced && std::any_of(rows.begin(), rows.end(), [&](const Choice& choice) {
                          return usersOf(*choice.candidate) >= 1;
                      });
    if (priced) {
        table.headers << tr("An hour") << tr("A month") << tr("%n year(s)", nullptr, yearsTold);
        table.widths << 1.45 << 1.2 << 1.4;
    }
    if (each) {
        table.headers << tr("User, month");
        table.widths << 1.4;
    }
    for (const auto& [name, candidate, document] : rows) {
        if (marked == Marked::Answer && machinesText(*candidate) == machinesText(m_planView.answer()))
            table.strong = static_cast<int>(table.rows.size());
        const Estimate<TokensPerSecond>& speed = candidate->point.tokensPerSecondPerUser;
        // Whose they are is said above; here the room is for figures.
        QStringList row{
            tr("%1: %2").arg(
                name, QString::fromStdString(machinesText(*candidate)).remove(QStringLiteral("NVIDIA "))),
            spanText(figureText(speed.value.base()), figureText(speed.low.base()),
                     figureText(speed.high.base()))};
        QStringList figures{{}, {}};
        const auto figure = [&](const char* key) {
            return document.isEmpty() ? QString() : document + u'.' + QLatin1String(key);
        };
        if (hasTargets()) {
            row << probabilityText(candidate->confidence);
            figures << figure("confidence");
        }
        const Service& service = candidate->point.prediction.service;
        if (priced) {
            const double users = usersOf(*candidate);
            const double month = dollarsAMonth(*candidate, m_planView.asked.money);
            row << (service.priceKnown ? perHourText(service.price) : QStringLiteral("–"))
                << amountOrDash(service, month) << amountOrDash(service, month * yearsTold * monthsOfYear);
            if (each)
                row << (users >= 1 ? amountOrDash(service, month / users) : QStringLiteral("–"));
            figures << (service.priceKnown ? figure("usd_per_hour") : QString());
        }
        table.rows << row;
        table.figures << figures;
    }
    m_page.table(table, title);
}

// Rented, bought, or as tokens of others: what it comes to over the years that are told.
void Report::rentOrOwn()
{
    const std::optional<CostOverYears>& costs = m_planView.sizing->costs;
    if (!costs || (costs->ownByMonth.empty() && costs->apiByMonth.empty()))
        return;
    ReportTable table{.headers = {tr("Rent or own"), tr("At once"), tr("A month"), {}},
                      .rows = {},
                      .widths = {4, 1.6, 1.6, 2},
                      .right = {false, true, true, true}};
    const std::size_t last = lastMonthTold(*costs);
    table.headers.last() = tr("In %n month(s)", nullptr, static_cast<int>(last));
    const auto add = [&](const QString& way, const std::vector<double>& paid, const char* key) {
        if (paid.size() <= last || last < 1)
            return;
        table.rows << QStringList{way, text(Dollars(paid.front())), text(Dollars(paid[1] - paid[0])),
                                  text(Dollars(paid[last]))};
        table.figures << QStringList{{},
                                     QStringLiteral("costs.%1.0").arg(QLatin1String(key)),
                                     {},
                                     QStringLiteral("costs.%1.%2").arg(QLatin1String(key)).arg(last)};
    };
    add(tr("Rented"), costs->rentByMonth, "rent_usd_by_month");
    add(tr("Bought, with power, room and people as stated"), costs->ownByMonth, "own_usd_by_month");
    add(tr("As many tokens of the API"), costs->apiByMonth, "api_usd_by_month");
    m_page.table(table);
    if (const auto& months = costs->monthsToRent)
        m_page.quiet(tr("Buying has cost less than renting after %n month(s).", nullptr,
                        static_cast<int>(std::lround(*months))));
}

// The recommended service bought, and each of the choices rented.
void Report::costCurve(const std::vector<Choice>& rows)
{
    constexpr double height = 150;     // points
    constexpr double least = 96;       // each line has its name where it ends, and no legend
    constexpr double withNames = 1.32; // of the years: behind the lines stand their names
    ChartData data{.title = tr("Cost over three years (%1)").arg(amountUnit()),
                   .note = tr("at today's prices"),
                   .x = {.title = tr("Year"), .whole = true, .low = 0, .high = yearsTold * withNames},
                   .y = {.title = tr("Cost"), .unit = amountUnit(), .low = 0}};
    int colour = 0;
    for (const Choice& choice : rows) {
        if (!choice.candidate->point.prediction.service.priceKnown)
            continue;
        const double month = dollarsAMonth(*choice.candidate, m_planView.asked.money);
        ChartSeries line{.name = choice.name, .colour = colour++};
        line.endLabel
            = QString::fromStdString(machinesText(*choice.candidate)).remove(QStringLiteral("NVIDIA "));
        for (int year = 0; year <= yearsTold; ++year) {
            line.x << year;
            line.y << toldAmount(Dollars(month * monthsOfYear * year));
        }
        data.series << line;
    }
    const std::optional<CostOverYears>& costs = m_planView.sizing->costs;
    const auto byMonth = [&](const QString& name, const std::vector<double>& paid) {
        ChartSeries line{.name = name, .colour = colour++};
        line.endLabel = name;
        for (std::size_t month = 0; month < paid.size() && month <= lastMonthTold(*costs); ++month) {
            line.x << static_cast<double>(month) / monthsOfYear;
            line.y << toldAmount(Dollars(paid[month]));
        }
        data.series << line;
    };
    if (costs && !costs->ownByMonth.empty() && !buys(m_planView.asked.money))
        byMonth(tr("The recommended one, bought"), costs->ownByMonth);
    if (costs && !costs->apiByMonth.empty())
        byMonth(tr("As many tokens of the API"), costs->apiByMonth);
    if (!data.series.isEmpty())
        m_page.charts({data}, height, least);
}

// What a reader must know before he signs; all of it is told in its own section.
void Report::risks()
{
    const Candidate& answer = m_planView.answer();
    QStringList lines;
    if (hasTargets() && m_planView.sizing->meets)
        lines << tr("The targets are kept with a chance of %1.").arg(probabilityText(answer.confidence));
    if (const Source source = timesSource(m_planView); source == Source::Prior)
        lines << tr("The times are estimated: nothing like it was measured. Measure before you buy.");
    else
        lines << tr("The times rest on: %1.").arg(sourceText(source));
    lines.last() += sentenceSpace() + tr("Ranges run from the 10th to the 90th percentile.");
    for (const Citation& citation : answer.deployment.gpu->citations)
        if (citation.key == "price" && m_planView.prediction.service.priceKnown)
            lines << priceDate(QString::fromStdString(citation.text));
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
