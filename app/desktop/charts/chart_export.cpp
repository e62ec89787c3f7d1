#include "app/desktop/charts/chart_export.h"

#include "app/desktop/charts/chart_fill.h"
#include "app/desktop/drawing/write_bytes.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QPdfWriter>
#include <QPicture>
#include <QSvgGenerator>
#include <qcustomplot.h>

namespace headroom::app {

namespace {

const QSize exportSize(960, 540); // points; 16:9 fits a slide and a column of a document

// Title and note above the picture: a file that is passed on has no window around it.
bool paintTitled(QPaintDevice& device, const ChartData& data)
{
    QPainter painter;
    if (!painter.begin(&device))
        return false;
    const ChartTheme theme = ChartTheme::print();
    QFont letters = painter.font();
    letters.setPixelSize(13);
    letters.setWeight(QFont::DemiBold);
    painter.setFont(letters);
    painter.setPen(theme.text);
    const double line = QFontMetricsF(letters).height() + 8;
    painter.drawText(QRectF(12, 4, exportSize.width() - 24, line), Qt::AlignLeft | Qt::AlignVCenter,
                     data.title);
    const double titled = QFontMetricsF(letters).horizontalAdvance(data.title) + 24;
    letters.setWeight(QFont::Normal);
    letters.setPixelSize(11);
    painter.setFont(letters);
    painter.setPen(theme.muted);
    painter.drawText(QRectF(titled, 5, exportSize.width() - titled - 12, line),
                     Qt::AlignLeft | Qt::AlignVCenter, data.note);
    paintChart(painter, QRectF(0, line + 4, exportSize.width(), exportSize.height() - line - 4), data, theme);
    return true;
}

// The bytes of the file; empty where the picture could not be painted.
QByteArray svgOf(const ChartData& data)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setViewBox(QRect(QPoint(0, 0), exportSize));
    svg.setTitle(data.title);
    return paintTitled(svg, data) ? bytes : QByteArray();
}

QByteArray pdfOf(const ChartData& data)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    bool painted = false;
    { // whole when the writer is gone
        QPdfWriter pdf(&buffer);
        pdf.setPageSize(QPageSize(QSizeF(exportSize), QPageSize::Point));
        pdf.setPageMargins(QMarginsF());
        pdf.setResolution(72);
        pdf.setTitle(data.title);
        painted = paintTitled(pdf, data);
    }
    return painted ? bytes : QByteArray();
}

QByteArray imageOf(const ChartData& data, const QString& path)
{
    constexpr int scale = 2; // readable on a screen with many dots, too
    QImage image(exportSize * scale, QImage::Format_ARGB32);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::white);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const QByteArray kind = QFileInfo(path).suffix().toLatin1();
    return paintTitled(image, data) && image.save(&buffer, kind.isEmpty() ? "png" : kind.constData())
        ? bytes
        : QByteArray();
}

} // namespace

void paintChart(QPainter& painter, const QRectF& area, const ChartData& data, const ChartTheme& theme)
{
    QCustomPlot plot;
    setUpPlot(plot);
    plot.setFont(painter.font());
    plot.resize(area.size().toSize());
    fillPlot(plot, data, QVector<bool>(data.series.size(), false), theme, false);
    plot.setViewport({{0, 0}, area.size().toSize()}); // a plot that is not shown is told of no size
    plot.replot(); // lays it out, so that words are cut where there is no room for them
    // QCustomPlot paints only through its own painter, which cannot wrap an active one: record, then play
    // back.
    QPicture picture;
    {
        QCPPainter recorder(&picture);
        recorder.setMode(QCPPainter::pmVectorized);
        recorder.setMode(QCPPainter::pmNoCaching);
        plot.toPainter(&recorder, static_cast<int>(area.width()), static_cast<int>(area.height()));
    }
    painter.save();
    painter.translate(area.topLeft());
    // A picture is played back at its recorded size in inches; here its units are those of the painter.
    painter.scale(double(picture.logicalDpiX()) / painter.device()->logicalDpiX(),
                  double(picture.logicalDpiY()) / painter.device()->logicalDpiY());
    painter.drawPicture(0, 0, picture);
    painter.restore();
}

QString saveChart(const ChartData& data, const QString& path)
{
    const auto is
        = [&](const char* suffix) { return path.endsWith(QLatin1String(suffix), Qt::CaseInsensitive); };
    const QByteArray bytes = is(".csv") ? chartCsv(data).toUtf8()
        : is(".svg")                    ? svgOf(data)
        : is(".pdf")                    ? pdfOf(data)
                                        : imageOf(data, path);
    const QString why = bytes.isEmpty()
        ? QCoreApplication::translate("headroom::app::Chart", "there is no such kind of picture")
        : writtenOrWhy(path, bytes);
    return why.isEmpty()
        ? QString()
        : QCoreApplication::translate("headroom::app::Chart", "%1 could not be written: %2").arg(path, why);
}

} // namespace headroom::app
