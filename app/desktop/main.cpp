#include "app/desktop/session/workspace.h"
#include "app/desktop/window/application.h"
#include "app/desktop/window/main_window.h"
#include "headroom_version.h"
#include "model/yaml/catalogue.h"

#include <QMessageBox>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

using namespace headroom;
using namespace headroom::app;

namespace {

constexpr const char* usage
    = "headroom-desktop [FILE]…\n\n"
      "Which GPUs, how many, arranged how, serve an LLM at a given speed, what that costs, and how sure it "
      "is:\n"
      "a window on it. Each FILE is opened: a scenario, a calibration (.yaml), a model (config.json, .gguf,\n"
      ".safetensors).\n\n"
      "  -h, --help     this\n"
      "  --version      which version it is\n\n"
      "Without a display: `headroom --help` tells what the command line does.\n";

// What is asked of the program and not of a window is answered where there is no display too.
std::optional<int> answeredInWords(std::span<char* const> words)
{
    for (const std::string_view word : words) {
        if (word == "--")
            return std::nullopt;
        if (word == "-h" || word == "--help")
            return std::fputs(usage, stdout) < 0 ? 3 : 0;
        if (word == "--version")
            return std::puts("headroom-desktop " HEADROOM_VERSION) < 0 ? 3 : 0;
        // Qt reads its own flags with one dash.
        if (word.starts_with("--")) {
            (void)std::fprintf(stderr, "unknown flag %s\n\n%s", word.data(), usage);
            return 2;
        }
    }
    const bool isShown = std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY")
        || std::getenv("QT_QPA_PLATFORM")
        || std::any_of(words.begin(), words.end(), [](std::string_view word) { return word == "-platform"; });
    if (isShown)
        return std::nullopt;
    (void)std::fputs("There is no display to open a window on. `headroom --help` tells what works without.\n",
                     stderr);
    return 3;
}

} // namespace

int main(int argc, char** argv)
{
    if (const std::optional<int> code
        = answeredInWords(std::span(argv, static_cast<std::size_t>(argc)).subspan(argc > 0 ? 1 : 0)))
        return *code;
    Application application(argc, argv);
    const auto catalogue = Catalogue::open(Catalogue::defaultRoot(), OwnCalibrations::ofUser());
    if (!catalogue) {
        const Problem& first = catalogue.error().front();
        const QString why = QString::fromStdString(first.where + ": " + first.what.english());
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
    if (workspace.isUntouched() && workspace.settings().showsStart())
        window->showStart();
    return QApplication::exec();
}
