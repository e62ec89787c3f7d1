// What is decided, on one page: the answer and how sure it is, the ways to buy it, and what that rests on.
#include "app/desktop/drawing/gauge.h"
#include "app/desktop/drawing/layout_picture.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/report/report_sections.h"
#include "model/report/layout_text.h"
#include "model/resolve/money.h"

#include <algorithm>

namespace headroom::app {

namespace {

// "$1,883 a month" of an hourly price; a dash where none is known.
QString costOver(const Service& service, double hours)
{
    return service.priceKnown ? text(Dollars(perHour(service.price) * hours)) : QStringLiteral("–");
}

} // namespace

void Report::summary()
{
    answer();
    if (m_planView.sizing->meets) {
        std::vector<Choice> rows{{tr("Recommended"), &m_planView.answer()}};
        if (const auto& safe = m_planView.sizing->safe; safe && safe->gpus() != m_planView.answer().gpus())
            rows.push_back({tr("To be safe"), &*safe});
        choices(tr("The choice"), rows);
        if (m_planView.prediction.service.priceKnown) {
            const Estimate<Dollars>& million = m_planView.prediction.service.dollarsPerMillionOutputTokens;
            m_page.paragraph(tr("A million output tokens cost %1 at this load.")
                                 .arg(spanText(text(million.value), text(million.low), text(million.high))));
        }
    }
    std::vector<Choice> changes;
    for (const Remedy& remedy : m_planView.sizing->remedies)
        changes.push_back({modelText(remedy.change), &remedy.answer});
    if (!changes.empty())
        choices(tr("What would help"), changes);
    inShort();
}

void Report::answer()
{
    const ChartTheme& theme = m_page.theme();
    const std::string& name = m_planView.asked.name;
    if (!name.empty())
        m_page.text(tr("Capacity report"), 10, QFont::Normal, theme.muted);
    m_page.section(name.empty() ? tr("Capacity report") : QString::fromStdString(name));
    m_page.text(tr("Asked: %1").arg(questionText(m_planView)), 10, QFont::Normal, theme.muted);
    const QString separator = QStringLiteral(" · ");
    if (!m_options.assumed.isEmpty())
        m_page.text(tr("Assumed: %1").arg(m_options.assumed.join(separator)), 10, QFont::Normal, theme.muted);
    else if (const QStringList usual = usualValues(m_planView); !usual.isEmpty())
        m_page.text(tr("Usual values: %1").arg(usual.join(separator)), 10, QFont::Normal, theme.muted);
    m_page.space(6);
    m_page.text(answerTitle(m_planView), 26, QFont::DemiBold, theme.text);
    m_page.text(answerSubline(m_planView), 11, QFont::Normal, theme.muted);
    m_page.space(4);
    m_page.text(verdictText(m_planView), 12, QFont::DemiBold, theme.ink(verdictTone(m_planView)));
    for (const QVector<Fact>& line : answerFacts(m_planView)) {
        QStringList parts;
        for (const Fact& fact : line)
            parts << fact.text;
        m_page.text(parts.join(QStringLiteral(" · ")), 10, QFont::Normal, theme.text);
    }
    m_page.space(8);
    m_page.picture(118, [&](QPainter& painter, const QRectF& area) {
        paintLayout(painter, area, layoutScene(m_planView), theme);
    });
    m_page.picture(104, [&](QPainter& painter, const QRectF& area) {
        GaugeReading readings[]{memoryGauge(m_planView), speedGauge(m_planView), firstTokenGauge(m_planView),
                                costGauge(m_planView)};
        if (!m_planView.prediction.service.priceKnown)
            readings[3].range.clear(); // where the window lets one be typed
        const QSizeF cell(area.width() / 2 - 12, 48);
        for (int i = 0; i < 4; ++i)
            paintGauge(
                painter,
                QRectF(QPointF(area.left() + (i % 2) * (cell.width() + 24), area.top() + (i / 2) * 54), cell),
                readings[i], theme);
    });
}

void Report::choices(const QString& title, const std::vector<Choice>& rows)
{
    const bool priced = std::any_of(rows.begin(), rows.end(), [](const Choice& choice) {
        return choice.candidate->point.prediction.service.priceKnown;
    });
    ReportTable table{.headers = {QString(), tr("GPUs"), tr("Speed (tok/s)")},
                      .rows = {},
                      .widths = {2.0, 2.7, 2.2},
                      .right = {false, false, true, true, true, true, true},
                      .strong
                      = m_planView.sizing->meets && rows.front().candidate == &m_planView.answer() ? 0 : -1};
    if (hasTargets()) {
        table.headers << tr("Sure");
        table.widths << 1.0;
    }
    if (priced) {
        table.headers << tr("An hour") << tr("A month") << tr("A year");
        table.widths << 1.2 << 1.3 << 1.5;
    }
    for (const auto& [name, candidate] : rows) {
        const Estimate<TokensPerSecond>& speed = candidate->point.tokensPerSecondPerUser;
        QStringList row{name, QString::fromStdString(machinesText(*candidate)),
                        spanText(figureText(speed.value.base()), figureText(speed.low.base()),
                                 figureText(speed.high.base()))};
        if (hasTargets())
            row << probabilityText(candidate->confidence);
        const Service& service = candidate->point.prediction.service;
        if (priced)
            row << costOver(service, 1) << costOver(service, hoursPerMonth)
                << costOver(service, hoursPerYear);
        table.rows << row;
    }
    m_page.table(table, title);
}

// What a reader must know before he signs, as far as the page goes; all of it is told in its own section.
void Report::inShort()
{
    constexpr double lineHeight = 17; // points, of one sentence
    constexpr double around = 66;     // heading, the words below, and that there is more
    QStringList lines;
    for (const auto* sentences : {&m_planView.warnings(), &m_planView.assumptions()})
        for (const std::string& sentence : *sentences) {
            lines << modelText(sentence);
            lines.last().replace(0, 1, lines.last().at(0).toUpper());
        }
    const auto room = static_cast<qsizetype>((m_page.room() - around) / lineHeight);
    if (room < 2)
        return;
    const qsizetype more = lines.size() - room;
    lines = lines.mid(0, room);
    if (more > 0)
        lines << tr("%n more under “Assumptions”", nullptr, static_cast<int>(more));
    m_page.heading(tr("What it rests on"));
    m_page.bullets(lines);
    m_page.paragraph(tr("Ranges run from the 10th to the 90th percentile."), true);
}

} // namespace headroom::app
