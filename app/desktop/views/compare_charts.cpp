#include "app/desktop/views/compare_charts.h"

#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/translated.h"
#include "model/advise/plan_view.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace headroom::app {

namespace {

struct Bar {
    double value = 0;
    double low = 0;
    double high = 0;
    QString text;
};

// A bar that is many times as long as the others leaves nothing of them: it is told in words.
double longestDrawn(std::vector<double> values)
{
    constexpr double manyTimes = 8; // the middle one
    if (values.size() < 3)
        return std::numeric_limits<double>::infinity();
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle * manyTimes;
}

// Lying bars have room for the names of machines. An answer that misses the targets is drawn paler, one
// without the figure keeps its place.
ChartData bars(const NamedPlanViews& planViews, ChartData data, std::optional<Bar> (*barOf)(const PlanView&))
{
    ChartSeries meets{.name = tr("Meets the targets"), .kind = ChartSeries::Kind::Bars, .colour = 0};
    ChartSeries misses{.name = tr("Misses them"), .kind = ChartSeries::Kind::Bars, .colour = 6};
    const auto count = static_cast<int>(planViews.size());
    std::vector<double> values;
    for (const auto& [name, planView] : planViews)
        if (const std::optional<Bar> bar = barOf(*planView))
            values.push_back(bar->value);
    const double longest = longestDrawn(std::move(values));
    for (int place = count - 1; place >= 0; --place) { // the first on top
        const auto& [name, planView] = planViews[static_cast<std::size_t>(place)];
        const auto at = static_cast<double>(data.y.categories.size());
        // Bars are short of room: whoever knows the machine knows who made it.
        data.y.categories << QString(name).remove(
            QString::fromStdString(planView->answer().deployment.gpu->vendor + ' '));
        const std::optional<Bar> bar = barOf(*planView);
        if (!bar)
            continue;
        if (bar->value > longest) {
            data.y.categories.last() += u'\n' + tr("%1, far off").arg(bar->text);
            continue;
        }
        ChartSeries& series = planView->sizing->meets ? meets : misses;
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

ChartData comparedSpeedChart(const NamedPlanViews& planViews)
{
    ChartData data = bars(
        planViews, {.title = tr("Speed for each user"), .x = {.title = tr("Speed"), .unit = tr("tok/s")}},
        [](const PlanView& planView) -> std::optional<Bar> {
            const Estimate<TokensPerSecond>& speed = planView.answer().point.tokensPerSecondPerUser;
            return Bar{speed.value.base(), speed.low.base(), speed.high.base(), text(speed.value)};
        });
    if (!planViews.empty())
        if (const auto target = planViews.front().second->asked.targets.tokensPerSecond)
            data.marks << ChartMark{.at = *target, .orientation = Qt::Vertical, .text = tr("target")};
    data.whenEmpty = tr("Nothing to compare yet");
    return data;
}

ChartData comparedTokenCostChart(const NamedPlanViews& planViews)
{
    ChartData data = bars(planViews,
                          {.title = tr("Cost of a million output tokens"),
                           .note = tr("at this load"),
                           .x = {.title = tr("Cost"), .unit = amountUnit()}},
                          [](const PlanView& planView) -> std::optional<Bar> {
                              const Service& service = planView.prediction.service;
                              if (!service.priceKnown)
                                  return std::nullopt;
                              const Estimate<Dollars>& million = service.dollarsPerMillionOutputTokens;
                              return Bar{toldAmount(million.value), toldAmount(million.low),
                                         toldAmount(million.high), text(million.value)};
                          });
    data.whenEmpty = planViews.empty() ? tr("Nothing to compare yet") : tr("No price is known");
    return data;
}

ChartData comparedHourlyCostChart(const NamedPlanViews& planViews)
{
    ChartData data = bars(
        planViews, {.title = tr("Cost of the service"), .x = {.title = tr("Cost"), .unit = hourlyUnit()}},
        [](const PlanView& planView) -> std::optional<Bar> {
            const Service& service = planView.prediction.service;
            if (!service.priceKnown)
                return std::nullopt;
            const double hourly = toldAmount(Dollars(perHour(service.price)));
            return Bar{hourly, hourly, hourly, perHourText(service.price)};
        });
    data.whenEmpty = planViews.empty() ? tr("Nothing to compare yet") : tr("No price is known");
    return data;
}

} // namespace headroom::app
