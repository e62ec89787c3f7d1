#include "app/report/page_flow.h"

#include "app/desktop/charts/chart_export.h"

#include <QFontDatabase>
#include <QGuiApplication>
#include <QPageLayout>
#include <QRegularExpression>

#include <algorithm>
#include <numeric>

namespace headroom::app {

namespace {
constexpr double margin = 50; // points: room for a binder
constexpr double pointsPerInch = 72;
constexpr double bodySize = 9.5;
constexpr double tableSize = 8.5;
constexpr double cellPadding = 4;
} // namespace

PageFlow::PageFlow(QPdfWriter& pdf, QString title, QString footer)
    : m_pdf(pdf), m_painter(&pdf), m_title(std::move(title)), m_footer(std::move(footer))
{
    const double scale = pdf.resolution() / pointsPerInch;
    m_painter.scale(scale, scale);
    const QSizeF page = pdf.pageLayout().pageSize().size(QPageSize::Point);
    const bool landscape = pdf.pageLayout().orientation() == QPageLayout::Landscape;
    m_left = margin;
    m_right = (landscape ? page.height() : page.width()) - margin;
    m_top = margin;
    m_bottom = (landscape ? page.width() : page.height()) - margin - 14;
    m_y = m_top;
}

PageFlow::~PageFlow() { finish(); }

void PageFlow::finish()
{
    if (!m_painter.isActive())
        return;
    footer();
    m_painter.end();
}

// Sizes are in points on a painter whose unit is a point: a pixel size there.
QFont PageFlow::font(double size, QFont::Weight weight) const
{
    QFont out = QGuiApplication::font();
    out.setHintingPreference(QFont::PreferNoHinting);
    out.setPixelSize(std::max(1, qRound(size)));
    out.setWeight(weight);
    return out;
}

void PageFlow::footer()
{
    m_painter.setFont(font(8));
    m_painter.setPen(m_theme.muted);
    const QRectF line(m_left, m_bottom + 8, width(), 12);
    m_painter.drawText(line, Qt::AlignLeft, m_footer);
    m_painter.drawText(line, Qt::AlignRight, QString::number(m_page + 1));
    m_painter.setPen(QPen(m_theme.grid, 0.6));
    m_painter.drawLine(QPointF(m_left, m_bottom + 4), QPointF(m_right, m_bottom + 4));
}

void PageFlow::newPage()
{
    footer();
    m_pdf.newPage();
    ++m_page;
    m_y = m_top;
    m_painter.setFont(font(8));
    m_painter.setPen(m_theme.muted);
    m_painter.drawText(QRectF(m_left, m_top - 22, width(), 12), Qt::AlignRight, m_title);
}

void PageFlow::need(double height)
{
    if (m_y + height > m_bottom && m_y > m_top)
        newPage();
}

void PageFlow::section(const QString& title, double room)
{
    constexpr double least = 250; // a heading stays with what it heads, a chart too
    need(std::max(least, room));
    if (m_y > m_top)
        m_y += 14;
    m_bookmarks << Bookmark{title, m_page, m_y - 6, 0};
    text(title, 15, QFont::DemiBold, m_theme.text);
    m_painter.setPen(QPen(m_theme.accent, 1.2));
    m_painter.drawLine(QPointF(m_left, m_y), QPointF(m_right, m_y));
    m_y += 8;
}

void PageFlow::heading(const QString& title)
{
    need(80);
    m_y += 6;
    m_bookmarks << Bookmark{title, m_page, m_y - 4, 1};
    text(title, 11, QFont::DemiBold, m_theme.text);
    m_y += 2;
}

void PageFlow::text(const QString& said, double size, QFont::Weight weight, const QColor& colour)
{
    const QString words
        = QString(said).replace(QStringLiteral(" %"), QStringLiteral("\u00a0%")); // stays with it
    const QFont f = font(size, weight);
    const double height = textHeight(words, f);
    need(height);
    m_painter.setFont(f);
    m_painter.setPen(colour);
    m_painter.drawText(QRectF(m_left, m_y, width(), height + 2), Qt::TextWordWrap | Qt::AlignLeft, words);
    m_y += height + 3;
}

double PageFlow::textHeight(const QString& words, const QFont& f) const
{
    return QFontMetricsF(f)
        .boundingRect(QRectF(0, 0, width(), 1e6), Qt::TextWordWrap | Qt::AlignLeft, words)
        .height();
}

void PageFlow::paragraph(const QString& words, bool muted)
{
    text(words, bodySize, QFont::Normal, muted ? m_theme.muted : m_theme.text);
    m_y += 3;
}

void PageFlow::bullets(const QStringList& lines)
{
    for (const QString& line : lines) {
        const double left = m_left;
        m_left += 12;
        need(textHeight(line, font(bodySize))); // a point never stands on another page than its words
        m_left = left;
        m_painter.setFont(font(bodySize));
        m_painter.setPen(m_theme.muted);
        m_painter.drawText(QRectF(m_left, m_y, 12, 14), Qt::AlignLeft, QStringLiteral("•"));
        m_left += 12;
        text(line, bodySize, QFont::Normal, m_theme.text);
        m_left = left;
    }
    m_y += 4;
}

void PageFlow::contents(const QVector<Bookmark>& where)
{
    constexpr double lineHeight = 15;
    m_painter.setFont(font(bodySize));
    m_painter.setPen(m_theme.text);
    for (const Bookmark& one : where) {
        if (one.level > 0)
            continue;
        need(lineHeight);
        const QRectF line(m_left, m_y, width(), lineHeight);
        m_painter.drawText(line, Qt::AlignLeft, one.title);
        m_painter.drawText(line, Qt::AlignRight, QString::number(one.page + 1));
        m_y += lineHeight;
    }
    m_y += 6;
}

void PageFlow::code(const QString& words)
{
    QFont mono = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    mono.setHintingPreference(QFont::PreferNoHinting);
    mono.setPixelSize(8);
    const QFontMetricsF metrics(mono);
    const int flags = Qt::TextWrapAnywhere | Qt::AlignLeft;
    for (const QString& line : words.split(u'\n')) {
        const double height = std::max(
            metrics.height(), metrics.boundingRect(QRectF(0, 0, width() - 12, 1e6), flags, line).height());
        need(height);
        m_painter.fillRect(QRectF(m_left, m_y, width(), height + 0.5), QColor(0xf4, 0xf5, 0xf7));
        m_painter.setFont(mono);
        m_painter.setPen(m_theme.text);
        m_painter.drawText(QRectF(m_left + 6, m_y, width() - 12, height), flags, line);
        m_y += height;
    }
    m_y += 8;
}

double PageFlow::rowHeight(const QStringList& cells, const QVector<double>& widths, const ReportTable& table,
                           const QFont& f) const
{
    const QFontMetricsF metrics(f);
    double height = metrics.height();
    for (qsizetype c = 0; c < cells.size(); ++c)
        if (!table.right.value(c)) // numbers stand on one line
            height = std::max(
                height,
                metrics
                    .boundingRect(QRectF(0, 0, widths[c] - 2 * cellPadding, 1e6), Qt::TextWordWrap, cells[c])
                    .height());
    return height + cellPadding;
}

void PageFlow::row(const QStringList& cells, const QVector<double>& widths, const ReportTable& table,
                   const QFont& f, const QColor& colour)
{
    const double height = rowHeight(cells, widths, table, f);
    m_painter.setFont(f);
    m_painter.setPen(colour);
    double x = m_left;
    for (qsizetype c = 0; c < cells.size(); ++c) {
        // A number is never parted from its unit.
        const int flags = table.right.value(c) ? Qt::TextSingleLine | Qt::TextDontClip | Qt::AlignRight
                                               : Qt::TextWordWrap | Qt::AlignLeft;
        m_painter.drawText(
            QRectF(x + cellPadding, m_y + cellPadding / 2, widths[c] - 2 * cellPadding, height), flags,
            cells[c]);
        x += widths[c];
    }
    m_y += height;
    m_painter.setPen(QPen(m_theme.grid, 0.6));
    m_painter.drawLine(QPointF(m_left, m_y), QPointF(m_right, m_y));
}

// As stated, but no number and no word is wider than its column.
QVector<double> PageFlow::columnWidths(const ReportTable& table) const
{
    const QFontMetricsF metrics(font(tableSize, QFont::DemiBold));
    static const QRegularExpression han(QStringLiteral("([\\x{2e80}-\\x{9fff}\\x{ff00}-\\x{ffef}])"));
    const auto longest = [&](const QString& cell, bool number) {
        double most = 0;
        // A line may end behind any Han letter.
        for (const QString& word :
             number ? QStringList{cell} : QString(cell).replace(han, QStringLiteral("\\1 ")).split(u' '))
            most = std::max(most, metrics.horizontalAdvance(word));
        return most;
    };
    QVector<double> least;
    double stated = 0;
    double wordsStated = 0; // of the columns of words, which share what numbers leave
    for (qsizetype c = 0; c < table.headers.size(); ++c) {
        const bool number = table.right.value(c);
        double most = longest(table.headers[c], number);
        for (const QStringList& cells : table.rows)
            most = std::max(most, longest(cells.value(c), number));
        least << most + 2 * cellPadding;
        stated += table.widths.value(c, 1.0);
        wordsStated += number ? 0 : table.widths.value(c, 1.0);
    }
    const double left = width() - std::accumulate(least.begin(), least.end(), 0.0);
    QVector<double> widths;
    for (qsizetype c = 0; c < least.size(); ++c) {
        const double own = table.widths.value(c, 1.0);
        if (left < 0 || wordsStated <= 0)
            widths << width() * own / stated;
        else
            widths << least[c] + (table.right.value(c) ? 0 : left * own / wordsStated);
    }
    return widths;
}

void PageFlow::table(const ReportTable& table, const QString& title)
{
    const QVector<double> widths = columnWidths(table);
    const QFont headFont = font(tableSize, QFont::DemiBold);
    constexpr qsizetype keptTogether = 16; // rows: longer tables go on over the page
    double height = rowHeight(table.headers, widths, table, headFont);
    for (qsizetype r = 0; r < std::min(table.rows.size(), keptTogether); ++r)
        height += rowHeight(table.rows[r], widths, table, headFont);
    constexpr double headingHeight = 30; // stays with its table
    need((table.rows.size() <= keptTogether ? height : height / 4) + (title.isEmpty() ? 0 : headingHeight));
    if (!title.isEmpty())
        heading(title);
    row(table.headers, widths, table, headFont, m_theme.muted);
    for (qsizetype r = 0; r < table.rows.size(); ++r) {
        const QFont f = font(tableSize, r == table.strong ? QFont::DemiBold : QFont::Normal);
        // The last row does not begin a page alone.
        const double below = r + 2 == table.rows.size() ? rowHeight(table.rows[r + 1], widths, table, f) : 0;
        if (m_y + rowHeight(table.rows[r], widths, table, f) + below > m_bottom) {
            newPage();
            row(table.headers, widths, table, headFont, m_theme.muted);
        }
        row(table.rows[r], widths, table, f, m_theme.text);
    }
    m_y += 8;
}

void PageFlow::picture(double height, const std::function<void(QPainter&, const QRectF&)>& paint)
{
    need(height);
    m_painter.save();
    m_painter.setFont(font(8.5));
    paint(m_painter, QRectF(m_left, m_y, width(), height));
    m_painter.restore();
    m_y += height + 8;
}

void PageFlow::chart(const ChartData& data, double height) { charts({data}, height); }

void PageFlow::charts(const QVector<ChartData>& all, double height)
{
    QVector<ChartData> pair;
    for (const ChartData& data : all)
        if (!data.isEmpty())
            pair << data;
    if (pair.isEmpty())
        return;
    picture(height, [&](QPainter& painter, const QRectF& area) {
        constexpr double gap = 14;
        const auto count = static_cast<double>(pair.size());
        const double each = (area.width() - gap * (count - 1)) / count;
        for (qsizetype i = 0; i < pair.size(); ++i) {
            const QRectF place(area.left() + static_cast<double>(i) * (each + gap), area.top(), each,
                               area.height());
            painter.setFont(font(9, QFont::DemiBold));
            painter.setPen(m_theme.text);
            painter.drawText(QRectF(place.left(), place.top(), each, 13), Qt::AlignLeft, pair[i].title);
            const double titled = QFontMetricsF(painter.font()).horizontalAdvance(pair[i].title) + 8;
            painter.setFont(font(7));
            painter.setPen(m_theme.muted);
            painter.drawText(
                QRectF(place.left() + titled, place.top() + 2, each - titled, 13), Qt::AlignLeft,
                QFontMetricsF(painter.font()).elidedText(pair[i].note, Qt::ElideRight, each - titled));
            paintChart(painter, place.adjusted(0, 15, 0, 0), pair[i], m_theme);
        }
    });
}

} // namespace headroom::app
