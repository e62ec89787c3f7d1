#include "app/desktop/window/main_window.h"

#include "app/desktop/jobs/job_runner.h"
#include "app/desktop/panels/answer_header.h"
#include "app/desktop/panels/ask_bar.h"
#include "app/desktop/panels/explain_panel.h"
#include "app/desktop/panels/height_area.h"
#include "app/desktop/panels/pin_tray.h"
#include "app/desktop/panels/scenario_panel.h"
#include "app/desktop/session/workspace.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/views/accuracy_view.h"
#include "app/desktop/views/calibrate_view.h"
#include "app/desktop/views/chart_views.h"
#include "app/desktop/views/compare_view.h"
#include "app/desktop/views/fit_view.h"
#include "app/desktop/views/layouts_view.h"
#include "app/desktop/views/models_view.h"
#include "app/desktop/views/over_time_view.h"
#include "app/desktop/views/probe_of_server.h"
#include "app/desktop/views/sensitivity_view.h"
#include "app/desktop/views/serving_view.h"
#include "app/desktop/window/application.h"
#include "app/desktop/window/glossary_tips.h"
#include "app/desktop/window/notice_bar.h"
#include "app/desktop/window/view_deck.h"
#include "model/advise/plan_view.h"

#include <QAction>
#include <QApplication>
#include <QDesktopServices>
#include <QDockWidget>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

namespace {
constexpr int stateVersion = 1;
}

MainWindow::MainWindow(Workspace& workspace)
    : m_workspace(workspace),
      m_documents(new QTabBar(this)),
      m_ask(new AskBar(workspace, this)),
      m_answer(new AnswerHeader(this)),
      m_views(new ViewDeck(this)),
      m_state(new QLabel(this)),
      m_exporter(new JobRunner(this))
{
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    QWidget* const centre = buildCentre();
    buildDocks();
    addViews();
    // A page is laid out when it is added: by then it must have its tabs.
    m_pages = new QStackedWidget(this);
    m_pages->addWidget(centre);
    setCentralWidget(m_pages);
    buildMenus();
    m_state->setForegroundRole(QPalette::PlaceholderText);
    m_state->setContentsMargins(8, 0, 0, 0);
    statusBar()->addWidget(m_state, 1);
    connect(&m_workspace, &Workspace::currentChanged, this, &MainWindow::documentChanged);
    connect(&m_workspace, &Workspace::documentsChanged, this, &MainWindow::titlesChanged);
    const auto tell = [this] {
        for (const Notice& notice : m_workspace.takeNotices())
            m_notices->add(notice);
    };
    connect(&m_workspace, &Workspace::noticed, this, tell);
    tell();
    restoreState();
    pinsChanged();
    titlesChanged();
    documentChanged();
    qApp->installEventFilter(this);
}

MainWindow::~MainWindow() = default;

QWidget* MainWindow::buildCentre()
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
    column->addWidget(new HeightArea(m_answer, centre));
    column->addWidget(m_views, 1);
    m_notices = new NoticeBar(centre);
    connect(m_notices, &NoticeBar::openRequested, this,
            [](const QString& file) { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); });
    connect(m_documents, &QTabBar::currentChanged, &m_workspace, &Workspace::setCurrent);
    connect(m_documents, &QTabBar::tabCloseRequested, this, [this](int index) {
        if (mayClose(index))
            m_workspace.close(index);
    });
    return centre;
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
    m_pinsDock = new QDockWidget(tr("Pinned"), this);
    m_pinsDock->setObjectName(QStringLiteral("pins-dock"));
    m_pins = new PinTray(m_workspace.pins(), m_pinsDock);
    m_pinsDock->setWidget(m_pins);
    addDockWidget(Qt::BottomDockWidgetArea, m_pinsDock);
    m_pinsDock->hide();
    connect(&m_workspace.pins(), &Pins::changed, this, &MainWindow::pinsChanged);
    connect(m_pins, &PinTray::openRequested, &m_workspace,
            [this](const Scenario& scenario) { m_workspace.add(scenario); });
    connect(
        m_answer, &AnswerHeader::pinRequested, &m_workspace.pins(),
        [this](const QString& title, const Scenario& scenario) { m_workspace.pins().add(title, scenario); });
    resizeDocks({m_scenarioDock, m_explainDock}, {310, 320}, Qt::Horizontal);
    connect(m_ask, &AskBar::currencyMeant, this, &MainWindow::currencyRequested);
    connect(m_ask, &AskBar::fieldMeant, this, &MainWindow::showField);
    connect(m_ask, &AskBar::modelsAsked, this, [this] { showView(QStringLiteral("models")); });
    connect(m_explain, &ExplainPanel::fieldMeant, this, &MainWindow::showField);
    connect(m_ask, &AskBar::unreadChanged, m_answer, &AnswerHeader::setUnread);
    connect(m_ask, &AskBar::unreadChanged, m_views, &ViewDeck::setUnread);
    connect(m_answer, &AnswerHeader::explainRequested, this, &MainWindow::explain);
    connect(m_scenario, &ScenarioPanel::explainRequested, this, &MainWindow::explain);
    connect(m_scenario, &ScenarioPanel::importMeant, this, &MainWindow::importModel);
}

namespace {
constexpr int leastForThree = 1250; // px: in a narrower window the explanation stands over the scenario
}

void MainWindow::explain(const ExplainRequest& request)
{
    const bool over = tabifiedDockWidgets(m_scenarioDock).contains(m_explainDock);
    if (m_explainDock->isHidden() && over && width() >= leastForThree)
        addDockWidget(Qt::RightDockWidgetArea, m_explainDock);
    if (m_explainDock->isHidden() && !over
        && width() < leastForThree) // shown first, it would widen the window
        tabifyDockWidget(m_scenarioDock, m_explainDock);
    m_explainDock->show();
    m_explainDock->raise();
    m_explain->explain(request);
}

void MainWindow::leaveRoom()
{
    if (width() >= leastForThree || m_explainDock->isHidden() || m_scenarioDock->isHidden()
        || m_explainDock->isFloating() || tabifiedDockWidgets(m_scenarioDock).contains(m_explainDock))
        return;
    tabifyDockWidget(m_scenarioDock, m_explainDock);
    m_explainDock->raise();
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    // Docks are not moved while they are laid out.
    QMetaObject::invokeMethod(this, &MainWindow::leaveRoom, Qt::QueuedConnection);
}

void MainWindow::showField(const QString& key)
{
    m_scenarioDock->show();
    m_scenarioDock->raise();
    m_scenario->showField(key);
}

// A line of text would take some of them for moves of its cursor, Ctrl+E and Ctrl+K among them. Those that
// every line of text has stay its own.
bool MainWindow::isOwnKey(const QKeyEvent& event) const
{
    for (const auto standard : {QKeySequence::Undo, QKeySequence::Redo, QKeySequence::Copy, QKeySequence::Cut,
                                QKeySequence::Paste, QKeySequence::SelectAll})
        if (event.matches(standard))
            return false;
    const QKeySequence pressed(event.keyCombination());
    const QList<QAction*> actions = findChildren<QAction*>();
    return event.modifiers() != Qt::NoModifier
        && std::any_of(actions.begin(), actions.end(),
                       [&](const QAction* action) { return action->shortcut() == pressed; });
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ToolTip && isAncestorOf(qobject_cast<QWidget*>(watched))
        && showGlossaryTip(*static_cast<QWidget*>(watched), *static_cast<QHelpEvent*>(event)))
        return true;
    if (event->type() == QEvent::ShortcutOverride && isActiveWindow()
        && isOwnKey(*static_cast<QKeyEvent*>(event))) {
        event->ignore();
        return true;
    }
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::addViews()
{
    m_views->add(QStringLiteral("layouts"), tr("Layouts"), [](QWidget* p) { return new LayoutsView(p); });
    m_views->add(QStringLiteral("memory"), tr("Memory"), makeMemoryView);
    m_views->add(QStringLiteral("roofline"), tr("Roofline"), makeRooflineView);
    m_views->add(QStringLiteral("batch"), tr("Batch"),
                 [this](QWidget* p) { return makeBatchView(p, m_workspace.pins()); });
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
        view->setPins(m_workspace.pins());
        return view;
    });
    m_views->add(QStringLiteral("models"), tr("Models"), [](QWidget* p) { return new ModelsView(p); });
    m_views->add(QStringLiteral("sensitivity"), tr("Sensitivity"),
                 [](QWidget* p) { return new SensitivityView(p); });
    m_views->add(QStringLiteral("calibrate"), tr("Calibrate"),
                 [](QWidget* p) { return new CalibrateView(p); });
    if (probesServers())
        m_views->add(QStringLiteral("probe"), tr("Probe"), makeProbeView);
    m_views->add(QStringLiteral("fit"), tr("Fit"), [](QWidget* p) { return new FitView(p); });
    m_views->add(QStringLiteral("accuracy"), tr("Accuracy"), [](QWidget* p) { return new AccuracyView(p); });
    connect(m_views, &ViewDeck::explainRequested, this, &MainWindow::explain);
    connect(
        m_views, &ViewDeck::pinRequested, &m_workspace.pins(),
        [this](const QString& title, const Scenario& scenario) { m_workspace.pins().add(title, scenario); });
}

void MainWindow::showView(const QString& name)
{
    leaveStart();
    m_views->showView(name);
}
QStringList MainWindow::viewNames() const { return m_views->names(); }
View* MainWindow::currentView() const { return m_views->current(); }

void MainWindow::documentChanged()
{
    Document* document = m_workspace.current();
    disconnect(m_planned);
    m_planned = connect(&document->session(), &Session::planViewChanged, this, &MainWindow::showState);
    showState();
    m_documents->setCurrentIndex(m_workspace.currentIndex());
    m_scenario->setDocument(document);
    m_answer->setDocument(document);
    m_explain->setDocument(document);
    m_views->setDocument(document);
    m_pins->setDocument(document);
    leaveStart();
    titlesChanged();
}

// What the answer was chosen from, and how long that took.
void MainWindow::showState()
{
    const Session& session = m_workspace.current()->session();
    if (!session.planView())
        return m_state->setText(tr("Planning…"));
    const auto candidates = static_cast<int>(session.planView()->sizing->candidates.size());
    m_state->setText(tr("%n layout(s) compared", nullptr, candidates) + QStringLiteral(" · ")
                     + tr("planned in %1").arg(text(Seconds(double(session.planMs()) / 1000), Zeros::Dropped))
                     + (session.planView()->depth == PlanDepth::Explained ? QStringLiteral(" · ")
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

void MainWindow::saveState()
{
    leaveStart(); // its docks come back with the work
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

#include "moc_main_window.cpp"
