#pragma once

#include "model/base/result.h"
#include "model/scenario/scenario.h"

#include <QByteArray>
#include <QDate>
#include <QString>

#include <optional>

namespace headroom {
struct PlanView;
}

namespace headroom::app {

// What a report offered, as it is kept inside of it: the scenario and the figures that are decided by.
// Amounts are dollars.
struct Offer {
    QDate date;
    Scenario scenario;
    QString machines; // "2 × NVIDIA A100 SXM 80GB"
    std::optional<double> gpus, usdPerHour, usdToBuy, tokensPerSecondPerUser, ttft, maxConcurrency,
        confidence, power;
};

[[nodiscard]] Offer offerOf(const PlanView& planView, const QDate& date);
[[nodiscard]] QByteArray offerJson(const Offer& offer);
// Out of a report that was written before: .pdf, .html or .md.
[[nodiscard]] Result<Offer> readOffer(const QString& path);

} // namespace headroom::app
