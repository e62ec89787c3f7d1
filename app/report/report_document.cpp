#include "app/report/report_document.h"

#include "app/desktop/drawing/gauge.h"
#include "app/desktop/drawing/layout_picture.h"
#include "app/desktop/text/cell_text.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/scenario_fields.h"
#include "app/desktop/text/study_text.h"
#include "app/desktop/views/serving_charts.h"
#include "app/desktop/views/study_charts.h"
#include "app/report/page_flow.h"
#include "model/plan/answer_traffic.h"
#include "model/plan/launch_pools.h"
#include "model/plan/scenario_keys.h"
#include "model/plan/scenario_values.h"
#include "model/plan/study.h"
#include "model/report/candidate_columns.h"
#include "model/report/explain.h"
#include "model/yaml/scenario_yaml.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QLocale>
#include <QPdfWriter>
#include <QSaveFile>

#include <algorithm>
#include <array>
#include <set>

namespace headroom::app {

namespace {

constexpr int reportResolution = 1200;      // dots an inch: finer than any printer
constexpr std::size_t shownCandidates = 16; // more than a reader compares; the desktop has them all

// One report being written.
class Report {
public:
    Report(PageFlow& page, const Study& study, const ReportOptions& options)
        : m_page(page), m_study(study), m_options(options)
    {}

    void write()
    {
        summary();
        requirements();
        configuration();
        alternatives();
        behaviour();
        growth();
        sensitivity();
        assumptions();
        sources();
        launch();
        reproduction();
    }

private:
    static QString tr(const char* text, const char* = nullptr, int n = -1)
    {
        return QCoreApplication::translate("headroom::app::Report", text, nullptr, n);
    }

    void summary();
    void costTable();
    void requirements();
    void configuration();
    void memoryTable();
    void latencyTable();
    void alternatives();
    void behaviour();
    void growth();
    void growthTable();
    void day();
    void sensitivity();
    void assumptions();
    void sources();
    void cite(const QString& what, const std::vector<Citation>& citations);
    void launch();
    void reproduction();

    PageFlow& m_page;
    const Study& m_study;
    const ReportOptions& m_options;
};

void Report::summary()
{
    const ChartTheme& theme = m_page.theme();
    m_page.text(tr("Capacity report"), 10, QFont::Normal, theme.muted);
    const std::string& name = m_study.asked.name;
    m_page.section(name.empty() ? tr("Summary") : QString::fromStdString(name));
    m_page.text(tr("Asked: %1").arg(questionText(m_study)), 10, QFont::Normal, theme.text);
    m_page.space(6);
    m_page.text(answerTitle(m_study), 26, QFont::DemiBold, theme.text);
    m_page.text(answerSubline(m_study), 11, QFont::Normal, theme.muted);
    m_page.space(6);
    m_page.text(verdictText(m_study), 12, QFont::DemiBold, theme.ink(verdictTone(m_study)));
    for (const QVector<Fact>& line : answerFacts(m_study)) {
        QStringList parts;
        for (const Fact& fact : line)
            parts << fact.text;
        m_page.text(parts.join(QStringLiteral(" · ")), 10, QFont::Normal, theme.text);
    }
    m_page.space(10);
    m_page.picture(150, [&](QPainter& painter, const QRectF& area) {
        paintLayout(painter, area, layoutScene(m_study), theme);
    });
    m_page.picture(112, [&](QPainter& painter, const QRectF& area) {
        const GaugeReading readings[]{memoryGauge(m_study), speedGauge(m_study), firstTokenGauge(m_study),
                                      costGauge(m_study)};
        const QSizeF cell(area.width() / 2 - 12, 48);
        for (int i = 0; i < 4; ++i)
            paintGauge(
                painter,
                QRectF(QPointF(area.left() + (i % 2) * (cell.width() + 24), area.top() + (i / 2) * 58), cell),
                readings[i], theme);
    });
    if (m_study.sizing->meets && m_study.prediction.service.priceKnown)
        costTable();
    if (!m_study.sizing->remedies.empty()) {
        m_page.heading(tr("What would help"));
        QStringList lines;
        for (const Remedy& remedy : m_study.sizing->remedies)
            lines << modelText(remedy.change) + QStringLiteral(": ") + modelText(remedy.effect);
        m_page.bullets(lines);
    }
}

void Report::costTable()
{
    constexpr double hoursOfMonth = 730; // a twelfth of a year
    constexpr double hoursOfYear = 8760;
    const Service& service = m_study.prediction.service;
    const double hourly = perHour(service.price);
    const Estimate<Dollars>& million = service.dollarsPerMillionOutputTokens;
    m_page.table({.headers = {tr("An hour"), tr("A month"), tr("A year"), tr("A million output tokens")},
                  .rows = {{text(Dollars(hourly)), text(Dollars(hourly * hoursOfMonth)),
                            text(Dollars(hourly * hoursOfYear)),
                            spanText(text(million.value), text(million.low), text(million.high))}},
                  .widths = {1, 1, 1, 2},
                  .right = {}},
                 tr("What it costs"));
}

// Defaults that matter to everyone; the others are printed only when they were said.
bool isAlwaysShown(std::string_view key)
{
    constexpr std::array shown{"prompt", "output", "engine", "percentile", "headroom", "objective"};
    return std::find(shown.begin(), shown.end(), key) != shown.end();
}

void Report::requirements()
{
    m_page.newPage();
    m_page.section(tr("Requirements"));
    ReportTable table{.headers = {tr("What"), tr("Value"), tr("Said or chosen")},
                      .rows = {},
                      .widths = {4, 3, 2},
                      .right = {}};
    const Scenario chosen = chosenScenario(m_study);
    for (const ScenarioKey& key : scenarioKeys()) {
        const std::string said = scenarioValue(m_study.asked, key.name);
        const std::string used = scenarioValue(chosen, key.name);
        const std::string untouched = scenarioValue(Scenario{}, key.name);
        const std::string& shown = used.empty() ? said : used;
        if (shown.empty() || (said == untouched && shown == untouched && !isAlwaysShown(key.name)))
            continue;
        table.rows << QStringList{scenarioKeyTitle(key.name), scenarioValueText(key.name, shown),
                                  said == untouched   ? tr("chosen")
                                      : said == shown ? tr("said")
                                                      : tr("said: %1").arg(QString::fromStdString(said))};
    }
    m_page.table(table);
}

void Report::configuration()
{
    m_page.section(m_study.sizing->meets ? tr("Recommended configuration")
                                         : tr("The configuration that comes nearest"));
    const Deployment& d = m_study.resolved.deployment;
    ReportTable table{.headers = {tr("Part"), tr("Choice")}, .rows = {}, .widths = {2, 5}, .right = {}};
    table.rows << QStringList{tr("Model"), QString::fromStdString(d.llm->name)}
               << QStringList{tr("GPUs"), answerHeadline(m_study)}
               << QStringList{tr("Box"), QString::fromStdString(d.node->name)}
               << QStringList{tr("Arrangement"), describeLayout(layoutScene(m_study))}
               << QStringList{tr("Engine"), QString::fromStdString(d.engine->name + " " + d.engine->version)}
               << QStringList{tr("Efficiencies"), QString::fromStdString(d.efficiency->id)};
    m_page.table(table);
    memoryTable();
    latencyTable();
}

void Report::memoryTable()
{
    const MemoryPlan& plan = m_study.prediction.memory;
    const GpuMemory& memory = plan.perGpu;
    const auto share = [&](Bytes part) {
        return memory.capacity.base() > 0 ? percentText(part / memory.capacity) : QString();
    };
    ReportTable table{.headers = {tr("Part"), tr("Size"), tr("Share of the card")},
                      .rows = {},
                      .widths = {3, 2, 2},
                      .right = {false, true, true}};
    for (const auto& [title, bytes] :
         {std::pair(tr("Weights"), memory.weights), std::pair(tr("KV cache"), memory.kv),
          std::pair(tr("Activations"), memory.activation), std::pair(tr("Runtime"), memory.runtime),
          std::pair(tr("Used"), memory.used), std::pair(tr("The engine may fill"), memory.usable),
          std::pair(tr("Capacity"), memory.capacity)})
        table.rows << QStringList{title, text(bytes), share(bytes)};
    m_page.table(table, tr("Memory of one GPU"));
    m_page.paragraph(tr("One replica holds %1 tokens of cache, %2 sequences of full length.")
                         .arg(wholeText(plan.kvCapacityTokens), wholeText(std::floor(plan.maxBatch))));
}

void Report::latencyTable()
{
    const OperatingPoint& point = m_study.answer().point;
    const Service& service = m_study.prediction.service;
    ReportTable table{.headers
                      = {tr("Figure"), tr("Value"), tr("10th to 90th percentile"), tr("Accuracy from")},
                      .rows = {},
                      .widths = {3, 1.6, 2.6, 2.8},
                      .right = {false, true, true, false}};
    const auto add = [&](const QString& title, const auto& estimate) {
        table.rows << QStringList{title, text(estimate.value), rangeText(estimate),
                                  sourceText(estimate.source)};
    };
    add(tr("Time to the first token"), point.ttft);
    add(tr("Time between tokens"), point.tpot);
    add(tr("Speed for each user"), point.tokensPerSecondPerUser);
    add(tr("Whole answer"), point.latency);
    add(tr("Output of the service"), service.outputTokensPerSecond);
    add(tr("Power"), service.power);
    if (service.priceKnown) {
        table.rows << QStringList{tr("Cost of an hour"), perHourText(service.price), {}, {}};
        add(tr("Cost of a million output tokens"), service.dollarsPerMillionOutputTokens);
    }
    m_page.table(table, tr("Speed and cost"));
}

// The best candidate of each machine and number of GPUs: other layouts of the same purchase are in the
// desktop.
std::vector<const Candidate*> purchases(const std::vector<Candidate>& all)
{
    std::vector<const Candidate*> out;
    std::set<std::pair<std::string, int>> seen;
    for (const Candidate& candidate : all)
        if (seen.emplace(candidate.deployment.gpu->id, candidate.gpus()).second
            && out.size() < shownCandidates)
            out.push_back(&candidate);
    return out;
}

void Report::alternatives()
{
    m_page.section(tr("Alternatives"));
    const std::vector<Candidate>& all = m_study.sizing->candidates;
    const auto found = static_cast<int>(all.size());
    m_page.paragraph(tr("%n candidate(s) were found; the best layout of each purchase is shown, the first in "
                        "bold.",
                        nullptr, found));
    constexpr std::array<const char*, 8> wanted{
        "gpus", "gpu", "layout", "tokens_per_s_per_user", "ttft_s", "usd_per_hour", "confidence", "reason"};
    ReportTable table{.headers = {},
                      .rows = {},
                      .widths = {0.8, 2.9, 3.0, 1.4, 1.2, 1.4, 1.6, 2.4},
                      .right = {true, false, false, true, true, true, true, false},
                      .strong = 0};
    std::vector<const Column<Candidate>*> columns;
    const std::vector<const Candidate*> shown = purchases(all);
    // A column of reasons only where someone needs one.
    const bool reasons
        = std::any_of(shown.begin(), shown.end(), [](const Candidate* c) { return !c->reason.empty(); });
    for (const Column<Candidate>& column : candidateColumns())
        if (std::find(wanted.begin(), wanted.end(), std::string_view(column.key)) != wanted.end()
            && (reasons || std::string_view(column.key) != "reason"))
            columns.push_back(&column);
    for (const Column<Candidate>* column : columns)
        table.headers << columnTitle(*column);
    for (const Candidate* candidate : shown) {
        QStringList row;
        for (const Column<Candidate>* column : columns) {
            const Cell cell = column->cell(*candidate);
            const auto* interval = std::get_if<Interval>(&cell);
            row << (interval ? measureText(interval->value, column->measure) : shownText(*column, cell));
        }
        table.rows << row;
    }
    m_page.table(table);
    ChartData tradeoff = tradeoffChart(m_study);
    tradeoff.note.clear(); // of a click
    m_page.charts({tradeoff, candidateCostChart(m_study)}, 210);
}

void Report::behaviour()
{
    m_page.section(tr("How it behaves"));
    m_page.charts({memoryByBatchChart(m_study), memoryByContextChart(m_study)}, 200);
    m_page.charts({speedByBatchChart(m_study), throughputByBatchChart(m_study)}, 210);
    m_page.chart(rooflineChart(m_study), 230);
    if (!m_options.serving.isEmpty()) {
        m_page.heading(tr("Under load"));
        m_page.bullets(m_options.servingSummary);
        m_page.charts(m_options.serving, 200);
    }
}

void Report::growth()
{
    const std::vector<YearOfGrowth>& years = m_study.sizing->growth;
    m_page.section(tr("Growth and spares"));
    QStringList kept{tr("%1 of the capacity is kept free").arg(percentText(m_study.asked.headroom))};
    if (m_study.asked.peakFactor != 1)
        kept << tr("the busy hour is %1 times the stated load").arg(numberText(m_study.asked.peakFactor));
    kept << tr("%n replica(s) may fail", nullptr, m_study.asked.spares);
    m_page.bullets(kept);
    if (years.empty())
        m_page.paragraph(tr("No growth was stated."), true);
    else
        growthTable();
    day();
}

void Report::growthTable()
{
    ReportTable table{.headers = {tr("Year"), tr("GPUs"), tr("Cost")},
                      .rows = {},
                      .widths = {1, 1, 1},
                      .right = {true, true, true}};
    for (const YearOfGrowth& year : m_study.sizing->growth)
        table.rows << QStringList{year.year == 0 ? tr("today") : QString::number(year.year),
                                  year.gpus > 0 ? QString::number(year.gpus) : tr("none meets the targets"),
                                  year.usdPerHour > 0 ? perHourText(dollarsPerHour(year.usdPerHour))
                                                      : QStringLiteral("–")};
    m_page.table(table);
}

void Report::day()
{
    const QVector<KeyFigure> figures = dayFigures(m_study);
    if (figures.isEmpty())
        return;
    ReportTable table{.headers = {}, .rows = {{}}, .widths = {1, 1, 2, 2, 1.2}, .right = {}};
    for (const KeyFigure& figure : figures) {
        table.headers << figure.title;
        table.rows.first() << figure.value;
    }
    m_page.table(table, tr("Over a day"));
    m_page.charts({dayLoadChart(m_study), dayGpusChart(m_study)}, 170);
}

void Report::sensitivity()
{
    m_page.section(tr("Sensitivity"));
    if (!m_study.sizing->sensitivity.empty())
        m_page.charts({speedTornadoChart(m_study), gpuTornadoChart(m_study)}, 200);
    QStringList lines;
    for (const BreakPoint& point : m_study.sizing->breakPoints)
        lines << breakPointText(point);
    if (lines.isEmpty())
        m_page.paragraph(tr("No input changes the answer within the range that was looked at."), true);
    m_page.bullets(lines);
}

void Report::assumptions()
{
    m_page.section(tr("Assumptions"));
    QStringList lines;
    for (const std::string& each : m_study.assumptions())
        lines << modelText(each);
    m_page.bullets(lines);
    QStringList warnings;
    for (const std::string& each : m_study.warnings())
        warnings << modelText(each);
    if (!warnings.isEmpty())
        m_page.heading(tr("To keep in mind"));
    m_page.bullets(warnings);
    m_page.heading(tr("Accuracy"));
    m_page.paragraph(
        tr("Every range runs from the 10th to the 90th percentile: one figure in ten is expected below it "
           "and one above. "
           "The widest source in a sum is the one shown. The times of this answer come from: %1.")
            .arg(sourceText(m_study.prediction.tpot.source)));
}

void Report::cite(const QString& what, const std::vector<Citation>& citations)
{
    if (citations.empty())
        return;
    m_page.heading(what);
    QStringList lines;
    for (const Citation& citation : citations)
        lines << QString::fromStdString(citation.key) + QStringLiteral(": ")
                + QString::fromStdString(citation.text);
    lines.removeDuplicates(); // several calibrations together may name the same
    m_page.bullets(lines);
}

void Report::sources()
{
    m_page.section(tr("Figures and their sources"));
    const auto explained = explainFigures(m_study.resolved, m_study.prediction, "all");
    if (explained)
        for (const Explanation& explanation : *explained) {
            m_page.heading(modelText(explanation.title) + QStringLiteral(": ")
                           + measureText(explanation.result, explanation.measure));
            m_page.code((modelText(explanation.formula) + u'\n' + modelText(explanation.worked)).trimmed());
        }
    const Deployment& d = m_study.resolved.deployment;
    cite(QString::fromStdString(d.gpu->name), d.gpu->citations);
    cite(QString::fromStdString(d.node->name), d.node->citations);
    cite(QString::fromStdString(d.llm->name), d.llm->citations);
    cite(QString::fromStdString(d.engine->name), d.engine->citations);
    cite(tr("Efficiencies %1").arg(QString::fromStdString(d.efficiency->id)), d.efficiency->citations);
}

void Report::launch()
{
    if (!m_study.sizing->meets)
        return; // nothing that should be started
    m_page.section(tr("How to start it"));
    const Result<std::string> text = launchText(launchedPools(m_study.answer()), LaunchTarget::Shell);
    if (!text) {
        for (const Problem& problem : text.error())
            m_page.paragraph(problemText(problem), true);
        return;
    }
    m_page.code(QString::fromStdString(*text).trimmed());
}

void Report::reproduction()
{
    m_page.section(tr("To make it again"));
    m_page.paragraph(
        tr("Headroom %1. The scenario is attached to this file as scenario.yaml and printed here.")
            .arg(m_options.version));
    m_page.code(QString::fromStdString(writeScenario(m_study.asked)).trimmed());
    m_page.code(QStringLiteral("headroom size --scenario scenario.yaml"));
}

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
