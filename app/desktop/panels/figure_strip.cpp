#include "app/desktop/panels/figure_strip.h"

#include "app/desktop/charts/chart_theme.h"
#include "app/desktop/panels/flow_layout.h"
#include "app/desktop/text/model_text.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

namespace headroom::app {

namespace {

constexpr int betweenFigures = 26; // px

} // namespace

FigureStrip::FigureStrip(const QString& name, QWidget* parent)
    : QWidget(parent), m_flow(new FlowLayout(this, betweenFigures))
{
    setAccessibleName(name);
    m_flow->setContentsMargins(10, 4, 10, 4);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    hide(); // until there is a figure
}

void FigureStrip::setFigures(const QVector<KeyFigure>& figures)
{
    if (figures == m_figures)
        return;
    m_figures = figures;
    m_values.clear();
    m_flow->clear();
    for (const KeyFigure& figure : figures) {
        auto* place = new QWidget(this);
        auto* column = new QVBoxLayout(place);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* value = new QLabel(figure.value, place);
        QFont large = value->font();
        large.setPointSizeF(large.pointSizeF() * 1.35);
        large.setWeight(QFont::DemiBold);
        value->setFont(large);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        auto* title = new QLabel(figure.title, place);
        title->setForegroundRole(QPalette::PlaceholderText);
        value->setAccessibleName(titled(figure.title, figure.value));
        column->addWidget(value);
        column->addWidget(title);
        m_flow->addWidget(place);
        m_values << value;
        place->show();
    }
    paintTones();
    setVisible(!figures.isEmpty());
    updateGeometry();
}

void FigureStrip::paintTones()
{
    const ChartTheme theme = ChartTheme::from(palette());
    for (qsizetype i = 0; i < m_values.size(); ++i) {
        QPalette ink = palette();
        ink.setColor(QPalette::WindowText, theme.ink(m_figures[i].tone));
        m_values[i]->setPalette(ink);
    }
}

void FigureStrip::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        paintTones();
    QWidget::changeEvent(event);
}

} // namespace headroom::app

#include "moc_figure_strip.cpp"
