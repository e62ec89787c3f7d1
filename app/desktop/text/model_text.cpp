#include "app/desktop/text/model_text.h"

#include "app/desktop/text/model_sentences.h"

#include <QCoreApplication>
#include <QHash>
#include <QRegularExpression>

#include <algorithm>
#include <vector>

namespace headroom::app {

namespace {

// A sentence with names and numbers in it.
struct Pattern {
    const char* sentence;
    QRegularExpression matches;
    qsizetype literalLength = 0; // letters outside the placeholders: the more, the better the match
};

// The program's own text, the same for its whole life.
struct Dictionary {
    QHash<QString, const char*> exact; // sentences without placeholders
    std::vector<Pattern> patterns;     // best match first
};

Dictionary compiled()
{
    static const QRegularExpression placeholder(QStringLiteral("\\\\%([1-9])"));
    Dictionary out;
    for (const std::span<const char* const> all : {modelSentences(), explanationSentences()})
        for (const char* sentence : all) {
            const QString words = QString::fromUtf8(sentence);
            QString expression = QRegularExpression::escape(words);
            if (!expression.contains(placeholder)) {
                out.exact.insert(words, sentence);
                continue;
            }
            expression.replace(placeholder, QStringLiteral("(?<p\\1>.+?)"));
            out.patterns.push_back(
                {sentence, QRegularExpression(QRegularExpression::anchoredPattern(expression)),
                 QString(words).remove(QRegularExpression(QStringLiteral("%[1-9]"))).size()});
        }
    std::stable_sort(out.patterns.begin(), out.patterns.end(),
                     [](const Pattern& a, const Pattern& b) { return a.literalLength > b.literalLength; });
    return out;
}

// `english` itself where nobody knows it: a name, a number, a citation.
QString translated(const QString& english)
{
    static const Dictionary dictionary = compiled();
    if (const char* sentence = dictionary.exact.value(english))
        return QCoreApplication::translate("Model", sentence);
    for (const Pattern& pattern : dictionary.patterns) {
        // A long text around few known words is a citation or a name, and stays as it was published.
        constexpr qsizetype mostAround = 14; // letters for each known one
        if (english.size() > pattern.literalLength * mostAround)
            continue;
        const QRegularExpressionMatch match = pattern.matches.match(english);
        if (!match.hasMatch())
            continue;
        QString out = QCoreApplication::translate("Model", pattern.sentence);
        for (int i = 9; i >= 1; --i)
            if (const QString part = match.captured(QStringLiteral("p%1").arg(i)); !part.isEmpty())
                out.replace(QStringLiteral("%%1").arg(i), translated(part));
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
