#include "app/desktop/charts/chart.h"

#include "app/desktop/charts/chart_fill.h"
#include "app/desktop/charts/chart_marks.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPdfWriter>
#include <QPicture>
#include <QSaveFile>
#include <QStackedLayout>
#include <QSvgGenerator>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <qcustomplot.h>

#include <cmath>
#include <limits>

namespace headroom::app {

namespace {
constexpr double hoverReach = 28; // px: how near the pointer must come
const QSize exportSize(960, 540); // points; 16:9 fits a slide and a column of a document

void setUp(QCustomPlot& plot)
{
    plot.setAutoAddPlottableToLegend(true);
    plot.setNoAntialiasingOnDrag(true);
    // The legend stands above the picture, so that it never hides a point.
    auto* head = new QCPLayoutGrid;
    plot.plotLayout()->insertRow(0);
    plot.plotLayout()->addElement(0, 0, head);
    head->addElement(0, 0, plot.legend);
    head->addElement(0, 1, new QCPLayoutElement);
    head->setColumnStretchFactor(0, 0.001);
    plot.legend->setFillOrder(QCPLegend::foColumnsFirst);
    plot.plotLayout()->setRowStretchFactor(0, 0.001);
    plot.plotLayout()->setRowSpacing(0);
    plot.addLayer(QStringLiteral("hover"), plot.layer(QStringLiteral("overlay")), QCustomPlot::limAbove);
    plot.layer(QStringLiteral("hover"))->setMode(QCPLayer::lmBuffered);
}
} // namespace

Chart::Chart(QWidget* parent)
    : QWidget(parent),
      m_title(new QLabel(this)),
      m_note(new QLabel(this)),
      m_more(new QToolButton(this)),
      m_stack(new QStackedLayout),
      m_plot(new QCustomPlot(this)),
      m_table(new QTableWidget(this)),
      m_hoverText(new QLabel(m_plot))
{
    setUp(*m_plot);
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
    m_stack->addWidget(m_plot);
    m_stack->addWidget(m_table);
    setMinimumSize(220, 150);
    connect(m_plot, &QCustomPlot::legendClick, this, [this](QCPLegend* legend, QCPAbstractLegendItem* item) {
        for (int i = 0, row = 0; item && i < legend->itemCount() && row < m_hidden.size(); ++i, ++row)
            if (legend->item(i) == item)
                m_hidden[row] = !m_hidden[row];
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
    fillPlot(*m_plot, m_data, m_hidden, theme, m_zoomed);
    if (m_data.isEmpty() && !m_data.whenEmpty.isEmpty()) {
        auto* text = new QCPItemText(m_plot);
        text->setText(m_data.whenEmpty);
        text->setColor(theme.muted);
        text->setFont(font());
        text->position->setType(QCPItemPosition::ptAxisRectRatio);
        text->position->setCoords(0.5, 0.5);
        text->setPositionAlignment(Qt::AlignCenter);
        text->setTextAlignment(Qt::AlignCenter);
    }
    if (m_chosen.first >= 0)
        setChosen(m_chosen.first, m_chosen.second);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void Chart::setChosen(int series, int point)
{
    m_chosen = {series, point};
    if (QCPAbstractItem* old = m_plot->findChild<QCPAbstractItem*>(QStringLiteral("chosen")))
        m_plot->removeItem(old);
    if (series < 0 || series >= m_data.series.size() || point < 0 || point >= m_data.series[series].x.size())
        return;
    auto* ring = new QCPItemEllipse(m_plot);
    ring->setObjectName(QStringLiteral("chosen"));
    ring->setPen(QPen(ChartTheme::from(palette()).text, 2));
    for (QCPItemPosition* corner : {ring->topLeft, ring->bottomRight})
        corner->setType(QCPItemPosition::ptAbsolute);
    auto* anchor = new QCPItemTracer(m_plot);
    anchor->setStyle(QCPItemTracer::tsNone);
    anchor->setParent(ring);
    anchor->position->setCoords(m_data.series[series].x[point], m_data.series[series].y[point]);
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

QPointF Chart::pixel(int series, int point) const
{
    const ChartSeries& data = m_data.series[series];
    const bool lying = m_data.horizontal && data.kind == ChartSeries::Kind::Bars;
    if (data.kind == ChartSeries::Kind::Line)
        return {m_plot->xAxis->coordToPixel(data.x[point]), m_plot->yAxis->coordToPixel(data.y[point])};
    for (int i = 0; i < m_plot->plottableCount(); ++i)
        if (auto* marks = qobject_cast<ChartMarks*>(m_plot->plottable(i));
            marks && marks->name() == data.name)
            return marks->centre(point);
    return lying
        ? QPointF(m_plot->xAxis->coordToPixel(data.y[point]), m_plot->yAxis->coordToPixel(data.x[point]))
        : QPointF();
}

std::pair<int, int> Chart::nearest(const QPointF& at) const
{
    std::pair<int, int> best{-1, -1};
    double reach = hoverReach;
    for (int s = 0, plottable = 0; s < m_data.series.size(); ++s) {
        const ChartSeries& series = m_data.series[s];
        if (m_hidden.value(s))
            continue;
        const bool boxes = series.kind == ChartSeries::Kind::Bars || series.kind == ChartSeries::Kind::Spans;
        ChartMarks* marks = nullptr;
        for (; boxes && plottable < m_plot->plottableCount() && !marks; ++plottable)
            if (auto* candidate = qobject_cast<ChartMarks*>(m_plot->plottable(plottable));
                candidate && candidate->name() == series.name)
                marks = candidate;
        for (int p = 0; p < series.x.size(); ++p) {
            const double distance = marks
                ? (marks->box(p).adjusted(-1, -1, 1, 1).contains(at) ? 0.0 : hoverReach)
                : QLineF(pixel(s, p), at).length();
            if (distance < reach) {
                reach = distance;
                best = {s, p};
            }
        }
    }
    return best;
}

QString Chart::pointText(int s, int p) const
{
    const ChartSeries& series = m_data.series[s];
    const QLocale locale;
    const auto value = [&](const ChartAxis& axis, double v) {
        const auto index = static_cast<qsizetype>(std::lround(v));
        if (index >= 0 && index < axis.categories.size())
            return axis.categories[index];
        return QStringLiteral("%1 %2").arg(locale.toString(v, 'g', 4), axis.unit).trimmed();
    };
    const bool lying = m_data.horizontal && series.kind == ChartSeries::Kind::Bars;
    const ChartAxis& keys = lying ? m_data.y : m_data.x;
    const ChartAxis& values = lying ? m_data.x : m_data.y;
    QString text = series.labels.value(p).isEmpty() ? series.name : series.labels[p];
    if (series.kind == ChartSeries::Kind::Spans)
        return text
            + QStringLiteral("\n%1 – %2")
                  .arg(value(m_data.x, series.from.value(p)), value(m_data.x, series.x[p]));
    text += QStringLiteral("\n%1: %2\n%3: %4")
                .arg(keys.title, value(keys, series.x[p]), values.title, value(values, series.y[p]));
    if (p < series.low.size() && p < series.high.size())
        text += QStringLiteral(" (%1 – %2)")
                    .arg(locale.toString(series.low[p], 'g', 4), locale.toString(series.high[p], 'g', 4));
    return text;
}

void Chart::showPoint(int series, int point)
{
    m_hovered = {series, point};
    const QString text = pointText(series, point);
    m_hoverText->setText(text);
    m_hoverText->adjustSize();
    QPoint at = pixel(series, point).toPoint() + QPoint(12, -m_hoverText->height() - 8);
    at.setX(std::clamp(at.x(), 0, std::max(0, m_plot->width() - m_hoverText->width())));
    at.setY(std::clamp(at.y(), 0, std::max(0, m_plot->height() - m_hoverText->height())));
    m_hoverText->move(at);
    m_hoverText->show();
}

void Chart::hover(const QPointF& at)
{
    const auto [series, point] = nearest(at);
    if (series < 0) {
        m_hoverText->hide();
        m_hovered = {-1, -1};
    } else if (m_hovered != std::pair(series, point) || m_hoverText->isHidden()) {
        showPoint(series, point);
    }
}

bool Chart::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_plot) {
        switch (event->type()) {
        case QEvent::MouseMove:
            hover(static_cast<QMouseEvent*>(event)->position());
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
                if (const auto [s, p] = nearest(static_cast<QMouseEvent*>(event)->position()); s >= 0)
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

QString Chart::save(const QString& path) const
{
    const QString failed = tr("%1 could not be written").arg(path);
    const QRectF area(QPointF(0, 0), exportSize);
    if (path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive)) {
        QSaveFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(chartCsv(m_data).toUtf8()) >= 0 && file.commit()
            ? QString()
            : failed;
    }
    if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        QSvgGenerator svg;
        svg.setFileName(path);
        svg.setViewBox(area);
        svg.setTitle(m_data.title);
        QPainter painter;
        if (!painter.begin(&svg))
            return failed;
        paintChart(painter, area, m_data, ChartTheme::print());
        return {};
    }
    if (path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)) {
        QPdfWriter pdf(path);
        pdf.setPageSize(QPageSize(QSizeF(exportSize), QPageSize::Point));
        pdf.setPageMargins(QMarginsF());
        pdf.setResolution(72);
        QPainter painter;
        if (!painter.begin(&pdf))
            return failed;
        paintChart(painter, area, m_data, ChartTheme::print());
        return {};
    }
    QImage image(exportSize * 2, QImage::Format_ARGB32);
    image.setDevicePixelRatio(2);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintChart(painter, area, m_data, ChartTheme::print());
    painter.end();
    return image.save(path) ? QString() : failed;
}

void paintChart(QPainter& painter, const QRectF& area, const ChartData& data, const ChartTheme& theme)
{
    QCustomPlot plot;
    setUp(plot);
    plot.setFont(painter.font());
    plot.resize(area.size().toSize());
    fillPlot(plot, data, QVector<bool>(data.series.size(), false), theme, false);
    // QCustomPlot paints only through its own painter, which cannot wrap an active one: record, then play
    // back.
    QPicture picture;
    {
        QCPPainter recorder(&picture);
        recorder.setMode(QCPPainter::pmVectorized);
        recorder.setMode(QCPPainter::pmNoCaching);
        plot.toPainter(&recorder, static_cast<int>(area.width()), static_cast<int>(area.height()));
    }
    painter.save();
    painter.translate(area.topLeft());
    // A picture is played back at its recorded size in inches; here its units are those of the painter.
    painter.scale(double(picture.logicalDpiX()) / painter.device()->logicalDpiX(),
                  double(picture.logicalDpiY()) / painter.device()->logicalDpiY());
    painter.drawPicture(0, 0, picture);
    painter.restore();
}

} // namespace headroom::app
