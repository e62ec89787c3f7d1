#include "app/report/pdf_outline.h"

#include <QList>
#include <QRegularExpression>

#include <optional>

namespace headroom::app {

namespace {

// What of the file the update must know.
struct PdfTail {
    qint64 xref = 0;     // where the last cross-reference table begins
    int size = 0;        // objects so far
    QByteArray trailer;  // what stands between << and >>
    int root = 0;        // object number of the catalogue
    QByteArray rootBody; // between << and >>
    QList<int> pages;    // object numbers in order
};

QByteArray objectBody(const QByteArray& pdf, int number)
{
    const QByteArray head = '\n' + QByteArray::number(number) + " 0 obj\n";
    const qsizetype begin = pdf.indexOf(head);
    const qsizetype open = begin < 0 ? -1 : pdf.indexOf("<<", begin);
    const qsizetype end = open < 0 ? -1 : pdf.indexOf("endobj", open);
    const qsizetype close = end < 0 ? -1 : pdf.lastIndexOf(">>", end);
    return close < open ? QByteArray() : pdf.mid(open + 2, close - open - 2);
}

int reference(const QByteArray& body, const char* key)
{
    const QRegularExpression pattern(QStringLiteral("/%1\\s+(\\d+) 0 R").arg(QLatin1String(key)));
    return pattern.match(QString::fromLatin1(body)).captured(1).toInt();
}

std::optional<PdfTail> tailOf(const QByteArray& pdf)
{
    PdfTail tail;
    const qsizetype start = pdf.lastIndexOf("startxref");
    const qsizetype trailer = pdf.lastIndexOf("trailer", start);
    if (start < 0 || trailer < 0)
        return std::nullopt;
    tail.xref = pdf.mid(start + 9, 24).simplified().split(' ').value(0).toLongLong();
    const qsizetype open = pdf.indexOf("<<", trailer);
    const qsizetype close = pdf.lastIndexOf(">>", start);
    if (open < 0 || close < open)
        return std::nullopt;
    tail.trailer = pdf.mid(open + 2, close - open - 2);
    tail.size = QRegularExpression(QStringLiteral("/Size\\s+(\\d+)"))
                    .match(QString::fromLatin1(tail.trailer))
                    .captured(1)
                    .toInt();
    tail.root = reference(tail.trailer, "Root");
    tail.rootBody = objectBody(pdf, tail.root);
    const QByteArray pages = objectBody(pdf, reference(tail.rootBody, "Pages"));
    const qsizetype kids = pages.indexOf("/Kids");
    const QString list = QString::fromLatin1(pages.mid(kids, pages.indexOf(']', kids) - kids));
    static const QRegularExpression one(QStringLiteral("(\\d+) 0 R"));
    for (auto each = one.globalMatch(list); each.hasNext();)
        tail.pages << each.next().captured(1).toInt();
    if (tail.size <= 0 || tail.root <= 0 || tail.rootBody.isEmpty() || kids < 0 || tail.pages.isEmpty())
        return std::nullopt;
    return tail;
}

QByteArray utf16(const QString& text)
{
    QByteArray hex = "<FEFF";
    for (const QChar c : text)
        hex += QByteArray::number(c.unicode(), 16).rightJustified(4, '0').toUpper();
    return hex + '>';
}

// Places in the tree: -1 where there is none.
struct Links {
    int parent = -1;
    int previous = -1;
    int next = -1;
    int firstChild = -1;
    int lastChild = -1;
    int children = 0;
};

QVector<Links> linked(const QVector<Bookmark>& bookmarks)
{
    QVector<Links> links(bookmarks.size());
    int section = -1;
    int lastSection = -1;
    for (int i = 0; i < bookmarks.size(); ++i) {
        const bool top = bookmarks[i].level == 0 || section < 0;
        int& before = top ? lastSection : links[section].lastChild;
        links[i].parent = top ? -1 : section;
        links[i].previous = before;
        if (before >= 0)
            links[before].next = i;
        else if (!top)
            links[section].firstChild = i;
        before = i;
        if (top)
            section = i;
        else
            ++links[section].children;
    }
    return links;
}

// The file with objects behind what was there, and a table of where they are; `size` objects in all.
QByteArray updated(const QByteArray& pdf, const PdfTail& tail, const QVector<PdfObject>& objects, int size)
{
    QByteArray out = pdf;
    if (!out.endsWith('\n'))
        out += '\n';
    QByteArray table = "xref\n";
    for (const PdfObject& object : objects) {
        table += QByteArray::number(object.number) + " 1\n"
            + QByteArray::number(out.size()).rightJustified(10, '0') + " 00000 n \n";
        out += QByteArray::number(object.number) + " 0 obj\n" + object.body + "\nendobj\n";
    }
    const qint64 xref = out.size();
    QString trailer = QString::fromLatin1(tail.trailer);
    trailer.replace(QRegularExpression(QStringLiteral("/Size\\s+\\d+")),
                    QStringLiteral("/Size %1").arg(size));
    return out + table + "trailer\n<<\n" + trailer.trimmed().toLatin1() + "\n/Prev "
        + QByteArray::number(tail.xref) + "\n>>\nstartxref\n" + QByteArray::number(xref) + "\n%%EOF\n";
}

} // namespace

QByteArray withOutline(const QByteArray& pdf, const QVector<Bookmark>& bookmarks, double pageHeight,
                       const QVector<PdfObject>& anew)
{
    const std::optional<PdfTail> tail = tailOf(pdf);
    if (!tail || bookmarks.isEmpty())
        return pdf;
    QVector<PdfObject> objects = anew;
    const int outlines = tail->size;
    const auto reference = [&](int bookmark) {
        return QByteArray::number(bookmark < 0 ? outlines : outlines + 1 + bookmark) + " 0 R";
    };
    objects << PdfObject{tail->root,
                         "<<\n" + tail->rootBody.trimmed() + "\n/Outlines " + reference(-1)
                             + "\n/PageMode /UseOutlines\n>>"};
    const QVector<Links> links = linked(bookmarks);
    int last = 0;
    int sections = 0;
    for (int i = 0; i < links.size(); ++i)
        if (links[i].parent < 0) {
            last = i;
            ++sections;
        }
    objects << PdfObject{outlines,
                         "<<\n/Type /Outlines\n/First " + reference(0) + "\n/Last " + reference(last)
                             + "\n/Count " + QByteArray::number(sections) + "\n>>"};
    for (int i = 0; i < bookmarks.size(); ++i) {
        const Bookmark& mark = bookmarks[i];
        const int page = tail->pages.value(mark.page, tail->pages.last());
        QByteArray body = "<<\n/Title " + utf16(mark.title) + "\n/Parent " + reference(links[i].parent)
            + "\n/Dest [" + QByteArray::number(page) + " 0 R /XYZ 0 "
            + QByteArray::number(pageHeight - mark.top, 'f', 1) + " null]\n";
        if (links[i].previous >= 0)
            body += "/Prev " + reference(links[i].previous) + '\n';
        if (links[i].next >= 0)
            body += "/Next " + reference(links[i].next) + '\n';
        if (links[i].children > 0)
            body += "/First " + reference(links[i].firstChild) + "\n/Last " + reference(links[i].lastChild)
                + "\n/Count -" + QByteArray::number(links[i].children) + '\n';
        objects << PdfObject{outlines + 1 + i, body + ">>"};
    }
    return updated(pdf, *tail, objects, outlines + 1 + static_cast<int>(bookmarks.size()));
}

} // namespace headroom::app
