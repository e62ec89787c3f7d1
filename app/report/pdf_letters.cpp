#include "app/report/pdf_letters.h"

#include <QGuiApplication>
#include <QHash>
#include <QRawFont>
#include <QRegularExpression>
#include <QSet>

namespace headroom::app {

namespace {

constexpr char16_t firstRadical = 0x2e80; // Unicode's blocks "CJK Radicals Supplement" and "Kangxi Radicals"
constexpr char16_t lastRadical = 0x2fdf;
constexpr char16_t firstHan = 0x4e00; // "CJK Unified Ideographs"
constexpr char16_t lastHan = 0x9fff;
constexpr QChar figureDash(0x2012);
constexpr QChar enDash(0x2013); // of ranges

QString signsFrom(char16_t first, char16_t last)
{
    QString all;
    for (char16_t sign = first; sign <= last; ++sign)
        all += QChar(sign);
    return all;
}

// The usual sign that looks as a rare one does in the fonts of the report.
QHash<QChar, QChar> usualSigns()
{
    QHash<QChar, QChar> letters;
    const QString rare = signsFrom(firstRadical, lastRadical) + figureDash;
    const QString usual = signsFrom(firstHan, lastHan) + enDash;
    for (const QString& family : QGuiApplication::font().families()) {
        QFont one = QGuiApplication::font();
        one.setFamilies({family});
        const QRawFont raw = QRawFont::fromFont(one);
        const QVector<quint32> ofUsual = raw.glyphIndexesForString(usual);
        const QVector<quint32> ofRare = raw.glyphIndexesForString(rare);
        if (ofUsual.size() != usual.size() || ofRare.size() != rare.size())
            continue;
        QHash<quint32, QChar> usualByGlyph;
        for (qsizetype i = 0; i < usual.size(); ++i)
            usualByGlyph.insert(ofUsual[i], usual[i]);
        for (qsizetype i = 0; i < rare.size(); ++i)
            if (ofRare[i] != 0 && usualByGlyph.contains(ofRare[i]))
                letters.insert(rare[i], usualByGlyph[ofRare[i]]);
    }
    return letters;
}

} // namespace

QVector<PdfObject> searchableLetters(const QByteArray& pdf)
{
    static const QRegularExpression table(QStringLiteral("/ToUnicode (\\d+) 0 R"));
    static const QRegularExpression rare(QStringLiteral("<(2[EF][0-9A-F]{2}|2012)>"));
    QVector<PdfObject> changed;
    QHash<QChar, QChar> letters;
    for (auto each = table.globalMatch(QString::fromLatin1(pdf)); each.hasNext();) {
        const int number = each.next().captured(1).toInt();
        const QByteArray before = pdfStream(pdf, number);
        QByteArray after = before;
        for (auto found = rare.globalMatch(QString::fromLatin1(before)); found.hasNext();) {
            const QRegularExpressionMatch sign = found.next();
            if (letters.isEmpty())
                letters = usualSigns();
            const QChar letter = letters.value(QChar(sign.captured(1).toUShort(nullptr, 16)));
            if (!letter.isNull())
                after.replace(sign.capturedStart(1), 4, QByteArray::number(letter.unicode(), 16).toUpper());
        }
        if (after != before)
            changed << pdfStreamObject(number, after);
    }
    return changed;
}

} // namespace headroom::app
