// What the ways to buy cost: by the hour and month, over the years that are told, rented against bought; a
// job by its hours.
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/report/report_sections.h"
#include "model/report/costs_text.h"
#include "model/report/layout_text.h"
#include "model/resolve/money.h"
#include "model/scenario/stated_load.h"
#include "model/search/answer_costs.h"
#include "model/search/sizing_plan.h"

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace {

constexpr int monthsOfYear = 12;

// A dash where no price is known.
QString amountOrDash(const std::optional<double>& dollars)
{
    return dollars ? text(Dollars(*dollars)) : QStringLiteral("–");
}

// What is rented costs while it runs, what is owned all the time; nothing where no price is known.
std::optional<double> dollarsAMonth(const Candidate& candidate, const Money& money)
{
    const Service& service = candidate.point.prediction.service;
    return service.priceKnown
        ? std::optional(perMonth(service.price, service.power.value, candidate.deployment, money))
        : std::nullopt;
}

// Without the maker's name: the column is narrow.
QString shortMachines(const Candidate& candidate)
{
    return QString::fromStdString(machinesText(candidate)).remove(QStringLiteral("NVIDIA "));
}

bool anyPriced(const std::vector<const Candidate*>& all)
{
    return std::any_of(all.begin(), all.end(),
                       [](const Candidate* each) { return each->point.prediction.service.priceKnown; });
}

} // namespace

std::optional<JobTime> Report::job(const Candidate& candidate) const
{
    return jobTime(m_planView.asked, candidate);
}

// Months that costs are told over, the same as in every other answer; never beyond what is known.
int Report::monthsTold() const
{
    const auto wanted = static_cast<int>(std::lround(yearsOf(m_planView.asked.money) * monthsOfYear));
    const std::optional<CostOverYears>& costs = m_planView.sizing->costs;
    const std::size_t known = costs
        ? std::max({costs->ownByMonth.size(), costs->rentByMonth.size(), costs->apiByMonth.size()})
        : 0;
    return known > 1 ? std::min(wanted, static_cast<int>(known) - 1) : wanted;
}

// "3 years", or "30 months" where they are no whole years.
QString Report::spanTold() const
{
    const int months = monthsTold();
    return months % monthsOfYear == 0 ? tr("%n year(s)", nullptr, months / monthsOfYear)
                                      : tr("%n month(s)", nullptr, months);
}

// What has been paid by the end of the months that are told: of what is bought, the purchase in full.
std::optional<double> Report::paidBy(const Candidate& candidate) const
{
    const Money& money = m_planView.asked.money;
    const std::optional<double> month = dollarsAMonth(candidate, money);
    if (!month || !buys(money))
        return month ? std::optional(*month * monthsTold()) : std::nullopt;
    const auto costs = costsOf(candidate, m_planView.asked, *m_planView.catalogue);
    const auto last = static_cast<std::size_t>(monthsTold());
    return costs && costs->ownByMonth.size() > last ? std::optional(costs->ownByMonth[last]) : std::nullopt;
}

// The machines with what they cost: rented by the hour and year, bought at once, for a job while it lasts.
QString Report::costSentence() const
{
    const Candidate& answer = m_planView.answer();
    const Money& money = m_planView.asked.money;
    const QString machines = answerHeadline(m_planView);
    const QString hour = perHourText(m_planView.prediction.service.price);
    if (const auto job = this->job(answer); job && job->price)
        return tr("%1 for %2, %3 for the job").arg(machines, hour, text(*job->price));
    const std::optional<double> paid = paidBy(answer);
    if (!paid)
        return tr("%1 for %2").arg(machines, hour);
    const std::optional<CostOverYears>& costs = m_planView.sizing->costs;
    if (buys(money) && costs && costs->bill)
        return tr("%1, bought for %2; %3 in %4, with electricity")
            .arg(machines, text(costs->bill->total()), text(Dollars(*paid)), spanTold());
    const QString year = text(Dollars(*dollarsAMonth(answer, money) * monthsOfYear));
    return monthsTold() == monthsOfYear
        ? tr("%1 for %2, %3 a year").arg(machines, hour, year)
        : tr("%1 for %2, %3 a year, %4 over %5").arg(machines, hour, year, text(Dollars(*paid)), spanTold());
}

void Report::choices(const QString& title, const std::vector<Choice>& rows, Marked marked)
{
    std::vector<const Candidate*> all;
    for (const Choice& choice : rows)
        all.push_back(choice.candidate);
    const bool priced = anyPriced(all);
    const auto usersOf = [&](const Candidate& candidate) {
        return m_planView.asked.concurrency.value_or(candidate.maxConcurrency);
    };
    const bool isJob = job(m_planView.answer()).has_value();
    const bool each = priced && !isJob
        && std::any_of(all.begin(), all.end(), [&](const Candidate* c) { return usersOf(*c) >= 1; });
    ReportTable table{.headers = {QString()},
                      .rows = QVector<QStringList>(static_cast<qsizetype>(rows.size())),
                      .widths = {5},
                      .right = {false, true, true, true, true, true, true},
                      .strong = -1};
    table.figures.resize(table.rows.size());
    // A column from its top to its end; figures of the answer's document where it has them.
    const auto add = [&](const QString& header, double width, const auto& cell, const char* key = nullptr) {
        table.headers << header;
        table.widths << width;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const QString shown = cell(*rows[i].candidate);
            const bool told = key && !rows[i].document.isEmpty() && shown != QStringLiteral("–");
            table.rows[qsizetype(i)] << shown;
            table.figures[qsizetype(i)] << (told ? rows[i].document + u'.' + QLatin1String(key) : QString());
        }
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Candidate& candidate = *rows[i].candidate;
        if (marked == Marked::Answer && machinesText(candidate) == machinesText(m_planView.answer()))
            table.strong = static_cast<int>(i);
        table.rows[qsizetype(i)] << tr("%1: %2").arg(rows[i].name, shortMachines(candidate));
        table.figures[qsizetype(i)] << QString();
    }
    const Money& money = m_planView.asked.money;
    const auto hour = [](const Candidate& c) {
        const Service& service = c.point.prediction.service;
        return service.priceKnown ? perHourText(service.price) : QStringLiteral("–");
    };
    const auto month = [&](const Candidate& c) { return dollarsAMonth(c, money); };
    if (isJob) {
        add(tr("The job takes"), 1.6, [&](const Candidate& c) {
            const auto its = job(c);
            return its ? text(its->time) : QStringLiteral("–");
        });
    } else {
        add(tr("Speed (tok/s)"), 2.2, [](const Candidate& c) {
            const Estimate<TokensPerSecond>& speed = c.point.tokensPerSecondPerUser;
            return spanText(figureText(speed.value.base()), figureText(speed.low.base()),
                            figureText(speed.high.base()));
        });
    }
    if (mayMiss(m_planView.asked))
        add(
            tr("Sure"), 0.8, [](const Candidate& c) { return probabilityText(c.confidence); }, "confidence");
    if (priced)
        add(tr("An hour"), 1.45, hour, "usd_per_hour");
    if (priced && isJob) {
        add(tr("The job"), 1.4, [&](const Candidate& c) {
            const auto its = job(c);
            return its && its->price ? text(*its->price) : QStringLiteral("–");
        });
    } else if (priced) {
        add(tr("A month"), 1.2, [&](const Candidate& c) { return amountOrDash(month(c)); });
        add(spanTold(), 1.4, [&](const Candidate& c) { return amountOrDash(paidBy(c)); });
    }
    if (each)
        add(tr("User, month"), 1.4, [&](const Candidate& c) {
            const double users = usersOf(c);
            return amountOrDash(users >= 1 && month(c) ? std::optional(*month(c) / users) : std::nullopt);
        });
    m_page.table(table, title);
    if (priced && !isJob && buys(money))
        m_page.quiet(
            tr("An hour and a month: the purchase written off over %1, with electricity. %2: all that "
               "has been paid by then, the purchase in full.")
                .arg(tr("%n year(s)", nullptr, static_cast<int>(std::lround(yearsOf(money)))), spanTold()));
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
    const auto last = static_cast<std::size_t>(monthsTold());
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
    const Money& money = m_planView.asked.money;
    QStringList with{tr("electricity")};
    if (money.hostingPerKwMonth > 0)
        with << tr("room");
    if (money.staffShare > 0)
        with << tr("people");
    add(tr("Rented"), costs->rentByMonth, "rent_usd_by_month");
    add(tr("Bought, with %1").arg(with.join(tr(", "))), costs->ownByMonth, "own_usd_by_month");
    add(tr("As many tokens of the API"), costs->apiByMonth, "api_usd_by_month");
    m_page.table(table);
    QStringList notes;
    if (costs->bill && !costs->ownByMonth.empty())
        notes << tr("Bought: %1.")
                     .arg(QString::fromStdString(billText(
                         *costs->bill, speaksChinese() ? ask::Language::Chinese : ask::Language::English)));
    if (const auto& months = costs->monthsToRent)
        notes << tr("Buying has cost less than renting after %n month(s).", nullptr,
                    static_cast<int>(std::lround(*months)));
    if (!notes.isEmpty())
        m_page.quiet(notes.join(speaksChinese() ? QString() : QStringLiteral(" ")));
}

// What has been paid by when for each of the choices; the recommended one bought besides, where it is rented.
void Report::costCurve(const std::vector<Choice>& rows)
{
    constexpr double height = 150;     // points
    constexpr double least = 96;       // each line has its name where it ends, and no legend
    constexpr double withNames = 1.32; // of the years: behind the lines stand their names
    const int last = monthsTold();
    ChartData data{.title = tr("Cost over %1 (%2)").arg(spanTold(), amountUnit()),
                   .note = tr("at today's prices"),
                   .x = {.title = tr("Year"),
                         .whole = true,
                         .low = 0,
                         .high = static_cast<double>(last) / monthsOfYear * withNames,
                         .lastTick = static_cast<double>(last) / monthsOfYear},
                   .y = {.title = tr("Cost"), .unit = amountUnit(), .low = 0}};
    const auto line = [&](const QString& name, const QString& end, const auto& paid) {
        ChartSeries series{.name = name, .colour = static_cast<int>(data.series.size())};
        series.endLabel = end;
        for (int month = 0; month <= last; ++month) {
            series.x << static_cast<double>(month) / monthsOfYear;
            series.y << toldAmount(Dollars(paid(month)));
        }
        data.series << series;
    };
    const auto known
        = [&](const std::vector<double>& paid) { return paid.size() > static_cast<std::size_t>(last); };
    const auto byMonth = [&](const QString& name, const QString& end, const std::vector<double>& paid) {
        if (known(paid))
            line(name, end, [&](int month) { return paid[static_cast<std::size_t>(month)]; });
    };
    const Money& money = m_planView.asked.money;
    for (const Choice& choice : rows) {
        const std::optional<double> month = dollarsAMonth(*choice.candidate, money);
        if (month && !buys(money))
            line(choice.name, shortMachines(*choice.candidate), [&](int months) { return *month * months; });
        else if (const auto costs = costsOf(*choice.candidate, m_planView.asked, *m_planView.catalogue);
                 month && costs)
            byMonth(choice.name, shortMachines(*choice.candidate), costs->ownByMonth);
    }
    const std::optional<CostOverYears>& costs = m_planView.sizing->costs;
    if (costs && !buys(money))
        byMonth(tr("The recommended one, bought"), tr("The recommended one, bought"), costs->ownByMonth);
    if (costs)
        byMonth(tr("As many tokens of the API"), tr("As many tokens of the API"), costs->apiByMonth);
    if (!data.series.isEmpty())
        m_page.charts({data}, height, least);
}

} // namespace headroom::app
