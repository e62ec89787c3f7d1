#include "tests/app/desktop/documents_test.h"

#include "app/desktop/panels/answer_header.h"
#include "app/desktop/panels/hint_row.h"
#include "app/desktop/session/applied_change.h"
#include "app/desktop/window/main_window.h"
#include "headroom_source_dir.h"
#include "model/ask/question.h"
#include "model/words/catalogue_vocabulary.h"
#include "tests/app/desktop/fixture.h"

#include <QFile>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QToolButton>

#include <random>

using namespace headroom;
using namespace headroom::app;

void DocumentsTest::opensOnAnAnsweredExample()
{
    Desk desk;
    QVERIFY(desk.settle());
    QVERIFY(desk.session().planView());
    QVERIFY(desk.session().planView()->sizing->meets);
    QVERIFY(!desk.workspace->current()->isModified());
}

void DocumentsTest::undoTakesBackEveryEdit()
{
    Desk desk;
    Document& document = *desk.workspace->current();
    document.setMergeWithin(patienceMs);
    const Scenario before = document.session().scenario();
    document.edit(withSpeed(before, 30), QStringLiteral("a"), QStringLiteral("tps"));
    document.edit(withSpeed(before, 40), QStringLiteral("b"), QStringLiteral("tps"));
    QCOMPARE(document.undoStack().count(), 1); // one drag of a slider is one edit
    Scenario other = document.session().scenario();
    other.model = "llama-3.1-8b";
    document.edit(other, QStringLiteral("c"), QStringLiteral("model"));
    QCOMPARE(document.undoStack().count(), 2);
    QVERIFY(document.isModified());
    document.undoStack().undo();
    QCOMPARE(document.session().scenario().targets.tokensPerSecond, std::optional<double>(40));
    document.undoStack().undo();
    QCOMPARE(document.session().scenario(), before);
    QVERIFY(!document.isModified());
    document.undoStack().redo();
    document.undoStack().redo();
    QCOMPARE(document.session().scenario(), other);
}

void DocumentsTest::aSavedScenarioOpensEqual()
{
    Desk desk;
    Document& document = *desk.workspace->current();
    document.edit(withSpeed(document.session().scenario(), 33), QStringLiteral("a"));
    const QString path = desk.home.filePath(QStringLiteral("mine.yaml"));
    QVERIFY(desk.workspace->save(document, path));
    QVERIFY(!document.isModified());
    const Scenario saved = document.session().scenario();
    desk.workspace->close(0);
    desk.workspace->open(path);
    QCOMPARE(desk.session().scenario(), saved);
    QCOMPARE(desk.workspace->settings().recentFiles().constFirst(), path);
    desk.workspace->open(path); // again: the same document, not a second one
    QCOMPARE(desk.workspace->count(), 2);
}

void DocumentsTest::aBrokenFileIsToldWithItsPlace()
{
    Desk desk;
    const QString path = desk.home.filePath(QStringLiteral("bad.yaml"));
    write(path, "modell: x\n");
    (void)desk.workspace->takeNotices();
    desk.workspace->open(path);
    const QStringList notices = told(*desk.workspace);
    QCOMPARE(notices.size(), 1);
    QVERIFY2(notices[0].contains(QStringLiteral("bad.yaml:1:1")), qPrintable(notices[0]));
    QCOMPARE(desk.workspace->count(), 1);
}

void DocumentsTest::theLastGoodAnswerStaysWhenTheInputIsWrong()
{
    Desk desk;
    QVERIFY(desk.settle());
    const auto good = desk.session().planView();
    Scenario bad = desk.session().scenario();
    bad.model = "no-such-model";
    QSignalSpy told(&desk.session(), &Session::problemsChanged);
    desk.workspace->current()->edit(bad, QStringLiteral("bad"));
    QVERIFY(told.wait(patienceMs));
    QVERIFY(!desk.session().problems().empty());
    QCOMPARE(desk.session().planView(), good);
    desk.workspace->current()->undoStack().undo();
    QVERIFY(told.wait(patienceMs));
    QVERIFY(desk.session().problems().empty());
}

void DocumentsTest::editsFasterThanPlansEndAtTheLast()
{
    Desk desk;
    QVERIFY(desk.settle());
    for (int i = 1; i <= 200; ++i)
        desk.workspace->current()->edit(withSpeed(desk.session().scenario(), 5 + i * 0.1),
                                        QStringLiteral("drag"), QStringLiteral("tps"));
    QVERIFY(QTest::qWaitFor([&] { return desk.session().planView()->asked == desk.session().scenario(); },
                            patienceMs));
    QCOMPARE(desk.session().planView()->asked.targets.tokensPerSecond, std::optional<double>(25.0));
}

void DocumentsTest::aRestingHandIsToldEverything()
{
    Desk desk;
    QVERIFY(desk.settle());
    Scenario busy = desk.session().scenario();
    busy.concurrency = 20; // of whom most wait: the traffic is replayed
    QVector<PlanDepth> depths;
    connect(&desk.session(), &Session::planViewChanged, this,
            [&] { depths << desk.session().planView()->depth; });
    desk.workspace->current()->edit(busy, QStringLiteral("a"));
    QVERIFY(QTest::qWaitFor([&] { return depths.size() == 3; }, patienceMs));
    const QVector<PlanDepth> all{PlanDepth::Answered, PlanDepth::Explained, PlanDepth::Replayed};
    QCOMPARE(depths, all);
    QVERIFY(!desk.session().isPlanning());
    QVERIFY(!desk.session().planView()->sizing->sensitivity.empty());
}

void DocumentsTest::brokenSettingsArePutAside()
{
    Desk desk;
    desk.workspace.reset();
    write(desk.places().settingsFile, QByteArray("\0\1\2 not settings", 16));
    desk.reopen();
    QVERIFY(QFile::exists(desk.places().settingsFile + QStringLiteral(".corrupt")));
    QVERIFY(told(*desk.workspace).join(u'\n').contains(QStringLiteral(".corrupt")));
    desk.workspace->settings().addAsked(QStringLiteral("still works"));
    QCOMPARE(desk.workspace->settings().askHistory(), QStringList{QStringLiteral("still works")});
}

void DocumentsTest::theEnvironmentChoosesTheLanguageUntilSomebodyDoes()
{
    const QByteArray before = qgetenv("LC_ALL");
    const auto back = qScopeGuard([&before] { qputenv("LC_ALL", before); });
    Desk desk;
    Settings& settings = desk.workspace->settings();
    qputenv("LC_ALL", "zh_CN.UTF-8");
    QCOMPARE(settings.language(), QStringLiteral("zh_CN"));
    qputenv("LC_ALL", "en_US.UTF-8");
    QCOMPARE(settings.language(), QStringLiteral("en"));
    settings.setLanguage(QStringLiteral("zh_CN"));
    QCOMPARE(settings.language(), QStringLiteral("zh_CN"));
}

namespace {

// A document that was asked for in these words.
Document& asked(const Desk& desk, const char* question)
{
    const auto read = ask::read(question, vocabularyOf(*desk.shared));
    if (!read)
        qFatal("%s", read.error().front().what.english().c_str());
    Scenario scenario = read->scenario;
    scenario.name = question;
    return desk.workspace->add(scenario);
}

} // namespace

void DocumentsTest::anEditTellsTheQuestionAnew()
{
    const Desk desk;
    Document& document
        = asked(desk, "how many H100s for Llama-70B at 20 TPS, 8k prompts, first token in 500 ms");
    const QString before = document.title();
    Scenario edited = document.session().scenario();
    edited.targets.tokensPerSecond = 42;
    document.edit(edited, QStringLiteral("a"));
    QCOMPARE(document.title(), QString(before).replace(QStringLiteral("20 TPS"), QStringLiteral("42 TPS")));
    QVERIFY(document.question().has_value());
    edited = document.session().scenario();
    edited.targets.ttft = Seconds(0.3);
    document.edit(edited, QStringLiteral("b"));
    QVERIFY2(document.title().contains(QStringLiteral("300 ms")), qPrintable(document.title()));
    edited = document.session().scenario();
    edited.model = "qwen3-32b";
    document.edit(edited, QStringLiteral("c"));
    QVERIFY2(document.title().contains(QStringLiteral("Qwen3 32B")), qPrintable(document.title()));
    QCOMPARE(document.title().toStdString(), document.session().scenario().name); // the file's, the report's
    while (document.undoStack().canUndo())
        document.undoStack().undo();
    QCOMPARE(document.title(), before);
}

void DocumentsTest::whatNoPhraseSaysIsToldByTheScenario()
{
    const Desk desk;
    Document& document = asked(desk, "how many H100s for Llama-70B at 20 TPS");
    Scenario edited = document.session().scenario();
    edited.spares = 2;
    document.edit(edited, QStringLiteral("a"));
    QVERIFY(!document.question().has_value());
    QVERIFY2(document.title().contains(QStringLiteral("Spare replicas 2")), qPrintable(document.title()));
    QVERIFY2(document.title().contains(QStringLiteral("20 tok/s")), qPrintable(document.title()));
    document.undoStack().undo();
    QCOMPARE(document.title(), QStringLiteral("how many H100s for Llama-70B at 20 TPS"));
}

void DocumentsTest::aNameThatSomebodyGaveStays()
{
    const Desk desk;
    Scenario named = Workspace::example();
    named.name = "Our chat service";
    Document& document = desk.workspace->add(named);
    document.edit(withSpeed(named, 42), QStringLiteral("a"));
    QCOMPARE(document.title(), QStringLiteral("Our chat service"));
}

void DocumentsTest::aSaveOfAnotherProgramIsTakenOver()
{
    const Desk one;
    Desk two;
    const QString path = one.home.filePath(QStringLiteral("shared.yaml"));
    Document& mine = *one.workspace->current();
    QVERIFY(one.workspace->save(mine, path));
    two.workspace->open(path);
    mine.edit(withSpeed(mine.session().scenario(), 77), QStringLiteral("a"));
    QVERIFY(one.workspace->save(mine, path));
    QVERIFY(QTest::qWaitFor([&] { return two.session().scenario().targets.tokensPerSecond == 77.0; },
                            patienceMs));
    QVERIFY(!two.workspace->current()->isModified());
    QVERIFY(told(*two.workspace).join(u' ').contains(QStringLiteral("another program")));
}

void DocumentsTest::aSaveOfAnotherProgramIsNotOverwritten()
{
    const Desk one;
    Desk two;
    const QString path = one.home.filePath(QStringLiteral("shared.yaml"));
    Document& mine = *one.workspace->current();
    QVERIFY(one.workspace->save(mine, path));
    two.workspace->open(path);
    Document& theirs = *two.workspace->current();
    theirs.edit(withSpeed(theirs.session().scenario(), 50), QStringLiteral("a"));
    mine.edit(withSpeed(mine.session().scenario(), 77), QStringLiteral("b"));
    QVERIFY(one.workspace->save(mine, path));
    QVERIFY(!two.workspace->save(theirs, path));
    QVERIFY(theirs.isModified());
    QVERIFY(two.workspace->save(theirs, path, Workspace::Overwrite::Yes));
    QVERIFY(!theirs.isModified());
}

void DocumentsTest::aModelOfAnIdThatWasImportedBeforeGetsAFileOfItsOwn()
{
    Desk desk;
    const QString config = QStringLiteral(HEADROOM_SOURCE_DIR "/tests/data/hf_configs/Falcon-40B.json");
    const QString models = desk.places().importFolder;
    desk.workspace->open(config);
    const QStringList one = QDir(models).entryList({QStringLiteral("*.yaml")});
    QCOMPARE(one.size(), 1);
    desk.workspace->open(config); // the same once more: nothing new
    QCOMPARE(QDir(models).entryList({QStringLiteral("*.yaml")}).size(), 1);
    write(QDir(models).filePath(one.front()), "corrected: by hand\n");
    desk.workspace->open(config);
    QCOMPARE(QDir(models).entryList({QStringLiteral("*.yaml")}).size(), 2);
    QFile kept(QDir(models).filePath(one.front()));
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), QByteArray("corrected: by hand\n"));
}

// Whatever runs beside the window (the answer, what explains it, hints, a view's own work, a report) is cut
// off or ends before what it works on does.
void DocumentsTest::aWindowMayCloseAtAnyMomentOfItsPlans()
{
    std::mt19937 random(1); // NOLINT: the same walk every time
    const QStringList views{QStringLiteral("serving"), QStringLiteral("models"), QStringLiteral("overtime"),
                            QStringLiteral("tradeoff"), QStringLiteral("sensitivity")};
    constexpr int windows = 12;
    for (int i = 0; i < windows; ++i) {
        auto desk = std::make_unique<Desk>();
        auto window = std::make_unique<MainWindow>(*desk->workspace);
        window->show();
        window->showView(views[i % views.size()]);
        const auto edits = static_cast<int>(random() % 6);
        for (int edit = 0; edit < edits; ++edit) {
            Scenario other = desk->session().scenario();
            other.concurrency = 1 + random() % 200;
            other.targets.tokensPerSecond = 5 + random() % 40;
            desk->workspace->current()->edit(other, QStringLiteral("a"));
            QTest::qWait(static_cast<int>(random() % 30));
        }
        // Planning, explaining (from 80 ms on), replaying with its hints (from 0.4 s on).
        QTest::qWait(static_cast<int>(i % 3 == 2 ? 380 + random() % 200 : random() % 130));
        if (i % 4 == 3)
            desk->workspace->close(0); // another scenario takes its place
        window.reset();
    }
}

void DocumentsTest::whatAHintChangesIsAppliedToWhatWasAsked()
{
    Desk desk;
    MainWindow window(*desk.workspace);
    window.show();
    Scenario asked = desk.session().scenario();
    asked.gpus = {"h100-sxm-80gb"};
    asked.requestsPerSecond = 6;
    asked.traffic = "poisson:peak=2.5,hour=14";
    desk.workspace->current()->edit(asked, QStringLiteral("a"));
    asked = desk.session().scenario(); // with its name
    QVERIFY(QTest::qWaitFor(
        [&] { return desk.session().isCurrent() && desk.session().planView()->depth == PlanDepth::Replayed; },
        patienceMs));
    const std::vector<Hint> hints = desk.session().planView()->sizing->hints; // before the edit
    QVERIFY(!hints.empty());
    QCOMPARE(window.answer().hints().texts().size(), static_cast<qsizetype>(hints.size()));
    auto* const first = window.answer().hints().findChild<QToolButton*>(QStringLiteral("hint"));
    QVERIFY2(first->toolTip().contains(QStringLiteral("in place of")), qPrintable(first->toolTip()));
    first->click();
    // The day stays as it was, though the hint was planned of its busiest hour.
    const Scenario& now = desk.session().scenario();
    QVERIFY(now != asked);
    QCOMPARE(now.traffic, asked.traffic);
    QCOMPARE(now.requestsPerSecond, asked.requestsPerSecond);
    QVERIFY(now == withChange(*desk.session().planView(), hints.front().scenario));
    desk.workspace->current()->undoStack().undo();
    QVERIFY(desk.session().scenario() == asked);
}

#include "moc_documents_test.cpp"
