#include "app/report/report_document.h"

#include "app/desktop/drawing/write_bytes.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/views/serving_charts.h"
#include "app/report/embedded.h"
#include "app/report/report_pdf.h"
#include "app/report/report_sections.h"
#include "model/advise/replayed_answer.h"
#include "model/yaml/scenario_yaml.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>

namespace headroom::app {

void ReportBlocks::charts(const QVector<ChartData>& all, double height, double least)
{
    QVector<ChartData> drawn;
    for (const ChartData& chart : all)
        if (!chart.isEmpty())
            drawn << chart;
    if (!drawn.isEmpty())
        m_all << ReportBlock{.kind = BlockKind::Charts, .charts = drawn, .height = height, .least = least};
}

ReportOptions withServing(ReportOptions options, const PlanView& planView)
{
    const Result<ReplayedAnswer> replayed = replayAnswer(planView);
    if (!replayed)
        return options;
    options.servingSummary = servingSummary(replayed->serving, planView);
    options.serving
        = {percentilesChart(replayed->serving, replayed->ranges), loadSweepChart(replayed->serving)};
    return options;
}

QString writeReport(const PlanView& planView, const QString& path, const ReportOptions& options)
{
    ReportBlocks blocks;
    Report(blocks, planView, options).write();
    const ReportFrame frame{
        .title = answerTitle(planView),
        .footer = QCoreApplication::translate("Report", "Headroom %1 · %2")
                      .arg(options.version, QLocale().toString(options.date, QLocale::LongFormat)),
        .language = speaksChinese() ? QStringLiteral("zh-CN") : QStringLiteral("en")};
    const QByteArray offer = offerJson(offerOf(planView, options.date));
    const QString suffix = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    if (suffix == QStringLiteral("html") || suffix == QStringLiteral("htm"))
        bytes = htmlOf(blocks, frame, inHtml(offer));
    else if (suffix == QStringLiteral("md") || suffix == QStringLiteral("markdown"))
        bytes = markdownOf(blocks, frame, inMarkdown(offer));
    else
        bytes = pdfOf(blocks, frame,
                      {.paper = options.paper,
                       .date = options.date,
                       .version = options.version,
                       .scenario = QByteArray::fromStdString(writeScenario(planView.asked)),
                       .offer = offer});
    if (const QString why = writtenOrWhy(path, bytes); !why.isEmpty())
        return QCoreApplication::translate("Report", "%1 could not be written: %2").arg(path, why);
    return {};
}

} // namespace headroom::app
