#include "app/desktop/panels/length_sketch.h"

#include "app/desktop/charts/chart_theme.h"
#include "app/desktop/text/quantities.h"

#include <QPainter>

#include <algorithm>

namespace headroom::app {

namespace {
constexpr int sketchBins = 48;
constexpr int labelIndent = 138; // where the form's editors begin
} // namespace

LengthSketch::LengthSketch(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void LengthSketch::setLengths(const LengthDistribution& lengths)
{
    // A single length has no shape, and a file that was not read has no lengths.
    const bool readable = lengths.kind != LengthDistribution::Kind::Fixed
        && (lengths.kind != LengthDistribution::Kind::Empirical || !lengths.sorted.empty());
    setVisible(readable);
    if (!readable || lengths == m_lengths)
        return;
    m_lengths = lengths;
    m_histogram = histogramOf(lengths, sketchBins);
    setAccessibleName(tr("Shape of the lengths"));
    setAccessibleDescription(tr("98 % of them between %1 and %2 tokens")
                                 .arg(wholeText(m_histogram.low), wholeText(m_histogram.high)));
    setToolTip(accessibleDescription());
    update();
}

void LengthSketch::paintEvent(QPaintEvent*)
{
    if (m_histogram.shares.empty())
        return;
    QPainter painter(this);
    const ChartTheme theme = ChartTheme::from(palette());
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.82);
    painter.setFont(small);
    const QString low = wholeText(m_histogram.low);
    const QString high = wholeText(m_histogram.high);
    const int lowWidth = painter.fontMetrics().horizontalAdvance(low) + 4;
    const int highWidth = painter.fontMetrics().horizontalAdvance(high) + 4;
    const QRectF area(labelIndent + lowWidth, 1, std::max(20, width() - labelIndent - lowWidth - highWidth),
                      height() - 2);
    painter.setPen(theme.muted);
    painter.drawText(QRectF(labelIndent, 0, lowWidth, height()), Qt::AlignLeft | Qt::AlignBottom, low);
    painter.drawText(QRectF(width() - highWidth, 0, highWidth, height()), Qt::AlignRight | Qt::AlignBottom,
                     high);
    const double tallest = *std::max_element(m_histogram.shares.begin(), m_histogram.shares.end());
    const double bin = area.width() / static_cast<double>(m_histogram.shares.size());
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.series[0]);
    for (std::size_t i = 0; i < m_histogram.shares.size(); ++i) {
        const double tall = area.height() * m_histogram.shares[i] / tallest;
        painter.drawRect(QRectF(area.left() + bin * static_cast<double>(i), area.bottom() - tall,
                                std::max(1.0, bin - 0.5), tall));
    }
}

} // namespace headroom::app

#include "moc_length_sketch.cpp"
