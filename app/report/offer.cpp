#include "app/report/offer.h"

#include "app/desktop/text/plan_view_text.h"
#include "app/report/embedded.h"
#include "model/advise/plan_view.h"
#include "model/scenario/stated_load.h"
#include "model/yaml/scenario_yaml.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

namespace headroom::app {

namespace {

const QString schema = QStringLiteral("headroom.offer/1");

// By the names of `size --json`.
struct NamedFigure {
    const char* name;
    std::optional<double> Offer::*figure;
};
const NamedFigure namedFigures[]{{"gpus", &Offer::gpus},
                                 {"usd_per_hour", &Offer::usdPerHour},
                                 {"purchase_usd", &Offer::usdToBuy},
                                 {"tokens_per_s_per_user", &Offer::tokensPerSecondPerUser},
                                 {"ttft_s", &Offer::ttft},
                                 {"max_concurrency", &Offer::maxConcurrency},
                                 {"confidence", &Offer::confidence},
                                 {"power_w", &Offer::power}};

} // namespace

Offer offerOf(const PlanView& planView, const QDate& date)
{
    const Candidate& answer = planView.answer();
    const Service& service = planView.prediction.service;
    Offer offer{.date = date, .scenario = planView.asked, .machines = answerHeadline(planView)};
    offer.gpus = answer.gpus();
    if (service.priceKnown)
        offer.usdPerHour = perHour(service.price);
    if (const auto& costs = planView.sizing->costs; costs && costs->bill)
        offer.usdToBuy = costs->bill->total().base();
    if (!planView.prediction.memory.fits)
        return offer;
    offer.tokensPerSecondPerUser = answer.point.tokensPerSecondPerUser.value.base();
    offer.ttft = answer.point.ttft.value.base();
    offer.maxConcurrency = answer.maxConcurrency;
    if (mayMiss(planView.asked))
        offer.confidence = answer.confidence;
    if (service.power.value > Watts())
        offer.power = service.power.value.base();
    return offer;
}

QByteArray offerJson(const Offer& offer)
{
    QJsonObject figures;
    for (const NamedFigure& each : namedFigures)
        if (const std::optional<double>& value = offer.*each.figure)
            figures[QLatin1String(each.name)] = *value;
    return QJsonDocument(QJsonObject{{QStringLiteral("schema"), schema},
                                     {QStringLiteral("date"), offer.date.toString(Qt::ISODate)},
                                     {QStringLiteral("machines"), offer.machines},
                                     {QStringLiteral("figures"), figures},
                                     {QStringLiteral("scenario"),
                                      QString::fromStdString(writeScenario(offer.scenario))}})
        .toJson(QJsonDocument::Compact);
}

Result<Offer> readOffer(const QString& path)
{
    const std::string where = path.toStdString();
    QFile file(path);
    constexpr qint64 longest = 64 << 20; // bytes: reports are a hundredth of it
    if (!file.open(QIODevice::ReadOnly) || file.size() > longest)
        return refuse(where, "cannot be read as a report", {});
    const QJsonObject json = QJsonDocument::fromJson(embeddedIn(file.readAll())).object();
    if (json[QStringLiteral("schema")].toString() != schema)
        return refuse(where, "is no report with an offer in it",
                      "reports are .pdf, .html or .md as this program writes them");
    auto scenario = parseScenario(json[QStringLiteral("scenario")].toString().toStdString(), where);
    if (!scenario)
        return refuse(std::move(scenario.error()));
    Offer offer{.date = QDate::fromString(json[QStringLiteral("date")].toString(), Qt::ISODate),
                .scenario = *std::move(scenario),
                .machines = json[QStringLiteral("machines")].toString()};
    const QJsonObject figures = json[QStringLiteral("figures")].toObject();
    for (const NamedFigure& each : namedFigures)
        if (const QJsonValue value = figures[QLatin1String(each.name)]; value.isDouble())
            offer.*each.figure = value.toDouble();
    return offer;
}

} // namespace headroom::app
