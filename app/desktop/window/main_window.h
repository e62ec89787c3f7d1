#pragma once

#include "model/base/currency.h"

#include <QMainWindow>

class QActionGroup;
class QDockWidget;
class QLabel;
class QMenu;
class QTabBar;

namespace headroom::app {

class AnswerHeader;
class AskBar;
class JobRunner;
class ExplainPanel;
struct ExplainRequest;
class NoticeBar;
class ScenarioPanel;
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
    void explain(const ExplainRequest& request); // shows the panel when it is hidden
    void saveState();

signals:
    void languageRequested(const QString& language);
    void appearanceChanged();
    void currencyRequested(const Currency& currency);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildCentre();
    void buildDocks();
    void buildMenus();
    void buildFileMenu();
    void buildViewMenu();
    void buildCurrencyMenu(QMenu& view);
    void addViews();
    void documentChanged();
    void showState();
    void showField(const QString& key);
    void offerCommands();
    void showPage(const QString& page, QString title);
    [[nodiscard]] bool isOwnKey(const QKeyEvent& event) const;
    void titlesChanged();
    void fillRecent(QMenu& menu);
    void openFiles();
    void exportReport();
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
    QLabel* m_state;
    QMetaObject::Connection m_planned;
    JobRunner* m_exporter;
};

} // namespace headroom::app
