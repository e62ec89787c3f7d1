#include "app/desktop/views/compare_charts.h"

#include "app/desktop/text/quantities.h"
#include "app/desktop/text/study_text.h"
#include "model/plan/study.h"

#include <QCoreApplication>

#include <algorithm>
#include <optional>

namespace headroom::app {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("headroom::app", text); }

struct Bar {
    double value = 0;
    double low = 0;
    double high = 0;
    QString text;
};

// Lying bars have room for the names of machines. An answer that misses the targets is drawn paler, one
// without the figure keeps its place.
ChartData bars(const NamedStudies& studies, ChartData data, std::optional<Bar> (*barOf)(const Study&))
{
    ChartSeries meets{.name = tr("Meets the targets"), .kind = ChartSeries::Kind::Bars, .colour = 0};
    ChartSeries misses{.name = tr("Misses them"), .kind = ChartSeries::Kind::Bars, .colour = 6};
    const auto count = static_cast<int>(studies.size());
    for (int place = count - 1; place >= 0; --place) { // the first on top
        const auto& [name, study] = studies[static_cast<std::size_t>(place)];
        const auto at = static_cast<double>(data.y.categories.size());
        // Bars are short of room: whoever knows the machine knows who made it.
        data.y.categories << QString(name).remove(
            QString::fromStdString(study->answer().deployment.gpu->vendor + ' '));
        const std::optional<Bar> bar = barOf(*study);
        if (!bar)
            continue;
        ChartSeries& series = study->sizing->meets ? meets : misses;
        series.x << at;
        series.y << bar->value;
        series.low << bar->low;
        series.high << bar->high;
        series.rows << place;
        series.labels << name;
        series.captions << bar->text;
    }
    data.horizontal = true;
    data.x.low = 0;
    for (const ChartSeries& series : {meets, misses})
        if (!series.x.isEmpty())
            data.series << series;
    return data;
}

} // namespace

ChartData comparedSpeedChart(const NamedStudies& studies)
{
    ChartData data = bars(
        studies, {.title = tr("Speed for each user"), .x = {.title = tr("Speed"), .unit = tr("tok/s")}},
        [](const Study& study) -> std::optional<Bar> {
            const Estimate<TokensPerSecond>& speed = study.answer().point.tokensPerSecondPerUser;
            return Bar{speed.value.base(), speed.low.base(), speed.high.base(), text(speed.value)};
        });
    if (!studies.empty())
        if (const auto target = studies.front().second->asked.targets.tokensPerSecond)
            data.marks << ChartMark{.at = *target, .orientation = Qt::Vertical, .text = tr("target")};
    data.whenEmpty = tr("Nothing to compare yet");
    return data;
}

ChartData comparedTokenCostChart(const NamedStudies& studies)
{
    ChartData data = bars(studies,
                          {.title = tr("Cost of a million output tokens"),
                           .note = tr("at this load"),
                           .x = {.title = tr("Cost"), .unit = amountUnit()}},
                          [](const Study& study) -> std::optional<Bar> {
                              const Service& service = study.prediction.service;
                              if (!service.priceKnown)
                                  return std::nullopt;
                              const Estimate<Dollars>& million = service.dollarsPerMillionOutputTokens;
                              return Bar{toldAmount(million.value), toldAmount(million.low),
                                         toldAmount(million.high), text(million.value)};
                          });
    data.whenEmpty = studies.empty() ? tr("Nothing to compare yet") : tr("No price is known");
    return data;
}

ChartData comparedHourlyCostChart(const NamedStudies& studies)
{
    ChartData data = bars(
        studies, {.title = tr("Cost of the service"), .x = {.title = tr("Cost"), .unit = hourlyUnit()}},
        [](const Study& study) -> std::optional<Bar> {
            const Service& service = study.prediction.service;
            if (!service.priceKnown)
                return std::nullopt;
            const double hourly = toldAmount(Dollars(perHour(service.price)));
            return Bar{hourly, hourly, hourly, perHourText(service.price)};
        });
    data.whenEmpty = studies.empty() ? tr("Nothing to compare yet") : tr("No price is known");
    return data;
}

} // namespace headroom::app
