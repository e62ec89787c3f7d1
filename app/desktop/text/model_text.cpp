#include "app/desktop/text/model_text.h"

#include "app/desktop/text/model_sentences.h"

#include <QCoreApplication>
#include <QHash>
#include <QRegularExpression>

#include <algorithm>
#include <vector>

namespace headroom::app {

namespace {

struct Pattern {
    const char* sentence;
    QRegularExpression matches;
    qsizetype literalLength = 0; // letters outside the placeholders: the more, the better the match
};

std::vector<Pattern> compiled()
{
    std::vector<Pattern> patterns;
    for (const char* sentence : modelSentences()) {
        QString expression = QRegularExpression::escape(QString::fromUtf8(sentence));
        static const QRegularExpression placeholder(QStringLiteral("\\\\%([1-9])"));
        Pattern pattern{
            sentence,
            {},
            QString::fromUtf8(sentence).remove(QRegularExpression(QStringLiteral("%[1-9]"))).size()};
        expression.replace(placeholder, QStringLiteral("(?<p\\1>.+?)"));
        pattern.matches = QRegularExpression(QRegularExpression::anchoredPattern(expression));
        patterns.push_back(std::move(pattern));
    }
    std::stable_sort(patterns.begin(), patterns.end(),
                     [](const Pattern& a, const Pattern& b) { return a.literalLength > b.literalLength; });
    return patterns;
}

QString translated(const QString& english)
{
    static const std::vector<Pattern> patterns
        = compiled(); // of the program's own text, the same for its whole life
    for (const Pattern& pattern : patterns) {
        const QRegularExpressionMatch match = pattern.matches.match(english);
        if (!match.hasMatch())
            continue;
        QString out = QCoreApplication::translate("Model", pattern.sentence);
        for (int i = 9; i >= 1; --i)
            if (const QString part = match.captured(QStringLiteral("p%1").arg(i)); !part.isEmpty())
                out.replace(QStringLiteral("%%1").arg(i), part);
        return out;
    }
    return english;
}

} // namespace

QString modelText(std::string_view english)
{
    const QString text = QString::fromUtf8(english.data(), static_cast<qsizetype>(english.size()));
    // English needs no dictionary; the marker is translated in every other language.
    if (text.isEmpty()
        || QCoreApplication::translate("Model", "en", "the language of this translation: zh_CN, …")
            == QStringLiteral("en"))
        return text;
    return translated(text);
}

} // namespace headroom::app
