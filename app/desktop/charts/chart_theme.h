#pragma once

#include <QBrush>
#include <QColor>
#include <QVector>

#include <cstdint>

class QPalette;

namespace headroom::app {

// What a figure or a verdict says of the answer.
enum class Tone : std::uint8_t { Plain, Good, Doubtful, Bad };

// Colours of pictures. The series colours follow Okabe and Ito (2008), which people with any colour blindness
// can tell apart; each comes with its own marker, dash and hatching, so that colour never speaks alone.
struct ChartTheme {
    bool dark = false;
    QColor background;
    QColor text;
    QColor muted; // axis labels, notes
    QColor grid;
    QColor good;
    QColor warn;
    QColor bad;                       // limits, refusals
    QColor accent;                    // the chosen one
    static constexpr int colours = 8; // of series, before they begin anew
    QVector<QColor> series;

    static ChartTheme from(const QPalette& palette);
    static ChartTheme print(); // black on white, for paper

    [[nodiscard]] QColor colour(int index) const;
    [[nodiscard]] QColor ink(Tone tone) const;
    [[nodiscard]] static Qt::BrushStyle hatching(int index);
    [[nodiscard]] static Qt::PenStyle dash(int index);
};

} // namespace headroom::app
