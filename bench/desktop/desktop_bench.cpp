// How quick the desktop feels: start of the process to the first answered frame, edit to new plan through the
// session, memory after an hour's worth of edits in every view, idle time. Prints figures; judges nothing.
#include "app/desktop/session/workspace.h"
#include "app/desktop/views/view.h"
#include "app/desktop/window/application.h"
#include "app/desktop/window/main_window.h"
#include "model/advise/plan_view.h"
#include "model/yaml/catalogue.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>
#include <unistd.h>

using namespace headroom;
using namespace headroom::app;

namespace {

constexpr int edits = 1000;
constexpr int editsOfAnHour = 3600; // one a second

double residentMegabytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmRSS:"))
            return std::stod(line.substr(6)) / 1024;
    return 0;
}

// Since the system started this process: loading its libraries included. The kernel counts hundredths.
double secondsSinceStart()
{
    std::ifstream stat("/proc/self/stat");
    std::string word;
    constexpr int startTime = 22; // its place in the line; the name of the program has no space
    for (int i = 0; i < startTime; ++i)
        stat >> word;
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9
        - std::stod(word) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double processorSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

bool plannedAsAsked(const Workspace& workspace)
{
    const Session& session = workspace.current()->session();
    return session.planView() && session.planView()->asked == session.scenario();
}

void editOnce(Workspace& workspace, int i)
{
    Scenario after = workspace.current()->session().scenario();
    after.targets.tokensPerSecond = 5 + (i * 37 % 100) * 0.4;
    after.concurrency = 1 + i * 13 % 200;
    after.prompt = LengthDistribution::of(128 + i * 91 % 4000);
    after.prompt.text = std::to_string(128 + i * 91 % 4000);
    workspace.current()->edit(after, QStringLiteral("edit"));
}

} // namespace

int main(int argc, char** argv)
{
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // each figure as soon as it is known
    Application application(argc, argv);
    const auto catalogue = Catalogue::open(Catalogue::defaultRoot());
    if (!catalogue)
        return 2;
    const QTemporaryDir home;
    Workspace workspace(*catalogue,
                        {home.filePath(QStringLiteral("s")), home.filePath(QStringLiteral("r")),
                         home.filePath(QStringLiteral("m"))});
    application.setLanguage(QStringLiteral("en"));
    application.setAppearance(Appearance::Light);
    workspace.start({});
    MainWindow window(workspace);
    window.show();
    const bool answered = QTest::qWaitFor([&] { return plannedAsAsked(workspace); }, 20000);
    window.grab(); // the frame with the answer, painted
    std::printf("start to first answered frame: %.0f ms, %.0f of a processor%s\n", secondsSinceStart() * 1000,
                processorSeconds() * 1000, answered ? "" : " (NOT ANSWERED)");

    window.showView(QStringLiteral("batch"));
    std::vector<double> milliseconds;
    std::vector<double> worked; // of all threads: what a busy machine does not change
    for (int i = 0; i < edits; ++i) {
        QElapsedTimer edit;
        edit.start();
        const double before = processorSeconds();
        editOnce(workspace, i);
        while (!plannedAsAsked(workspace) && workspace.current()->session().problems().empty())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        milliseconds.push_back(static_cast<double>(edit.nsecsElapsed()) / 1e6);
        worked.push_back((processorSeconds() - before) * 1000);
    }
    const auto tell = [](const char* what, std::vector<double>& all) {
        std::sort(all.begin(), all.end());
        std::printf("%s over %d edits: median %.1f ms, 99th percentile %.1f ms, worst %.1f ms\n", what, edits,
                    all[edits / 2], all[edits * 99 / 100], all.back());
    };
    tell("edit to new plan", milliseconds);
    tell("work of a processor for it", worked);
    std::printf("memory after them: %.0f MB\n", residentMegabytes());

    const QStringList views = window.viewNames();
    for (int i = 0; i < editsOfAnHour; ++i) {
        if (i % 40 == 0) // every view has its turn; those that work on their own are waited for
            window.showView(views[i / 40 % views.size()]);
        editOnce(workspace, i);
        (void)QTest::qWaitFor([&] { return plannedAsAsked(workspace); }, 5000);
        if (i % 40 == 39 && window.currentView()->objectName() != QStringLiteral("accuracy"))
            (void)QTest::qWaitFor([&] { return !window.currentView()->isBusy(); }, 60000);
    }
    std::printf("memory after %d edits over all views: %.0f MB\n", editsOfAnHour, residentMegabytes());
    window.showView(QStringLiteral("batch"));
    (void)QTest::qWaitFor([] { return false; }, 3000); // whatever a view left running

    // Waiting asleep: QTest::qWait looks up every few milliseconds, which is work too.
    const auto sleep = [](int time) {
        QEventLoop loop;
        QTimer::singleShot(time, &loop, &QEventLoop::quit);
        loop.exec();
    };
    constexpr int idleMs = 10000;
    const auto idle = [&] {
        sleep(500);
        const double before = processorSeconds();
        sleep(idleMs);
        return (processorSeconds() - before) / idleMs * 1e5;
    };
    std::printf("idle: %.2f %% of a processor while a text cursor blinks", idle());
    if (QWidget* const field = QApplication::focusWidget())
        field->clearFocus();
    std::printf(", %.2f %% without\n", idle());
    return 0;
}
