#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

#include <optional>

namespace headroom::app {

struct ChartAxis {
    QString title;
    QString unit; // "ms", "GB": printed beside the title, in hover texts and in CSV headers
    bool logarithmic = false;
    bool doubling = false;     // logarithmic: what stands here is counted in powers of two
    bool whole = false;        // counts: no tick between two of them
    double step = 0;           // between ticks, where one is usual: hours of a day; 0: what fits
    QStringList categories;    // named positions 0, 1, 2 … instead of numbers
    std::optional<double> low; // fixed ends; otherwise the data rules
    std::optional<double> high;
    std::optional<double> lastTick; // beyond it there is only room for the names of lines

    friend bool operator==(const ChartAxis&, const ChartAxis&) = default;
};

struct ChartSeries {
    enum class Kind {
        Line,   // y over x, with a band where low and high are given
        Points, // marks, as large as `size` says
        Bars,   // stacked on the bars of the series before, when the chart says so
        Spans   // boxes from `from` to x in row y: a Gantt chart
    };
    QString name;
    Kind kind = Kind::Line;
    int colour = 0; // place in the theme's palette; also selects marker, dash and hatching
    QVector<double> x;
    QVector<double> y;
    QVector<double> low;  // 10th percentile of y, or empty
    QVector<double> high; // 90th percentile
    QVector<double> from; // Spans: where each begins
    QVector<double> size; // Points: 0 … 1, area
    QStringList labels;   // what each point is, for hovering; may be empty
    QVector<int> rows;    // place of each point in the list it was made from, for clicks; may be empty
    QStringList captions; // Points, Bars: drawn beside them where there is room; may be empty
    QString endLabel;     // Line: drawn where it ends, in place of an entry in the legend
    bool quiet = false;   // Line: in the background, thin, not in the legend

    friend bool operator==(const ChartSeries&, const ChartSeries&) = default;
};

// A line across the whole chart: a capacity, a target, the chosen point.
struct ChartMark {
    double at = 0;
    Qt::Orientation orientation = Qt::Horizontal;
    QString text;
    bool limit = true;  // drawn as something not to be crossed; otherwise as a quiet reference
    QString drags = {}; // what a hand that drags it sets: a key of a scenario; empty: it stays

    friend bool operator==(const ChartMark&, const ChartMark&) = default;
};

// Everything a chart shows, in the units it shows. The picture, the table, the CSV and the report come from
// it.
struct ChartData {
    QString title;
    QString note; // one quiet line: what is held fixed
    ChartAxis x;
    ChartAxis y;
    QVector<ChartSeries> series;
    QVector<ChartMark> marks;
    bool stacked = false;
    bool horizontal = false; // bars grow to the right; categories stand on the y axis
    QString whenEmpty;       // shown instead of an empty frame

    [[nodiscard]] bool isEmpty() const;
    friend bool operator==(const ChartData&, const ChartData&) = default;
};

// One row for each distinct x (or category), one column for each series: what a spreadsheet wants.
struct ChartTable {
    QStringList headers;
    QVector<QStringList> rows;
};
[[nodiscard]] ChartTable chartTable(const ChartData& data);
[[nodiscard]] QString chartCsv(const ChartData& data);

} // namespace headroom::app
