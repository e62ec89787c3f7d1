#include "tests/app/desktop/window_test.h"

#include "app/desktop/charts/chart.h"
#include "app/desktop/panels/answer_header.h"
#include "app/desktop/panels/ask_bar.h"
#include "app/desktop/panels/choice_cards.h"
#include "app/desktop/panels/explain_panel.h"
#include "app/desktop/panels/picker.h"
#include "app/desktop/panels/scenario_field.h"
#include "app/desktop/panels/scenario_panel.h"
#include "app/desktop/tables/table_model.h"
#include "app/desktop/tables/table_panel.h"
#include "app/desktop/text/example_questions.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/scenario_words.h"
#include "app/desktop/text/window_words.h"
#include "app/desktop/views/calibrate_view.h"
#include "app/desktop/views/layouts_view.h"
#include "app/desktop/views/models_view.h"
#include "app/desktop/views/over_time_view.h"
#include "app/desktop/views/planning_charts.h"
#include "app/desktop/window/application.h"
#include "app/desktop/window/command_palette.h"
#include "app/desktop/window/main_window.h"
#include "app/desktop/window/notice_bar.h"
#include "app/report/report_document.h"
#include "model/advise/choices.h"
#include "model/report/candidate_columns.h"
#include "model/report/explain.h"
#include "model/report/layout_text.h"
#include "model/scenario/scenario_keys.h"
#include "tests/app/desktop/fixture.h"
#include "tests/thorough.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QAccessible>
#include <QClipboard>
#include <QComboBox>
#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QProcess>
#include <QPushButton>
#include <QSlider>
#include <QTabBar>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

using namespace headroom;
using namespace headroom::app;

struct WindowTest::State {
    Desk desk;
    std::unique_ptr<MainWindow> window = std::make_unique<MainWindow>(*desk.workspace);
    [[nodiscard]] const PlanView& planView() const { return *desk.session().planView(); }
};

WindowTest::WindowTest() = default;
WindowTest::~WindowTest() = default;

void WindowTest::init()
{
    m = std::make_unique<State>();
    m->window->resize(1400, 900);
    m->window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m->window.get(), patienceMs));
    QVERIFY(m->desk.settle());
}

void WindowTest::cleanup() { m.reset(); }

void WindowTest::theWholeStory()
{
    MainWindow& window = *m->window;
    // Ask, with the keyboard alone.
    QTest::keyClick(&window, Qt::Key_L, Qt::ControlModifier);
    QCOMPARE(QApplication::focusWidget(), window.askBar().editor());
    QTest::keyClicks(window.askBar().editor(), QStringLiteral("how many H100s for Llama-70B at 30 TPS"));
    QTest::keyClick(window.askBar().editor(), Qt::Key_Return);
    QVERIFY2(window.askBar().problem().isEmpty(), qPrintable(window.askBar().problem()));
    QVERIFY(!window.askBar().chips().isEmpty());
    QVERIFY(QTest::qWaitFor([&] { return m->planView().asked.targets.tokensPerSecond == 30.0; }, patienceMs));
    const PlanView first = m->planView();
    QVERIFY(first.sizing->meets);
    const QString headline = window.answer().headline();
    QVERIFY2(headline.contains(QStringLiteral("H100")), qPrintable(headline));
    QVERIFY(headline.startsWith(QString::number(first.answer().gpus())));

    // The answer goes into a letter.
    QTest::keyClick(&window, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY2(QApplication::clipboard()->text().contains(headline),
             qPrintable(QApplication::clipboard()->text()));

    // A slider: the plan follows, and undo takes the whole drag back.
    QSlider* slider = window.scenarioPanel().field(QStringLiteral("tps"))->slider();
    QVERIFY(slider);
    slider->setValue(slider->maximum());
    const double asked = *m->desk.session().scenario().targets.tokensPerSecond;
    QVERIFY(asked > 100);
    QVERIFY(
        QTest::qWaitFor([&] { return m->planView().asked.targets.tokensPerSecond == asked; }, patienceMs));
    m->desk.workspace->current()->undoStack().undo();
    QVERIFY(QTest::qWaitFor([&] { return m->planView().asked == first.asked; }, patienceMs));
    QCOMPARE(window.answer().headline(), headline);

    // Every view can be opened and shows something of its own.
    QVERIFY(window.findChild<QTabBar*>(QStringLiteral("views"))->height() > 10);
    const auto showsItsOwn = [&](const QString& view) {
        window.showView(view);
        const QList<Chart*> charts = window.currentView()->findChildren<Chart*>();
        return std::all_of(charts.begin(), charts.end(), [](const Chart* chart) {
            return !chart->data().isEmpty() || !chart->data().whenEmpty.isEmpty();
        });
    };
    const QString longest = QStringLiteral("accuracy"); // takes a thousand measured rows: at the end
    for (const QString& view : window.viewNames()) {
        if (view == longest)
            continue;
        window.showView(view);
        QVERIFY(QTest::qWaitFor([&] { return !window.currentView()->isBusy(); }, patienceMs));
        QVERIFY2(showsItsOwn(view), qPrintable(view));
    }

    // An explanation behind the speed.
    window.explainPanel().parentWidget()->show();
    window.explainPanel().explain(QStringLiteral("tpot"));
    QVERIFY(window.explainPanel().text().size() > 50);

    // Measures this machine's processor until it is stopped, and plans with what was measured.
    window.showView(QStringLiteral("calibrate"));
    auto* calibrate = qobject_cast<CalibrateView*>(window.currentView());
    QVERIFY(calibrate);
    constexpr double budgetSeconds = 20;
    calibrate->start(QStringLiteral("cpu"), true, m->desk.home.filePath(QStringLiteral("cpu.yaml")),
                     budgetSeconds);
    const auto measured = [&] {
        qsizetype points = 0;
        for (const ChartSeries& series : calibrate->findChild<Chart*>()->data().series)
            points += series.x.size();
        return points;
    };
    constexpr qsizetype enough = 40; // of every kind of operator some
    QVERIFY(QTest::qWaitFor([&] { return measured() >= enough || !calibrate->isMeasuring(); }, patienceMs));
    for (QPushButton* button : calibrate->findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Stop and keep"))
            button->click();
    QVERIFY(QTest::qWaitFor([&] { return !calibrate->isMeasuring(); }, patienceMs));
    qInfo("%d points, kept: %d", int(measured()), int(QFileInfo::exists(calibrate->calibrationFile())));
    if (QFileInfo::exists(calibrate->calibrationFile())) {
        calibrate->useInPlan();
        QCOMPARE(m->desk.session().scenario().calibration, calibrate->calibrationFile().toStdString());
        m->desk.workspace->current()->undoStack().undo();
    } else {
        // A machine too slow for the budget (a sanitizer build) is told so, and the plan stays as it was.
        QVERIFY(!calibrate->stateText().isEmpty());
        QVERIFY(m->desk.session().scenario().calibration.empty());
    }

    const QString pdf = m->desk.home.filePath(QStringLiteral("story.pdf"));
    QCOMPARE(writeReport(m->planView(), pdf, {.date = QDate(2026, 1, 2), .version = QStringLiteral("test")}),
             QString());
    QVERIFY(QFileInfo(pdf).size() > 20000);

    // What was measured by others beside what is predicted: the window can be closed while that is going on.
    QVERIFY(showsItsOwn(longest));
    if (test::thorough())
        QVERIFY(QTest::qWaitFor([&] { return !window.currentView()->isBusy(); }, patienceMs));
}

void WindowTest::examplesAreOfferedAndUnderstood()
{
    for (const QString& language : {QStringLiteral("en"), QStringLiteral("zh_CN")}) {
        qobject_cast<Application*>(qApp)->setLanguage(language);
        AskBar bar(*m->desk.workspace);
        bar.show();
        bar.focus();
        QVERIFY(bar.suggestions().size() >= 5);
        for (const QString& question : bar.suggestions()) {
            bar.ask(question);
            QVERIFY2(bar.problem().isEmpty(), qPrintable(question + u'\n' + bar.problem()));
            QVERIFY2(bar.chips().size() >= 3, qPrintable(question));
        }
    }
    qobject_cast<Application*>(qApp)->setLanguage(QStringLiteral("en"));
}

void WindowTest::memoryIsAnsweredInTheBar()
{
    AskBar& bar = m->window->askBar();
    bar.ask(QStringLiteral("how much VRAM does llama-3.1-8b need"));
    QVERIFY2(bar.answer().startsWith(QStringLiteral("Llama 3.1 8B needs")), qPrintable(bar.answer()));
    QVERIFY(bar.answer().contains(QStringLiteral("KV cache")));
    bar.ask(QStringLiteral("how many H100s for Llama-70B at 30 TPS"));
    QVERIFY(bar.answer().isEmpty());
}

void WindowTest::whatRunsOnAMachineIsListed()
{
    AskBar& bar = m->window->askBar();
    const Scenario before = m->desk.session().scenario();
    bar.ask(QStringLiteral("which models can I run on 2x RTX 5090 at 40 t/s"));
    const auto view = [this] { return qobject_cast<ModelsView*>(m->window->currentView()); };
    QTRY_VERIFY_WITH_TIMEOUT(view() && !view()->isBusy() && !view()->models().empty(), patienceMs);
    const Scenario after = m->desk.session().scenario();
    QCOMPARE(after.gpus, std::vector<std::string>{"geforce-rtx-5090"});
    QCOMPARE(after.gpuCount, std::optional<int>(2));
    // One of them is planned, and meets what was asked.
    const auto& all = view()->models();
    const auto planned
        = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.llm->id == after.model; });
    QVERIFY(planned != all.end() && planned->meets);
    m->desk.workspace->current()->undoStack().undo();
    QVERIFY(m->desk.session().scenario() == before);
    // Where none runs the bar says so, and the scenario stays.
    bar.ask(QStringLiteral("which models can I run on 1x T4 at 20000 t/s"));
    QTRY_VERIFY_WITH_TIMEOUT(bar.problem().contains(QStringLiteral("0 of")), patienceMs);
    QVERIFY(m->desk.session().scenario() == before);
}

void WindowTest::wrongInputIsMarkedInPlace()
{
    ScenarioField* field = m->window->scenarioPanel().field(QStringLiteral("prompt"));
    const Scenario before = m->desk.session().scenario();
    field->editor()->selectAll();
    QTest::keyClicks(field->editor(), QStringLiteral("many"));
    QVERIFY(!field->problem().isEmpty());
    QCOMPARE(m->desk.session().scenario().prompt, before.prompt);
    field->editor()->selectAll();
    QTest::keyClicks(field->editor(), QStringLiteral("2048"));
    QVERIFY2(field->problem().isEmpty(), qPrintable(field->problem()));
    QCOMPARE(m->desk.session().scenario().prompt.mean(), 2048.0);
}

void WindowTest::languageChangesWithoutRestart()
{
    auto* application = qobject_cast<Application*>(qApp);
    const QString english = m->window->menuBar()->actions().constFirst()->text();
    application->setLanguage(QStringLiteral("zh_CN"));
    m->window = std::make_unique<MainWindow>(*m->desk.workspace);
    m->window->show();
    const QString chinese = m->window->menuBar()->actions().constFirst()->text();
    QVERIFY(english != chinese);
    QVERIFY(m->window->answer().headline().contains(QStringLiteral("A100")));
    application->setLanguage(QStringLiteral("en"));
}

void WindowTest::amountsAreToldInTheCurrencyChosen()
{
    const double dollars = perHour(m->planView().prediction.service.price);
    const QString before = costGauge(m->planView()).text;
    QVERIFY2(before.startsWith(u'$'), qPrintable(before));
    // The menu asks for it; who runs the windows replaces this one, as `main` does.
    std::optional<Currency> requested;
    connect(m->window.get(), &MainWindow::currencyRequested, this,
            [&](const Currency& currency) { requested = currency; });
    for (QAction* action : m->window->findChildren<QAction*>())
        if (action->text().startsWith(QStringLiteral("Yuan at the published rate")))
            action->trigger();
    QVERIFY(requested == publishedYuan);
    // So does a question whose amounts are in it.
    requested.reset();
    m->window->askBar().ask(QStringLiteral("llama 70b，20 TPS，H100 每小时 18 元"));
    QVERIFY(requested == publishedYuan);
    m->window->askBar().ask(QStringLiteral("llama-3.1-70b on A100s at 20 TPS"));
    QVERIFY(m->desk.settle());
    constexpr double rate = 7;
    m->window.reset();
    m->desk.workspace->setCurrency(yuanAt(rate));
    m->window = std::make_unique<MainWindow>(*m->desk.workspace);
    m->window->show();
    QVERIFY(m->desk.settle());
    QCOMPARE(m->desk.workspace->settings().currency(), yuanAt(rate));
    QCOMPARE(costGauge(m->planView()).text,
             QStringLiteral("¥%1/h").arg(QLocale().toString(dollars * rate, 'f', 2)));
    const ChartData costs = candidateCostChart(m->planView());
    QCOMPARE(costs.y.unit, QStringLiteral("¥/h"));
    QVERIFY(std::abs(costs.series.constLast().y.constFirst() - dollars * rate) < 1e-6);
    const auto& told = m->planView().assumptions();
    QVERIFY(std::any_of(told.begin(), told.end(), [](const Message& each) {
        return each.english().find("in yuan") != std::string::npos;
    }));
    QVERIFY(std::none_of(told.begin(), told.end(),
                         [](const Message& each) { return each.english().find('$') != std::string::npos; }));
    m->window.reset(); // plans read the currency while a window is open
    m->desk.workspace->setCurrency({});
    QVERIFY(m->desk.settle());
    QCOMPARE(costGauge(m->planView()).text, before);
}

void WindowTest::everythingFocusableHasAName()
{
    for (const QString& view : m->window->viewNames())
        m->window->showView(view);
    m->window->explainPanel().parentWidget()->show();
    QStringList nameless;
    for (QWidget* widget : m->window->findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || widget->objectName().startsWith(QStringLiteral("qt_"))
            || widget->focusProxy())
            continue;
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
        const bool named = face && !face->text(QAccessible::Name).isEmpty();
        // Parts of a named widget (the edit of a combo box, the viewport of a table) speak through it.
        const QWidget* const parent = widget->parentWidget();
        const bool part = parent
            && (qobject_cast<const QComboBox*>(parent)
                || qobject_cast<const QComboBox*>(parent->parentWidget()) // the list that drops down
                || parent->inherits("QAbstractScrollArea"));
        if (!named && !part)
            nameless << QStringLiteral("%1 %2 in %3")
                            .arg(QString::fromLatin1(widget->metaObject()->className()), widget->objectName(),
                                 widget->parentWidget()
                                     ? QString::fromLatin1(widget->parentWidget()->metaObject()->className())
                                     : QString());
    }
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(u'\n')));
}

void WindowTest::everyActionHasItsKeyOrMenu()
{
    QStringList unreachable;
    QList<QKeySequence> keys;
    for (const QAction* top : m->window->menuBar()->actions()) {
        QVERIFY2(top->text().contains(u'&'), qPrintable(top->text()));
        for (const QAction* action : top->menu()->actions()) {
            if (action->shortcut().isEmpty())
                continue;
            QVERIFY2(!keys.contains(action->shortcut()), qPrintable(action->shortcut().toString()));
            keys << action->shortcut();
        }
    }
    QVERIFY(keys.size() >= 12);
}

void WindowTest::modelsKeepTheirPromises()
{
    TableModel<Candidate> candidates(candidateColumns());
    const QAbstractItemModelTester tester(&candidates, QAbstractItemModelTester::FailureReportingMode::Fatal);
    candidates.setRows(m->planView().sizing->candidates);
    QCOMPARE(candidates.rowCount(), static_cast<int>(m->planView().sizing->candidates.size()));
    candidates.setRows({});
    PickerModel rows;
    const QAbstractItemModelTester second(&rows, QAbstractItemModelTester::FailureReportingMode::Fatal);
    rows.setContent({QStringLiteral("a"), QStringLiteral("b")},
                    {{QStringLiteral("x"), {QStringLiteral("1"), QStringLiteral("2")}, {1, 2}}});
    rows.setChosen({QStringLiteral("x")});
    QCOMPARE(rows.index(0, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
}

void WindowTest::aStatedMachineCanBeTaken()
{
    Scenario asked = m->desk.session().scenario();
    asked.gpus = {"h100-sxm-80gb", "b200-sxm-180gb"};
    asked.gpuCounts = {8, 4};
    asked.gpuCount.reset();
    m->desk.workspace->current()->edit(asked, QStringLiteral("two machines"));
    QVERIFY(QTest::qWaitFor([&] { return m->planView().asked == asked; }, patienceMs));
    const std::vector<Candidate>& all = m->planView().sizing->candidates;
    const auto four = std::find_if(all.begin(), all.end(), [](const Candidate& c) {
        return c.deployment.gpu->id == "b200-sxm-180gb" && c.gpus() == 4;
    });
    QVERIFY(four != all.end());
    takeCandidate(*m->desk.workspace->current(), *four);
    const Scenario& taken = m->desk.session().scenario();
    QCOMPARE(taken.gpus.size(), std::size_t{1});
    QVERIFY(taken.gpuCounts.empty());
    QCOMPARE(taken.gpuCount.value_or(0), 4);
    m->desk.workspace->current()->undoStack().undo();
    QVERIFY(m->desk.session().scenario() == asked);
    m->desk.workspace->current()->undoStack().undo();
}

void WindowTest::aLoadThatIsOfferedIsCarried()
{
    const Scenario before = m->desk.session().scenario();
    QVERIFY(!before.requestsPerSecond && !before.concurrency);
    m->window->showView(QStringLiteral("overtime"));
    const double carried = m->planView().answer().maxRequestsPerSecond;
    QTRY_VERIFY_WITH_TIMEOUT(m->window->currentView()->findChild<QToolButton*>(QStringLiteral("offer")),
                             patienceMs);
    m->window->currentView()->findChild<QToolButton*>(QStringLiteral("offer"))->click();
    const double offered = m->desk.session().scenario().requestsPerSecond.value_or(0);
    QVERIFY(offered > 0 && offered <= carried);
    m->desk.workspace->current()->undoStack().undo();
    QVERIFY(m->desk.session().scenario() == before);
}

void WindowTest::whatElseTheMachineRunsCanBeTaken()
{
    m->window->showView(QStringLiteral("models"));
    auto* view = qobject_cast<ModelsView*>(m->window->currentView());
    QVERIFY(view);
    QVERIFY(QTest::qWaitFor([&] { return !view->isBusy() && !view->models().empty(); }, patienceMs));
    QCOMPARE(view->models().size(), m->planView().catalogue->modelIds().size());
    // What the answer was found for runs on its GPUs.
    const std::vector<FittingModel>& all = view->models();
    const auto own = std::find_if(all.begin(), all.end(),
                                  [](const FittingModel& one) { return one.llm->id == "llama-3.1-70b"; });
    QVERIFY(own != all.end() && own->meets);
    const auto runs
        = std::count_if(all.begin(), all.end(), [](const FittingModel& one) { return one.meets; });
    QCOMPARE(view->panel().table().model()->rowCount(), static_cast<int>(runs));
    // Another of them on the same GPUs, as one edit.
    const int gpus = m->planView().answer().gpus();
    const Scenario before = m->desk.session().scenario();
    const QModelIndex first = view->panel().table().model()->index(0, 0);
    const auto named = std::find_if(all.begin(), all.end(), [&](const FittingModel& one) {
        return QString::fromStdString(one.llm->name) == first.data().toString();
    });
    QVERIFY(named != all.end());
    const std::string chosen = named->llm->id;
    QVERIFY(chosen != before.model);
    emit view->panel().rowActivated(0);
    QCOMPARE(m->desk.session().scenario().model, chosen);
    QCOMPARE(m->desk.session().scenario().gpuCount.value_or(0), gpus);
    QVERIFY(QTest::qWaitFor([&] { return m->planView().asked == m->desk.session().scenario(); }, patienceMs));
    QVERIFY(m->planView().sizing->meets);
    m->desk.workspace->current()->undoStack().undo();
    QVERIFY(m->desk.session().scenario() == before);
}

void WindowTest::chartsAreCopiedSavedAndTabulated()
{
    m->window->showView(QStringLiteral("batch"));
    Chart* chart = m->window->currentView()->findChild<Chart*>();
    QVERIFY(chart);
    const ChartData& data = chart->data();
    QVERIFY(!data.isEmpty());
    const QString csv = chartCsv(data);
    QCOMPARE(csv.count(u'\n'), chartTable(data).rows.size() + 1);
    QTest::keyClick(chart, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), csv);
    QTest::keyClick(chart, Qt::Key_T);
    QVERIFY(chart->isTable());
    QTest::keyClick(chart, Qt::Key_T);
    for (const char* suffix : {"png", "svg", "pdf", "csv"}) {
        const QString path = m->desk.home.filePath(QStringLiteral("chart.") + QLatin1String(suffix));
        QCOMPARE(chart->save(path), QString());
        QVERIFY(QFileInfo(path).size() > 200);
    }
    QVERIFY(!chart->save(QStringLiteral("/nowhere/chart.csv")).isEmpty());
}

void WindowTest::whatStandsAboveTheAnswerFollowsTheEdit()
{
    AskBar& bar = m->window->askBar();
    bar.ask(QStringLiteral("how many H100s for Llama-70B at 20 TPS"));
    m->window->scenarioPanel().field(QStringLiteral("tps"))->editor()->selectAll();
    QTest::keyClicks(m->window->scenarioPanel().field(QStringLiteral("tps"))->editor(), QStringLiteral("42"));
    const QString told = QStringLiteral("how many H100s for Llama-70B at 42 TPS");
    QCOMPARE(bar.editor()->text(), told);
    QCOMPARE(m->window->windowTitle(), told + QStringLiteral("[*]"));
    QCOMPARE(m->desk.session().scenario().name, told.toStdString()); // of the file and of the report
    QTRY_VERIFY_WITH_TIMEOUT(bar.chips().join(u' ').contains(QStringLiteral("42 TPS →")), patienceMs);
    QVERIFY(!bar.isUnread());
    // A window in another language shows the same question.
    m->window = std::make_unique<MainWindow>(*m->desk.workspace);
    QCOMPARE(m->window->askBar().editor()->text(), told);
}

void WindowTest::undoInTheQuestionMovesEverything()
{
    AskBar& bar = m->window->askBar();
    const QString before = bar.editor()->text();
    const QString question = QStringLiteral("how many H100s for Llama-70B at 20 TPS");
    bar.ask(question);
    QCOMPARE(bar.editor()->text(), question);
    bar.editor()->setFocus();
    QTest::keyClick(bar.editor(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(bar.editor()->text(), before);
    QCOMPARE(m->desk.session().scenario().gpus.front(), std::string("a100-sxm-80gb"));
    QTRY_VERIFY_WITH_TIMEOUT(bar.chips().join(u' ').contains(QStringLiteral("A100")), patienceMs);
    // What is only typed is taken back in the line, and nowhere else.
    QTest::keyClicks(bar.editor(), QStringLiteral("xyz"));
    QVERIFY(bar.isUnread());
    QTest::keyClick(bar.editor(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(m->desk.session().scenario().gpus.front(), std::string("a100-sxm-80gb"));
}

void WindowTest::aQuestionLeavesAnOpenFileAlone()
{
    Workspace& workspace = *m->desk.workspace;
    const QString path = m->desk.home.filePath(QStringLiteral("offer.yaml"));
    QVERIFY(workspace.save(*workspace.current(), path));
    Document& file = *workspace.current();
    const Scenario saved = file.session().scenario();
    m->window->askBar().ask(QStringLiteral("how many H100s for Llama-70B at 30 TPS"));
    QCOMPARE(workspace.count(), 2);
    QVERIFY(file.session().scenario() == saved);
    QVERIFY(!file.isModified());
    QVERIFY(workspace.current() != &file);
    QCOMPARE(m->desk.session().scenario().targets.tokensPerSecond, std::optional<double>(30));
}

void WindowTest::keysOfTheWindowWorkInALineOfText()
{
    QLineEdit* const line = m->window->askBar().editor();
    line->setFocus();
    const auto isTaken = [&](Qt::Key key) { // by the line, from the window
        QKeyEvent pressed(QEvent::ShortcutOverride, key, Qt::ControlModifier);
        pressed.accept();
        QCoreApplication::sendEvent(line, &pressed);
        return pressed.isAccepted();
    };
    QVERIFY(!isTaken(Qt::Key_E)); // exports; a line of text would go to its end
    QVERIFY(!isTaken(Qt::Key_K));
    QVERIFY(isTaken(Qt::Key_C)); // copies what is marked in the line
}

void WindowTest::aChipLeadsToItsField()
{
    Scenario growing = m->desk.session().scenario();
    growing.growthPerYear = 0.4;
    m->desk.workspace->current()->edit(growing, QStringLiteral("a"));
    const auto chip = [&]() -> QToolButton* {
        for (QToolButton* one : m->window->askBar().findChildren<QToolButton*>())
            if (one->text().startsWith(QStringLiteral("Growth:")) && !one->isHidden())
                return one;
        return nullptr;
    };
    QTRY_VERIFY_WITH_TIMEOUT(chip() != nullptr, patienceMs);
    ScenarioField* const field = m->window->scenarioPanel().field(QStringLiteral("growth"));
    QVERIFY(!field->isVisible()); // its section is closed
    chip()->click();
    QVERIFY(field->isVisible());
    QCOMPARE(QApplication::focusWidget(), field->editor());
}

void WindowTest::anAnswerToAnotherQuestionIsDimmed()
{
    MainWindow& window = *m->window;
    for (const QString& name : window.viewNames()) {
        window.showView(name);
        View& view = *window.currentView();
        const bool ofThePlan = name != QStringLiteral("calibrate") && name != QStringLiteral("fit")
            && name != QStringLiteral("accuracy");
        QVERIFY2(QTest::qWaitFor([&] { return view.dimming() == Veil::State::Clear; }, patienceMs),
                 qPrintable(name));
        window.askBar().editor()->setFocus();
        window.askBar().editor()->selectAll();
        QTest::keyClicks(window.askBar().editor(), QStringLiteral("how many"));
        QCOMPARE(window.answer().dimming(), Veil::State::Old);
        QVERIFY2((view.dimming() == Veil::State::Old) == ofThePlan, qPrintable(name));
        QTest::keyClick(window.askBar().editor(), Qt::Key_Z, Qt::ControlModifier);
        if (window.askBar().isUnread())
            window.askBar().editor()->undo();
        // An edit that is being planned, and one that cannot be.
        Document& document = *m->desk.workspace->current();
        document.edit(withSpeed(document.session().scenario(), 27), QStringLiteral("a"));
        QCOMPARE(window.answer().dimming(), Veil::State::Working);
        QVERIFY2((view.dimming() == Veil::State::Working) == ofThePlan, qPrintable(name));
        Scenario wrong = document.session().scenario();
        wrong.model = "no-such-model";
        document.edit(wrong, QStringLiteral("b"));
        QTRY_COMPARE_WITH_TIMEOUT(window.answer().dimming(), Veil::State::Old, patienceMs);
        document.undoStack().undo();
        document.undoStack().undo();
        QTRY_COMPARE_WITH_TIMEOUT(window.answer().dimming(), Veil::State::Clear, patienceMs);
    }
}

void WindowTest::noticesGoAndFailuresStay()
{
    NoticeBar& bar = m->window->notices();
    bar.add({QStringLiteral("written"), NoticeKind::Told, QStringLiteral("/tmp/report.pdf")});
    QVERIFY(bar.isVisible() && !bar.tellsFailure());
    QVERIFY(bar.openButton()->isVisible());
    QString opened;
    bar.disconnect(m->window.get()); // nothing is started in a test
    connect(&bar, &NoticeBar::openRequested, this, [&](const QString& file) { opened = file; });
    bar.openButton()->click();
    QCOMPARE(opened, QStringLiteral("/tmp/report.pdf"));
    m->desk.workspace->open(QStringLiteral("/nowhere.yaml"));
    QVERIFY(bar.tellsFailure());
    bar.expire();
    QVERIFY(bar.isVisible());
    QVERIFY(!bar.text().contains(QStringLiteral("written")));
    QVERIFY(bar.text().contains(QStringLiteral("nowhere.yaml")));
}

void WindowTest::replicasOfALayoutAreOneRow()
{
    m->window->showView(QStringLiteral("layouts"));
    auto* view = qobject_cast<LayoutsView*>(m->window->currentView());
    QVERIFY(view);
    const QAbstractItemModel& rows = *view->panel().table().model();
    QVERIFY(rows.rowCount() >= 3);
    QStringList layouts;
    for (int row = 0; row < rows.rowCount(); ++row)
        for (int column = 0; column < rows.columnCount(); ++column) {
            const QString text = rows.index(row, column).data().toString();
            QVERIFY2(!text.startsWith(QStringLiteral("0 tok/s")), qPrintable(text));
            if (rows.headerData(column, Qt::Horizontal, Qt::UserRole) == QStringLiteral("layout"))
                layouts << text.section(u',', 0, 0);
        }
    QVERIFY2(layouts.removeDuplicates() == 0, qPrintable(layouts.join(u'\n')));
}

void WindowTest::servingSaysWhatIsImpossible()
{
    m->window->askBar().ask(QStringLiteral("Llama-70B on 1 RTX 4090 at 20 TPS"));
    QVERIFY(m->desk.settle());
    m->window->showView(QStringLiteral("serving"));
    View& view = *m->window->currentView();
    QVERIFY(QTest::qWaitFor([&] { return !view.isBusy(); }, patienceMs));
    QString words;
    for (const QLabel* label : view.findChildren<QLabel*>())
        if (label->isVisible())
            words += label->text() + u'\n';
    QVERIFY2(words.contains(QStringLiteral("There is nothing to replay")), qPrintable(words));
    QVERIFY2(words.contains(QStringLiteral("What would help")), qPrintable(words));
    for (const Chart* chart : view.findChildren<Chart*>())
        QVERIFY(!chart->isVisible());
}

void WindowTest::aClosedLoopFillsEveryPanel()
{
    Scenario turns = m->desk.session().scenario();
    turns.concurrency = 2;
    turns.gpuCount = 4;
    turns.traffic = "closed";
    m->desk.workspace->current()->edit(turns, QStringLiteral("a"));
    QVERIFY(m->desk.settle());
    m->window->showView(QStringLiteral("serving"));
    View& view = *m->window->currentView();
    QVERIFY(
        QTest::qWaitFor([&] { return !view.isBusy() && view.dimming() == Veil::State::Clear; }, patienceMs));
    const QList<Chart*> charts = view.findChildren<Chart*>();
    QCOMPARE(charts.size(), 6);
    for (const Chart* chart : charts)
        QVERIFY2(!chart->data().isEmpty(), qPrintable(chart->data().title));
}

void WindowTest::timeOpensWithAnExample()
{
    m->window->showView(QStringLiteral("overtime"));
    auto* view = qobject_cast<OverTimeView*>(m->window->currentView());
    QVERIFY(view);
    QVERIFY(QTest::qWaitFor([&] { return view->showsExample(); }, patienceMs));
    for (const Chart* chart : view->findChildren<Chart*>())
        QVERIFY2(!chart->data().isEmpty(), qPrintable(chart->data().title));
    QVERIFY(view->findChild<QLabel*>(QStringLiteral("example"))
                ->text()
                .startsWith(QStringLiteral("An example, not your scenario")));
}

void WindowTest::sensitivityDrawsOrSaysWhyNot()
{
    QVERIFY(QTest::qWaitFor([&] { return m->planView().depth != PlanDepth::Answered; }, patienceMs));
    for (const ChartData& chart : {speedTornadoChart(m->planView()), gpuTornadoChart(m->planView())}) {
        bool moves = false;
        for (const ChartSeries& series : chart.series)
            for (qsizetype i = 0; i < series.x.size(); ++i)
                moves = moves || series.x[i] > series.from[i];
        QVERIFY2(moves || (chart.isEmpty() && !chart.whenEmpty.isEmpty()), qPrintable(chart.title));
    }
}

void WindowTest::partsOfATimeAddUp()
{
    for (const char* figure : {"tpot", "ttft"}) {
        const auto explained = explainFigures(m->planView().resolved, m->planView().prediction, figure);
        QVERIFY(explained && !explained->empty());
        const Explanation& one = explained->front();
        double sum = 0;
        for (const ExplainedNumber& number : one.numbers)
            if (number.measure == Measure::Time)
                sum += number.symbol.english().starts_with("−") ? -number.value : number.value;
        QVERIFY2(std::abs(sum - one.result) <= 0.002 * one.result, figure);
    }
}

void WindowTest::everyAssumptionIsListedAndLeadsToItsField()
{
    QVERIFY(m->desk.settle());
    m->window->explain(
        {.figure = QStringLiteral("assumptions"), .of = {}, .resolved = nullptr, .explanations = {}});
    const QString text = m->window->explainPanel().text();
    for (const UsualValue& usual : usualValuesOf(m->planView()))
        QVERIFY2(text.contains(usual.text), qPrintable(usual.text));
    for (const Message& each : m->planView().assumptions())
        QVERIFY2(text.contains(modelText(each).left(30)), each.english().c_str());
    emit m->window->explainPanel().fieldMeant(QStringLiteral("output"));
    QCOMPARE(QApplication::focusWidget(),
             m->window->scenarioPanel().field(QStringLiteral("output"))->editor());
}

void WindowTest::sharesAreTypedAsPerCent()
{
    ScenarioField* const field = m->window->scenarioPanel().field(QStringLiteral("growth"));
    field->editor()->setText(QStringLiteral("40"));
    emit field->editor()->textEdited(QStringLiteral("40"));
    QCOMPARE(m->desk.session().scenario().growthPerYear, 0.4);
    QCOMPARE(field->editor()->text(), QStringLiteral("40"));
    QVERIFY(scenarioWords(m->desk.session().scenario(), m->desk.session().catalogue())
                .contains(QStringLiteral("Growth 40 %")));
}

void WindowTest::arrivalsAreToldInWords()
{
    const std::pair<const char*, const char*> all[]{
        {"poisson:peak=2.5,hour=14", "at random, at 14:00 2.5 times the mean of the day"},
        {"gamma:cv=2", "in bursts, gaps that vary by 2 times their mean"},
        {"closed:think=20", "each user again 20 s after an answer"},
        {"constant:peak=2,hour=9.5", "evenly, at 9:30 2 times the mean of the day"}};
    for (const auto& [key, words] : all) {
        Scenario scenario = m->desk.session().scenario();
        scenario.traffic = key;
        const QString told = scenarioWords(scenario, m->desk.session().catalogue());
        QVERIFY2(told.contains(QStringLiteral("Arrivals ") + QLatin1String(words)), qPrintable(told));
    }
}

void WindowTest::aCardIsTakenAndTakenBack()
{
    QVERIFY(QTest::qWaitFor([&] { return m->planView().depth == PlanDepth::Replayed; }, patienceMs));
    const Choices choices = choicesOf(*m->planView().sizing);
    QVERIFY(choices.all.size() >= 2);
    ChoiceCards& cards = m->window->answer().cards();
    QCOMPARE(cards.texts().size(), static_cast<int>(choices.all.size()));
    const Scenario before = m->desk.session().scenario();
    for (std::size_t i = 0; i < choices.all.size(); ++i) {
        const QString text = cards.texts().at(static_cast<int>(i));
        const Candidate& service = *choices.all[i].service;
        QVERIFY(text.contains(QString::fromStdString(machinesText(service))));
        QVERIFY(text.contains(confidenceText(service.confidence)));
        QCOMPARE(text.startsWith(u'★'), i == choices.recommended);
    }
    const std::size_t other = choices.recommended == 0 ? 1 : 0;
    const int gpus = choices.all[other].service->gpus();
    QToolButton* const card = cards.findChildren<QToolButton*>().at(static_cast<int>(other));
    card->setFocus();
    QTest::keyClick(card, Qt::Key_Space);
    QVERIFY(!(m->desk.session().scenario() == before));
    QVERIFY(QTest::qWaitFor([&] { return m->desk.session().isCurrent(); }, patienceMs));
    QCOMPARE(m->planView().answer().gpus(), gpus);
    m->desk.workspace->current()->undoStack().undo();
    QVERIFY(m->desk.session().scenario() == before);
}

void WindowTest::commandsCanBeTyped()
{
    AskBar& bar = m->window->askBar();
    const QString before = bar.editor()->text();
    bar.editor()->setFocus();
    QTest::keyClick(m->window.get(), Qt::Key_K, Qt::ControlModifier);
    CommandPalette& palette = *m->window->commandPalette();
    QCOMPARE(QApplication::focusWidget(), palette.editor());
    QTest::keyClicks(palette.editor(), QStringLiteral("rooflin"));
    QCOMPARE(palette.entries().size(), 2);
    QCOMPARE(palette.entries().constFirst(), QStringLiteral("Ask: rooflin"));
    QTest::keyClick(palette.editor(), Qt::Key_Down);
    QTest::keyClick(palette.editor(), Qt::Key_Return);
    QCOMPARE(m->window->currentView()->objectName(), QStringLiteral("roofline"));
    QVERIFY(!palette.isVisible());
    QCOMPARE(QApplication::focusWidget(), bar.editor()); // where the keyboard was
    QCOMPARE(bar.editor()->text(), before);
    // A model of the catalogue is taken, and taken back.
    const Scenario scenario = m->desk.session().scenario();
    QTest::keyClick(m->window.get(), Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(palette.editor(), QStringLiteral("llama-3.1-8b"));
    QTest::keyClick(palette.editor(), Qt::Key_Down);
    QTest::keyClick(palette.editor(), Qt::Key_Return);
    QCOMPARE(m->desk.session().scenario().model, std::string("llama-3.1-8b"));
    m->desk.workspace->current()->undoStack().undo();
    QVERIFY(m->desk.session().scenario() == scenario);
    // What is no command is a question.
    QTest::keyClick(m->window.get(), Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(palette.editor(), QStringLiteral("how many H100s for Llama-70B at 30 TPS"));
    QTest::keyClick(palette.editor(), Qt::Key_Return);
    QCOMPARE(m->desk.session().scenario().targets.tokensPerSecond, std::optional<double>(30));
}

void WindowTest::helpHoldsTheDocumentation()
{
    int pages = 0;
    for (QAction* action : m->window->menuBar()->actions().constLast()->menu()->actions()) {
        if (action->isSeparator() || action->text().contains(QStringLiteral("About"))
            || action->text().contains(QStringLiteral("tour")))
            continue;
        action->trigger();
        const auto* words = m->window->findChild<QTextBrowser*>(QStringLiteral("page"));
        QVERIFY2(words && words->toPlainText().size() > 500, qPrintable(action->text()));
        delete words->parentWidget();
        ++pages;
    }
    QVERIFY(pages >= 4);
}

void WindowTest::theProgramAnswersWithoutADisplay()
{
    QProcessEnvironment bare = QProcessEnvironment::systemEnvironment();
    for (const char* display : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        bare.remove(QLatin1String(display));
    const auto answer = [&](const QStringList& words) {
        QProcess program;
        program.setProcessEnvironment(bare);
        program.start(QCoreApplication::applicationDirPath() + QStringLiteral("/headroom-desktop"), words);
        return program.waitForFinished(-1) && program.exitStatus() == QProcess::NormalExit
            ? std::pair(program.exitCode(),
                        QString::fromUtf8(program.readAllStandardOutput() + program.readAllStandardError()))
            : std::pair(-1, QString());
    };
    const auto help = answer({QStringLiteral("--help")});
    QVERIFY(help.first == 0 && help.second.contains(QStringLiteral("headroom-desktop [FILE]")));
    const auto version = answer({QStringLiteral("--version")});
    QVERIFY(version.first == 0 && version.second.startsWith(QStringLiteral("headroom-desktop ")));
    QCOMPARE(answer({QStringLiteral("--nonsense")}).first, 2);
    const auto plain = answer({});
    QVERIFY(plain.first == 3 && plain.second.contains(QStringLiteral("no display")));
}

void WindowTest::everyKeyOfAScenarioHasItsField()
{
    for (const ScenarioKey& key : scenarioKeys()) {
        const QString name = QString::fromUtf8(key.name.data(), static_cast<qsizetype>(key.name.size()));
        if (name == QStringLiteral("model") || name == QStringLiteral("gpu"))
            QVERIFY(m->window->scenarioPanel().findChild<Picker*>(name));
        else
            QVERIFY2(m->window->scenarioPanel().field(name), qPrintable(name));
    }
}

void WindowTest::hintsOfTheWindowRunNoCommands()
{
    QCOMPARE(inWindowWords(QStringLiteral("no price is known for X: give --price")),
             QStringLiteral("no price is known for X: give “GPU price (US$/h)”"));
    QCOMPARE(inWindowWords(QStringLiteral("--tensor-parallel-size 2")),
             QStringLiteral("--tensor-parallel-size 2")); // an engine's own
    QCOMPARE(problemText({"model", "is unknown", "'headroom list models' shows all 90 of them"}),
             QStringLiteral("model: is unknown"));
    Scenario wrong = m->desk.session().scenario();
    wrong.model = "no-such-model";
    m->desk.workspace->current()->edit(wrong, QStringLiteral("a"));
    QVERIFY(QTest::qWaitFor([&] { return !m->desk.session().problems().empty(); }, patienceMs));
    for (const Problem& problem : m->desk.session().problems())
        QVERIFY2(!problemText(problem).contains(QStringLiteral("headroom ")),
                 qPrintable(problemText(problem)));
    m->desk.workspace->current()->undoStack().undo();
}

void WindowTest::manyRandomEdits()
{
    const int edits = test::cases(150, 1000);
    std::mt19937 random(20261121);
    const auto below
        = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
    const QStringList values{QStringLiteral("1"),
                             QStringLiteral("0"),
                             QStringLiteral("-3"),
                             QStringLiteral("7.5"),
                             QStringLiteral("1e9"),
                             QStringLiteral("abc"),
                             QString(),
                             QStringLiteral("fp8"),
                             QStringLiteral("llama-3.1-8b"),
                             QStringLiteral("uniform:10-20"),
                             QStringLiteral("0.5"),
                             QStringLiteral("4"),
                             QStringLiteral("16"),
                             QStringLiteral("nan"),
                             QStringLiteral("static"),
                             QStringLiteral("东西"),
                             QStringLiteral("h100-sxm-80gb")};
    QList<ScenarioField*> fields = m->window->scenarioPanel().findChildren<ScenarioField*>();
    QVERIFY(fields.size() > 30);
    const QStringList views = m->window->viewNames();
    for (int i = 0; i < edits; ++i) {
        ScenarioField* field = fields[static_cast<qsizetype>(below(static_cast<std::size_t>(fields.size())))];
        emit field->edited(QString::fromLatin1(field->spec().key),
                           values[static_cast<qsizetype>(below(static_cast<std::size_t>(values.size())))]);
        if (below(7) == 0)
            m->desk.workspace->current()->undoStack().undo();
        if (below(40) == 0)
            m->window->showView(views[static_cast<qsizetype>(below(static_cast<std::size_t>(views.size())))]);
        if (below(5) == 0)
            QCoreApplication::processEvents();
    }
    while (m->desk.workspace->current()->undoStack().canUndo())
        m->desk.workspace->current()->undoStack().undo();
    QCOMPARE(m->desk.session().scenario().model, std::string("llama-3.1-70b"));
    QVERIFY(QTest::qWaitFor([&] { return m->planView().asked == m->desk.session().scenario(); }, patienceMs));
}

#include "moc_window_test.cpp"
