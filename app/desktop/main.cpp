#include "app/desktop/session/workspace.h"
#include "app/desktop/window/application.h"
#include "app/desktop/window/main_window.h"
#include "model/yaml/catalogue.h"

#include <QMessageBox>

#include <memory>

using namespace headroom;
using namespace headroom::app;

int main(int argc, char** argv)
{
    Application application(argc, argv);
    const auto catalogue = Catalogue::open(Catalogue::defaultRoot(), OwnCalibrations::ofUser());
    if (!catalogue) {
        const Problem& first = catalogue.error().front();
        const QString why = QString::fromStdString(first.where + ": " + first.what);
        qCritical("%s", qPrintable(why)); // for whoever started it without a screen
        QMessageBox::critical(nullptr, QStringLiteral("Headroom"), why);
        return 3;
    }
    Workspace workspace(*catalogue, WorkspacePlaces::ofUser());
    application.setLanguage(workspace.settings().language());
    application.setAppearance(workspace.settings().appearance());
    tellAmountsIn(workspace.settings().currency());
    workspace.start(application.arguments().mid(1));

    std::unique_ptr<MainWindow> window;
    std::function<void()> open = [&] {
        window = std::make_unique<MainWindow>(workspace);
        QObject::connect(window.get(), &MainWindow::appearanceChanged, &application,
                         [&] { application.setAppearance(workspace.settings().appearance()); });
        // A window is built in one language: another language is another window on the same workspace.
        QObject::connect(window.get(), &MainWindow::languageRequested, &application,
                         [&](const QString& language) {
                             workspace.settings().setLanguage(language);
                             window->saveState();
                             application.setLanguage(language);
                             QMetaObject::invokeMethod(&application, open, Qt::QueuedConnection);
                         });
        // A new window as well: one that is gone plans nothing while the currency changes.
        QObject::connect(window.get(), &MainWindow::currencyRequested, &application,
                         [&](const Currency& currency) {
                             window->saveState();
                             QMetaObject::invokeMethod(
                                 &application,
                                 [&, currency] {
                                     window.reset();
                                     workspace.setCurrency(currency);
                                     open();
                                 },
                                 Qt::QueuedConnection);
                         });
        window->show();
    };
    open();
    return QApplication::exec();
}
