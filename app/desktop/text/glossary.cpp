#include "app/desktop/text/glossary.h"

#include "app/desktop/text/model_text.h"
#include "app/desktop/text/translated.h"

#include <QRegularExpression>

namespace headroom::app {

namespace {

QVector<GlossaryEntry> written()
{
    return {
        {QStringLiteral("TP"), tr("Tensor parallel: GPUs that share every layer of a model.")},
        {QStringLiteral("PP"), tr("Pipeline parallel: groups of layers on different GPUs.")},
        {QStringLiteral("EP"), tr("Expert parallel: GPUs that a model's experts are spread over.")},
        {QStringLiteral("DP"), tr("Data parallel: the attention of different requests on different GPUs.")},
        {tr("Replica"), tr("A whole copy of the service, which answers alone.")},
        {tr("Batch"), tr("Requests that one replica works on at once.")},
        {tr("Token"), tr("A piece of a word: three quarters of an English one.")},
        {QStringLiteral("TTFT"), tr("Time to the first token: how long a user sees nothing.")},
        {QStringLiteral("TPOT"), tr("Time for each token after the first.")},
        {QStringLiteral("TPS"), tr("Tokens a second that each user gets.")},
        {tr("KV"), tr("KV cache: what a GPU remembers of the texts it works on.")},
        {tr("Prefill"), tr("Reading a prompt, all of its tokens at once.")},
        {tr("Decode"), tr("Writing an answer, one token for each running request at a time.")},
        {QStringLiteral("MoE"), tr("Mixture of experts: each token uses a few of a layer's parts.")},
        {QStringLiteral("PUE"), tr("Power of a building over that of the machines in it.")},
        {tr("Roofline"), tr("The most a GPU can compute at so many operations for each byte it reads.")},
        {tr("sure"),
         tr("Chance that the targets are kept, given how far such predictions were off where "
            "they were measured.")}};
}

} // namespace

const QVector<GlossaryEntry>& glossary()
{
    // In the language of the window; a window is built anew in another.
    static QVector<GlossaryEntry> entries;
    static int language = -1;
    if (const int now = speaksChinese() ? 1 : 0; now != language) {
        entries = written();
        language = now;
    }
    return entries;
}

QVector<GlossaryEntry> glossaryOf(const QString& text)
{
    QVector<GlossaryEntry> found;
    for (const GlossaryEntry& entry : glossary()) {
        // Chinese words have no blanks around them. Abbreviations are written in capitals.
        const bool latin = entry.word.front().unicode() < 0x250;
        const QString pattern = latin
            ? QStringLiteral("(?<![\\w])%1(?:e?s)?(?![\\w])").arg(QRegularExpression::escape(entry.word))
            : QRegularExpression::escape(entry.word);
        const bool abbreviation = entry.word == entry.word.toUpper() || entry.word == QStringLiteral("MoE");
        if (QRegularExpression(pattern,
                               abbreviation ? QRegularExpression::NoPatternOption
                                            : QRegularExpression::CaseInsensitiveOption)
                .match(text)
                .hasMatch())
            found << entry;
    }
    return found;
}

QString glossaryTip(const QString& text)
{
    QStringList lines;
    for (const GlossaryEntry& entry : glossaryOf(text))
        lines << QStringLiteral("<b>%1</b> – %2")
                     .arg(entry.word.toHtmlEscaped(), entry.meaning.toHtmlEscaped());
    return lines.join(QStringLiteral("<br>"));
}

} // namespace headroom::app
