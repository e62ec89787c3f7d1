#pragma once

#include "model/base/currency.h"

#include <QMainWindow>

class QActionGroup;
class QDockWidget;
class QLabel;
class QMenu;
class QStackedWidget;
class QTabBar;

namespace headroom::app {

class AnswerHeader;
class AskBar;
struct Command;
class CommandPalette;
class JobRunner;
class ExplainPanel;
struct ExplainRequest;
class NoticeBar;
class PinTray;
class ScenarioPanel;
class StartPage;
class Tour;
class View;
class ViewDeck;
class Workspace;

// The window on a workspace. Built anew when the language changes; everything worth keeping lives in the
// workspace.
class MainWindow final : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(Workspace& workspace);
    ~MainWindow() override;

    void showView(const QString& name);
    [[nodiscard]] QStringList viewNames() const;
    [[nodiscard]] View* currentView() const;
    [[nodiscard]] ScenarioPanel& scenarioPanel() { return *m_scenario; }
    [[nodiscard]] AnswerHeader& answer() { return *m_answer; }
    [[nodiscard]] AskBar& askBar() { return *m_ask; }
    [[nodiscard]] ExplainPanel& explainPanel() { return *m_explain; }
    [[nodiscard]] NoticeBar& notices() { return *m_notices; }
    [[nodiscard]] PinTray& pins() { return *m_pins; }
    [[nodiscard]] CommandPalette* commandPalette() { return m_palette; } // null before it was opened
    [[nodiscard]] StartPage* startPage() { return m_start; }             // the same
    [[nodiscard]] Tour* tour() { return m_tour; }
    void showStart();
    [[nodiscard]] bool isAtStart() const;
    void explain(const ExplainRequest& request); // shows the panel when it is hidden
    void saveState();

signals:
    void languageRequested(const QString& language);
    void appearanceChanged();
    void currencyRequested(const Currency& currency);

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] QWidget* buildCentre();
    void buildDocks();
    void leaveRoom(); // where three columns have none
    void buildMenus();
    void buildFileMenu();
    void buildEditMenu();
    void buildViewMenu();
    void buildHelpMenu();
    void buildCurrencyMenu(QMenu& view);
    void addViews();
    void documentChanged();
    void showState();
    void showField(const QString& key);
    void stepPane(int by);
    void leaveStart();
    void askAnew(const QString& question);
    void beginTour();
    void pinAnswer();
    void pinsChanged();
    void copyStartCommand();
    void copyScenarioLine();
    void showGlossary();
    [[nodiscard]] QVector<Command> commands();
    void openPalette();
    void showPage(const QString& page, const QString& title);
    void showWords(QString title, const QString& markdown);
    [[nodiscard]] bool isOwnKey(const QKeyEvent& event) const;
    void titlesChanged();
    void fillRecent(QMenu& menu);
    void openFiles();
    void importModel();
    void exportReport(const QString& since = {}); // an earlier report, whose changes are told
    void exportChanges();
    bool save(int index, bool as);
    bool mayClose(int index);
    void restoreState();

    Workspace& m_workspace;
    NoticeBar* m_notices = nullptr;
    QTabBar* m_documents;
    AskBar* m_ask;
    AnswerHeader* m_answer;
    ViewDeck* m_views;
    ScenarioPanel* m_scenario = nullptr;
    ExplainPanel* m_explain = nullptr;
    QDockWidget* m_scenarioDock = nullptr;
    QDockWidget* m_explainDock = nullptr;
    QDockWidget* m_pinsDock = nullptr;
    PinTray* m_pins = nullptr;
    QStackedWidget* m_pages = nullptr; // the work, and the start page once it was shown
    StartPage* m_start = nullptr;
    CommandPalette* m_palette = nullptr;
    Tour* m_tour = nullptr;
    QVector<QDockWidget*> m_docksBesides; // that come back with the work
    QLabel* m_state;
    QMetaObject::Connection m_planned;
    JobRunner* m_exporter;
};

} // namespace headroom::app
