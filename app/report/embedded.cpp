#include "app/report/embedded.h"

#include "app/report/pdf_stream.h"

#include <QRegularExpression>

namespace headroom::app {

namespace {

const char* const htmlBegin = R"(<script type="application/json" id="headroom-offer">)";
const char* const htmlEnd = "</script>";
const char* const markdownBegin = "<!-- headroom-offer ";
const char* const markdownEnd = " -->";

QByteArray between(const QByteArray& text, const char* begin, const char* end)
{
    const qsizetype at = text.lastIndexOf(begin);
    const qsizetype from = at + static_cast<qsizetype>(qstrlen(begin));
    const qsizetype to = at < 0 ? -1 : text.indexOf(end, from);
    return to < 0 ? QByteArray() : text.mid(from, to - from);
}

QByteArray attachmentOf(const QByteArray& pdf)
{
    static const QRegularExpression file(
        QStringLiteral("/F \\(%1\\)\\s*/EF <</F (\\d+) 0 R>>").arg(QRegularExpression::escape(embeddedName)));
    const QRegularExpressionMatch found = file.match(QString::fromLatin1(pdf));
    return found.hasMatch() ? pdfStream(pdf, found.captured(1).toInt()) : QByteArray();
}

} // namespace

// What would end the script or the comment is written as JSON writes any letter.
QByteArray inHtml(const QByteArray& json)
{
    return htmlBegin + QByteArray(json).replace("<", "\\u003c") + htmlEnd;
}

QByteArray inMarkdown(const QByteArray& json)
{
    return markdownBegin + QByteArray(json).replace("--", "-\\u002d").replace(">", "\\u003e") + markdownEnd;
}

QByteArray embeddedIn(const QByteArray& report)
{
    if (report.startsWith("%PDF"))
        return attachmentOf(report);
    const QByteArray html = between(report, htmlBegin, htmlEnd);
    return html.isEmpty() ? between(report, markdownBegin, markdownEnd) : html;
}

} // namespace headroom::app
