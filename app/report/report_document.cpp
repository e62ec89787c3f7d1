#include "app/report/report_document.h"

#include "app/desktop/text/study_text.h"
#include "app/desktop/views/serving_charts.h"
#include "app/report/report_sections.h"
#include "model/plan/answer_traffic.h"
#include "model/yaml/scenario_yaml.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QLocale>
#include <QPdfWriter>
#include <QSaveFile>

namespace headroom::app {

namespace {
constexpr int reportResolution = 1200; // dots an inch: finer than any printer
} // namespace

ReportOptions withServing(ReportOptions options, const Study& study)
{
    const Result<serve::ServingStudy> serving
        = trafficOn(study.answer(), atBusiest(study.asked, *study.sizing))
              .and_then([](const serve::ServingPlan& plan) { return serve::makeServingStudy(plan); });
    if (!serving)
        return options;
    options.servingSummary = servingSummary(*serving, study);
    options.serving = {percentilesChart(*serving), loadSweepChart(*serving)};
    return options;
}

QString writeReport(const Study& study, const QString& path, const ReportOptions& options)
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
        pdf.setTitle(answerTitle(study));
        pdf.addFileAttachment(QStringLiteral("scenario.yaml"),
                              QByteArray::fromStdString(writeScenario(study.asked)),
                              QStringLiteral("application/yaml"));
        pageHeight = pdf.pageLayout().pageSize().size(QPageSize::Point).height();
        PageFlow page(pdf, answerTitle(study),
                      QCoreApplication::translate("Report", "Headroom %1 · %2")
                          .arg(options.version, QLocale().toString(options.date, QLocale::LongFormat)));
        Report(page, study, options).write();
        page.finish();
        bookmarks = page.bookmarks();
    }
    QSaveFile file(path);
    const QByteArray bytes = withOutline(buffer.data(), bookmarks, pageHeight);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return QCoreApplication::translate("Report", "%1 could not be written: %2")
            .arg(path, file.errorString());
    return {};
}

} // namespace headroom::app
