#include "tests/app/desktop/story_test.h"

#include "app/desktop/charts/chart.h"
#include "app/desktop/panels/answer_header.h"
#include "app/desktop/panels/ask_bar.h"
#include "app/desktop/panels/choice_cards.h"
#include "app/desktop/panels/picker.h"
#include "app/desktop/panels/pin_tray.h"
#include "app/desktop/panels/scenario_field.h"
#include "app/desktop/panels/scenario_panel.h"
#include "app/desktop/tables/table_panel.h"
#include "app/desktop/text/example_questions.h"
#include "app/desktop/text/glossary.h"
#include "app/desktop/text/meant_words.h"
#include "app/desktop/text/scenario_line.h"
#include "app/desktop/views/compare_view.h"
#include "app/desktop/views/layouts_view.h"
#include "app/desktop/window/application.h"
#include "app/desktop/window/command_palette.h"
#include "app/desktop/window/glossary_tips.h"
#include "app/desktop/window/main_window.h"
#include "app/desktop/window/notice_bar.h"
#include "app/desktop/window/start_page.h"
#include "app/desktop/window/tour.h"
#include "model/scenario/scenario_keys.h"
#include "tests/app/desktop/fixture.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QTabBar>
#include <QTableView>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

using namespace headroom;
using namespace headroom::app;

struct StoryTest::State {
    Desk desk;
    std::unique_ptr<MainWindow> window;

    void open()
    {
        window = std::make_unique<MainWindow>(*desk.workspace);
        window->resize(1400, 900);
        window->show();
    }
    [[nodiscard]] const PlanView& planView() const { return *desk.session().planView(); }
    [[nodiscard]] Document& document() const { return *desk.workspace->current(); }
    // Until what is asked now is answered, and replayed where that matters.
    [[nodiscard]] bool answered() const
    {
        return QTest::qWaitFor(
            [this] {
                return desk.session().isCurrent() && !desk.session().isPlanning()
                    && planView().depth == PlanDepth::Replayed;
            },
            patienceMs);
    }
};

StoryTest::StoryTest() = default;
StoryTest::~StoryTest() = default;

void StoryTest::init()
{
    m = std::make_unique<State>();
    m->open();
    QVERIFY(QTest::qWaitForWindowExposed(m->window.get(), patienceMs));
}

void StoryTest::cleanup() { m.reset(); }

namespace {

// Where keys go: to what has popped up, else to what has the focus.
QWidget& listening()
{
    if (QWidget* const popup = QApplication::activePopupWidget())
        return popup->focusWidget() ? *popup->focusWidget() : *popup;
    // Where there is no screen, a popup that closed stays the active window.
    if (const QWidget* const active = QApplication::activeWindow(); !active || !active->isVisible())
        for (QWidget* window : QApplication::topLevelWidgets())
            if (qobject_cast<MainWindow*>(window) && window->isVisible())
                QApplication::setActiveWindow(window);
    QWidget* const focused = QApplication::focusWidget();
    return focused ? *focused : *QApplication::activeWindow();
}

void press(Qt::Key key, Qt::KeyboardModifiers with = Qt::NoModifier)
{
    QTest::keyClick(&listening(), key, with);
}

void type(const QString& words)
{
    for (const QChar letter : words)
        QTest::keyClicks(&listening(), letter);
}

// Tab by Tab to what is looked for.
template <typename Wanted>
bool walkTo(const Wanted& wanted)
{
    constexpr int mostSteps = 300;
    for (int i = 0; i < mostSteps; ++i) {
        if (wanted(listening()))
            return true;
        press(Qt::Key_Tab);
    }
    return false;
}

// Puts a path into the dialog that the next key opens.
void answerDialog(const QString& path)
{
    auto* timer = new QTimer(qApp);
    QObject::connect(timer, &QTimer::timeout, qApp, [timer, path] {
        auto* const dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        auto* const name = dialog ? dialog->findChild<QLineEdit*>() : nullptr;
        if (!name)
            return;
        timer->deleteLater();
        name->setText(path); // typed, the dialog's own list of files would hold the keys
        QTest::keyClick(name, Qt::Key_Return);
    });
    timer->start(20);
}

} // namespace

void StoryTest::theStoryByKeyboardAlone()
{
    // The start page, and a kind of service from its gallery.
    m->window->showStart();
    QCOMPARE(QApplication::focusWidget(), m->window->startPage()->question());
    QVERIFY(walkTo([](const QWidget& w) { return w.objectName() == QStringLiteral("gallery"); }));
    press(Qt::Key_Space);
    QVERIFY(!m->window->isAtStart());
    QCOMPARE(m->window->askBar().editor()->text(), galleryEntries().constFirst().question);
    QVERIFY(m->answered());
    QCOMPARE(m->desk.workspace->count(), 1); // the untouched example made room

    // A question of one's own.
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("how many A100s for Llama-70B at 30 TPS"));
    press(Qt::Key_Return);
    QVERIFY2(m->window->askBar().problem().isEmpty(), qPrintable(m->window->askBar().problem()));
    QCOMPARE(m->desk.session().scenario().targets.tokensPerSecond, std::optional<double>(30));
    QVERIFY(m->answered());

    // The palette finds the field, where another speed is typed.
    press(Qt::Key_K, Qt::ControlModifier);
    type(QStringLiteral("speed for each"));
    QCOMPARE(m->window->commandPalette()->entries().value(1), QStringLiteral("Speed for each user"));
    press(Qt::Key_Down);
    press(Qt::Key_Return);
    QCOMPARE(QApplication::focusWidget(), m->window->scenarioPanel().field(QStringLiteral("tps"))->editor());
    press(Qt::Key_A, Qt::ControlModifier);
    type(QStringLiteral("20"));
    QCOMPARE(m->desk.session().scenario().targets.tokensPerSecond, std::optional<double>(20));
    QCOMPARE(m->window->askBar().editor()->text(), QStringLiteral("how many A100s for Llama-70B at 20 TPS"));
    QVERIFY(m->answered());
    const QString before = m->window->answer().headline();

    // Another of the cards, which is pinned; then back to the first.
    QVERIFY(walkTo([](const QWidget& w) {
        const auto* const card = qobject_cast<const QToolButton*>(&w);
        return card && card->objectName() == QStringLiteral("card") && !card->isChecked();
    }));
    press(Qt::Key_Space);
    QVERIFY(m->answered());
    const QString other = m->window->answer().headline();
    QVERIFY(other != before);
    press(Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(m->desk.workspace->pins().all().size(), 1);
    press(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(m->answered());
    QCOMPARE(m->window->answer().headline(), before);
    QVERIFY(m->window->pins().isVisible());
    QVERIFY2(m->window->pins().texts().value(0).contains(other),
             qPrintable(m->window->pins().texts().value(0)));

    // Side by side.
    press(Qt::Key_8, Qt::ControlModifier);
    auto* const compare = qobject_cast<CompareView*>(m->window->currentView());
    QVERIFY(compare);
    QVERIFY(walkTo([](const QWidget& w) { return qobject_cast<const Picker*>(&w) && w.isVisible(); }));
    press(Qt::Key_Space);
    QVERIFY(QApplication::activePopupWidget());
    type(QStringLiteral("l40s"));
    press(Qt::Key_Return);
    press(Qt::Key_Escape);
    QVERIFY(!QApplication::activePopupWidget());
    QVERIFY(QTest::qWaitFor([&] { return !compare->isBusy(); }, patienceMs));
    QStringList columns;
    for (const auto& [name, planView] : compare->model().planViews())
        columns << name;
    for (const char* wanted : {"Pinned", "L40S"})
        QVERIFY2(columns.filter(QLatin1String(wanted)).size() == 1, qPrintable(columns.join(u'\n')));

    // The report, and the file.
    const QString pdf = m->desk.home.filePath(QStringLiteral("offer.pdf"));
    answerDialog(pdf);
    press(Qt::Key_E, Qt::ControlModifier);
    QVERIFY(QTest::qWaitFor([&] { return m->window->notices().text().contains(pdf); }, patienceMs));
    QVERIFY(QFileInfo(pdf).size() > 20000);
    const QString file = m->desk.home.filePath(QStringLiteral("offer.yaml"));
    answerDialog(file);
    press(Qt::Key_S, Qt::ControlModifier);
    QVERIFY(QFileInfo::exists(file));
    QVERIFY(!m->document().isModified());

    // Another day.
    m->window.reset();
    m->desk.reopen();
    m->open();
    m->window->showStart();
    QVERIFY(walkTo([](const QWidget& w) { return qobject_cast<const QListWidget*>(&w) != nullptr; }));
    press(Qt::Key_Down);
    press(Qt::Key_Home);
    press(Qt::Key_Return);
    QVERIFY(!m->window->isAtStart());
    QCOMPARE(m->document().path(), file);
    QVERIFY(m->answered());
    QCOMPARE(m->window->answer().headline(), before);
    QTRY_VERIFY_WITH_TIMEOUT(m->window->pins().texts().value(0).contains(other), patienceMs);
}

void StoryTest::theStartPageOffersWhatThereIs()
{
    const QString path = m->desk.home.filePath(QStringLiteral("kept.yaml"));
    QVERIFY(m->desk.workspace->save(m->document(), path));
    m->window->showStart();
    QVERIFY(m->window->isAtStart());
    auto* const recent = m->window->startPage()->findChild<QListWidget*>();
    QCOMPARE(recent->item(0)->text(), QStringLiteral("kept.yaml"));
    QCOMPARE(m->window->startPage()->findChildren<QToolButton*>(QStringLiteral("gallery")).size(),
             galleryEntries().size());
    // Back to the work, with its panels.
    press(Qt::Key_Escape);
    QVERIFY(!m->window->isAtStart());
    QVERIFY(m->window->scenarioPanel().isVisible());
    // Each of the gallery, and each example, is understood as it stands, in both languages.
    for (const QString& language : {QStringLiteral("en"), QStringLiteral("zh_CN")}) {
        qobject_cast<Application*>(qApp)->setLanguage(language);
        AskBar bar(*m->desk.workspace);
        QStringList questions = exampleQuestions();
        for (const GalleryEntry& entry : galleryEntries())
            questions << entry.question;
        for (const QString& question : questions) {
            bar.ask(question);
            QVERIFY2(bar.problem().isEmpty(), qPrintable(question + u'\n' + bar.problem()));
            QVERIFY2(bar.chips().size() >= 3, qPrintable(question));
        }
    }
    qobject_cast<Application*>(qApp)->setLanguage(QStringLiteral("en"));
}

void StoryTest::theTourShowsEveryPlace()
{
    for (QAction* action : m->window->findChildren<QAction*>())
        if (action->text().contains(QStringLiteral("tour")))
            action->trigger();
    QVERIFY(m->window->tour() && m->window->tour()->isRunning());
    QStringList seen;
    while (m->window->tour()->isRunning() && seen.size() < 20) {
        seen << m->window->tour()->words();
        press(Qt::Key_Right);
    }
    QVERIFY(seen.size() >= 5);
    QCOMPARE(seen.removeDuplicates(), 0);
    QVERIFY(!m->window->tour()->isRunning());
}

void StoryTest::pinsTellHowTheyDiffer()
{
    QVERIFY(m->answered());
    Pins& pins = m->desk.workspace->pins();
    QTest::keyClick(m->window.get(), Qt::Key_D, Qt::ControlModifier);
    QTest::keyClick(m->window.get(), Qt::Key_D, Qt::ControlModifier); // what is pinned stays
    QCOMPARE(pins.all().size(), 1);
    QVERIFY(m->window->pins().texts().constFirst().endsWith(QStringLiteral("the same")));
    const int gpus = m->planView().answer().gpus();
    Scenario doubled = m->desk.session().scenario();
    doubled.gpuCount = 2 * gpus;
    m->document().edit(doubled, QStringLiteral("a"));
    QVERIFY(m->answered());
    QCOMPARE(m->planView().answer().gpus(), 2 * gpus);
    const QString text = m->window->pins().texts().constFirst();
    QVERIFY2(text.contains(QStringLiteral("%1 GPUs fewer").arg(gpus)), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("less")), qPrintable(text));
    // Its curve lies over the batch charts.
    m->window->showView(QStringLiteral("batch"));
    for (const Chart* chart : m->window->currentView()->findChildren<Chart*>())
        QVERIFY(chart->data().series.constLast().name.startsWith(QStringLiteral("Pinned")));
    // A card of the choice can be pinned, planned and taken off by keys.
    QTRY_VERIFY_WITH_TIMEOUT(!pins.isPlanning(), patienceMs);
    QToolButton* const card = m->window->pins().findChild<QToolButton*>(QStringLiteral("pin"));
    card->setFocus();
    QTest::keyClick(card, Qt::Key_Delete);
    QVERIFY(pins.all().isEmpty());
    QVERIFY(!m->window->pins().isVisible());
    for (const Chart* chart : m->window->currentView()->findChildren<Chart*>())
        QVERIFY(!chart->data().series.constLast().name.startsWith(QStringLiteral("Pinned")));
}

void StoryTest::aMarkedBatchIsInEveryView()
{
    QVERIFY(m->answered());
    m->window->showView(QStringLiteral("batch"));
    const QList<Chart*> charts = m->window->currentView()->findChildren<Chart*>();
    const ChartSeries& curve = charts.constFirst()->data().series.constFirst();
    const auto eight = static_cast<int>(curve.x.indexOf(8.0));
    QVERIFY(eight >= 0);
    emit charts.constFirst()->pointClicked(0, eight);
    QCOMPARE(m->document().markedBatch(), std::optional<double>(8));
    for (const char* view : {"batch", "memory", "tradeoff"}) {
        m->window->showView(QLatin1String(view));
        QVERIFY(QTest::qWaitFor([&] { return !m->window->currentView()->isBusy(); }, patienceMs));
        int marked = 0;
        for (const Chart* chart : m->window->currentView()->findChildren<Chart*>())
            marked += chart->chosen().first >= 0 ? 1 : 0;
        QVERIFY2(marked > 0 || QLatin1String(view) == QLatin1String("tradeoff"), view); // where one runs so
    }
    // A layout that is chosen in the table marks its own.
    m->window->showView(QStringLiteral("layouts"));
    auto* const layouts = qobject_cast<LayoutsView*>(m->window->currentView());
    QVERIFY(layouts);
    layouts->panel().selectSourceRow(1);
    QVERIFY(m->document().markedBatch().has_value());
    m->document().markBatch({});
    m->window->showView(QStringLiteral("batch"));
    for (const Chart* chart : m->window->currentView()->findChildren<Chart*>())
        QVERIFY(chart->chosen().first < 0);
}

void StoryTest::theLineOfTheTargetIsDragged()
{
    QVERIFY(m->answered());
    m->window->showView(QStringLiteral("batch"));
    Chart* const chart = m->window->currentView()->findChild<Chart*>();
    const Scenario before = m->desk.session().scenario();
    QCOMPARE(before.targets.tokensPerSecond, std::optional<double>(20));
    // By the hand that holds it, and by keys: both are the edit of one field.
    emit chart->markDragged(QStringLiteral("tps"), 25); // ms between tokens
    QCOMPARE(m->desk.session().scenario().targets.tokensPerSecond, std::optional<double>(40));
    QCOMPARE(m->window->scenarioPanel().field(QStringLiteral("tps"))->editor()->text(), QStringLiteral("40"));
    m->document().undoStack().undo();
    QVERIFY(m->desk.session().scenario() == before);
    QVERIFY(m->answered());
    chart->setFocus();
    QTest::keyClick(chart, Qt::Key_Up, Qt::ShiftModifier); // a longer time is a lower speed
    QVERIFY(*m->desk.session().scenario().targets.tokensPerSecond < 20);
    m->document().undoStack().undo();
    QVERIFY(m->desk.session().scenario() == before);
}

void StoryTest::wordsOfTheTradeAreExplained()
{
    QVERIFY(glossaryTip(QStringLiteral("TP 2 · vLLM")).contains(QStringLiteral("Tensor parallel")));
    QVERIFY(glossaryTip(QStringLiteral("stop")).isEmpty()); // a word is no part of another
    QLabel label(QStringLiteral("TTFT within 1 s"));
    const QHelpEvent rests(QEvent::ToolTip, {}, {});
    QVERIFY(glossaryTip(wordsUnder(label, rests)).contains(QStringLiteral("first token")));
    QVERIFY(showGlossaryTip(label, rests));
    QTabBar tabs;
    tabs.addTab(QStringLiteral("Compare"));
    QVERIFY(!showGlossaryTip(tabs, rests));
    for (const GlossaryEntry& entry : glossary())
        QVERIFY2(!glossaryOf(entry.word).isEmpty(), qPrintable(entry.word));
}

void StoryTest::theStartCommandIsCopied()
{
    QVERIFY(m->answered());
    QTest::keyClick(m->window.get(), Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
    const QString command = QApplication::clipboard()->text();
    QVERIFY2(command.contains(QStringLiteral("vllm serve")), qPrintable(command));
    QVERIFY(command.contains(QStringLiteral("--tensor-parallel-size")));
}

void StoryTest::aScenarioIsPastedAsALine()
{
    Scenario scenario = m->desk.session().scenario();
    scenario.name = "an offer & more: 100 %";
    scenario.growthPerYear = 0.4;
    QVERIFY(findScenarioKey("prompt")->set(scenario, "lognormal:mean=1155,p99=7000").empty());
    m->document().edit(scenario, QStringLiteral("a"));
    QTest::keyClick(m->window.get(), Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
    const QString line = QApplication::clipboard()->text();
    QVERIFY(!line.contains(u'\n') && isScenarioLine(line));
    const Result<Scenario> read = scenarioOfLine(line);
    QVERIFY(read && *read == m->desk.session().scenario());
    const int scenarios = m->desk.workspace->count();
    m->window->askBar().ask(line);
    QCOMPARE(m->desk.workspace->count(), scenarios + 1);
    QVERIFY(m->desk.session().scenario() == *read);
    QVERIFY(!scenarioOfLine(QStringLiteral("headroom:modle=x")));
}

void StoryTest::whatWasMeantIsAClickAway()
{
    AskBar& bar = m->window->askBar();
    const Scenario before = m->desk.session().scenario();
    bar.editor()->setText(QStringLiteral("how many H1000 for Llama-70B at 30 TPS"));
    QTest::keyClick(bar.editor(), Qt::Key_Return);
    QVERIFY(!bar.problem().isEmpty());
    QVERIFY(m->desk.session().scenario() == before);
    auto* const problem = bar.findChild<QLabel*>(QStringLiteral("ask-problem"));
    static const QRegularExpression link(QStringLiteral("href='(meant:[^']+)'"));
    const QString first = link.match(problem->text()).captured(1);
    QVERIFY2(!first.isEmpty(), qPrintable(problem->text()));
    QCOMPARE(meantWordOf(first).said, QStringLiteral("H1000"));
    emit problem->linkActivated(first);
    QVERIFY2(bar.problem().isEmpty(), qPrintable(bar.problem()));
    QCOMPARE(m->desk.session().scenario().targets.tokensPerSecond, std::optional<double>(30));
    QVERIFY(
        QString::fromStdString(m->desk.session().scenario().gpus.front()).startsWith(QStringLiteral("h100")));
}

#include "moc_story_test.cpp"
