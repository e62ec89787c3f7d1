#include "app/desktop/charts/chart_theme.h"

#include <QPalette>

#include <array>

namespace headroom::app {

namespace {

QColor mixed(const QColor& a, const QColor& b, double share)
{
    return QColor::fromRgbF(static_cast<float>(a.redF() * (1 - share) + b.redF() * share),
                            static_cast<float>(a.greenF() * (1 - share) + b.greenF() * share),
                            static_cast<float>(a.blueF() * (1 - share) + b.blueF() * share));
}

// Okabe & Ito, "Color Universal Design" (2008), without black and yellow, which vanish on one ground or the
// other.
const QVector<QColor>& lightSeries()
{
    static const QVector<QColor> colours{QColor(0x00, 0x72, 0xb2), QColor(0xd5, 0x5e, 0x00),
                                         QColor(0x00, 0x9e, 0x73), QColor(0xcc, 0x79, 0xa7),
                                         QColor(0xe6, 0x9f, 0x00), QColor(0x56, 0xb4, 0xe9),
                                         QColor(0x7a, 0x7a, 0x7a), QColor(0x8c, 0x6d, 0x31)};
    return colours;
}
// The same hues, lifted for a dark ground.
const QVector<QColor>& darkSeries()
{
    static const QVector<QColor> colours{QColor(0x4d, 0xa6, 0xdd), QColor(0xf0, 0x86, 0x3c),
                                         QColor(0x2f, 0xc2, 0x96), QColor(0xdd, 0x94, 0xbd),
                                         QColor(0xf0, 0xb4, 0x2f), QColor(0x8f, 0xcf, 0xf5),
                                         QColor(0xa8, 0xa8, 0xa8), QColor(0xb9, 0x9a, 0x5b)};
    return colours;
}

} // namespace

ChartTheme ChartTheme::from(const QPalette& palette)
{
    const QColor base = palette.color(QPalette::Base);
    const QColor text = palette.color(QPalette::Text);
    const bool dark = base.lightnessF() < 0.5F;
    return {.dark = dark,
            .background = base,
            .text = text,
            .muted = mixed(text, base, 0.38),
            .grid = mixed(base, text, dark ? 0.16 : 0.10),
            .good = dark ? QColor(0x2f, 0xc2, 0x96) : QColor(0x00, 0x7d, 0x5b),
            .warn = dark ? QColor(0xf0, 0xb4, 0x2f) : QColor(0x9a, 0x67, 0x00),
            .bad = dark ? QColor(0xff, 0x8a, 0x70) : QColor(0xb8, 0x3a, 0x1b),
            .accent = palette.color(QPalette::Highlight),
            .series = dark ? darkSeries() : lightSeries()};
}

ChartTheme ChartTheme::print()
{
    return {.dark = false,
            .background = Qt::white,
            .text = QColor(0x1a, 0x1d, 0x21),
            .muted = QColor(0x5b, 0x63, 0x6b),
            .grid = QColor(0xe3, 0xe6, 0xe9),
            .good = QColor(0x00, 0x7d, 0x5b),
            .warn = QColor(0x9a, 0x67, 0x00),
            .bad = QColor(0xb8, 0x3a, 0x1b),
            .accent = QColor(0x00, 0x72, 0xb2),
            .series = lightSeries()};
}

QColor ChartTheme::colour(int index) const { return series[index % series.size()]; }

QColor ChartTheme::ink(Tone tone) const
{
    switch (tone) {
    case Tone::Good:
        return good;
    case Tone::Doubtful:
        return warn;
    case Tone::Bad:
        return bad;
    case Tone::Plain:
        break;
    }
    return text;
}

Qt::BrushStyle ChartTheme::hatching(int index)
{
    constexpr std::array styles{Qt::NoBrush,    Qt::BDiagPattern, Qt::Dense6Pattern, Qt::FDiagPattern,
                                Qt::HorPattern, Qt::CrossPattern, Qt::VerPattern,    Qt::DiagCrossPattern};
    return styles[static_cast<std::size_t>(index) % styles.size()];
}

Qt::PenStyle ChartTheme::dash(int index)
{
    constexpr std::array styles{Qt::SolidLine, Qt::DashLine, Qt::DashDotLine, Qt::DotLine,
                                Qt::DashDotDotLine};
    return styles[static_cast<std::size_t>(index) % styles.size()];
}

} // namespace headroom::app
