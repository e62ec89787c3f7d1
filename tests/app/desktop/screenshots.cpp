// Pictures of every view in both appearances and languages: desktop_screenshots FOLDER. Not a test by itself;
// someone looks at them.
#include "app/desktop/panels/explain_panel.h"
#include "app/desktop/session/workspace.h"
#include "app/desktop/views/view.h"
#include "app/desktop/window/application.h"
#include "app/desktop/window/main_window.h"
#include "model/plan/study.h"
#include "model/yaml/catalogue.h"

#include <QDir>
#include <QDockWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace headroom;
using namespace headroom::app;

namespace {

bool planned(const Workspace& workspace)
{
    return QTest::qWaitFor(
        [&] {
            const Session& session = workspace.current()->session();
            return session.study() && !session.isPlanning();
        },
        20000);
}

void shoot(Workspace& workspace, const QString& prefix)
{
    MainWindow window(workspace);
    window.resize(1440, 900);
    window.show();
    if (!QTest::qWaitForWindowExposed(&window) || !planned(workspace))
        return;
    for (const QString& view : window.viewNames()) {
        window.showView(view);
        QTest::qWait(60); // the queued repaint of charts
        (void)QTest::qWaitFor([&] { return !window.currentView()->isBusy(); }, 20000);
        QTest::qWait(60);
        window.grab().save(prefix + view + QStringLiteral(".png"));
    }
    window.showView(window.viewNames().constFirst());
    for (QDockWidget* dock : window.findChildren<QDockWidget*>())
        dock->show();
    window.explainPanel().explain(QStringLiteral("tpot"));
    QTest::qWait(60);
    window.grab().save(prefix + QStringLiteral("explain.png"));
}

} // namespace

int main(int argc, char** argv)
{
    Application application(argc, argv);
    const auto catalogue = Catalogue::open(Catalogue::defaultRoot());
    if (argc < 2 || !catalogue)
        return 2;
    const QDir folder(QString::fromLocal8Bit(argv[1]));
    QDir().mkpath(folder.path());
    const QTemporaryDir home;
    Workspace workspace(*catalogue,
                        {home.filePath(QStringLiteral("s.ini")), home.filePath(QStringLiteral("r")),
                         home.filePath(QStringLiteral("m"))});
    workspace.start({});
    for (const auto& [appearance, look] : {std::pair(Appearance::Light, QStringLiteral("light")),
                                           std::pair(Appearance::Dark, QStringLiteral("dark"))}) {
        for (const QString& language : {QStringLiteral("en"), QStringLiteral("zh_CN")}) {
            application.setAppearance(appearance);
            application.setLanguage(language);
            shoot(workspace, folder.filePath(look + u'-' + language + u'-'));
        }
    }
    return 0;
}
