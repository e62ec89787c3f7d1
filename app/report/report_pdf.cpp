#include "app/report/report_pdf.h"

#include "app/report/embedded.h"
#include "app/report/page_flow.h"
#include "app/report/pdf_letters.h"

#include <QBuffer>
#include <QPdfWriter>
#include <QRegularExpression>

#include <algorithm>

namespace headroom::app {

namespace {

constexpr int reportResolution = 1200; // dots an inch: finer than any printer
constexpr double titleSize = 24;
constexpr double leadSize = 12;
constexpr double quietSize = 9.5;

void writeBlock(PageFlow& page, const ReportBlock& block, const QVector<Bookmark>& where, double squeeze)
{
    const ChartTheme& theme = page.theme();
    const QString words = block.lines.value(0);
    switch (block.kind) {
    case BlockKind::Section:
        return page.section(words, block.height);
    case BlockKind::Heading:
        return page.heading(words);
    case BlockKind::Title:
        return page.text(words, titleSize, QFont::DemiBold, theme.text);
    case BlockKind::Lead:
        return page.text(words, leadSize, QFont::Normal, theme.text);
    case BlockKind::Verdict:
        return page.text(words, leadSize, QFont::DemiBold, theme.ink(block.tone));
    case BlockKind::Quiet:
        return page.text(words, quietSize, QFont::Normal, theme.muted);
    case BlockKind::Paragraph:
        return page.paragraph(words);
    case BlockKind::Bullets:
        return page.bullets(block.lines);
    case BlockKind::Code:
        return page.code(words);
    case BlockKind::Table:
        return page.table(block.table, words);
    case BlockKind::Charts:
        return page.charts(block.charts, std::max(block.height - squeeze, block.least));
    case BlockKind::Picture:
        return page.picture(block.height, block.paint);
    case BlockKind::Contents:
        return page.contents(where);
    case BlockKind::NewPage:
        return page.newPage();
    }
}

// The sections of a report without their pages: as many lines of contents as there will be.
QVector<Bookmark> sectionsOf(const ReportBlocks& blocks)
{
    QVector<Bookmark> sections;
    for (const ReportBlock& block : blocks.all())
        if (block.kind == BlockKind::Section)
            sections << Bookmark{.title = block.lines.constFirst()};
    return sections;
}

struct Written {
    QByteArray bytes;
    QVector<Bookmark> where;
    double pageHeight = 0;
    int firstPart = 0; // pages before the first that was begun on purpose
};

// Charts that may be lower are by `squeeze` points.
Written written(const ReportBlocks& blocks, const ReportFrame& frame, const PdfLook& look,
                const QVector<Bookmark>& where, double squeeze)
{
    Written out;
    QBuffer buffer(&out.bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter pdf(&buffer);
    pdf.setPageSize(QPageSize(look.paper));
    pdf.setPageMargins(QMarginsF());
    pdf.setResolution(reportResolution);
    pdf.setCreator(QStringLiteral("Headroom ") + look.version);
    pdf.setTitle(frame.title);
    pdf.addFileAttachment(QStringLiteral("scenario.yaml"), look.scenario, QStringLiteral("application/yaml"));
    pdf.addFileAttachment(embeddedName, look.offer, QStringLiteral("application/json"));
    out.pageHeight = pdf.pageLayout().pageSize().size(QPageSize::Point).height();
    PageFlow page(pdf, frame.title, frame.footer);
    for (const ReportBlock& block : blocks.all()) {
        if (block.kind == BlockKind::NewPage && out.firstPart == 0)
            out.firstPart = page.pages();
        writeBlock(page, block, where, squeeze);
    }
    page.finish();
    out.where = page.bookmarks();
    return out;
}

// The hour at which it was written is nobody's business: two reports of a day and a scenario are one.
QByteArray withoutHour(QByteArray pdf, const QDate& date)
{
    static const QRegularExpression stamp(QStringLiteral("\\(D:(\\d{14}[^)]*)\\)"));
    const QByteArray day = date.toString(QStringLiteral("yyyyMMdd")).toLatin1() + "000000";
    const QString text = QString::fromLatin1(pdf);
    for (auto each = stamp.globalMatch(text); each.hasNext();) {
        const QRegularExpressionMatch found = each.next();
        // As long as before: the places of objects are counted in bytes.
        const auto length = found.capturedLength(1);
        QByteArray same = day + "Z00'00'";
        same = same.left(length).leftJustified(length, ' ');
        pdf.replace(found.capturedStart(1), length, same);
    }
    return pdf;
}

} // namespace

QByteArray pdfOf(const ReportBlocks& blocks, const ReportFrame& frame, const PdfLook& look)
{
    const QVector<Bookmark> unplaced = sectionsOf(blocks);
    Written first = written(blocks, frame, look, unplaced, 0); // to know the pages
    double squeeze = 0;
    // What is decided stands on one page: its charts make room for the words, where that is enough.
    for (const double tried : {30.0, 60.0})
        if (first.firstPart > 1 && squeeze == 0)
            if (Written lower = written(blocks, frame, look, unplaced, tried); lower.firstPart == 1) {
                first = std::move(lower);
                squeeze = tried;
            }
    const Written last = written(blocks, frame, look, first.where, squeeze);
    return withOutline(withoutHour(last.bytes, look.date), last.where, last.pageHeight,
                       searchableLetters(last.bytes));
}

} // namespace headroom::app
