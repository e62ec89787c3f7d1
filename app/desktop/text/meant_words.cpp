#include "app/desktop/text/meant_words.h"

#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/window_words.h"
#include "model/base/result.h"
#include "model/yaml/catalogue.h"

#include <QRegularExpression>
#include <QTextDocumentFragment>

#include <algorithm>

namespace headroom::app {

namespace {

// An id, or the words that some begin with: "h100".
bool isNameIn(const Catalogue& catalogue, const std::string& word)
{
    for (const auto* ids : {&catalogue.modelIds(), &catalogue.gpuIds(), &catalogue.engineIds()})
        if (std::any_of(ids->begin(), ids->end(),
                        [&](const std::string& id) { return id == word || id.starts_with(word + '-'); }))
            return true;
    return false;
}

QString linkTo(const QString& said, const QString& with)
{
    return QStringLiteral("<a href='meant:%1/%2'>%3</a>")
        .arg(QString::fromLatin1(said.toUtf8().toHex()), QString::fromLatin1(with.toUtf8().toHex()),
             with.toHtmlEscaped());
}

} // namespace

QString withMeantWords(const Problem& problem, const Catalogue& catalogue)
{
    // A word of a name, or what stands between quotes.
    static const QRegularExpression word(QStringLiteral("'([^']+)'|([\\w.+-]*\\w)"));
    QString hint = inWindowWords(modelText(problem.hint));
    if (saysToRunACommand(hint))
        hint.clear();
    static const QRegularExpression quotes(QStringLiteral("^['\"‘“]|['\"’”]$"));
    const QString said = QString::fromStdString(problem.where).remove(quotes);
    const QString told = problemText({problem.where, problem.what, {}}).toHtmlEscaped();
    QString linked;
    qsizetype end = 0;
    for (auto each = word.globalMatch(hint); each.hasNext();) {
        const QRegularExpressionMatch found = each.next();
        const bool quoted = found.capturedLength(1) > 0;
        const QString name = quoted ? found.captured(1) : found.captured(2);
        linked += hint.mid(end, found.capturedStart() - end).toHtmlEscaped();
        linked += quoted || isNameIn(catalogue, name.toStdString()) ? linkTo(said, name)
                                                                    : found.captured().toHtmlEscaped();
        end = found.capturedEnd();
    }
    linked += hint.mid(end).toHtmlEscaped();
    return linked.isEmpty() ? told : told + QStringLiteral(" – ") + linked;
}

MeantWord meantWordOf(const QString& link)
{
    const auto part = [words = link.section(u':', 1)](int place) {
        return QString::fromUtf8(QByteArray::fromHex(words.section(u'/', place, place).toLatin1()));
    };
    return {part(0), part(1)};
}

QString plainText(const QString& richText) { return QTextDocumentFragment::fromHtml(richText).toPlainText(); }

} // namespace headroom::app
