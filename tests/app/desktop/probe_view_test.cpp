#include "app/desktop/charts/chart.h"
#include "app/desktop/views/fit_view.h"
#include "app/desktop/views/probe_view.h"
#include "app/desktop/window/application.h"
#include "app/desktop/window/main_window.h"
#include "tests/app/cli/fake_server.h"
#include "tests/app/desktop/fixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace headroom;
using namespace headroom::app;

namespace {

// A list of one model, and answers of as many tokens as were asked for.
std::vector<std::string> goodAnswer(const std::string& request)
{
    if (request.starts_with("GET /v1/models"))
        return test::modelList("toy");
    if (!request.starts_with("POST /v1/completions"))
        return {"HTTP/1.1 404 X\r\nContent-Length: 0\r\n\r\n"};
    const QByteArray body = QByteArray::fromStdString(request.substr(request.find("\r\n\r\n") + 4));
    return test::tokenStream(QJsonDocument::fromJson(body)[QStringLiteral("max_tokens")].toInt(), true);
}

} // namespace

class ProbeViewTest final : public QObject {
    Q_OBJECT

private slots:
    void levelsAreDrawnOverThePrediction();
    void whatIsNoServerIsTold();
    void resultsOfALoadToolBecomeACalibration();
};

void ProbeViewTest::levelsAreDrawnOverThePrediction()
{
    const test::FakeServer server(goodAnswer);
    const Desk desk;
    Scenario scenario = desk.session().scenario();
    scenario.output = LengthDistribution::of(8);
    scenario.targets = {};
    desk.workspace->current()->edit(scenario, QStringLiteral("a"));
    MainWindow window(*desk.workspace);
    window.show();
    QVERIFY(desk.settle());
    window.showView(QStringLiteral("probe"));
    auto* const view = qobject_cast<ProbeView*>(window.currentView());
    QVERIFY(view);
    QVERIFY(QTest::qWaitFor([&] { return view->dimming() == Veil::State::Clear; }, patienceMs));
    view->start(QString::fromStdString(server.url()), {}, 2);
    QVERIFY(view->isProbing());
    QVERIFY(QTest::qWaitFor([&] { return !view->isProbing(); }, patienceMs));
    QVERIFY2(view->report().levels.size() == 2, qPrintable(view->stateText()));
    // The toy sends all of its tokens at once: it has a first token, and no time between them.
    bool drawn = false;
    for (const Chart* chart : view->findChildren<Chart*>()) {
        const QVector<ChartSeries>& series = chart->data().series;
        QCOMPARE(series.size(), 3); // predicted, and two percentiles
        QVERIFY(series[0].x.size() > 2);
        drawn = drawn || series[1].x == QVector<double>{1, 2};
    }
    QVERIFY(drawn);
    const QString file = desk.home.filePath(QStringLiteral("probe.json"));
    QCOMPARE(view->save(file), QString());
    QFile written(file);
    QVERIFY(written.open(QIODevice::ReadOnly));
    const QJsonObject json = QJsonDocument::fromJson(written.readAll()).object();
    QCOMPARE(json[QStringLiteral("schema")].toString(), QStringLiteral("headroom.probe/1"));
    QCOMPARE(json[QStringLiteral("model")].toString(), QStringLiteral("toy"));
    QCOMPARE(json[QStringLiteral("levels")].toArray().size(), 2);
}

void ProbeViewTest::whatIsNoServerIsTold()
{
    const Desk desk;
    MainWindow window(*desk.workspace);
    window.show();
    QVERIFY(desk.settle());
    window.showView(QStringLiteral("probe"));
    auto* const view = qobject_cast<ProbeView*>(window.currentView());
    const QString before = view->stateText();
    view->start(QStringLiteral("ftp://nowhere"), {}, 2);
    QVERIFY(!view->isProbing());
    QVERIFY(view->stateText() != before);
    view->start(QStringLiteral("http://127.0.0.1:9"), {}, 2); // nobody listens there
    QVERIFY(QTest::qWaitFor([&] { return !view->isProbing(); }, patienceMs));
    QVERIFY(view->report().levels.empty());
    QVERIFY2(view->stateText().contains(QStringLiteral("127.0.0.1")), qPrintable(view->stateText()));
}

void ProbeViewTest::resultsOfALoadToolBecomeACalibration()
{
    const QTemporaryDir own;
    qputenv("XDG_DATA_HOME", own.path().toLocal8Bit());
    const Desk desk;
    Scenario scenario;
    scenario.model = "qwen2.5-0.5b";
    scenario.gpus = {"cpu"};
    scenario.engine = "llama-cpp";
    scenario.weights = DType::Q8_0;
    desk.workspace->current()->edit(scenario, QStringLiteral("a"));
    // As llama-batched-bench tells them: 2,000 prompt tokens a second, 10 ms a step and 2 more for each user.
    QByteArray lines;
    for (const int prompt : {64, 256, 1024})
        for (const int users : {1, 2, 4, 8}) {
            constexpr int answer = 32;
            const double read = prompt * users / 2000.0;
            const double written = answer * (0.01 + 0.002 * users);
            lines += QStringLiteral(
                         R"({"n_batch": 2048, "n_ubatch": 512, "is_pp_shared": 0, "pp": %1, "tg": %2, )"
                         R"("pl": %3, "n_kv": %4, "t_pp": %5, "speed_pp": %6, "t_tg": %7, )"
                         R"("speed_tg": %8, "t": %9, "speed": 1})")
                         .arg(prompt)
                         .arg(answer)
                         .arg(users)
                         .arg((prompt + answer) * users)
                         .arg(read)
                         .arg(prompt * users / read)
                         .arg(written)
                         .arg(answer * users / written)
                         .arg(read + written)
                         .toUtf8()
                + '\n';
        }
    const QString file = own.filePath(QStringLiteral("bench.jsonl"));
    write(file, lines);
    MainWindow window(*desk.workspace);
    window.show();
    QVERIFY(desk.settle());
    window.showView(QStringLiteral("fit"));
    auto* const view = qobject_cast<FitView*>(window.currentView());
    QVERIFY(view);
    view->fit({file});
    QVERIFY(QTest::qWaitFor([&] { return !view->isFitting(); }, patienceMs));
    QVERIFY2(QFileInfo::exists(view->calibrationFile()), qPrintable(view->stateText()));
    QVERIFY(view->calibrationFile().startsWith(own.path()));
    for (const Chart* chart : view->findChildren<Chart*>())
        QVERIFY(!chart->data().isEmpty());
    view->useInPlan();
    QCOMPARE(desk.session().scenario().calibration, view->calibrationFile().toStdString());
    desk.workspace->current()->undoStack().undo();
    QVERIFY(desk.session().scenario().calibration.empty());
}

int main(int argc, char** argv)
{
    qputenv("no_proxy", "127.0.0.1"); // whoever tests behind a proxy does not ask it for this machine
    Application application(argc, argv);
    application.setLanguage(QStringLiteral("en"));
    application.setAppearance(Appearance::Light);
    ProbeViewTest test;
    return QTest::qExec(&test, QCoreApplication::arguments());
}

#include "probe_view_test.moc"
