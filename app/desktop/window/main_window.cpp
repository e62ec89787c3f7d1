#include "app/desktop/window/main_window.h"

#include "app/desktop/jobs/job_runner.h"
#include "app/desktop/panels/answer_header.h"
#include "app/desktop/panels/ask_bar.h"
#include "app/desktop/panels/explain_panel.h"
#include "app/desktop/panels/scenario_panel.h"
#include "app/desktop/session/workspace.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/study_text.h"
#include "app/desktop/views/accuracy_view.h"
#include "app/desktop/views/calibrate_view.h"
#include "app/desktop/views/chart_views.h"
#include "app/desktop/views/compare_view.h"
#include "app/desktop/views/layouts_view.h"
#include "app/desktop/views/over_time_view.h"
#include "app/desktop/views/sensitivity_view.h"
#include "app/desktop/views/serving_view.h"
#include "app/desktop/window/application.h"
#include "app/desktop/window/notice_bar.h"
#include "app/desktop/window/view_deck.h"
#include "app/report/report_document.h"
#include "model/plan/study.h"

#include <QAction>
#include <QActionGroup>
#include <QClipboard>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QStatusBar>
#include <QTabBar>
#include <QVBoxLayout>

namespace headroom::app {

namespace {
constexpr int stateVersion = 1;
}

MainWindow::MainWindow(Workspace& workspace)
    : m_workspace(workspace),
      m_notices(new NoticeBar(this)),
      m_documents(new QTabBar(this)),
      m_ask(new AskBar(workspace, this)),
      m_answer(new AnswerHeader(this)),
      m_views(new ViewDeck(this)),
      m_state(new QLabel(this)),
      m_exporter(new JobRunner(this))
{
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    buildCentre();
    buildDocks();
    addViews();
    buildMenus();
    m_state->setForegroundRole(QPalette::PlaceholderText);
    m_state->setContentsMargins(8, 0, 0, 0);
    statusBar()->addWidget(m_state, 1);
    connect(&m_workspace, &Workspace::currentChanged, this, &MainWindow::documentChanged);
    connect(&m_workspace, &Workspace::documentsChanged, this, &MainWindow::titlesChanged);
    const auto tell = [this] {
        for (const QString& text : m_workspace.takeNotices())
            m_notices->add(text);
    };
    connect(&m_workspace, &Workspace::noticed, this, tell);
    tell();
    restoreState();
    titlesChanged();
    documentChanged();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildCentre()
{
    m_documents->setDocumentMode(true);
    m_documents->setExpanding(false);
    m_documents->setTabsClosable(true);
    m_documents->setMovable(false);
    m_documents->setAccessibleName(tr("Scenarios"));
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_documents);
    column->addWidget(m_ask);
    column->addWidget(m_notices);
    column->addWidget(m_answer);
    column->addWidget(m_views, 1);
    setCentralWidget(centre);
    connect(m_documents, &QTabBar::currentChanged, &m_workspace, &Workspace::setCurrent);
    connect(m_documents, &QTabBar::tabCloseRequested, this, [this](int index) {
        if (mayClose(index))
            m_workspace.close(index);
    });
}

void MainWindow::buildDocks()
{
    m_scenarioDock = new QDockWidget(tr("Scenario"), this);
    m_scenarioDock->setObjectName(QStringLiteral("scenario-dock"));
    m_scenario = new ScenarioPanel(m_scenarioDock);
    m_scenarioDock->setWidget(m_scenario);
    addDockWidget(Qt::LeftDockWidgetArea, m_scenarioDock);
    m_explainDock = new QDockWidget(tr("Explain"), this);
    m_explainDock->setObjectName(QStringLiteral("explain-dock"));
    m_explain = new ExplainPanel(m_explainDock);
    m_explainDock->setWidget(m_explain);
    addDockWidget(Qt::RightDockWidgetArea, m_explainDock);
    m_explainDock->hide();
    resizeDocks({m_scenarioDock, m_explainDock}, {340, 320}, Qt::Horizontal);
    connect(m_answer, &AnswerHeader::explainRequested, this, &MainWindow::explain);
    connect(m_scenario, &ScenarioPanel::explainRequested, this, &MainWindow::explain);
}

void MainWindow::explain(const ExplainRequest& request)
{
    // Where there is no room for a third column, the explanation stands over the scenario.
    constexpr int leastForThree = 1250; // px
    const bool over = tabifiedDockWidgets(m_scenarioDock).contains(m_explainDock);
    if (m_explainDock->isHidden() && over != (width() < leastForThree)) {
        if (over)
            addDockWidget(Qt::RightDockWidgetArea, m_explainDock);
        else
            tabifyDockWidget(m_scenarioDock, m_explainDock);
    }
    m_explainDock->show();
    m_explainDock->raise();
    m_explain->explain(request);
}

void MainWindow::addViews()
{
    m_views->add(QStringLiteral("layouts"), tr("Layouts"), [](QWidget* p) { return new LayoutsView(p); });
    m_views->add(QStringLiteral("memory"), tr("Memory"), makeMemoryView);
    m_views->add(QStringLiteral("roofline"), tr("Roofline"), makeRooflineView);
    m_views->add(QStringLiteral("batch"), tr("Batch"), makeBatchView);
    m_views->add(QStringLiteral("tradeoff"), tr("Trade-off"), makeTradeoffView);
    m_views->add(QStringLiteral("overtime"), tr("Over time"), [](QWidget* p) { return new OverTimeView(p); });
    m_views->add(QStringLiteral("serving"), tr("Serving"), [](QWidget* p) { return new ServingView(p); });
    m_views->add(QStringLiteral("compare"), tr("Compare"), [this](QWidget* p) {
        auto* view = new CompareView(p);
        view->setDocuments([this] {
            QVector<Document*> all;
            for (int i = 0; i < m_workspace.count(); ++i)
                all << m_workspace.document(i);
            return all;
        });
        return view;
    });
    m_views->add(QStringLiteral("sensitivity"), tr("Sensitivity"),
                 [](QWidget* p) { return new SensitivityView(p); });
    m_views->add(QStringLiteral("calibrate"), tr("Calibrate"),
                 [](QWidget* p) { return new CalibrateView(p); });
    m_views->add(QStringLiteral("accuracy"), tr("Accuracy"), [](QWidget* p) { return new AccuracyView(p); });
    connect(m_views, &ViewDeck::explainRequested, this, &MainWindow::explain);
}

void MainWindow::showView(const QString& name) { m_views->showView(name); }
QStringList MainWindow::viewNames() const { return m_views->names(); }
View* MainWindow::currentView() const { return m_views->current(); }

void MainWindow::documentChanged()
{
    Document* document = m_workspace.current();
    disconnect(m_planned);
    m_planned = connect(&document->session(), &Session::studyChanged, this, &MainWindow::showState);
    showState();
    m_documents->setCurrentIndex(m_workspace.currentIndex());
    m_scenario->setDocument(document);
    m_answer->setDocument(document);
    m_explain->setDocument(document);
    m_views->setDocument(document);
    titlesChanged();
}

// What the answer was chosen from, and how long that took.
void MainWindow::showState()
{
    const Session& session = m_workspace.current()->session();
    if (!session.study())
        return m_state->setText(tr("Planning…"));
    const auto candidates = static_cast<int>(session.study()->sizing->candidates.size());
    m_state->setText(tr("%n layout(s) compared", nullptr, candidates) + QStringLiteral(" · ")
                     + tr("planned in %1").arg(text(Seconds(double(session.planMs()) / 1000), Zeros::Dropped))
                     + (session.study()->depth == StudyDepth::Explained ? QStringLiteral(" · ")
                                + tr("closed form; the traffic is replayed when the hand rests")
                                                                        : QString()));
}

void MainWindow::titlesChanged()
{
    const QSignalBlocker quiet(m_documents);
    while (m_documents->count() > m_workspace.count())
        m_documents->removeTab(m_documents->count() - 1);
    while (m_documents->count() < m_workspace.count())
        m_documents->addTab({});
    for (int i = 0; i < m_workspace.count(); ++i) {
        const Document& document = *m_workspace.document(i);
        m_documents->setTabText(
            i, document.title() + (document.isModified() ? QStringLiteral(" •") : QString()));
        m_documents->setTabToolTip(i, document.path());
    }
    m_documents->setCurrentIndex(m_workspace.currentIndex());
    m_documents->setVisible(m_workspace.count() > 1);
    if (const Document* document = m_workspace.current()) {
        setWindowTitle(document->title() + QStringLiteral("[*]"));
        setWindowModified(document->isModified());
        setWindowFilePath(document->path());
    }
}

void MainWindow::buildMenus()
{
    buildFileMenu();
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
        if (const auto& study = m_workspace.current()->session().study())
            QApplication::clipboard()->setText(answerInWords(*study));
    });
    edit->addAction(tr("&Ask"), QKeySequence(Qt::CTRL | Qt::Key_K), this, [this] { m_ask->focus(); });
    buildViewMenu();
    QMenu* help = menuBar()->addMenu(tr("&Help"));
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

void MainWindow::buildFileMenu()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&New"), QKeySequence::New, this, [this] { m_workspace.add(Workspace::example()); });
    file->addAction(tr("&Open…"), QKeySequence::Open, this, &MainWindow::openFiles);
    QMenu* recent = file->addMenu(tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(*recent); });
    file->addSeparator();
    file->addAction(tr("&Save"), QKeySequence::Save, this,
                    [this] { save(m_workspace.currentIndex(), false); });
    file->addAction(tr("Save &as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), this,
                    [this] { save(m_workspace.currentIndex(), true); });
    file->addAction(tr("&Export report…"), QKeySequence(Qt::CTRL | Qt::Key_E), this,
                    &MainWindow::exportReport);
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
        QAction* show = view->addAction(titles[i], this, [this, i] { m_views->showView(i); });
        if (i < 10) // the tenth on the key after 9
            show->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + (i + 1) % 10)));
    }
    view->addSeparator();
    view->addAction(tr("&Next view"), QKeySequence(Qt::CTRL | Qt::Key_PageDown), this,
                    [this] { m_views->step(1); });
    view->addAction(tr("&Previous view"), QKeySequence(Qt::CTRL | Qt::Key_PageUp), this,
                    [this] { m_views->step(-1); });
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

void MainWindow::fillRecent(QMenu& menu)
{
    menu.clear();
    for (const QString& path : m_workspace.settings().recentFiles())
        menu.addAction(path, this, [this, path] { m_workspace.open(path); });
    menu.setEnabled(!menu.isEmpty());
}

void MainWindow::openFiles()
{
    const QStringList files = QFileDialog::getOpenFileNames(
        this, tr("Open"), {},
        tr("Scenarios, calibrations and models (*.yaml *.yml *.json *.gguf *.safetensors);;All files (*)"));
    for (const QString& file : files)
        m_workspace.open(file);
}

void MainWindow::exportReport()
{
    Document* document = m_workspace.current();
    if (!document || !document->session().study())
        return;
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export report"), document->title() + QStringLiteral(".pdf"), tr("Report (*.pdf)"));
    if (path.isEmpty())
        return;
    // North America prints on Letter, everyone else on A4.
    const bool letter = QLocale::system().measurementSystem() == QLocale::ImperialUSSystem;
    const std::shared_ptr<const Study> study = document->session().study();
    const ReportOptions options{.paper = letter ? QPageSize::Letter : QPageSize::A4,
                                .date = QDate::currentDate(),
                                .version = QApplication::applicationVersion()};
    // Simulating takes a moment, so it is a job; painting needs this thread and is quick.
    using Complete = std::pair<std::shared_ptr<const Study>, ReportOptions>;
    m_exporter->start<Complete>(
        [study, options](const RunControl& control) -> Complete {
            // What the command line would write: with the traffic replayed.
            std::shared_ptr<const Study> whole = study;
            if (study->depth != StudyDepth::Replayed)
                if (const auto replayed = makeStudy(study->catalogue, study->asked, control))
                    whole = *replayed;
            return {whole, withServing(options, *whole)};
        },
        [this, path](const Complete& complete) {
            const QString why = writeReport(*complete.first, path, complete.second);
            m_notices->add(why.isEmpty() ? tr("The report was written to %1").arg(path) : why);
        });
}

bool MainWindow::save(int index, bool as)
{
    Document* document = m_workspace.document(index);
    if (!document)
        return false;
    QString path = document->path();
    if (as || path.isEmpty())
        path = QFileDialog::getSaveFileName(
            this, tr("Save scenario"), path.isEmpty() ? document->title() + QStringLiteral(".yaml") : path,
            tr("Scenario (*.yaml)"));
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".yaml");
    return m_workspace.save(*document, path);
}

bool MainWindow::mayClose(int index)
{
    const Document* document = m_workspace.document(index);
    if (!document || !document->isModified())
        return true;
    const auto answer = QMessageBox::question(
        this, tr("Unsaved changes"), tr("Save the changes of “%1”?").arg(document->title()),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save(index, false));
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    for (int i = 0; i < m_workspace.count(); ++i)
        if (!mayClose(i))
            return event->ignore();
    saveState();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            m_workspace.open(url.toLocalFile());
    event->acceptProposedAction();
}

void MainWindow::saveState()
{
    Settings& settings = m_workspace.settings();
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/state"), QMainWindow::saveState(stateVersion));
    settings.setValue(QStringLiteral("window/view"), m_views->currentName().toUtf8());
    settings.flush();
}

void MainWindow::restoreState()
{
    Settings& settings = m_workspace.settings();
    resize(1360, 880);
    restoreGeometry(settings.value(QStringLiteral("window/geometry")));
    QMainWindow::restoreState(settings.value(QStringLiteral("window/state")), stateVersion);
    const QString view = QString::fromUtf8(settings.value(QStringLiteral("window/view")));
    m_views->showView(m_views->names().contains(view) ? view : m_views->names().constFirst());
}

} // namespace headroom::app
