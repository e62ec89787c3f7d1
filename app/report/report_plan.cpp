#include "app/desktop/drawing/gauge.h"
#include "app/desktop/drawing/layout_picture.h"
#include "app/desktop/text/cell_text.h"
#include "app/desktop/text/choice_text.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/scenario_fields.h"
#include "app/desktop/text/scenario_words.h"
#include "app/desktop/text/shown_candidate.h"
#include "app/desktop/views/planning_charts.h"
#include "app/report/report_sections.h"
#include "model/advise/purchases.h"
#include "model/memory/loading_time.h"
#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"
#include "model/scenario/stated_load.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>
#include <tuple>

namespace headroom::app {

namespace {

constexpr std::size_t shownCandidates = 16; // more than a reader compares; the desktop has them all

// Defaults that matter to everyone; the others are printed only when they were said.
bool isAlwaysShown(std::string_view key)
{
    constexpr std::array shown{"prompt", "output", "engine", "percentile", "headroom", "objective"};
    return std::find(shown.begin(), shown.end(), key) != shown.end();
}

} // namespace

void Report::requirements()
{
    m_page.section(tr("Requirements"));
    ReportTable table{.headers = {tr("What"), tr("Value"), tr("Where it is from")},
                      .rows = {},
                      .widths = {4, 3, 2},
                      .right = {}};
    const Scenario chosen = chosenScenario(m_planView);
    for (const ScenarioKey& key : scenarioKeys()) {
        const std::string said = scenarioValue(m_planView.asked, key.name);
        const std::string used = scenarioValue(chosen, key.name);
        const std::string untouched = scenarioValue(Scenario{}, key.name);
        const std::string& shown = used.empty() ? said : used;
        if (shown.empty() || (said == untouched && shown == untouched && !isAlwaysShown(key.name)))
            continue;
        const auto told = [&](const std::string& value, const Scenario& of) {
            return scenarioPartText(key.name, value, of, *m_planView.catalogue);
        };
        const QString value = told(shown, used.empty() ? m_planView.asked : chosen);
        const QString asked = said.empty() ? QString() : told(said, m_planView.asked);
        table.rows << QStringList{scenarioKeyTitle(key.name), value,
                                  said == untouched    ? tr("chosen")
                                      : asked == value ? tr("said")
                                                       : tr("said: %1").arg(asked)};
    }
    m_page.table(table);
}

QString Report::boxText() const
{
    const Resolved& machine = m_planView.resolved;
    const QString name = modelText(asIs(machine.deployment.node->name));
    return machine.wholeBox > 0
        ? tr("%1 with %n GPU(s) each", nullptr, machine.deployment.node->gpusPerNode).arg(name)
        : name;
}

void Report::configuration()
{
    m_page.section(m_planView.sizing->meets ? tr("Recommended configuration")
                                            : tr("The configuration that comes nearest"));
    const Deployment& d = m_planView.resolved.deployment;
    ReportTable table{.headers = {tr("Part"), tr("Choice")}, .rows = {}, .widths = {2, 5}, .right = {}};
    table.rows << QStringList{tr("Model"), QString::fromStdString(d.llm->name)}
               << QStringList{tr("GPUs"), answerHeadline(m_planView)} << QStringList{tr("Box"), boxText()}
               << QStringList{tr("Arrangement"), describeLayout(layoutScene(m_planView))}
               << QStringList{tr("Engine"), QString::fromStdString(d.engine->name + " " + d.engine->version)};
    if (const auto loading = loadingTime(d); loading && fits())
        table.rows << QStringList{tr("Weights load in"),
                                  tr("%1 from storage at %2, %3 from the memory of the box")
                                      .arg(text(loading->fromStorage),
                                           measureText(d.node->storageRead.base(), Measure::Bandwidth),
                                           text(loading->fromHostMemory))};
    m_page.table(table);
    picture();
    memoryTable();
    latencyTable();
}

void Report::picture()
{
    constexpr double pictureHeight = 118;
    const LayoutScene scene = layoutScene(m_planView);
    m_page.picture(pictureHeight, {describeLayout(scene)}, [scene](QPainter& painter, const QRectF& area) {
        paintLayout(painter, area, scene, ChartTheme::print());
    });
    GaugeReading readings[]{memoryGauge(m_planView), speedGauge(m_planView), firstTokenGauge(m_planView),
                            costGauge(m_planView)};
    if (!m_planView.prediction.service.priceKnown)
        readings[3].range.clear(); // where the window lets one be typed
    const QVector<GaugeReading> all(std::begin(readings), std::end(readings));
    QStringList says;
    for (const GaugeReading& reading : all)
        says << titled(reading.title,
                       QStringList{reading.text, reading.range, reading.limitText}
                           .filter(QRegularExpression(QStringLiteral(".")))
                           .join(tr(", ")));
    constexpr double gaugesHeight = 104;
    m_page.picture(gaugesHeight, says, [all](QPainter& painter, const QRectF& area) {
        const QSizeF cell(area.width() / 2 - 12, 48);
        for (int i = 0; i < all.size(); ++i)
            paintGauge(
                painter,
                QRectF(QPointF(area.left() + (i % 2) * (cell.width() + 24), area.top() + (i / 2) * 54), cell),
                all[i], ChartTheme::print());
    });
}

void Report::memoryTable()
{
    const MemoryPlan& plan = m_planView.prediction.memory;
    const GpuMemory& memory = plan.perGpu;
    const auto share = [&](Bytes part) {
        return memory.capacity.base() > 0 ? percentText(part / memory.capacity) : QString();
    };
    ReportTable table{.headers = {tr("Part"), tr("Size"), tr("Share of the card")},
                      .rows = {},
                      .widths = {3, 2, 2},
                      .right = {false, true, true}};
    for (const auto& [title, bytes, key] :
         {std::tuple(tr("Weights"), memory.weights, "weights"), std::tuple(tr("KV cache"), memory.kv, "kv"),
          std::tuple(tr("Activations"), memory.activation, "activation"),
          std::tuple(tr("Runtime"), memory.runtime, "runtime"), std::tuple(tr("Used"), memory.used, "used"),
          std::tuple(tr("The engine may fill"), memory.usable, "usable"),
          std::tuple(tr("Capacity"), memory.capacity, "capacity")}) {
        table.rows << QStringList{title, text(bytes), share(bytes)};
        table.figures << QStringList{
            {}, QStringLiteral("answer.prediction.memory.per_gpu.%1_bytes").arg(QLatin1String(key)), {}};
    }
    const QString title = tr("Memory of one GPU");
    m_page.table(
        table,
        fits() ? titled(title, // as the picture tells it
                        tr("%1 of what the engine may fill").arg(percentText(memory.used / memory.usable)))
               : title);
    m_page.paragraph(tr("One replica holds %1 tokens of cache, %2 sequences of full length.")
                         .arg(wholeText(plan.kvCapacityTokens), wholeText(std::floor(plan.maxBatch))));
}

// "Accuracy from: same GPU family; power: prior estimate": what most figures share is said once.
QString Report::accuracyText(const QVector<std::pair<QString, Source>>& figures)
{
    const Source usual = figures.constFirst().second;
    QStringList parts{tr("Accuracy from: %1").arg(sourceText(usual))};
    for (const auto& [title, source] : figures)
        if (source != usual)
            parts << tr("%1: %2").arg(title, sourceText(source));
    return parts.join(tr("; "));
}

void Report::latencyTable()
{
    const OperatingPoint& point = m_planView.answer().point;
    const Service& service = m_planView.prediction.service;
    ReportTable table{.headers = {tr("Figure"), tr("Value"), tr("10th to 90th percentile")},
                      .rows = {},
                      .widths = {3, 2, 3},
                      .right = {false, true, true}};
    QVector<std::pair<QString, Source>> sources;
    const auto add = [&](const QString& title, const auto& estimate, const char* key) {
        table.rows << QStringList{title, text(estimate.value), rangeText(estimate)};
        table.figures << QStringList{{}, QStringLiteral("answer.%1").arg(QLatin1String(key)), {}};
        sources << std::pair(title, estimate.source);
    };
    add(tr("Time to the first token"), point.ttft, "ttft_s");
    add(tr("Time between tokens"), point.tpot, "tpot_s");
    add(tr("Speed for each user"), point.tokensPerSecondPerUser, "tokens_per_s_per_user");
    add(tr("Whole answer"), point.latency, "latency_s");
    add(tr("Output of the service"), service.outputTokensPerSecond, "prediction.service.output_tokens_per_s");
    if (service.power.value > Watts())
        add(tr("Power"), service.power, "prediction.service.power_w");
    if (service.priceKnown) {
        table.rows << QStringList{tr("Cost of an hour"), perHourText(service.price), {}};
        table.figures << QStringList{{}, QStringLiteral("answer.usd_per_hour"), {}};
        add(tr("Cost of a million output tokens"), service.dollarsPerMillionOutputTokens,
            "usd_per_million_output_tokens");
    }
    m_page.table(table, fits() ? tr("Speed and cost") : tr("Speed and cost, if it fitted"));
    m_page.quiet(accuracyText(sources));
}

// What was not asked for and would save much, or carry much more.
void Report::hints()
{
    std::vector<Choice> rows;
    bool ofTypes = false;
    for (std::size_t i = 0; i < m_planView.sizing->hints.size(); ++i) {
        const Hint& hint = m_planView.sizing->hints[i];
        rows.push_back({hintTitle(hint), &hint.answer, QStringLiteral("hints.%1.answer").arg(i)});
        ofTypes = ofTypes || hint.kind == Hint::Kind::Types;
    }
    if (rows.empty())
        return;
    choices(tr("Worth trying"), rows);
    if (ofTypes)
        m_page.quiet(tr("Answers of a model in narrower types may get worse: test them."));
}

// Columns of alternatives, only where they tell something; their heads are added to the table.
std::vector<const Column<Candidate>*> Report::columnsFor(const std::vector<const Candidate*>& shown,
                                                         ReportTable& table) const
{
    struct Wanted {
        std::string_view key;
        double width;
    };
    constexpr std::array<Wanted, 9> wanted{{{"gpus", 1.0},
                                            {"gpu", 2.6},
                                            {"layout", 2.4},
                                            {"tokens_per_s_per_user", 1.5},
                                            {"ttft_s", 1.9},
                                            {"max_concurrency", 1.9},
                                            {"usd_per_hour", 1.8},
                                            {"confidence", 2.0},
                                            {"reason", 2.2}}};
    const bool most = m_planView.asked.objective == Objective::MostThroughput
        || m_planView.asked.objective == Objective::MostUsers; // how many they carry is asked
    std::vector<const Column<Candidate>*> columns;
    const bool reasons
        = std::any_of(shown.begin(), shown.end(), [](const Candidate* c) { return !c->reason.empty(); });
    const bool oneGpu = std::all_of(shown.begin(), shown.end(), [&](const Candidate* c) {
        return c->deployment.gpu == shown.front()->deployment.gpu;
    });
    const bool priced = std::any_of(shown.begin(), shown.end(), [](const Candidate* c) {
        return c->point.prediction.service.priceKnown;
    });
    for (const Column<Candidate>& column : shownCandidateColumns()) {
        const std::string_view key = column.key;
        const auto* const place
            = std::find_if(wanted.begin(), wanted.end(), [key](const Wanted& one) { return one.key == key; });
        if (place == wanted.end() || key == (most ? "ttft_s" : "max_concurrency"))
            continue;
        if ((key == "gpu" && oneGpu) || (key == "reason" && !reasons)
            || (key == "confidence" && !mayMiss(m_planView.asked)) || (key == "usd_per_hour" && !priced))
            continue;
        columns.push_back(&column);
        table.headers << columnTitle(column);
        table.widths << place->width;
        table.right << (key != "gpu" && key != "layout" && key != "reason");
    }
    return columns;
}

void Report::alternatives()
{
    m_page.section(tr("Alternatives"));
    hints();
    const std::vector<Candidate>& all = m_planView.sizing->candidates;
    const auto found = static_cast<int>(all.size());
    m_page.paragraph(
        tr("%n candidate(s) were found; the best layout of each purchase is shown that none beats "
           "in everything, the first in bold.",
           nullptr, found));
    ReportTable table{.headers = {}, .rows = {}, .widths = {}, .right = {}, .strong = 0};
    std::vector<const Candidate*> shown = withoutReplicas(purchases(all));
    if (shown.size() > shownCandidates)
        shown.resize(shownCandidates);
    const std::vector<const Column<Candidate>*> columns = columnsFor(shown, table);
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
    ChartData tradeoff = tradeoffChart(m_planView);
    tradeoff.note.clear(); // of a click
    m_page.charts({tradeoff, candidateCostChart(m_planView)}, 210);
}

} // namespace headroom::app
