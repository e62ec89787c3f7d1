#pragma once

#include "app/desktop/charts/chart_data.h"
#include "app/desktop/charts/chart_theme.h"
#include "app/report/pdf_outline.h"
#include "app/report/report_block.h"

#include <QFont>
#include <QPainter>
#include <QPdfWriter>

#include <functional>

namespace headroom::app {

// Fills pages from top to bottom and begins new ones: everything in points on the page.
class PageFlow {
public:
    PageFlow(QPdfWriter& pdf, QString title, QString footer);
    ~PageFlow();

    void section(const QString& title, double room = 0); // on a new page when little is left of this one
    void heading(const QString& title);
    void paragraph(const QString& text, bool muted = false);
    void bullets(const QStringList& lines);
    void code(const QString& text);
    void contents(const QVector<Bookmark>& where); // sections and the pages they begin on
    void table(const ReportTable& table, const QString& title = {});
    void chart(const ChartData& data, double height);
    void charts(const QVector<ChartData>& all, double height); // side by side, without the empty ones
    // Anything else: paint(painter, area) with `height` reserved.
    void picture(double height, const std::function<void(QPainter&, const QRectF&)>& paint);
    void space(double height) { m_y += height; }
    void newPage();
    void need(double height); // a new page unless so much is left

    void text(const QString& words, double size, QFont::Weight weight, const QColor& colour);
    [[nodiscard]] double width() const { return m_right - m_left; }
    [[nodiscard]] const QVector<Bookmark>& bookmarks() const { return m_bookmarks; }
    [[nodiscard]] const ChartTheme& theme() const { return m_theme; }
    [[nodiscard]] QFont font(double size, QFont::Weight weight = QFont::Normal) const;
    [[nodiscard]] double room() const { return m_bottom - m_y; } // left on this page
    [[nodiscard]] int pages() const { return m_page + 1; }
    void finish();

private:
    void footer();
    [[nodiscard]] double textHeight(const QString& words, const QFont& font) const;
    [[nodiscard]] QVector<double> columnWidths(const ReportTable& table) const;
    [[nodiscard]] double rowHeight(const QStringList& cells, const QVector<double>& widths,
                                   const ReportTable& table, const QFont& font) const;
    void row(const QStringList& cells, const QVector<double>& widths, const ReportTable& table,
             const QFont& font, const QColor& colour);

    QPdfWriter& m_pdf;
    QPainter m_painter;
    ChartTheme m_theme = ChartTheme::print();
    QString m_title;
    QString m_footer;
    QVector<Bookmark> m_bookmarks;
    double m_left = 0;
    double m_right = 0;
    double m_top = 0;
    double m_bottom = 0;
    double m_y = 0;
    int m_page = 0;
};

} // namespace headroom::app
