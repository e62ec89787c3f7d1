#include "tests/app/desktop/recovery_test.h"

#include "app/desktop/charts/chart_export.h"
#include "headroom_source_dir.h"
#include "model/yaml/scenario_yaml.h"
#include "tests/app/desktop/fixture.h"

#include <QFile>
#include <QProcess>
#include <QRandomGenerator>

#include <cerrno>
#include <cstring>

using namespace headroom;
using namespace headroom::app;

void RecoveryTest::workOfAKilledProgramIsRecovered()
{
    Desk desk;
    QProcess victim;
    victim.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    victim.start(QCoreApplication::applicationFilePath(),
                 {QStringLiteral("--edit-until-killed"), desk.home.path()});
    QVERIFY(victim.waitForReadyRead(patienceMs)); // it says so once the copy is on the disk
    victim.kill();
    QVERIFY(victim.waitForFinished(-1));
    QCOMPARE(victim.exitStatus(), QProcess::CrashExit);
    desk.reopen();
    const Document* recovered = nullptr;
    for (int i = 0; i < desk.workspace->count(); ++i)
        if (desk.workspace->document(i)->session().scenario().model == "qwen2.5-7b")
            recovered = desk.workspace->document(i);
    QVERIFY(recovered);
    QVERIFY(recovered->isModified());
    QVERIFY(told(*desk.workspace).join(u'\n').contains(QStringLiteral("recovered")));
}

void RecoveryTest::aBrokenRecoveryCopyIsPutAside()
{
    Desk desk;
    desk.workspace.reset();
    QVERIFY(QDir(desk.home.path()).mkpath(QStringLiteral("recovery/dead")));
    write(desk.home.filePath(QStringLiteral("recovery/dead/lost.yaml")), QByteArray("\0\xff{{{", 6));
    desk.reopen();
    QVERIFY(QFile::exists(desk.home.filePath(QStringLiteral("recovery/lost.yaml.corrupt"))));
    QVERIFY(told(*desk.workspace).join(u'\n').contains(QStringLiteral("lost.yaml.corrupt")));
    QCOMPARE(desk.workspace->count(), 1); // the example
}

void RecoveryTest::whatARunLeftOfItsLockKeepsNobodyFromItsWork()
{
    Desk desk;
    desk.workspace->current()->edit(withSpeed(desk.session().scenario(), 7), QStringLiteral("a"));
    const QByteArray yaml = QByteArray::fromStdString(desk.workspace->current()->yaml());
    // Killed between making a lock and filling it; or dead, and its number is another program's now.
    const QByteArray ours = QByteArray::number(QCoreApplication::applicationPid()) + "\ndesktop_test\n"
        + QSysInfo::machineHostName().toUtf8() + '\n';
    for (const QByteArray& left : {QByteArray(), ours}) {
        desk.workspace.reset();
        QVERIFY(QDir(desk.home.path()).mkpath(QStringLiteral("recovery/dead")));
        write(desk.home.filePath(QStringLiteral("recovery/gate")), left);
        write(desk.home.filePath(QStringLiteral("recovery/dead/lock")), left);
        write(desk.home.filePath(QStringLiteral("recovery/dead/lock.rmlock")), left);
        write(desk.home.filePath(QStringLiteral("recovery/dead/work.yaml")), yaml);
        desk.reopen();
        QCOMPARE(desk.session().scenario().targets.tokensPerSecond, std::optional<double>(7));
        QVERIFY(!QFile::exists(desk.home.filePath(QStringLiteral("recovery/dead"))));
    }
}

void RecoveryTest::aRunThatLivesKeepsItsCopies()
{
    Desk desk;
    desk.workspace->current()->edit(withSpeed(desk.session().scenario(), 7), QStringLiteral("a"));
    desk.workspace->recovery().writeNow();
    Workspace second(desk.shared, desk.places());
    second.start({});
    QVERIFY(!second.current()->isModified());
    QVERIFY(second.takeNotices().isEmpty());
}

void RecoveryTest::aTryOfLoadingCountsUntilThePlanIsDone()
{
    Desk desk;
    desk.workspace->current()->edit(withSpeed(desk.session().scenario(), 7), QStringLiteral("a"));
    const QByteArray yaml = QByteArray::fromStdString(desk.workspace->current()->yaml());
    desk.workspace.reset();
    QVERIFY(QDir(desk.home.path()).mkpath(QStringLiteral("recovery/dead")));
    write(desk.home.filePath(QStringLiteral("recovery/dead/work.yaml")), yaml);
    desk.reopen();
    const auto copies = [&] {
        QStringList names;
        const QDir root(desk.home.filePath(QStringLiteral("recovery")));
        for (const QString& one : root.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            names << QDir(root.filePath(one)).entryList({QStringLiteral("*.yaml")});
        return names;
    };
    QVERIFY(desk.session().isPlanning());
    desk.workspace->recovery().writeNow();
    QCOMPARE(copies(), QStringList{QStringLiteral("work.try1.yaml")});
    QVERIFY(QTest::qWaitFor([&] { return !desk.session().isPlanning(); }, patienceMs));
    desk.workspace->recovery().writeNow();
    QCOMPARE(copies(), QStringList{QStringLiteral("work.yaml")});
}

void RecoveryTest::anOrderlyEndLeavesNothingToRecover()
{
    Desk desk;
    desk.workspace->current()->edit(withSpeed(desk.session().scenario(), 7), QStringLiteral("a"));
    desk.workspace->recovery().writeNow();
    desk.reopen();
    QCOMPARE(desk.workspace->count(), 1);
    QVERIFY(!desk.workspace->current()->isModified());
}

void RecoveryTest::aRunThatIsKilledAnywhereLosesNothingThatWasWritten()
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    QSKIP("a sanitizer's runtime wants to be loaded first");
#endif
    // Killed at some call that changes a file of the recovery, again and again, start included: by count.
    bool given = false;
    const int wanted = qEnvironmentVariableIntValue("HEADROOM_TEST_KILLS", &given);
    const int kills = given ? wanted : 30;
    const QTemporaryDir home;
    QRandomGenerator random(25);
    int written = 0; // the last edit that a run told to be on the disk
    int killed = 0;
    for (int run = 0; run <= kills; ++run) {
        QProcess victim;
        victim.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        if (run < kills) { // the last one is left alone
            environment.insert(QStringLiteral("LD_PRELOAD"), QStringLiteral(HEADROOM_FAILING_CALLS));
            environment.insert(QStringLiteral("HEADROOM_TEST_FAULT"),
                               QStringLiteral("%1 0 %2/mark %2/recovery")
                                   .arg(QString::number(random.bounded(1, 60)), home.path()));
        }
        victim.setProcessEnvironment(environment);
        victim.start(QCoreApplication::applicationFilePath(),
                     {QStringLiteral("--edit-and-tell"), home.path()});
        QVERIFY(victim.waitForFinished(-1));
        killed += victim.exitStatus() == QProcess::CrashExit ? 1 : 0;
        for (const QByteArray& line : victim.readAllStandardOutput().split('\n')) {
            const int number = line.mid(line.indexOf(' ') + 1).toInt();
            if (line.startsWith("found "))
                QVERIFY2(
                    number >= written,
                    qPrintable(QStringLiteral("run %1 found %2 of %3").arg(run).arg(number).arg(written)));
            if (line.startsWith("kept "))
                written = number;
        }
    }
    QVERIFY(killed > kills / 2);
    QVERIFY(written > 0);
}

void RecoveryTest::whateverIsSavedIsTheOldOrTheNewFile_data()
{
    QTest::addColumn<QString>("what");
    for (const char* what : {"yaml", "json", "svg", "csv"})
        QTest::newRow(what) << QString::fromLatin1(what);
}

// A document, a model that is imported, a picture and a table, each with a call of the writing that fails or
// is the last.
void RecoveryTest::whateverIsSavedIsTheOldOrTheNewFile()
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    QSKIP("a sanitizer's runtime wants to be loaded first");
#endif
    QFETCH(const QString, what);
    const QTemporaryDir home;
    const QDir out(home.filePath(QStringLiteral("out")));
    const QString mark = home.filePath(QStringLiteral("mark"));
    const auto run = [&](int at, int error) {
        QProcess victim;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("LD_PRELOAD"), QStringLiteral(HEADROOM_FAILING_CALLS));
        environment.insert(
            QStringLiteral("HEADROOM_TEST_FAULT"),
            QStringLiteral("%1 %2 %3 %4").arg(QString::number(at), QString::number(error), mark, out.path()));
        victim.setProcessEnvironment(environment);
        victim.start(QCoreApplication::applicationFilePath(),
                     {QStringLiteral("--save-and-tell"), what, home.path()});
        victim.waitForFinished(-1);
        const int code = victim.exitStatus() == QProcess::CrashExit ? -1 : victim.exitCode();
        return std::pair(code, QString::fromLocal8Bit(victim.readAllStandardError()));
    };
    const auto contents = [&] {
        QMap<QString, QByteArray> all;
        for (const QString& name : out.entryList(QDir::Files | QDir::Hidden)) {
            QFile file(out.filePath(name));
            if (file.open(QIODevice::ReadOnly))
                all[name] = file.readAll();
        }
        return all;
    };
    QVERIFY(out.mkpath(QStringLiteral(".")));
    QCOMPARE(run(0, 0).first, 0);
    const QMap<QString, QByteArray> newer = contents();
    QCOMPARE(newer.size(), 1);
    const QByteArray older("what was there before\n");
    for (const int error : {ENOSPC, EIO, 0})
        for (int at = 1;; ++at) {
            QFile::remove(mark);
            for (const QString& name : out.entryList(QDir::Files | QDir::Hidden))
                QFile::remove(out.filePath(name));
            if (what != QStringLiteral("json")) // an import takes no other file's place
                write(out.filePath(newer.firstKey()), older);
            const auto [code, said] = run(at, error);
            if (!QFile::exists(mark)) {
                QVERIFY(at > 6); // open, mode, write, flush, close, rename
                break;
            }
            const QMap<QString, QByteArray> now = contents();
            const QByteArray file = now.value(newer.firstKey(), older);
            QVERIFY2(file == older || file == newer.first(), qPrintable(said));
            if (error == 0) {
                QCOMPARE(code, -1);
                continue;
            }
            QVERIFY(now.size() <= 1);
            QVERIFY2(code == 0 ? file == newer.first()
                               : said.contains(QString::fromLocal8Bit(std::strerror(error))),
                     qPrintable(said));
        }
}

void RecoveryTest::aCopyWhoseLoadingEndsTheProgramIsPutAsideAndKept()
{
    Desk desk;
    desk.workspace->current()->edit(withSpeed(desk.session().scenario(), 7), QStringLiteral("a"));
    const QByteArray yaml = QByteArray::fromStdString(desk.workspace->current()->yaml());
    desk.workspace.reset();
    QVERIFY(QDir(desk.home.path()).mkpath(QStringLiteral("recovery/dead")));
    // Three runs ended while they loaded it.
    write(desk.home.filePath(QStringLiteral("recovery/dead/bad.try3.yaml")), yaml);
    write(desk.home.filePath(QStringLiteral("recovery/dead/good.try1.yaml")), yaml);
    desk.reopen();
    QVERIFY(QFile::exists(desk.home.filePath(QStringLiteral("recovery/bad.try3.yaml.corrupt"))));
    QCOMPARE(desk.workspace->count(), 1);
    QVERIFY(desk.workspace->current()->isModified());
    QCOMPARE(desk.session().scenario().targets.tokensPerSecond, std::optional<double>(7));
}

// What was put aside is not lost either.
static double mostAsked(const Workspace& workspace, const QString& folder)
{
    double most = 0;
    for (int i = 0; i < workspace.count(); ++i)
        most
            = std::max(most, workspace.document(i)->session().scenario().targets.tokensPerSecond.value_or(0));
    const QDir aside(folder);
    for (const QString& name : aside.entryList({QStringLiteral("*.corrupt")}, QDir::Files)) {
        QFile file(aside.filePath(name));
        if (file.open(QIODevice::ReadOnly))
            if (const auto scenario = parseScenario(file.readAll().toStdString(), "aside"))
                most = std::max(most, scenario->targets.tokensPerSecond.value_or(0));
    }
    return most;
}

int RecoveryTest::editAndTell(const QString& home)
{
    const auto catalogue = Catalogue::open(Catalogue::defaultRoot());
    const QString folder = home + QStringLiteral("/recovery");
    Workspace workspace(*catalogue, {home + QStringLiteral("/victim.ini"), folder, home});
    workspace.start({});
    constexpr double first = 1000; // above what the example asks
    const int found = std::max(0, static_cast<int>(mostAsked(workspace, folder) - first));
    std::printf("found %d\n", found);
    std::fflush(stdout);
    for (int k = found + 1; k <= found + 5; ++k) {
        workspace.current()->edit(withSpeed(workspace.current()->session().scenario(), first + k),
                                  QStringLiteral("edit"));
        workspace.recovery().writeNow();
        std::printf("kept %d\n", k);
        std::fflush(stdout);
    }
    std::_Exit(0); // as if it were killed: an orderly end would take the copies away
}

int RecoveryTest::saveAndTell(const QString& what, const QString& home)
{
    const auto catalogue = Catalogue::open(Catalogue::defaultRoot());
    const QString out = home + QStringLiteral("/out");
    Workspace workspace(*catalogue,
                        {home + QStringLiteral("/victim.ini"), home + QStringLiteral("/recovery"), out});
    workspace.start({});
    (void)workspace.takeNotices();
    const QString file = out + QStringLiteral("/saved.") + what;
    QString why;
    bool saved = false;
    if (what == QStringLiteral("yaml")) {
        saved = workspace.save(*workspace.current(), file);
    } else if (what == QStringLiteral("json")) { // a model that is imported
        workspace.open(QStringLiteral(HEADROOM_SOURCE_DIR "/tests/data/hf_configs/Falcon-40B.json"));
        saved = workspace.current()->isModified(); // it uses the model now
    } else {
        const ChartData data{.title = QStringLiteral("line"), .series = {{.x = {1, 2}, .y = {3, 4}}}};
        why = saveChart(data, file);
        saved = why.isEmpty();
    }
    std::fputs(qPrintable(told(workspace).join(u'\n') + why), stderr);
    std::fflush(stderr);
    std::_Exit(saved ? 0 : 3);
}

int RecoveryTest::editUntilKilled(const QString& home)
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
        patienceMs);
    std::puts(written ? "written" : "not written");
    std::fflush(stdout);
    return written ? QCoreApplication::exec() : 1;
}

#include "moc_recovery_test.cpp"
