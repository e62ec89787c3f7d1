// What helps along: the start page, the tour, the palette of commands, pins, and what is copied.
#include "app/desktop/panels/answer_header.h"
#include "app/desktop/panels/ask_bar.h"
#include "app/desktop/panels/pin_tray.h"
#include "app/desktop/panels/scenario_panel.h"
#include "app/desktop/session/workspace.h"
#include "app/desktop/text/example_questions.h"
#include "app/desktop/text/glossary.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/scenario_fields.h"
#include "app/desktop/text/scenario_line.h"
#include "app/desktop/text/scenario_words.h"
#include "app/desktop/views/view.h"
#include "app/desktop/window/command_palette.h"
#include "app/desktop/window/main_window.h"
#include "app/desktop/window/start_page.h"
#include "app/desktop/window/tour.h"
#include "app/desktop/window/view_deck.h"
#include "model/advise/plan_view.h"
#include "model/launch/launch_pools.h"
#include "model/yaml/catalogue.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QStackedWidget>
#include <QTabBar>

#include <algorithm>

namespace headroom::app {

namespace {

// Everything in a menu and the menus in it.
void addActionsOf(const QMenu& menu, QVector<QAction*>& all)
{
    for (QAction* action : menu.actions())
        if (action->menu())
            addActionsOf(*action->menu(), all);
        else if (!action->isSeparator())
            all << action;
}

// The first that Tab reaches in it, null where it has none.
QWidget* firstUnderTab(QWidget& pane)
{
    for (QWidget* one = pane.nextInFocusChain(); one != &pane; one = one->nextInFocusChain())
        if (pane.isAncestorOf(one) && (one->focusPolicy() & Qt::TabFocus) == Qt::TabFocus && one->isEnabled()
            && one->isVisible())
            return one;
    return nullptr;
}

} // namespace

// Tab goes through everything; this goes from the question to the answer, its view and the panels.
void MainWindow::stepPane(int by)
{
    const QVector<QWidget*> panes{m_ask, m_answer, m_views->current(), m_scenario, m_explain, m_pins};
    const auto at = std::find_if(panes.begin(), panes.end(), [](const QWidget* pane) {
        return pane->isAncestorOf(QApplication::focusWidget());
    });
    const qsizetype count = panes.size();
    const qsizetype from = at != panes.end() ? at - panes.begin() : by > 0 ? count - 1 : 0;
    for (qsizetype i = 1; i <= count; ++i) {
        QWidget* const pane = panes[(from + by * i + count * count) % count];
        if (!pane->isVisible())
            continue;
        if (QWidget* const first = firstUnderTab(*pane))
            return first->setFocus(Qt::TabFocusReason);
    }
}

void MainWindow::showStart()
{
    if (!m_start) {
        m_start = new StartPage(m_workspace.settings(), m_pages);
        m_pages->addWidget(m_start);
        connect(m_start, &StartPage::asked, this, [this](const QString& question) {
            leaveStart();
            askAnew(question);
        });
        connect(m_start, &StartPage::fileMeant, &m_workspace, &Workspace::open);
        connect(m_start, &StartPage::openMeant, this, &MainWindow::openFiles);
        connect(m_start, &StartPage::tourMeant, this, &MainWindow::beginTour);
        connect(m_start, &StartPage::left, this, &MainWindow::leaveStart);
    }
    if (isAtStart())
        return;
    for (QDockWidget* dock : findChildren<QDockWidget*>())
        if (!dock->isHidden()) {
            dock->hide();
            m_docksBesides << dock;
        }
    m_start->refresh();
    m_pages->setCurrentWidget(m_start);
    m_start->question()->setFocus(Qt::OtherFocusReason);
}

bool MainWindow::isAtStart() const { return m_start && m_pages->currentWidget() == m_start; }

void MainWindow::leaveStart()
{
    if (!isAtStart())
        return;
    m_pages->setCurrentIndex(0);
    for (QDockWidget* dock : std::exchange(m_docksBesides, {}))
        dock->show();
    m_ask->editor()->setFocus(Qt::OtherFocusReason);
}

// A question begins a scenario; the example that nobody has touched makes room for it.
void MainWindow::askAnew(const QString& question)
{
    if (!m_workspace.isUntouched())
        m_workspace.add(Workspace::example());
    m_ask->ask(question);
}

void MainWindow::beginTour()
{
    leaveStart();
    if (!m_tour)
        m_tour = new Tour(this);
    m_scenarioDock->show();
    m_tour->begin(
        {{m_ask, tr("Ask"),
          tr("Say what is to be served, on what and how fast. Each phrase that was understood stands below; "
             "a "
             "click on it offers what else it may have meant. Ctrl+L leads here.")},
         {m_answer, tr("The answer"),
          tr("Which GPUs, how many, how sure that is and what it costs. Every figure can be clicked: it "
             "tells "
             "its formula and where each number is from. The cards are other ways to buy.")},
         {m_scenario, tr("The scenario"),
          tr("Everything that was said or is usual, to be changed. The answer follows while a slider moves; "
             "Ctrl+Z takes back.")},
         {m_views, tr("Views"),
          tr("The same answer from all sides: layouts, memory, speed over batch, traffic, other machines. A "
             "point that is clicked marks its batch in all of them; the line of the target can be dragged.")},
         {m_pinsDock->isVisible() ? static_cast<QWidget*>(m_pinsDock) : m_answer, tr("Pins"),
          tr("Ctrl+D keeps an answer in the tray. The tray tells how each differs from the one at hand; "
             "their "
             "curves lie over each other, and Compare sets them side by side.")},
         {menuBar(), tr("Report and everything else"),
          tr("Ctrl+E writes the report: a page to decide by, and all that stands behind it. Ctrl+K finds any "
             "command by its words.")}});
}

void MainWindow::pinAnswer()
{
    const Document& document = *m_workspace.current();
    const auto& planView = document.session().planView();
    if (!planView || !document.session().isCurrent())
        return;
    // What is shown is replayed already, or will be when the pin is planned.
    m_workspace.pins().add(document.title(), document.session().scenario(),
                           planView->depth == PlanDepth::Replayed ? planView : nullptr);
}

void MainWindow::pinsChanged()
{
    const bool some = !m_workspace.pins().all().isEmpty();
    if (some && !isAtStart())
        m_pinsDock->show();
    if (!some)
        m_pinsDock->hide();
}

void MainWindow::copyStartCommand()
{
    const auto& planView = m_workspace.current()->session().planView();
    if (!planView)
        return;
    const Result<std::string> text = launchText(launchedPools(planView->answer()), LaunchTarget::Shell);
    if (!text) {
        QStringList lines;
        for (const Problem& problem : text.error())
            lines << problemText(problem);
        return m_workspace.notice({lines.join(u'\n'), NoticeKind::Failed});
    }
    QApplication::clipboard()->setText(QString::fromStdString(*text));
    m_workspace.notice({tr("The command that starts it is in the clipboard.")});
}

void MainWindow::copyScenarioLine()
{
    QApplication::clipboard()->setText(scenarioLine(m_workspace.current()->session().scenario()));
    m_workspace.notice({tr("The scenario is in the clipboard as one line; pasted as a question it opens.")});
}

void MainWindow::showGlossary()
{
    QString text = QStringLiteral("# %1\n\n").arg(tr("Words of the trade"));
    for (const GlossaryEntry& entry : glossary())
        text += QStringLiteral("- **%1** – %2\n").arg(entry.word, entry.meaning);
    showWords(tr("Words of the trade"), text);
}

QVector<Command> MainWindow::commands()
{
    QVector<Command> all;
    QVector<QAction*> actions;
    for (const QAction* top : menuBar()->actions())
        if (top->menu())
            addActionsOf(*top->menu(), actions);
    for (QAction* action : actions)
        if (action->isEnabled())
            all << Command{action->text().remove(u'&'), action->shortcut().toString(QKeySequence::NativeText),
                           [action] { action->trigger(); }};
    for (const GalleryEntry& entry : galleryEntries())
        all << Command{entry.question, entry.title, [this, entry] {
                           leaveStart();
                           askAnew(entry.question);
                       }};
    for (const QString& path : m_workspace.settings().recentFiles())
        all << Command{QFileInfo(path).fileName(), tr("file"), [this, path] { m_workspace.open(path); }};
    for (const SectionSpec& section : scenarioSections())
        for (const FieldSpec& field : section.fields)
            all << Command{fieldText(field.label), fieldText(section.title),
                           [this, key = QString::fromLatin1(field.key)] {
                               leaveStart();
                               showField(key);
                           }};
    const auto choose = [this](const QString& key, const QString& id) {
        return [this, key, id] {
            leaveStart();
            m_scenario->say(key, id);
        };
    };
    const Catalogue& catalogue = *m_workspace.catalogue();
    for (const std::string& id : catalogue.modelIds())
        all << Command{modelName(id, catalogue), tr("model"),
                       choose(QStringLiteral("model"), QString::fromStdString(id)),
                       QString::fromStdString(id)};
    for (const std::string& id : catalogue.gpuIds())
        all << Command{nameOrWords(id, catalogue), tr("GPU"),
                       choose(QStringLiteral("gpu"), QString::fromStdString(id)), QString::fromStdString(id)};
    return all;
}

void MainWindow::openPalette()
{
    if (!m_palette)
        m_palette = new CommandPalette(this);
    while (QWidget* const open = QApplication::activePopupWidget()) // it would take the keys
        if (!open->close())
            break;
    m_palette->open(commands(), [this](const QString& typed) {
        leaveStart();
        if (typed.isEmpty())
            m_ask->focus();
        else
            m_ask->ask(typed);
    });
}

} // namespace headroom::app
