#include "app/report/report_document.h"

#include "app/desktop/drawing/write_bytes.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/views/serving_charts.h"
#include "app/report/report_sections.h"
#include "model/search/answer_traffic.h"
#include "model/yaml/scenario_yaml.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QLocale>
#include <QPdfWriter>

namespace headroom::app {

namespace {
constexpr int reportResolution = 1200; // dots an inch: finer than any printer
} // namespace

ReportOptions withServing(ReportOptions options, const PlanView& planView)
{
    const Result<serve::ServingView> serving
        = trafficOn(planView.answer(), atBusiest(planView.asked, *planView.sizing))
              .and_then([](const serve::ServingPlan& plan) { return serve::makeServingView(plan); });
    if (!serving)
        return options;
    options.servingSummary = servingSummary(*serving, planView);
    options.serving = {percentilesChart(*serving), loadSweepChart(*serving)};
    return options;
}

QString writeReport(const PlanView& planView, const QString& path, const ReportOptions& options)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    double pageHeight = 0;
    QVector<Bookmark> bookmarks;
    {
        QPdfWriter pdf(&buffer);
        pdf.setPageSize(QPageSize(options.paper));
        pdf.setPageMargins(QMarginsF());
        pdf.setResolution(reportResolution);
        pdf.setCreator(QStringLiteral("Headroom ") + options.version);
        pdf.setTitle(answerTitle(planView));
        pdf.addFileAttachment(QStringLiteral("scenario.yaml"),
                              QByteArray::fromStdString(writeScenario(planView.asked)),
                              QStringLiteral("application/yaml"));
        pageHeight = pdf.pageLayout().pageSize().size(QPageSize::Point).height();
        PageFlow page(pdf, answerTitle(planView),
                      QCoreApplication::translate("Report", "Headroom %1 · %2")
                          .arg(options.version, QLocale().toString(options.date, QLocale::LongFormat)));
        Report(page, planView, options).write();
        page.finish();
        bookmarks = page.bookmarks();
    }
    const QByteArray bytes = withOutline(buffer.data(), bookmarks, pageHeight);
    if (const QString why = writtenOrWhy(path, bytes); !why.isEmpty())
        return QCoreApplication::translate("Report", "%1 could not be written: %2").arg(path, why);
    return {};
}

} // namespace headroom::app
