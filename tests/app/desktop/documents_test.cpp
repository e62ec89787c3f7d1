#include "tests/app/desktop/documents_test.h"

#include "tests/app/desktop/fixture.h"

#include <QFile>
#include <QProcess>
#include <QSignalSpy>

using namespace headroom;
using namespace headroom::app;

namespace {

Scenario withSpeed(Scenario scenario, double tokensPerSecond)
{
    scenario.targets.tokensPerSecond = tokensPerSecond;
    return scenario;
}

void write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

} // namespace

void DocumentsTest::opensOnAnAnsweredExample()
{
    Desk desk;
    QVERIFY(desk.settle());
    QVERIFY(desk.session().study());
    QVERIFY(desk.session().study()->sizing->meets);
    QVERIFY(!desk.workspace->current()->isModified());
}

void DocumentsTest::undoTakesBackEveryEdit()
{
    Desk desk;
    Document& document = *desk.workspace->current();
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
    const QStringList notices = desk.workspace->takeNotices();
    QCOMPARE(notices.size(), 1);
    QVERIFY2(notices[0].contains(QStringLiteral("bad.yaml:1:1")), qPrintable(notices[0]));
    QCOMPARE(desk.workspace->count(), 1);
}

void DocumentsTest::theLastGoodAnswerStaysWhenTheInputIsWrong()
{
    Desk desk;
    QVERIFY(desk.settle());
    const auto good = desk.session().study();
    Scenario bad = desk.session().scenario();
    bad.model = "no-such-model";
    QSignalSpy told(&desk.session(), &Session::problemsChanged);
    desk.workspace->current()->edit(bad, QStringLiteral("bad"));
    QVERIFY(told.wait(20000));
    QVERIFY(!desk.session().problems().empty());
    QCOMPARE(desk.session().study(), good);
    desk.workspace->current()->undoStack().undo();
    QVERIFY(told.wait(20000));
    QVERIFY(desk.session().problems().empty());
}

void DocumentsTest::editsFasterThanPlansEndAtTheLast()
{
    Desk desk;
    QVERIFY(desk.settle());
    for (int i = 1; i <= 200; ++i)
        desk.workspace->current()->edit(withSpeed(desk.session().scenario(), 5 + i * 0.1),
                                        QStringLiteral("drag"), QStringLiteral("tps"));
    QVERIFY(
        QTest::qWaitFor([&] { return desk.session().study()->asked == desk.session().scenario(); }, 20000));
    QCOMPARE(desk.session().study()->asked.targets.tokensPerSecond, std::optional<double>(25.0));
}

void DocumentsTest::aRestingHandIsToldEverything()
{
    Desk desk;
    QVERIFY(desk.settle());
    Scenario busy = desk.session().scenario();
    busy.concurrency = 20; // of whom most wait: the traffic is replayed
    QVector<StudyDepth> depths;
    connect(&desk.session(), &Session::studyChanged, this, [&] { depths << desk.session().study()->depth; });
    desk.workspace->current()->edit(busy, QStringLiteral("a"));
    QVERIFY(QTest::qWaitFor([&] { return depths.size() == 3; }, 60000));
    const QVector<StudyDepth> all{StudyDepth::Answered, StudyDepth::Explained, StudyDepth::Replayed};
    QCOMPARE(depths, all);
    QVERIFY(!desk.session().isPlanning());
    QVERIFY(!desk.session().study()->sizing->sensitivity.empty());
}

void DocumentsTest::workOfAKilledProgramIsRecovered()
{
    Desk desk;
    QProcess victim;
    victim.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    victim.start(QCoreApplication::applicationFilePath(),
                 {QStringLiteral("--edit-until-killed"), desk.home.path()});
    QVERIFY(victim.waitForReadyRead(60000)); // it says so once the copy is on the disk
    victim.kill();
    QVERIFY(victim.waitForFinished());
    QCOMPARE(victim.exitStatus(), QProcess::CrashExit);
    desk.reopen();
    const Document* recovered = nullptr;
    for (int i = 0; i < desk.workspace->count(); ++i)
        if (desk.workspace->document(i)->session().scenario().model == "qwen2.5-7b")
            recovered = desk.workspace->document(i);
    QVERIFY(recovered);
    QVERIFY(recovered->isModified());
    QVERIFY(desk.workspace->takeNotices().join(u'\n').contains(QStringLiteral("recovered")));
}

void DocumentsTest::aBrokenRecoveryCopyIsPutAside()
{
    Desk desk;
    desk.workspace.reset();
    QVERIFY(QDir(desk.home.path()).mkpath(QStringLiteral("recovery/dead")));
    write(desk.home.filePath(QStringLiteral("recovery/dead/lost.yaml")), QByteArray("\0\xff{{{", 6));
    desk.reopen();
    QVERIFY(QFile::exists(desk.home.filePath(QStringLiteral("recovery/lost.yaml.corrupt"))));
    QVERIFY(desk.workspace->takeNotices().join(u'\n').contains(QStringLiteral("lost.yaml.corrupt")));
    QCOMPARE(desk.workspace->count(), 1); // the example
}

void DocumentsTest::brokenSettingsArePutAside()
{
    Desk desk;
    desk.workspace.reset();
    write(desk.places().settingsFile, QByteArray("\0\1\2 not settings", 16));
    desk.reopen();
    QVERIFY(QFile::exists(desk.places().settingsFile + QStringLiteral(".corrupt")));
    QVERIFY(desk.workspace->takeNotices().join(u'\n').contains(QStringLiteral(".corrupt")));
    desk.workspace->settings().addAsked(QStringLiteral("still works"));
    QCOMPARE(desk.workspace->settings().askHistory(), QStringList{QStringLiteral("still works")});
}

void DocumentsTest::anOrderlyEndLeavesNothingToRecover()
{
    Desk desk;
    desk.workspace->current()->edit(withSpeed(desk.session().scenario(), 7), QStringLiteral("a"));
    desk.workspace->recovery().writeNow();
    desk.reopen();
    QCOMPARE(desk.workspace->count(), 1);
    QVERIFY(!desk.workspace->current()->isModified());
}

int DocumentsTest::editUntilKilled(const QString& home)
{
    const auto catalogue = Catalogue::open(Catalogue::defaultRoot());
    Workspace workspace(*catalogue,
                        {home + QStringLiteral("/victim.ini"), home + QStringLiteral("/recovery"), home});
    workspace.start({});
    Scenario scenario = workspace.current()->session().scenario();
    scenario.model = "qwen2.5-7b";
    workspace.current()->edit(scenario, QStringLiteral("edit"));
    const QDir folder(home + QStringLiteral("/recovery"));
    // The copy is written by the program's own timer, not by this test.
    const bool written = QTest::qWaitFor(
        [&] {
            for (const QString& one : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
                if (!QDir(folder.filePath(one)).entryList({QStringLiteral("*.yaml")}).isEmpty())
                    return true;
            return false;
        },
        10000);
    std::puts(written ? "written" : "not written");
    std::fflush(stdout);
    return written ? QCoreApplication::exec() : 1;
}
