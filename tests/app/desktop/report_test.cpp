#include "tests/app/desktop/report_test.h"

#include "app/desktop/text/quantities.h"
#include "app/desktop/views/planning_charts.h"
#include "app/desktop/window/application.h"
#include "app/report/report_document.h"
#include "model/ask/question.h"
#include "model/import/trace.h"
#include "model/json/sizing_json.h"
#include "model/search/job_time.h"
#include "model/words/catalogue_vocabulary.h"
#include "model/yaml/scenario_yaml.h"
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

const QByteArray job
    = "model: qwen3-8b\ngpu: l40s\nprompt: 3000\noutput: 300\njob-requests: 2000000\ndeadline: 24h\n";
const QByteArray owned = "model: qwen3-32b\ngpu: h100-sxm-80gb\nconcurrency: 200\ntps: 25\nbuy: yes\n";
const QByteArray split = "model: llama-3.3-70b\ngpu: h100-sxm-80gb\nweights: fp8\ndisaggregate: only\n"
                         "prompt: 8192\noutput: 500\nrps: 3\ntps: 30\nttft: 1\n";

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

// Words in the order of reading, one space between them.
QString textOf(const QString& pdf)
{
    return run(QStringLiteral("pdftotext"), {QStringLiteral("-layout"), pdf, QStringLiteral("-")})
        .out.simplified();
}

// A scenario as a file, its report, and what `headroom size --json` says of it: by the programs that users
// run.
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
    [[nodiscard]] QString text() const { return textOf(pdf); }
};

// A report that several tests read: a program plans it once for all of them.
struct Reported {
    Case of;
    Outcome outcome;
    QJsonObject json;

    explicit Reported(const QByteArray& yaml) : of(yaml) {}
};
const Reported& reported(const QByteArray& yaml, const QString& language = QStringLiteral("en"))
{
    static QMap<std::pair<QByteArray, QString>, std::shared_ptr<Reported>> all;
    std::shared_ptr<Reported>& one = all[{yaml, language}];
    if (!one) {
        one = std::make_shared<Reported>(yaml);
        one->outcome = one->of.report({QStringLiteral("--lang"), language});
        if (language == QStringLiteral("en"))
            one->json = one->of.json();
    }
    return *one;
}

// The same of a question.
const QString& answerTo(const char* question, const QStringList& more = {})
{
    static QMap<QString, QString> all;
    QString& text = all[QString::fromUtf8(question) + more.join(u' ')];
    if (text.isEmpty()) {
        const QTemporaryDir home;
        const QString pdf = home.filePath(QStringLiteral("s.pdf"));
        (void)run(built(QStringLiteral("headroom")),
                  QStringList{QStringLiteral("report"), QStringLiteral("--ask"), QString::fromUtf8(question),
                              QStringLiteral("-o"), pdf}
                      + more);
        text = textOf(pdf);
    }
    return text;
}

const std::shared_ptr<const Catalogue>& catalogue()
{
    static const std::shared_ptr<const Catalogue> open = *Catalogue::open(Catalogue::defaultRoot());
    return open;
}

// A plan made here, once for all tests: as the report's program makes it.
const PlanView& planOf(const QByteArray& yaml)
{
    static QMap<QByteArray, std::shared_ptr<const PlanView>> all;
    std::shared_ptr<const PlanView>& one = all[yaml];
    if (!one)
        one = *makePlanView(catalogue(), *parseScenario(yaml.toStdString(), "s.yaml"), readTraceFile, {});
    return *one;
}

QString contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// What the report of a plan says, written here.
QString written(const PlanView& planView, const ReportOptions& options, const char* suffix)
{
    const QTemporaryDir home;
    const QString path = home.filePath(QStringLiteral("s.") + QLatin1String(suffix));
    if (const QString why = writeReport(planView, path, options); !why.isEmpty())
        qFatal("%s", qPrintable(why));
    return path.endsWith(QStringLiteral("pdf")) ? textOf(path) : contentOf(path);
}
ReportOptions today()
{
    return {.date = QDate::currentDate(), .version = QApplication::applicationVersion()};
}

double value(const QJsonObject& object, const char* key)
{
    const QJsonValue found = object[QLatin1String(key)];
    return found.isObject() ? found.toObject()[QStringLiteral("value")].toDouble() : found.toDouble();
}

} // namespace

void ReportTest::figuresEqualTheJson_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<int>("code");
    QTest::newRow("example") << example << 0;
    QTest::newRow("refused") << refused << 1;
}

void ReportTest::figuresEqualTheJson()
{
    QFETCH(QByteArray, yaml);
    QFETCH(int, code);
    const Reported& one = reported(yaml);
    QVERIFY2(one.outcome.code == code, qPrintable(one.outcome.error));
    const QJsonObject answer = one.json[QStringLiteral("answer")].toObject();
    QVERIFY(!answer.isEmpty());
    // What is planned here and there is one.
    QCOMPARE(QJsonDocument::fromJson(QByteArray::fromStdString(sizingJson(*planOf(yaml).sizing))).object(),
             one.json);
    const QString text = one.of.text();
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
    const Reported& one = reported(example, language);
    QCOMPARE(one.outcome.code, 0);
    const QStringList lines
        = run(QStringLiteral("pdffonts"), {one.of.pdf}).out.split(u'\n', Qt::SkipEmptyParts);
    QVERIFY(lines.size() > 2);
    static const QRegularExpression embedded(
        QStringLiteral("\\s(yes|no)\\s+(yes|no)\\s+(yes|no)\\s+\\d+\\s+\\d+\\s*$"));
    for (const QString& line : lines.mid(2)) // name, type, encoding, embedded, subset, unicode, object
        QVERIFY2(embedded.match(line).captured(1) == QStringLiteral("yes"), qPrintable(line));
}

void ReportTest::aRefusedPlanSaysWhyAndWhatWouldHelp()
{
    const Reported& one = reported(refused);
    QCOMPARE(one.outcome.code, 1);
    const QString text = one.of.text();
    QVERIFY2(text.contains(QStringLiteral("Nothing meets the targets")), qPrintable(text.left(800)));
    QVERIFY2(text.contains(QStringLiteral("What would help")), qPrintable(text.left(1500)));
    QVERIFY(!one.json[QStringLiteral("remedies")].toArray().isEmpty());
}

void ReportTest::manyCandidatesKeepToFewPages()
{
    const PlanView& planView = planOf(many);
    QVERIFY(planView.sizing->evaluated >= 200);
    const QTemporaryDir home;
    const QString pdf = home.filePath(QStringLiteral("s.pdf"));
    QCOMPARE(writeReport(planView, pdf, today()), QString());
    static const QRegularExpression count(QStringLiteral("Pages:\\s+(\\d+)"));
    const int pages = count.match(run(QStringLiteral("pdfinfo"), {pdf}).out).captured(1).toInt();
    QVERIFY2(pages > 4 && pages <= 16, qPrintable(QString::number(pages)));
}

void ReportTest::isWhollyChineseWhenAsked()
{
    const Reported& one = reported(example, QStringLiteral("zh_CN"));
    QCOMPARE(one.outcome.code, 0);
    const QString text = one.of.text();
    // Words and numbers as a reader searches for them.
    for (const char* words :
         {"容量报告", "需求", "推荐配置", "备选", "敏感性", "每用户速度", "Llama 3.1 70B"})
        QVERIFY2(text.contains(QString::fromUtf8(words)), words);
    for (const char* heading :
         {"Capacity report", "Requirements", "Recommended", "Alternatives", "Sensitivity", "Meets the"})
        QVERIFY2(!text.contains(QLatin1String(heading)), heading);
}

namespace {
const char* const howManyUsers = "how many users can 8 H100 carry with llama 70b";
const char* const howManyUsersInChinese = "8 张 H100 跑 llama 70b 最多支持多少用户";
} // namespace

void ReportTest::speaksTheLanguageOfTheQuestion()
{
    QVERIFY(answerTo(howManyUsersInChinese).contains(QStringLiteral("容量报告")));
    QVERIFY(answerTo(howManyUsersInChinese, {QStringLiteral("--lang"), QStringLiteral("en")})
                .contains(QStringLiteral("Capacity report")));
    QVERIFY(answerTo(howManyUsers).contains(QStringLiteral("Capacity report")));
}

void ReportTest::tellsHowManyAlternativesCarryWhereThatWasAsked()
{
    QVERIFY(answerTo(howManyUsers).contains(QStringLiteral("Users at most")));
    QVERIFY(answerTo(howManyUsersInChinese).contains(QStringLiteral("每用户")));
    QVERIFY(answerTo(howManyUsersInChinese).contains(QStringLiteral("最多用户")));
}

void ReportTest::tellsWhatWasAskedFromWhatWasAssumed()
{
    const QString untouched = reported(example).of.text();
    const QString asked = untouched.mid(untouched.indexOf(QStringLiteral("Asked: ")));
    QVERIFY(!asked.left(asked.indexOf(QStringLiteral("Usual values: "))).contains(QStringLiteral("1,024")));
    const QString assumed = QStringLiteral("prompts of 1,024 tokens · answers of 256 tokens · engine vLLM");
    // What is typed as it usually is was not assumed: it is told as usual.
    QVERIFY2(untouched.contains(QStringLiteral("Usual values: ") + assumed), qPrintable(untouched.left(400)));
    QVERIFY(untouched.count(QStringLiteral("prompts of 1,024 tokens")) >= 2); // among the assumptions too
    const QString said = written(planOf(example + "prompt: 4096\noutput: 300\n"), today(), "md");
    QVERIFY(said.contains(QStringLiteral("4,096 prompt and 300 output tokens")));
    QVERIFY(!said.contains(QStringLiteral("prompts of")));
    // A question in words tells its own.
    const QString question = QStringLiteral("how many A100s for Llama-70B as a RAG chatbot at 20 TPS");
    const auto read = ask::read(question.toStdString(), vocabularyOf(*catalogue()));
    QVERIFY(read.has_value());
    Scenario asking = read->scenario;
    asking.name = question.toStdString();
    const PlanView& answer = planOf(QByteArray::fromStdString(writeScenario(asking)));
    QVERIFY(written(answer, today(), "md").contains(QStringLiteral("llm-d-planner")));
}

void ReportTest::namesTimesAtTheLoadApart()
{
    const PlanView& planView
        = planOf("model: llama-3.1-70b\ngpu: h100-sxm-80gb\ngpus: 8\nconcurrency: 100\n");
    const QString text = written(planView, today(), "pdf");
    const OperatingPoint& point = planView.answer().point;
    for (const auto& [title, seconds] :
         {std::pair("Time between tokens at this load: ", point.tpot.value),
          std::pair("Time of a whole request at this load: ", point.latency.value)}) {
        const QString figure = QLatin1String(title) + app::text(seconds);
        QVERIFY2(text.contains(figure), qPrintable(figure));
    }
    QVERIFY(text.contains(QStringLiteral("Time of a whole request, no prompts beside it: ")));
}

void ReportTest::tellsAmountsInTheCurrencyAskedFor()
{
    const Case one(example);
    QCOMPARE(one.report({QStringLiteral("--currency"), QStringLiteral("CNY=7")}).code, 0);
    const QString text = one.text();
    const double hourly = value(reported(example).json[QStringLiteral("answer")].toObject(), "usd_per_hour");
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
    const QString text
        = written(planOf("model: deepseek-r1\ngpu: h20-96gb\ngpus: 16\nconcurrency: 100\n"), today(), "pdf");
    for (const char* words : {"with all targets met", "> 99 % ", "Sure", "type one under"})
        QVERIFY2(!text.section(QStringLiteral("How it behaves"), 0, 0).contains(QLatin1String(words)), words);
}

void ReportTest::tellsWhyMoreAreCarriedThanFitAtFullLength()
{
    const PlanView& planView
        = planOf("model: qwen3-32b\ngpu: geforce-rtx-4090\ngpus: 2\nweights: int4\nconcurrency: 70\n");
    QVERIFY(planView.sizing->meets && planView.answer().maxConcurrency < 70);
    const QString text = written(planView, today(), "md");
    QVERIFY(text.contains(QStringLiteral("Carries the 70 users asked for; %1 were all of them")
                              .arg(wholeText(planView.answer().maxConcurrency))));
    QVERIFY(!text.contains(QStringLiteral("Carries up to")));
}

void ReportTest::aJobIsToldByItsHours()
{
    const PlanView& planView = planOf(job);
    const std::optional<JobTime> its = jobTime(*planView.sizing);
    QVERIFY(its && its->price);
    const QString text = written(planView, today(), "md");
    const QString page = text.section(QStringLiteral("---\n"), 0, 0);
    for (const QString& told :
         {QStringLiteral("a job of 2,000,000 requests within 24 h"),
          QStringLiteral("The job takes %1 of the 24 h it may").arg(app::text(its->time)),
          QStringLiteral("%1 for the job").arg(app::text(*its->price))})
        QVERIFY2(page.contains(told), qPrintable(told + QStringLiteral(" is not in ") + page));
    QVERIFY(text.contains(QStringLiteral("| Done within | 24 h |")));
    // A job comes once: no years of it, and nobody waits for a token.
    for (const char* words : {"4 years", "48 months", "users at once", "no target was set"})
        QVERIFY2(!page.contains(QLatin1String(words)), qPrintable(page));
}

void ReportTest::whatIsBoughtHasOneSumOverTheYears()
{
    const PlanView& planView = planOf(owned);
    const std::optional<CostOverYears>& costs = planView.sizing->costs;
    QVERIFY(costs && costs->bill && costs->ownByMonth.size() > 48);
    const QString sum = app::text(Dollars(costs->ownByMonth[48]));
    const QString text = written(planView, today(), "md");
    const QString page = text.section(QStringLiteral("---\n"), 0, 0);
    // In the sentence, among the choices, and beside renting.
    QVERIFY2(page.count(sum) == 3, qPrintable(page));
    QVERIFY2(page.contains(QStringLiteral("bought for %1").arg(app::text(costs->bill->total()))),
             qPrintable(page));
    QVERIFY2(page.contains(QStringLiteral("written off over 4 years")), qPrintable(page));
    // By hand: the purchase, and 48 months of electricity.
    const double byHand = costs->bill->total().base() + 48 * costs->run.electricity;
    QVERIFY(std::abs(costs->ownByMonth[48] / byHand - 1) < 1e-9);
}

void ReportTest::saysWhatOneYearOfRentCosts()
{
    const QByteArray rented = "model: llama-3.3-70b\ngpu: h100-sxm-80gb\nconcurrency: 100\ntps: 20\n";
    const PlanView& planView = planOf(rented);
    const double year = perHour(planView.prediction.service.price) * 8766; // hours of a year
    QVERIFY(
        written(planView, today(), "md").contains(QStringLiteral("%1 a year").arg(app::text(Dollars(year)))));
    // Prices are as old as the offer that was taken, not as some other figure of the card.
    QVERIFY(written(planView, today(), "md").contains(QStringLiteral("list prices as of 2026-03;")));
}

void ReportTest::splitPoolsNeedANetwork()
{
    const QString text = written(planOf(split), today(), "md");
    QVERIFY(text.contains(QStringLiteral("caches of prompts go to the GPUs that decode")));
    QVERIFY(!text.contains(QStringLiteral("replicas speak to nobody")));
    // The answer is not above what any layout gives: GPUs of both pools are counted.
    const ChartData data = tradeoffChart(planOf(split));
    double most = 0;
    for (const double throughput : data.series.constFirst().y)
        most = std::max(most, throughput);
    QVERIFY(data.series.constLast().y.constFirst() < most);
}

void ReportTest::hasBookmarksAndItsScenario()
{
    const Reported& one = reported(example);
    QFile file(one.of.pdf);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("/Outlines"));
    const QString attached = run(QStringLiteral("pdfdetach"), {QStringLiteral("-list"), one.of.pdf}).out;
    QVERIFY2(attached.contains(QStringLiteral("scenario.yaml")), qPrintable(attached));
    // The attachment makes the same answer again.
    const QString again = one.of.home.filePath(QStringLiteral("again.yaml"));
    QCOMPARE(run(QStringLiteral("pdfdetach"),
                 {QStringLiteral("-savefile"), QStringLiteral("scenario.yaml"), QStringLiteral("-o"), again,
                  one.of.pdf})
                 .code,
             0);
    const QByteArray scenario = contentOf(again).toUtf8();
    QCOMPARE(QJsonDocument::fromJson(
                 QByteArray::fromStdString(sizingJson(*planOf(scenario).sizing)))[QStringLiteral("answer")],
             one.json[QStringLiteral("answer")]);
}

void ReportTest::differsOnlyInItsDate()
{
    const QTemporaryDir home;
    QVector<QByteArray> reports;
    for (const char* name : {"a.pdf", "b.pdf"}) {
        const QString path = home.filePath(QLatin1String(name));
        QCOMPARE(
            writeReport(planOf(example), path, {.date = QDate(2026, 1, 2), .version = QStringLiteral("9.9")}),
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
    if (path.contains(QStringLiteral("_usd_by_month.")))
        return app::text(Dollars(base));
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
        {"a job", job},
        {"owned", owned},
        {"split pools", split},
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
    const PlanView& planView = planOf(yaml);
    const QJsonObject json
        = QJsonDocument::fromJson(QByteArray::fromStdString(sizingJson(*planView.sizing))).object();
    auto* const application = qobject_cast<Application*>(qApp);
    application->setLanguage(language);
    const auto english = qScopeGuard([&] { application->setLanguage(QStringLiteral("en")); });
    static const QRegularExpression blank(QStringLiteral("\\s"));
    const auto packed = [](QString text) { return text.remove(blank); };
    const ReportOptions options = withServing(today(), planView);
    const QString html = written(planView, options, "html");
    const QString markdown = written(planView, options, "md");
    const std::pair<const char*, QString> others[]{{"Markdown", packed(markdown)},
                                                   {"PDF", packed(written(planView, options, "pdf"))}};
    static const QRegularExpression figures(QStringLiteral("data-figure=\"([^\"]+)\">([^<]*)<"));
    int walked = 0;
    for (auto each = figures.globalMatch(html); each.hasNext(); ++walked) {
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
        for (const auto& [format, text] : others)
            QVERIFY2(text.contains(packed(shown)),
                     qPrintable(shown + QStringLiteral(" is missing in ") + QLatin1String(format)));
    }
    QVERIFY2(walked >= 12, qPrintable(QString::number(walked)));
    static const QRegularExpression fetched(
        QStringLiteral("(src|href)=\"(?!#|data:)|@import|url\\((?!#|data:)"));
    QVERIFY2(!fetched.match(html).hasMatch(), qPrintable(fetched.match(html).captured()));
    QVERIFY(html.count(QStringLiteral("<svg")) >= 3 || yaml == refused);
    // The whole report in each: as many sections in Markdown as in HTML.
    QCOMPARE(markdown.count(QRegularExpression(QStringLiteral("(^|\n)## "))),
             html.count(QStringLiteral("<h2 ")));
}

void ReportTest::tellsWhatChangedSinceAnEarlierReport()
{
    const PlanView& then = planOf(example);
    const QTemporaryDir home;
    ReportOptions options = today();
    options.date = QDate(2026, 1, 2);
    for (const char* suffix : {"pdf", "html", "md"}) {
        const QString earlier = home.filePath(QStringLiteral("then.") + QLatin1String(suffix));
        QCOMPARE(writeReport(then, earlier, options), QString());
        const Result<Offer> offer = readOffer(earlier);
        QVERIFY2(offer.has_value(), suffix);
        QVERIFY(offer->scenario == then.asked);
        QCOMPARE(offer->date, QDate(2026, 1, 2));
        QCOMPARE(offer->gpus, std::optional<double>(then.answer().gpus()));
        QCOMPARE(offer->tokensPerSecondPerUser,
                 std::optional<double>(then.answer().point.tokensPerSecondPerUser.value.base()));
        // Nothing changed, and something did.
        ReportOptions now = today();
        now.since = *offer;
        QVERIFY(written(then, now, "md").contains(QStringLiteral("The same was asked then")));
        const PlanView& more = planOf(example + "prompt: 4096\noutput: 300\n");
        const QString text = written(more, now, "md");
        QVERIFY2(text.contains(QStringLiteral("What changed since the report of Friday, January 2, 2026")),
                 suffix);
        QVERIFY2(text.contains(
                     QRegularExpression(QStringLiteral("Prompt \\(tokens\\) \\| [^|]*1,024[^|]*\\| 4,096"))),
                 qPrintable(text.section(QStringLiteral("What changed"), 1).left(1500)));
        QVERIFY(text.contains(app::text(then.answer().point.tokensPerSecondPerUser.value)));
        QVERIFY(text.contains(app::text(more.answer().point.tokensPerSecondPerUser.value)));
    }
    const QString other = home.filePath(QStringLiteral("other.md"));
    write(other, "# no report");
    QVERIFY(!readOffer(other));
}

void ReportTest::theDesktopWritesTheSameReport()
{
    Case one(example);
    for (const char* suffix : {"pdf", "html"}) {
        one.pdf = one.home.filePath(QStringLiteral("s.") + QLatin1String(suffix));
        const bool isPdf = *suffix == 'p';
        if (!isPdf)
            QCOMPARE(one.report().code, 0);
        // As the window does: all is looked at from the start.
        const PlanView& planView = planOf(example);
        const QString own = one.home.filePath(QStringLiteral("desktop.") + QLatin1String(suffix));
        QCOMPARE(writeReport(planView, own, withServing(today(), planView)), QString());
        if (isPdf) { // Qt numbers fonts as the process met them
            const QString here = textOf(own);
            const QString there = reported(example).of.text();
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

#include "moc_report_test.cpp"
