#include "app/desktop/views/over_time_view.h"

#include "app/desktop/panels/figure_strip.h"
#include "app/desktop/text/study_text.h"
#include "app/desktop/views/study_charts.h"

#include <QGridLayout>

namespace headroom::app {

OverTimeView::OverTimeView(QWidget* parent)
    : ChartsView({{.make = growthChart, .click = {}, .row = 1, .columns = 2},
                  {.make = dayLoadChart, .click = {}, .row = 2},
                  {.make = dayGpusChart, .click = {}, .row = 2, .column = 1}},
                 parent),
      m_day(new FigureStrip(tr("Figures of the day"), this))
{
    needExplained(); // years are planned when the hand rests
    grid().addWidget(m_day, 0, 0, 1, 2);
    grid().setRowStretch(1, 1);
    grid().setRowStretch(2, 1);
}

void OverTimeView::present(const Study& study)
{
    ChartsView::present(study);
    m_day->setFigures(dayFigures(study));
}

} // namespace headroom::app
