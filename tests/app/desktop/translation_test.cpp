#include "tests/app/desktop/translation_test.h"

#include "app/desktop/text/model_text.h"
#include "app/desktop/window/application.h"
#include "headroom_source_dir.h"
#include "model/yaml/catalogue.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

using namespace headroom::app;

namespace {

struct Entry {
    QString source;
    QStringList translations;
    QString type; // "unfinished", "vanished", …
};

QVector<Entry> entriesOf(const QString& language)
{
    QFile file(QStringLiteral(HEADROOM_SOURCE_DIR "/resources/i18n/headroom_%1.ts").arg(language));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QXmlStreamReader xml(&file);
    QVector<Entry> entries;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == QStringLiteral("message"))
            entries << Entry{};
        else if (xml.name() == QStringLiteral("source") && !entries.isEmpty())
            entries.last().source = xml.readElementText();
        else if (xml.name() == QStringLiteral("translation")) {
            entries.last().type = xml.attributes().value(QStringLiteral("type")).toString();
            while (!(xml.isEndElement() && xml.name() == QStringLiteral("translation")) && !xml.atEnd()) {
                xml.readNext();
                if (xml.isStartElement()) // a form for some number
                    entries.last().translations << xml.readElementText();
                else if (xml.isCharacters() && !xml.isWhitespace())
                    entries.last().translations << xml.text().toString();
            }
        }
    }
    return entries;
}

// Literals that stand beside each other are one.
QString literal(const QString& pieces)
{
    static const QRegularExpression piece(QStringLiteral("\"((?:[^\"\\\\]|\\\\.)*)\""));
    QString text;
    for (auto each = piece.globalMatch(pieces); each.hasNext();)
        text += each.next().captured(1);
    return text.replace(QStringLiteral("\\n"), QStringLiteral("\n"))
        .replace(QStringLiteral("\\\""), QStringLiteral("\""));
}

// What a source says in quotes to be translated: tr("…"), and behind the name of a context in the others.
QStringList translatedIn(const QString& source)
{
    static const QString pieces = QStringLiteral("((?:\\s*\"(?:[^\"\\\\]|\\\\.)*\")+)");
    static const QRegularExpression own(QStringLiteral("\\btr\\(") + pieces);
    static const QRegularExpression named(
        QStringLiteral("\\b(?:translate|QT_TRANSLATE_NOOP)\\(\\s*\"[^\"]*\",") + pieces);
    QStringList texts;
    for (const QRegularExpression* pattern : {&own, &named})
        for (auto each = pattern->globalMatch(source); each.hasNext();)
            texts << literal(each.next().captured(1));
    return texts;
}

} // namespace

void TranslationTest::everyTextOfTheSourcesHasItsEntry()
{
    QSet<QString> known;
    for (const Entry& entry : entriesOf(QStringLiteral("zh_CN")))
        known << entry.source;
    QStringList missing;
    int seen = 0;
    for (const char* folder : {"app/desktop", "app/report"})
        for (QDirIterator each(QStringLiteral(HEADROOM_SOURCE_DIR "/") + QLatin1String(folder),
                               {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                               QDirIterator::Subdirectories);
             each.hasNext();) {
            QFile file(each.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            for (const QString& text : translatedIn(QString::fromUtf8(file.readAll()))) {
                ++seen;
                if (!known.contains(text))
                    missing << text;
            }
        }
    QVERIFY2(seen > 800, qPrintable(QString::number(seen)));
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
}

void TranslationTest::everyTextIsTranslated()
{
    const QVector<Entry> entries = entriesOf(QStringLiteral("zh_CN"));
    QVERIFY(entries.size() > 250);
    QStringList missing;
    for (const Entry& entry : entries)
        if (entry.type == QStringLiteral("unfinished") || entry.translations.join(QString()).isEmpty())
            missing << entry.source;
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
    // English carries only the forms that differ in number.
    for (const Entry& entry : entriesOf(QStringLiteral("en")))
        if (entry.source.contains(QStringLiteral("%n")))
            QCOMPARE(entry.translations.size(), 2);
}

void TranslationTest::placeholdersSurvive()
{
    static const QRegularExpression placeholder(QStringLiteral("%(n|[1-9])"));
    const auto placeholders = [](const QString& text) {
        QStringList found;
        for (auto each = placeholder.globalMatch(text); each.hasNext();)
            found << each.next().captured();
        found.sort();
        found.removeDuplicates();
        return found;
    };
    for (const Entry& entry : entriesOf(QStringLiteral("zh_CN")))
        for (const QString& translation : entry.translations)
            QVERIFY2(placeholders(entry.source) == placeholders(translation),
                     qPrintable(entry.source + QStringLiteral(" | ") + translation));
}

void TranslationTest::machinesThatAreDescribedAreDescribedInChinese()
{
    auto* application = qobject_cast<Application*>(qApp);
    application->setLanguage(QStringLiteral("zh_CN"));
    const auto catalogue = headroom::Catalogue::open(headroom::Catalogue::defaultRoot());
    QVERIFY(catalogue.has_value());
    static const QRegularExpression word(
        QStringLiteral("\\b[a-z]{3,}\\b")); // products are written in capitals
    QStringList unknown;
    for (const std::string& id : (*catalogue)->nodeIds()) {
        const auto node = (*catalogue)->node(id);
        QVERIFY2(node.has_value(), id.c_str());
        if (word.match(modelText(headroom::asIs((*node)->name))).hasMatch())
            unknown << QString::fromStdString((*node)->name);
    }
    QVERIFY2(unknown.isEmpty(), qPrintable(unknown.join(u'\n')));
    application->setLanguage(QStringLiteral("en"));
}

void TranslationTest::modelSentencesAreReadInBothLanguages()
{
    auto* application = qobject_cast<Application*>(qApp);
    application->setLanguage(QStringLiteral("en"));
    const headroom::Message memory = "memory";
    QCOMPARE(modelText(memory), QStringLiteral("memory"));
    application->setLanguage(QStringLiteral("zh_CN"));
    QVERIFY(modelText(memory) != QStringLiteral("memory"));
    QCOMPARE(modelText(headroom::asIs("a datasheet, its page; memory")),
             QStringLiteral("a datasheet, its page; memory"));
    const headroom::Message nested = headroom::say("{} of {:.3g} s", headroom::Message("latency"), 2.5);
    QVERIFY(modelText(nested).contains(QStringLiteral("2.5")));
    QVERIFY(!modelText(nested).contains(QStringLiteral("latency")));
    application->setLanguage(QStringLiteral("en"));
}

#include "moc_translation_test.cpp"
