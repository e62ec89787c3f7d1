#pragma once

#include "app/desktop/charts/chart_data.h"
#include "app/report/offer.h"

#include <QDate>
#include <QPageSize>
#include <QString>
#include <QVector>

namespace headroom {
struct PlanView;
}

namespace headroom::app {

struct ReportOptions {
    QPageSize::PageSizeId paper = QPageSize::A4;
    QDate date; // printed; the only thing that differs between two reports of one scenario
    QString version;
    QVector<ChartData> serving; // percentiles of a simulation, where one was run
    QStringList servingSummary;
    std::optional<Offer> since = {}; // an earlier report, of which the changes are told
};

// The answer under traffic, put into the options; nothing is added where it cannot be simulated.
[[nodiscard]] ReportOptions withServing(ReportOptions options, const PlanView& planView);

// The capacity report of an answer, in the application's language: a summary that can be handed on, and
// everything behind it: as a PDF, or by the suffix of `path` as one HTML file (.html) or as Markdown (.md).
// Returns why it could not be written, or nothing.
[[nodiscard]] QString writeReport(const PlanView& planView, const QString& path,
                                  const ReportOptions& options);

} // namespace headroom::app
