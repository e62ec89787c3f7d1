#include "app/desktop/charts/chart.h"

#include "app/desktop/charts/chart_export.h"
#include "app/desktop/charts/chart_fill.h"
#include "app/desktop/charts/chart_fit.h"
#include "app/desktop/charts/chart_points.h"
#include "app/desktop/charts/elided_label.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QStackedLayout>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <qcustomplot.h>

#include <algorithm>

namespace headroom::app {

Chart::Chart(QWidget* parent)
    : QWidget(parent),
      m_title(new ElidedLabel(this)),
      m_note(new ElidedLabel(this)),
      m_more(new QToolButton(this)),
      m_stack(new QStackedLayout),
      m_plot(new QCustomPlot(this)),
      m_table(new QTableWidget(this)),
      m_hoverText(new QLabel(m_plot))
{
    setUpPlot(*m_plot);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    m_plot->setContextMenuPolicy(Qt::NoContextMenu);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Chart"));
    m_plot->setFocusPolicy(Qt::NoFocus); // the keys are the chart's
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_more->setText(QStringLiteral("⋯"));
    m_more->setAutoRaise(true);
    m_more->setAccessibleName(tr("Chart actions"));
    m_more->setToolTip(tr("Copy, save, show as a table"));
    connect(m_more, &QToolButton::clicked, this, [this] {
        QMenu* menu = makeMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(m_more->mapToGlobal(m_more->rect().bottomLeft()));
    });
    m_hoverText->setAutoFillBackground(true);
    m_hoverText->setBackgroundRole(QPalette::ToolTipBase);
    m_hoverText->setForegroundRole(QPalette::ToolTipText);
    m_hoverText->setMargin(4);
    m_hoverText->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_hoverText->hide();
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setAlternatingRowColors(true);
    m_table->verticalHeader()->hide();
    m_table->setAccessibleName(tr("Chart data"));

    auto* head = new QHBoxLayout;
    head->setContentsMargins(10, 4, 4, 0);
    head->setSpacing(10);
    head->addWidget(m_title);
    head->addWidget(m_note, 1);
    head->addWidget(m_more);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addLayout(m_stack, 1);
    m_plot->setMinimumSize(1, 1); // its words make do with the room that the chart has
    m_stack->addWidget(m_plot);
    m_stack->addWidget(m_table);
    setMinimumSize(220, 110);
    connect(m_plot, &QCustomPlot::legendClick, this, [this](QCPLegend*, QCPAbstractLegendItem* item) {
        auto* entry = qobject_cast<QCPPlottableLegendItem*>(item);
        const qsizetype series = entry ? seriesOf(*entry->plottable()) : -1;
        if (series < 0 || series >= m_hidden.size())
            return;
        m_hidden[series] = !m_hidden[series];
        refill();
    });
}

void Chart::setData(ChartData data)
{
    if (data == m_data && !m_hidden.isEmpty())
        return;
    if (data.series.size() != m_data.series.size())
        m_hidden.fill(false, data.series.size());
    m_data = std::move(data);
    m_chosen = {-1, -1};
    m_hovered = {-1, -1};
    m_hoverText->hide();
    m_title->setText(m_data.title);
    m_title->setToolTip(m_data.title);
    m_title->setVisible(!m_data.title.isEmpty());
    m_note->setText(m_data.note);
    refill();
    describe();
    if (isTable())
        fillTable();
}

void Chart::describe()
{
    setAccessibleName(m_data.title.isEmpty() ? tr("Chart") : m_data.title);
    qsizetype points = 0;
    QStringList names;
    for (const ChartSeries& series : m_data.series) {
        points += series.x.size();
        names << series.name;
    }
    setAccessibleDescription(
        m_data.isEmpty() ? m_data.whenEmpty
                         : tr("Chart of %1 over %2: %3; %n point(s)", nullptr, static_cast<int>(points))
                               .arg(m_data.y.title, m_data.x.title, names.join(QStringLiteral(", "))));
}

void Chart::refill()
{
    const ChartTheme theme = ChartTheme::from(palette());
    m_compact = isCompact(*m_plot);
    fillPlot(*m_plot, m_data, m_hidden, theme, m_zoomed);
    if (m_chosen.first >= 0)
        setChosen(m_chosen.first, m_chosen.second);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void Chart::setChosen(int series, int point)
{
    m_chosen = {series, point};
    // A ring and what holds it in its place; the plot owns both.
    for (const QString& part : {QStringLiteral("chosen"), QStringLiteral("chosen-place")})
        if (auto* const old = m_plot->findChild<QCPAbstractItem*>(part, Qt::FindDirectChildrenOnly)) {
            m_plot->removeItem(old);
            m_plot->replot(QCustomPlot::rpQueuedReplot);
        }
    if (series < 0 || series >= m_data.series.size() || point < 0 || point >= m_data.series[series].x.size())
        return;
    auto* ring = new QCPItemEllipse(m_plot);
    ring->setObjectName(QStringLiteral("chosen"));
    ring->setPen(QPen(ChartTheme::from(palette()).text, 2));
    for (QCPItemPosition* corner : {ring->topLeft, ring->bottomRight})
        corner->setType(QCPItemPosition::ptAbsolute);
    auto* anchor = new QCPItemTracer(m_plot);
    anchor->setStyle(QCPItemTracer::tsNone);
    anchor->setObjectName(QStringLiteral("chosen-place"));
    const QPointF at = pointPixel(*m_plot, m_data, series, point); // of a stack its own part
    anchor->position->setCoords(m_plot->xAxis->pixelToCoord(at.x()), m_plot->yAxis->pixelToCoord(at.y()));
    ring->topLeft->setParentAnchor(anchor->position);
    ring->bottomRight->setParentAnchor(anchor->position);
    ring->topLeft->setCoords(-9, -9);
    ring->bottomRight->setCoords(9, 9);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

bool Chart::isTable() const { return m_stack->currentWidget() == m_table; }

void Chart::setTable(bool table)
{
    if (table)
        fillTable();
    m_stack->setCurrentWidget(table ? static_cast<QWidget*>(m_table) : m_plot);
}

void Chart::fillTable()
{
    const ChartTable table = chartTable(m_data);
    m_table->setColumnCount(static_cast<int>(table.headers.size()));
    m_table->setRowCount(static_cast<int>(table.rows.size()));
    m_table->setHorizontalHeaderLabels(table.headers);
    for (int r = 0; r < m_table->rowCount(); ++r)
        for (int c = 0; c < m_table->columnCount(); ++c)
            m_table->setItem(r, c, new QTableWidgetItem(table.rows[r].value(c)));
    m_table->resizeColumnsToContents();
}

void Chart::resetZoom()
{
    m_zoomed = false;
    refill();
}

void Chart::showPoint(int series, int point)
{
    m_hovered = {series, point};
    const QString text = pointText(m_data, series, point);
    m_hoverText->setText(text);
    m_hoverText->adjustSize();
    QPoint at = pointPixel(*m_plot, m_data, series, point).toPoint() + QPoint(12, -m_hoverText->height() - 8);
    at.setX(std::clamp(at.x(), 0, std::max(0, m_plot->width() - m_hoverText->width())));
    at.setY(std::clamp(at.y(), 0, std::max(0, m_plot->height() - m_hoverText->height())));
    m_hoverText->move(at);
    m_hoverText->show();
}

void Chart::hover(const QPointF& at)
{
    const auto [series, point] = nearestPoint(*m_plot, m_data, m_hidden, at);
    if (series < 0) {
        m_hoverText->hide();
        m_hovered = {-1, -1};
    } else if (m_hovered != std::pair(series, point) || m_hoverText->isHidden()) {
        showPoint(series, point);
    }
}

bool Chart::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_plot && dragMark(event))
        return true;
    if (watched == m_plot) {
        switch (event->type()) {
        case QEvent::MouseMove:
            hover(static_cast<QMouseEvent*>(event)->position());
            break;
        case QEvent::Resize:
            if (isCompact(*m_plot) != m_compact)
                refill();
            break;
        case QEvent::Leave:
            m_hoverText->hide();
            break;
        case QEvent::Wheel:
            m_zoomed = true;
            break;
        case QEvent::MouseButtonDblClick:
            resetZoom();
            return true;
        case QEvent::MouseButtonRelease:
            if (static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton)
                if (const auto [s, p]
                    = nearestPoint(*m_plot, m_data, m_hidden, static_cast<QMouseEvent*>(event)->position());
                    s >= 0)
                    emit pointClicked(s, p);
            break;
        default:
            break;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void Chart::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        refill();
    QWidget::changeEvent(event);
}

void Chart::keyPressEvent(QKeyEvent* event)
{
    const auto step = [this](int by) {
        int s = std::max(0, m_hovered.first);
        if (m_data.series.value(s).x.isEmpty())
            return;
        const int last = static_cast<int>(m_data.series[s].x.size()) - 1;
        showPoint(s, std::clamp(m_hovered.first < 0 ? 0 : m_hovered.second + by, 0, last));
    };
    const auto zoom = [this](double by) {
        m_zoomed = true;
        m_plot->xAxis->scaleRange(by);
        m_plot->yAxis->scaleRange(by);
        m_plot->replot(QCustomPlot::rpQueuedReplot);
    };
    if (event->matches(QKeySequence::Copy))
        return copy();
    if (event->modifiers() == Qt::ShiftModifier && stepMark(event->key()))
        return;
    switch (event->key()) {
    case Qt::Key_Right:
        return step(1);
    case Qt::Key_Left:
        return step(-1);
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (m_data.series.size() > 1) {
            const int count = static_cast<int>(m_data.series.size());
            m_hovered
                = {(std::max(0, m_hovered.first) + (event->key() == Qt::Key_Up ? 1 : count - 1)) % count,
                   std::max(0, m_hovered.second)};
            step(0);
        }
        return;
    case Qt::Key_Plus:
        return zoom(0.8);
    case Qt::Key_Minus:
        return zoom(1.25);
    case Qt::Key_0:
        return resetZoom();
    case Qt::Key_T:
        return setTable(!isTable());
    case Qt::Key_Return:
        if (m_hovered.first >= 0)
            emit pointClicked(m_hovered.first, m_hovered.second);
        return;
    case Qt::Key_Menu:
        return m_more->click();
    default:
        QWidget::keyPressEvent(event);
    }
}

QMenu* Chart::makeMenu(QWidget* parent)
{
    auto* menu = new QMenu(parent);
    menu->addAction(tr("Copy"), this, &Chart::copy);
    menu->addAction(tr("Save as…"), this, &Chart::chooseFile);
    QAction* table = menu->addAction(tr("Show as table"), this, &Chart::setTable);
    table->setCheckable(true);
    table->setChecked(isTable());
    menu->addAction(tr("Whole picture"), this, &Chart::resetZoom)->setEnabled(m_zoomed);
    if (m_data.series.size() > 1) {
        menu->addSection(tr("Series"));
        for (int i = 0; i < m_data.series.size(); ++i) {
            QAction* shown = menu->addAction(m_data.series[i].name);
            shown->setCheckable(true);
            shown->setChecked(!m_hidden.value(i));
            connect(shown, &QAction::toggled, this, [this, i](bool on) {
                m_hidden[i] = !on;
                refill();
            });
        }
    }
    return menu;
}

void Chart::copy() const
{
    auto* content = new QMimeData;
    content->setText(chartCsv(m_data));
    content->setImageData(m_plot->grab().toImage());
    QApplication::clipboard()->setMimeData(content);
}

void Chart::chooseFile()
{
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save chart"), QStringLiteral("chart.png"),
        tr("Picture (*.png);;Vector picture (*.svg);;PDF (*.pdf);;Data (*.csv)"));
    if (path.isEmpty())
        return;
    if (const QString why = save(path); !why.isEmpty())
        m_note->setText(why);
}

QString Chart::save(const QString& path) const { return saveChart(m_data, path); }

} // namespace headroom::app

#include "moc_chart.cpp"
