#pragma once

#include <QMainWindow>

#include <functional>

class QActionGroup;
class QLabel;
class QMenu;
class QStackedWidget;
class QTabBar;

namespace headroom::app {

class AnswerHeader;
class AskBar;
class JobRunner;
class ExplainPanel;
class NoticeBar;
class ScenarioPanel;
class View;
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
    void saveState();

signals:
    void languageRequested(const QString& language);
    void appearanceChanged();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct ViewEntry {
        QString name; // stable, for settings and tests
        QString title;
        std::function<View*(QWidget*)> make;
        View* view = nullptr;
    };

    void buildCentre();
    void buildDocks();
    void buildMenus();
    void buildFileMenu();
    void buildViewMenu();
    void addView(const QString& name, const QString& title, std::function<View*(QWidget*)> make);
    void selectView(int index);
    void documentChanged();
    void titlesChanged();
    void fillRecent(QMenu& menu);
    void openFiles();
    void exportReport();
    bool save(int index, bool as);
    bool mayClose(int index);
    void restoreState();

    Workspace& m_workspace;
    NoticeBar* m_notices;
    QTabBar* m_documents;
    AskBar* m_ask;
    AnswerHeader* m_answer;
    QTabBar* m_tabs;
    QStackedWidget* m_stack;
    ScenarioPanel* m_scenario = nullptr;
    ExplainPanel* m_explain = nullptr;
    QLabel* m_state;
    JobRunner* m_exporter;
    QVector<ViewEntry> m_views;
};

} // namespace headroom::app
