// The menus of the window: everything it does has its place and, where it is done often, its key here.
#include "app/desktop/panels/ask_bar.h"
#include "app/desktop/session/workspace.h"
#include "app/desktop/text/example_questions.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/window/main_window.h"
#include "app/desktop/window/view_deck.h"
#include "model/advise/plan_view.h"
#include "model/base/currency_name.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDockWidget>
#include <QFile>
#include <QInputDialog>
#include <QMenuBar>
#include <QMessageBox>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

void MainWindow::buildMenus()
{
    buildFileMenu();
    buildEditMenu();
    buildViewMenu();
    buildHelpMenu();
}

void MainWindow::buildEditMenu()
{
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = edit->addAction(tr("&Undo"), QKeySequence::Undo, this, [this] {
        if (Document* document = m_workspace.current())
            document->undoStack().undo();
    });
    QAction* redo = edit->addAction(tr("&Redo"), QKeySequence::Redo, this, [this] {
        if (Document* document = m_workspace.current())
            document->undoStack().redo();
    });
    connect(edit, &QMenu::aboutToShow, this, [this, undo, redo] {
        QUndoStack& stack = m_workspace.current()->undoStack();
        undo->setText(stack.canUndo() ? tr("&Undo %1").arg(stack.undoText()) : tr("&Undo"));
        redo->setText(stack.canRedo() ? tr("&Redo %1").arg(stack.redoText()) : tr("&Redo"));
    });
    edit->addSeparator();
    edit->addAction(tr("&Copy the answer"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), this, [this] {
        if (const auto& planView = m_workspace.current()->session().planView())
            QApplication::clipboard()->setText(answerInWords(*planView));
    });
    edit->addAction(tr("Copy the &start command"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R), this,
                    &MainWindow::copyStartCommand);
    edit->addAction(tr("Copy the scenario as one &line"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L),
                    this, &MainWindow::copyScenarioLine);
    edit->addSeparator();
    edit->addAction(tr("&Pin the answer"), QKeySequence(Qt::CTRL | Qt::Key_D), this, &MainWindow::pinAnswer);
    edit->addAction(tr("Take all pins &off"), this, [this] { m_workspace.pins().clear(); });
    edit->addSeparator();
    edit->addAction(tr("&Ask"), QKeySequence(Qt::CTRL | Qt::Key_L), this, [this] {
        leaveStart();
        m_ask->focus();
    });
    edit->addAction(tr("Find a co&mmand…"), QKeySequence(Qt::CTRL | Qt::Key_K), this,
                    &MainWindow::openPalette);
}

void MainWindow::buildHelpMenu()
{
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("A &tour of a minute"), this, &MainWindow::beginTour);
    help->addSeparator();
    for (const auto& [page, title] : {std::pair(QStringLiteral("desktop"), tr("Using the &window")),
                                      std::pair(QStringLiteral("accuracy"), tr("How &accurate it is")),
                                      std::pair(QStringLiteral("calibrations"), tr("&Measuring a machine")),
                                      std::pair(QStringLiteral("probe"), tr("Measuring a running &server")),
                                      std::pair(QStringLiteral("formats"), tr("&Files it reads and writes"))})
        help->addAction(title, this, [this, page = page, title = title] { showPage(page, title); });
    help->addAction(tr("Words of the t&rade"), this, &MainWindow::showGlossary);
    help->addSeparator();
    help->addAction(tr("&About Headroom"), this, [this] {
        QMessageBox::about(this, tr("About Headroom"),
                           QStringLiteral("<h3>Headroom %1</h3><p>%2</p><p>%3</p>")
                               .arg(QApplication::applicationVersion(),
                                    tr("Which GPUs, how many, arranged how, serve an LLM at a given speed, "
                                       "what that costs, and "
                                       "how sure it is."),
                                    tr("Free software under the GNU General Public License, version 3.")));
    });
}

// A page of the documentation, in a window of its own.
void MainWindow::showPage(const QString& page, const QString& title)
{
    QFile file(QStringLiteral(":/docs/%1.md").arg(page));
    if (file.open(QIODevice::ReadOnly))
        showWords(title, QString::fromUtf8(file.readAll()));
}

void MainWindow::showWords(QString title, const QString& markdown)
{
    auto* pages = new QDialog(this);
    pages->setAttribute(Qt::WA_DeleteOnClose);
    pages->setWindowTitle(title.remove(u'&'));
    auto* words = new QTextBrowser(pages);
    words->setObjectName(QStringLiteral("page"));
    words->setAccessibleName(pages->windowTitle());
    words->setOpenExternalLinks(true);
    words->setMarkdown(markdown);
    auto* column = new QVBoxLayout(pages);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(words);
    pages->resize(860, 680);
    pages->show();
}

void MainWindow::buildFileMenu()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&New"), QKeySequence::New, this, [this] { m_workspace.add(Workspace::example()); });
    QMenu* examples = file->addMenu(tr("New from an e&xample"));
    for (const QString& question : exampleQuestions())
        examples->addAction(question, this, [this, question] {
            leaveStart();
            askAnew(question);
        });
    file->addAction(tr("S&tart page"), QKeySequence(Qt::ALT | Qt::Key_Home), this, &MainWindow::showStart);
    file->addAction(tr("&Open…"), QKeySequence::Open, this, &MainWindow::openFiles);
    file->addAction(tr("&Import a model…"), this, &MainWindow::importModel);
    QMenu* recent = file->addMenu(tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(*recent); });
    file->addSeparator();
    file->addAction(tr("&Save"), QKeySequence::Save, this,
                    [this] { save(m_workspace.currentIndex(), false); });
    file->addAction(tr("Save &as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), this,
                    [this] { save(m_workspace.currentIndex(), true); });
    file->addAction(tr("&Export report…"), QKeySequence(Qt::CTRL | Qt::Key_E), this,
                    [this] { exportReport(); });
    file->addAction(tr("Export what changed since a &report…"), this, &MainWindow::exportChanges);
    file->addAction(tr("&Close"), QKeySequence::Close, this, [this] {
        if (mayClose(m_workspace.currentIndex()))
            m_workspace.close(m_workspace.currentIndex());
    });
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
}

void MainWindow::buildViewMenu()
{
    QMenu* view = menuBar()->addMenu(tr("&View"));
    const QStringList titles = m_views->titles();
    for (int i = 0; i < titles.size(); ++i) {
        QAction* show = view->addAction(titles[i], this, [this, i] {
            leaveStart();
            m_views->showView(i);
        });
        if (i < 10) // the tenth on the key after 9
            show->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + (i + 1) % 10)));
    }
    view->addSeparator();
    view->addAction(tr("&Next view"), QKeySequence(Qt::CTRL | Qt::Key_PageDown), this,
                    [this] { m_views->step(1); });
    view->addAction(tr("&Previous view"), QKeySequence(Qt::CTRL | Qt::Key_PageUp), this,
                    [this] { m_views->step(-1); });
    view->addAction(tr("Next &part of the window"), QKeySequence(Qt::Key_F6), this, [this] { stepPane(1); });
    view->addAction(tr("Pre&vious part of the window"), QKeySequence(Qt::SHIFT | Qt::Key_F6), this,
                    [this] { stepPane(-1); });
    view->addAction(tr("Clear the &mark"), this, [this] { m_workspace.current()->markBatch({}); });
    view->addAction(tr("Next &scenario"), QKeySequence(Qt::CTRL | Qt::Key_Tab), this, [this] {
        m_workspace.setCurrent((m_workspace.currentIndex() + 1) % std::max(1, m_workspace.count()));
    });
    view->addSeparator();
    for (QDockWidget* dock : findChildren<QDockWidget*>())
        view->addAction(dock->toggleViewAction());
    view->addSeparator();
    QMenu* language = view->addMenu(QStringLiteral("Language / 语言"));
    for (const auto& [id, name] : {std::pair(QStringLiteral("en"), QStringLiteral("English")),
                                   std::pair(QStringLiteral("zh_CN"), QStringLiteral("简体中文"))}) {
        QAction* choose = language->addAction(name, this, [this, id = id] { emit languageRequested(id); });
        choose->setCheckable(true);
        choose->setChecked(m_workspace.settings().language() == id);
    }
    buildCurrencyMenu(*view);
    QMenu* looks = view->addMenu(tr("&Appearance"));
    auto* group = new QActionGroup(this);
    for (const auto& [appearance, name] :
         {std::pair(Appearance::System, tr("Like the system")), std::pair(Appearance::Light, tr("Light")),
          std::pair(Appearance::Dark, tr("Dark"))}) {
        QAction* choose = looks->addAction(name, this, [this, appearance = appearance] {
            m_workspace.settings().setAppearance(appearance);
            emit appearanceChanged();
        });
        choose->setCheckable(true);
        choose->setChecked(m_workspace.settings().appearance() == appearance);
        group->addAction(choose);
    }
}

void MainWindow::buildCurrencyMenu(QMenu& view)
{
    const Currency told = toldCurrency();
    QMenu* menu = view.addMenu(tr("&Currency"));
    auto* group = new QActionGroup(this);
    const auto add = [&](const QString& title, bool chosen) {
        QAction* action = menu->addAction(title);
        action->setCheckable(true);
        action->setChecked(chosen);
        group->addAction(action);
        return action;
    };
    const bool own = !told.isDollar() && told.asOf.empty();
    const auto rate = [](double perDollar) { return QString::number(perDollar, 'g', 5); };
    connect(add(tr("US dollars"), told.isDollar()), &QAction::triggered, this,
            [this] { emit currencyRequested(Currency{}); });
    connect(add(tr("Yuan at the published rate (%1 to a dollar, average of %2)")
                    .arg(rate(publishedYuan.perDollar),
                         QString::fromUtf8(publishedYuan.asOf.data(),
                                           static_cast<qsizetype>(publishedYuan.asOf.size()))),
                !told.isDollar() && !own),
            &QAction::triggered, this, [this] { emit currencyRequested(publishedYuan); });
    QAction* chosen = add(own ? tr("Yuan at %1 to a dollar…").arg(rate(told.perDollar))
                              : tr("Yuan at a rate of your own…"),
                          own);
    connect(chosen, &QAction::triggered, this, [this, before = group->checkedAction()] {
        constexpr int decimals = 4;
        const double now = toldCurrency().isDollar() ? publishedYuan.perDollar : toldCurrency().perDollar;
        bool said = false;
        const double perDollar = QInputDialog::getDouble(this, tr("Rate"), tr("Yuan to a US dollar"), now,
                                                         leastYuan, mostYuan, decimals, &said);
        if (said)
            emit currencyRequested(yuanAt(perDollar));
        else if (before)
            before->setChecked(true);
    });
}

void MainWindow::fillRecent(QMenu& menu)
{
    menu.clear();
    for (const QString& path : m_workspace.settings().recentFiles())
        menu.addAction(path, this, [this, path] { m_workspace.open(path); });
    menu.setEnabled(!menu.isEmpty());
}

} // namespace headroom::app
