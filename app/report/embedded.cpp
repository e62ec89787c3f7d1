#include "app/report/embedded.h"

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

// The stream of an object, as Qt writes attachments: deflated.
QByteArray streamOf(const QByteArray& pdf, int number)
{
    const qsizetype object = pdf.indexOf('\n' + QByteArray::number(number) + " 0 obj\n");
    const qsizetype begin = object < 0 ? -1 : pdf.indexOf("stream\n", object);
    const qsizetype end = begin < 0 ? -1 : pdf.indexOf("endstream", begin);
    if (end < 0)
        return {};
    constexpr qsizetype word = 7; // letters of "stream" and the end of its line
    const QByteArray packed = pdf.mid(begin + word, end - begin - word);
    if (!pdf.mid(object, begin - object).contains("/FlateDecode"))
        return packed;
    // Qt wants to be told how long it will be; a guess is enough.
    constexpr int guessed = 64 << 10;
    QByteArray length(4, 0);
    for (int i = 0; i < 4; ++i)
        length[i] = static_cast<char>(guessed >> (24 - 8 * i));
    return qUncompress(length + packed);
}

QByteArray attachmentOf(const QByteArray& pdf)
{
    static const QRegularExpression file(
        QStringLiteral("/F \\(%1\\)\\s*/EF <</F (\\d+) 0 R>>").arg(QRegularExpression::escape(embeddedName)));
    const QRegularExpressionMatch found = file.match(QString::fromLatin1(pdf));
    return found.hasMatch() ? streamOf(pdf, found.captured(1).toInt()) : QByteArray();
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
