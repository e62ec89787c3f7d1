#include "tests/app/desktop/report_test.h"

#include "app/desktop/text/quantities.h"
#include "app/desktop/window/application.h"
#include "app/report/report_document.h"
#include "model/import/trace.h"
#include "tests/app/desktop/fixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QProcess>
#include <QRegularExpression>
#include <QScopeGuard>

using namespace headroom;
using namespace headroom::app;

namespace {

const QByteArray example = "model: llama-3.1-70b\ngpu: a100-sxm-80gb\ntps: 20\n";
// Every accelerator with a price, any layout: far more candidates than a reader compares.
const QByteArray many = "model: llama-3.1-70b\nconcurrency: 200\ntps: 15\n";
const QByteArray refused = "model: llama-3.1-70b\ngpu: geforce-rtx-4090\ngpus: 1\ntps: 20\n";

struct Outcome {
    int code = -1;
    QString out;
    QString error;
};

Outcome run(const QString& program, const QStringList& words)
{
    QProcess process;
    process.start(program, words);
    if (!process.waitForFinished(-1))
        return {};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

QString built(const QString& program) { return QCoreApplication::applicationDirPath() + u'/' + program; }

// A scenario as a file, its report, and what `headroom size --json` says of it.
struct Case {
    QTemporaryDir home;
    QString scenario = home.filePath(QStringLiteral("s.yaml"));
    QString pdf = home.filePath(QStringLiteral("s.pdf"));

    explicit Case(const QByteArray& yaml)
    {
        QFile file(scenario);
        if (!file.open(QIODevice::WriteOnly) || file.write(yaml) != yaml.size())
            qFatal("no scenario could be written");
    }
    Outcome report(const QStringList& more = {}) const
    {
        return run(built(QStringLiteral("headroom")),
                   QStringList{QStringLiteral("report"), QStringLiteral("--scenario"), scenario,
                               QStringLiteral("-o"), pdf}
                       + more);
    }
    [[nodiscard]] QJsonObject json() const
    {
        const Outcome size
            = run(built(QStringLiteral("headroom")),
                  {QStringLiteral("size"), QStringLiteral("--scenario"), scenario, QStringLiteral("--json")});
        return QJsonDocument::fromJson(size.out.toUtf8()).object();
    }
    // Words in the order of reading, one space between them.
    [[nodiscard]] QString text() const
    {
        return run(QStringLiteral("pdftotext"), {QStringLiteral("-layout"), pdf, QStringLiteral("-")})
            .out.simplified();
    }
    [[nodiscard]] int pages() const
    {
        static const QRegularExpression count(QStringLiteral("Pages:\\s+(\\d+)"));
        return count.match(run(QStringLiteral("pdfinfo"), {pdf}).out).captured(1).toInt();
    }
};

double value(const QJsonObject& object, const char* key)
{
    const QJsonValue found = object[QLatin1String(key)];
    return found.isObject() ? found.toObject()[QStringLiteral("value")].toDouble() : found.toDouble();
}

void addScenarios()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<int>("code");
    QTest::newRow("example") << example << 0;
    QTest::newRow("many candidates") << many << 0;
    QTest::newRow("refused") << refused << 1;
}

} // namespace

void ReportTest::figuresEqualTheJson_data() { addScenarios(); }

void ReportTest::figuresEqualTheJson()
{
    QFETCH(QByteArray, yaml);
    QFETCH(int, code);
    const Case one(yaml);
    const Outcome report = one.report();
    QVERIFY2(report.code == code, qPrintable(report.error));
    const QJsonObject answer = one.json()[QStringLiteral("answer")].toObject();
    QVERIFY(!answer.isEmpty());
    const QString text = one.text();
    QStringList expected{QStringLiteral("%1 × ").arg(answer[QStringLiteral("gpus")].toInt()),
                         app::text(TokensPerSecond(value(answer, "tokens_per_s_per_user"))),
                         app::text(Seconds(value(answer, "ttft_s"))),
                         app::text(Seconds(value(answer, "tpot_s"))),
                         app::text(Seconds(value(answer, "latency_s"))),
                         app::text(Watts(value(answer, "power_w"))),
                         app::text(Bytes(answer[QStringLiteral("prediction")]
                                             .toObject()[QStringLiteral("memory")]
                                             .toObject()[QStringLiteral("per_gpu")]
                                             .toObject()[QStringLiteral("weights_bytes")]
                                             .toDouble()))};
    if (!answer[QStringLiteral("usd_per_hour")].isNull())
        expected << perHourText(dollarsPerHour(value(answer, "usd_per_hour")));
    if (code == 0)
        expected << confidenceText(value(answer, "confidence"));
    for (const QString& figure : expected)
        QVERIFY2(text.contains(figure), qPrintable(figure + QStringLiteral(" is not in ") + text.left(1500)));
}

void ReportTest::everyFontIsEmbedded_data()
{
    QTest::addColumn<QString>("language");
    QTest::newRow("English") << QStringLiteral("en");
    QTest::newRow("Chinese") << QStringLiteral("zh_CN");
}

void ReportTest::everyFontIsEmbedded()
{
    QFETCH(QString, language);
    const Case one(example);
    QCOMPARE(one.report({QStringLiteral("--lang"), language}).code, 0);
    const QStringList lines = run(QStringLiteral("pdffonts"), {one.pdf}).out.split(u'\n', Qt::SkipEmptyParts);
    QVERIFY(lines.size() > 2);
    static const QRegularExpression embedded(
        QStringLiteral("\\s(yes|no)\\s+(yes|no)\\s+(yes|no)\\s+\\d+\\s+\\d+\\s*$"));
    for (const QString& line : lines.mid(2)) // name, type, encoding, embedded, subset, unicode, object
        QVERIFY2(embedded.match(line).captured(1) == QStringLiteral("yes"), qPrintable(line));
}

void ReportTest::aRefusedPlanSaysWhyAndWhatWouldHelp()
{
    const Case one(refused);
    QCOMPARE(one.report().code, 1);
    const QString text = one.text();
    QVERIFY2(text.contains(QStringLiteral("Nothing meets the targets")), qPrintable(text.left(800)));
    QVERIFY2(text.contains(QStringLiteral("What would help")), qPrintable(text.left(1500)));
    QVERIFY(!one.json()[QStringLiteral("remedies")].toArray().isEmpty());
}

void ReportTest::manyCandidatesKeepToFewPages()
{
    const Case one(many);
    QCOMPARE(one.report().code, 0);
    QVERIFY(one.json()[QStringLiteral("evaluated")].toInt() >= 200);
    QVERIFY2(one.pages() > 4 && one.pages() <= 16, qPrintable(QString::number(one.pages())));
}

void ReportTest::isWhollyChineseWhenAsked()
{
    const Case one(example);
    QCOMPARE(one.report({QStringLiteral("--lang"), QStringLiteral("zh_CN")}).code, 0);
    const QString text = one.text();
    for (const char* heading : {"容量报告", "需求", "推荐配置", "备选", "敏感性"})
        QVERIFY2(text.contains(QString::fromUtf8(heading)), heading);
    for (const char* heading :
         {"Capacity report", "Requirements", "Recommended", "Alternatives", "Sensitivity", "Meets the"})
        QVERIFY2(!text.contains(QLatin1String(heading)), heading);
}

void ReportTest::speaksTheLanguageOfTheQuestion()
{
    const Case one(example);
    const auto asked = [&](const char* question, const QStringList& more = {}) {
        (void)run(built(QStringLiteral("headroom")),
                  QStringList{QStringLiteral("report"), QStringLiteral("--ask"), QString::fromUtf8(question),
                              QStringLiteral("-o"), one.pdf}
                      + more);
        return one.text();
    };
    QVERIFY(asked("用 16 张 H20 跑 DeepSeek-R1，100 个并发").contains(QStringLiteral("容量报告")));
    QVERIFY(asked("用 16 张 H20 跑 DeepSeek-R1，100 个并发", {QStringLiteral("--lang"), QStringLiteral("en")})
                .contains(QStringLiteral("Capacity report")));
    QVERIFY(asked("DeepSeek-R1 on 16 H20, 100 users").contains(QStringLiteral("Capacity report")));
}

void ReportTest::tellsHowManyAlternativesCarryWhereThatWasAsked()
{
    const Case one(example);
    const auto asked = [&](const char* question) {
        (void)run(built(QStringLiteral("headroom")),
                  {QStringLiteral("report"), QStringLiteral("--ask"), QString::fromUtf8(question),
                   QStringLiteral("-o"), one.pdf});
        return one.text();
    };
    QVERIFY(
        asked("how many users can 8 H100 carry with llama 70b").contains(QStringLiteral("Users at most")));
    // The letters of a PDF come back as their radicals.
    const QString chinese = asked("8 张 H100 跑 llama 70b 最多支持多少用户");
    QVERIFY(chinese.normalized(QString::NormalizationForm_KC).contains(QStringLiteral("每用")));
    QVERIFY(chinese.normalized(QString::NormalizationForm_KC).contains(QStringLiteral("最多用")));
}

void ReportTest::tellsWhatWasAskedFromWhatWasAssumed()
{
    const Case one(example);
    QCOMPARE(one.report().code, 0);
    const QString untouched = one.text();
    const QString asked = untouched.mid(untouched.indexOf(QStringLiteral("Asked: ")));
    QVERIFY(!asked.left(asked.indexOf(QStringLiteral("Usual values: "))).contains(QStringLiteral("1,024")));
    const QString assumed = QStringLiteral("prompts of 1,024 tokens · answers of 256 tokens · engine vLLM");
    // What is typed as it usually is was not assumed: it is told as usual.
    QVERIFY2(untouched.contains(QStringLiteral("Usual values: ") + assumed), qPrintable(untouched.left(400)));
    QVERIFY(untouched.count(QStringLiteral("prompts of 1,024 tokens")) >= 2); // among the assumptions too
    const Case said(example + "prompt: 4096\noutput: 300\n");
    QCOMPARE(said.report().code, 0);
    QVERIFY(said.text().contains(QStringLiteral("4,096 prompt and 300 output tokens")));
    QVERIFY(!said.text().contains(QStringLiteral("prompts of")));
    // A question in words tells its own.
    const QStringList words{QStringLiteral("report"), QStringLiteral("--ask"),
                            QStringLiteral("how many A100s for Llama-70B as a RAG chatbot at 20 TPS"),
                            QStringLiteral("-o"), one.pdf};
    QCOMPARE(run(built(QStringLiteral("headroom")), words).code, 0);
    QVERIFY(one.text().contains(QStringLiteral("llm-d-planner")));
}

void ReportTest::namesTimesAtTheLoadApart()
{
    const Case one("model: llama-3.1-70b\ngpu: h100-sxm-80gb\ngpus: 8\nconcurrency: 100\n");
    QCOMPARE(one.report().code, 0);
    const QJsonObject answer = one.json()[QStringLiteral("answer")].toObject();
    const QString text = one.text();
    for (const auto& [title, key] : {std::pair("Time between tokens at this load: ", "tpot_s"),
                                     std::pair("Time of a whole request at this load: ", "latency_s")}) {
        const QString figure = QLatin1String(title) + app::text(Seconds(value(answer, key)));
        QVERIFY2(text.contains(figure), qPrintable(figure));
    }
    QVERIFY(text.contains(QStringLiteral("Time of a whole request, no prompts beside it: ")));
}

void ReportTest::tellsAmountsInTheCurrencyAskedFor()
{
    const Case one(example);
    QCOMPARE(one.report({QStringLiteral("--currency"), QStringLiteral("CNY=7")}).code, 0);
    const QString text = one.text();
    const double hourly = value(one.json()[QStringLiteral("answer")].toObject(), "usd_per_hour");
    const QString amount
        = QStringLiteral("¥%1/h").arg(QLocale(QLocale::English).toString(hourly * 7, 'f', 2));
    QVERIFY2(text.contains(amount), qPrintable(amount + QStringLiteral(" is not in ") + text.left(1500)));
    // Every amount, those of charts and sentences among them; what was typed and its sources are in dollars.
    const QString plan = text.section(QStringLiteral("Figures and their sources"), 0, 0);
    static const QRegularExpression dollars(QStringLiteral("(?<!US)\\$[0-9/]"));
    QVERIFY2(!dollars.match(plan).hasMatch(), qPrintable(dollars.match(plan).captured()));
    QVERIFY(one.report({QStringLiteral("--currency"), QStringLiteral("GBP")}).code == 2);
}

void ReportTest::promisesNothingWithoutTargets()
{
    const Case one("model: deepseek-r1\ngpu: h20-96gb\ngpus: 16\nconcurrency: 100\n");
    QCOMPARE(one.report().code, 0);
    const QString text = one.text();
    for (const char* words : {"with all targets met", "> 99 % ", "Sure", "type one under"})
        QVERIFY2(!text.section(QStringLiteral("How it behaves"), 0, 0).contains(QLatin1String(words)), words);
}

void ReportTest::hasBookmarksAndItsScenario()
{
    const Case one(example);
    QCOMPARE(one.report().code, 0);
    QFile file(one.pdf);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("/Outlines"));
    const QString attached = run(QStringLiteral("pdfdetach"), {QStringLiteral("-list"), one.pdf}).out;
    QVERIFY2(attached.contains(QStringLiteral("scenario.yaml")), qPrintable(attached));
    // The attachment makes the same answer again.
    const QString again = one.home.filePath(QStringLiteral("again.yaml"));
    QCOMPARE(run(QStringLiteral("pdfdetach"),
                 {QStringLiteral("-save"), QStringLiteral("1"), QStringLiteral("-o"), again, one.pdf})
                 .code,
             0);
    QFile scenario(again);
    QVERIFY(scenario.open(QIODevice::ReadOnly));
    const Case second(scenario.readAll());
    QCOMPARE(second.json()[QStringLiteral("answer")], one.json()[QStringLiteral("answer")]);
}

void ReportTest::differsOnlyInItsDate()
{
    const Desk desk;
    QVERIFY(desk.settle());
    QVector<QByteArray> reports;
    for (const char* name : {"a.pdf", "b.pdf"}) {
        const QString path = desk.home.filePath(QLatin1String(name));
        QCOMPARE(writeReport(*desk.session().planView(), path,
                             {.date = QDate(2026, 1, 2), .version = QStringLiteral("9.9")}),
                 QString());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QString content = QString::fromLatin1(file.readAll());
        content.replace(QRegularExpression(QStringLiteral("\\(D:\\d{14}[^)]*\\)")), QStringLiteral("(date)"));
        reports << content.toLatin1();
    }
    QCOMPARE(reports[0].size(), reports[1].size());
    QVERIFY(reports[0] == reports[1]);
}

namespace {

// A figure of `size --json` as the report shows it, by the unit at the end of its name.
QString shownAs(const QString& path, const QJsonValue& found)
{
    const double base
        = found.isObject() ? found.toObject()[QStringLiteral("value")].toDouble() : found.toDouble();
    if (path.endsWith(QStringLiteral("_bytes")))
        return app::text(Bytes(base));
    if (path.endsWith(QStringLiteral("tokens_per_s_per_user"))
        || path.endsWith(QStringLiteral("tokens_per_s")))
        return app::text(TokensPerSecond(base));
    if (path.endsWith(QStringLiteral("_s")))
        return app::text(Seconds(base));
    if (path.endsWith(QStringLiteral("_w")))
        return app::text(Watts(base));
    if (path.endsWith(QStringLiteral("usd_per_hour")))
        return perHourText(dollarsPerHour(base));
    if (path.endsWith(QStringLiteral("usd_per_million_output_tokens")))
        return app::text(Dollars(base));
    if (path.endsWith(QStringLiteral("confidence")))
        return probabilityText(base);
    return wholeText(base);
}

QJsonValue at(QJsonValue value, const QString& path)
{
    for (const QString& step : path.split(u'.')) {
        bool isPlace = false;
        const int place = step.toInt(&isPlace);
        value = isPlace ? value.toArray().at(place) : value.toObject()[step];
    }
    return value;
}

QString contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

void ReportTest::everyFigureOfEveryFormatIsTheJsons_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QString>("language");
    const std::pair<const char*, QByteArray> all[]{
        {"example", example},
        {"many", many},
        {"refused", refused},
        {"growing", example + "rps: 0.05\ngrowth: 0.4\n"},
        {"no targets", "model: llama-3.1-8b\ngpu: h100-sxm-80gb\ngpus: 1\n"},
        {"a cheap card", "model: llama-3.1-8b\ngpu: geforce-rtx-4090\ntps: 30\nconcurrency: 4\n"}};
    for (const auto& [name, yaml] : all)
        for (const char* language : {"en", "zh_CN"})
            QTest::addRow("%s, %s", name, language) << yaml << QString::fromLatin1(language);
}

void ReportTest::everyFigureOfEveryFormatIsTheJsons()
{
    QFETCH(QByteArray, yaml);
    QFETCH(QString, language);
    Case one(yaml);
    const QJsonObject json = one.json();
    auto* const application = qobject_cast<Application*>(qApp);
    application->setLanguage(language);
    const auto english = qScopeGuard([&] { application->setLanguage(QStringLiteral("en")); });
    const auto plain = [](const QString& text) { // the letters of a PDF come back as their radicals
        return text.normalized(QString::NormalizationForm_KC)
            .remove(QRegularExpression(QStringLiteral("\\s")));
    };
    QMap<QString, QString> formats;
    for (const char* suffix : {"html", "md", "pdf"}) {
        one.pdf = one.home.filePath(QStringLiteral("s.") + QLatin1String(suffix));
        const Outcome report = one.report(
            {QStringLiteral("--lang"), language, QStringLiteral("--currency"), QStringLiteral("USD")});
        QVERIFY2(report.code == 0 || report.code == 1, qPrintable(report.error));
        formats[QLatin1String(suffix)] = *suffix == 'p' ? one.text() : contentOf(one.pdf);
    }
    static const QRegularExpression figures(QStringLiteral("data-figure=\"([^\"]+)\">([^<]*)<"));
    int walked = 0;
    for (auto each = figures.globalMatch(formats[QStringLiteral("html")]); each.hasNext(); ++walked) {
        const QRegularExpressionMatch found = each.next();
        const QJsonValue figure = at(json, found.captured(1));
        QVERIFY2(!figure.isUndefined() && !figure.isNull(), qPrintable(found.captured(1)));
        const QString expected = shownAs(found.captured(1), figure);
        const QString shown = QString(found.captured(2))
                                  .replace(QStringLiteral("&gt;"), QStringLiteral(">"))
                                  .replace(QStringLiteral("&lt;"), QStringLiteral("<"));
        QVERIFY2(shown == expected,
                 qPrintable(found.captured(1) + QStringLiteral(": ") + shown + QStringLiteral(" is not ")
                            + expected));
        // Qt leaves digits of the Chinese letters out of what a reader can search: the English PDF is walked.
        for (const char* other :
             language == QStringLiteral("en") ? std::vector{"md", "pdf"} : std::vector{"md"})
            QVERIFY2(plain(formats[QLatin1String(other)]).contains(plain(shown)),
                     qPrintable(shown + QStringLiteral(" is missing in ") + QLatin1String(other)));
    }
    QVERIFY2(walked >= 12, qPrintable(QString::number(walked)));
    const QString html = formats[QStringLiteral("html")];
    static const QRegularExpression fetched(
        QStringLiteral("(src|href)=\"(?!#|data:)|@import|url\\((?!#|data:)"));
    QVERIFY2(!fetched.match(html).hasMatch(), qPrintable(fetched.match(html).captured()));
    QVERIFY(html.count(QStringLiteral("<svg")) >= 3 || yaml == refused);
    // The whole report in each: as many sections in Markdown as in HTML.
    QCOMPARE(formats[QStringLiteral("md")].count(QRegularExpression(QStringLiteral("(^|\n)## "))),
             html.count(QStringLiteral("<h2 ")));
}

void ReportTest::theDesktopWritesTheSameReport()
{
    Case one(example);
    for (const char* suffix : {"pdf", "html", "md"}) {
        one.pdf = one.home.filePath(QStringLiteral("s.") + QLatin1String(suffix));
        QCOMPARE(one.report().code, 0);
        Desk desk;
        desk.workspace->open(one.scenario);
        QVERIFY(desk.settle());
        const QString own = desk.home.filePath(QStringLiteral("desktop.") + QLatin1String(suffix));
        // As the window does: all is looked at from the start.
        const auto whole
            = makePlanView(desk.session().sharedCatalogue(), desk.session().scenario(), readTraceFile, {});
        QVERIFY(whole.has_value());
        const PlanView& planView = **whole;
        QCOMPARE(writeReport(planView, own,
                             withServing({.date = QDate::currentDate(),
                                          .version = QApplication::applicationVersion()},
                                         planView)),
                 QString());
        if (own.endsWith(QStringLiteral("pdf"))) { // Qt numbers fonts as the process met them
            const QString here
                = run(QStringLiteral("pdftotext"), {QStringLiteral("-layout"), own, QStringLiteral("-")})
                      .out.simplified();
            const QString there = one.text();
            qsizetype same = 0;
            while (same < std::min(here.size(), there.size()) && here[same] == there[same])
                ++same;
            QVERIFY2(here == there,
                     qPrintable(here.mid(same, 200) + QStringLiteral(" is not ") + there.mid(same, 200)));
            continue;
        }
        QFile mine(own);
        QFile theirs(one.pdf);
        QVERIFY(mine.open(QIODevice::ReadOnly) && theirs.open(QIODevice::ReadOnly));
        QVERIFY2(mine.readAll() == theirs.readAll(), suffix); // to the byte
    }
}
