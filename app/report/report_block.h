#pragma once

#include "app/desktop/charts/chart_data.h"
#include "app/desktop/charts/chart_theme.h"

#include <QPainter>
#include <QStringList>
#include <QVector>

#include <cstdint>
#include <functional>

namespace headroom::app {

// One table of the report; numbers stand right.
struct ReportTable {
    QStringList headers;
    QVector<QStringList> rows;
    QVector<double> widths; // shares of the page's width; empty: equal
    QVector<bool> right;    // columns aligned right
    int strong = -1;        // row to set in bold: the chosen one
    // Which figure of the answer's document a cell shows, beside `rows`: "answer.ttft_s"; empty where none.
    QVector<QStringList> figures = {};
};

enum class BlockKind : std::uint8_t {
    Section,
    Heading,
    Title,   // the largest words
    Lead,    // the sentence under it
    Verdict, // in the ink of `tone`
    Quiet,   // small and muted
    Paragraph,
    Bullets,
    Code,
    Table,
    Charts,
    Picture,
    Contents, // the sections, where they begin
    NewPage
};

// A piece of the report, before any format.
struct ReportBlock {
    BlockKind kind = BlockKind::Paragraph;
    QStringList lines = {}; // words; of a picture, what it says
    Tone tone = Tone::Plain;
    ReportTable table = {};
    QVector<ChartData> charts = {};
    double height = 0; // points, of pictures and charts; of a section, what stays with it
    double least = 0;  // of charts that may be lower
    std::function<void(QPainter&, const QRectF&)> paint = {};
};

// The report as pieces in their order: what every format is written from.
class ReportBlocks {
public:
    // With what follows it up to `room` points on one page; 0: as much as a heading should have.
    void section(const QString& title, double room = 0)
    {
        m_all << ReportBlock{.kind = BlockKind::Section, .lines = {title}, .height = room};
    }
    void heading(const QString& title) { add(BlockKind::Heading, {title}); }
    void paragraph(const QString& words) { add(BlockKind::Paragraph, {words}); }
    void quiet(const QString& words) { add(BlockKind::Quiet, {words}); }
    void title(const QString& words) { add(BlockKind::Title, {words}); }
    void lead(const QString& words) { add(BlockKind::Lead, {words}); }
    void verdict(const QString& words, Tone tone) { m_all << ReportBlock{BlockKind::Verdict, {words}, tone}; }
    void bullets(const QStringList& lines)
    {
        if (!lines.isEmpty())
            add(BlockKind::Bullets, lines);
    }
    void code(const QString& words) { add(BlockKind::Code, {words}); }
    void table(const ReportTable& table, const QString& title = {})
    {
        m_all << ReportBlock{.kind = BlockKind::Table, .lines = {title}, .table = table};
    }
    void charts(const QVector<ChartData>& all, double height) { charts(all, height, height); }
    // Lower, down to `least`, where its page would not hold what follows.
    void charts(const QVector<ChartData>& all, double height, double least);
    // `says` stands in the place of the picture where there are only words.
    void picture(double height, const QStringList& says,
                 const std::function<void(QPainter&, const QRectF&)>& paint)
    {
        m_all << ReportBlock{.kind = BlockKind::Picture, .lines = says, .height = height, .paint = paint};
    }
    void contents() { add(BlockKind::Contents, {}); }
    void newPage() { add(BlockKind::NewPage, {}); }
    [[nodiscard]] const QVector<ReportBlock>& all() const { return m_all; }

private:
    void add(BlockKind kind, const QStringList& lines) { m_all << ReportBlock{kind, lines}; }

    QVector<ReportBlock> m_all;
};

// What stands at the foot and in the head of a written report.
struct ReportFrame {
    QString title;
    QString footer;
    QString language; // "en", "zh-CN"
};

// `embedded` goes along, out of sight.
[[nodiscard]] QByteArray htmlOf(const ReportBlocks& blocks, const ReportFrame& frame,
                                const QByteArray& embedded);
[[nodiscard]] QByteArray markdownOf(const ReportBlocks& blocks, const ReportFrame& frame,
                                    const QByteArray& embedded);

} // namespace headroom::app
