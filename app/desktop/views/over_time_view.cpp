#include "app/desktop/views/over_time_view.h"

#include "app/desktop/panels/figure_strip.h"
#include "app/desktop/panels/flow_layout.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/views/planning_charts.h"
#include "model/import/trace.h"

#include <QGridLayout>
#include <QLabel>
#include <QToolButton>

#include <cmath>

namespace headroom::app {

namespace {

// The next of 1, 2, 5, 10, … that is not above: a load that is easily told and that the answer carries.
double roundBelow(double most)
{
    if (!(most > 0))
        return 1;
    const double ten = std::pow(10, std::floor(std::log10(most)));
    return most >= 5 * ten ? 5 * ten : most >= 2 * ten ? 2 * ten : ten;
}

constexpr double someGrowth = 0.4; // a year
const char* const someDay = ":peak=3,hour=14";

// The scenario with a load, a day and a growth, each where it says none.
Scenario exampleOf(const PlanView& planView)
{
    Scenario example = planView.asked;
    if (!example.requestsPerSecond && !example.concurrency) {
        // At its peak the day asks three times the mean: the answer at hand stands in its middle.
        example.requestsPerSecond
            = roundBelow(planView.answer().maxRequestsPerSecond * (1 - example.headroom));
        if (example.traffic == Scenario{}.traffic)
            example.traffic += someDay;
    }
    if (example.growthPerYear == 0)
        example.growthPerYear = someGrowth;
    return example;
}

} // namespace

OverTimeView::OverTimeView(QWidget* parent)
    : ChartsView({{.make = growthChart, .click = {}, .row = 2, .columns = 2},
                  {.make = dayLoadChart, .click = {}, .row = 3},
                  {.make = dayGpusChart, .click = {}, .row = 3, .column = 1}},
                 parent),
      m_example(new QLabel(this)),
      m_day(new FigureStrip(tr("Figures of the day"), this)),
      m_offerBox(new QWidget(this)),
      m_offers(new FlowLayout(m_offerBox))
{
    needExplained(); // years are planned when the hand rests
    m_offers->setContentsMargins(10, 8, 10, 0);
    m_offerBox->setAccessibleName(tr("What could be said"));
    m_offerBox->hide();
    m_example->setObjectName(QStringLiteral("example"));
    m_example->setWordWrap(true);
    m_example->setForegroundRole(QPalette::PlaceholderText);
    m_example->setContentsMargins(10, 4, 10, 0);
    m_example->hide();
    grid().addWidget(m_offerBox, 0, 0, 1, 2);
    grid().addWidget(m_example, 1, 0, 1, 2);
    grid().addWidget(m_day, 4, 0, 1, 2);
    grid().setRowStretch(2, 1);
    grid().setRowStretch(3, 1);
    watch(m_runner);
}

bool OverTimeView::showsExample() const { return !m_example->isHidden(); }

// Three empty frames teach nothing: what a load, a day and a growth would look like does.
void OverTimeView::drawExample(const PlanView& planView)
{
    using Answer = Result<std::shared_ptr<const PlanView>>;
    const Scenario example = exampleOf(planView);
    m_runner.start<Answer>(
        [catalogue = planView.catalogue, example](const RunControl& control) -> Answer {
            return makePlanView(catalogue, example, readTraceFile, control, PlanDepth::Explained);
        },
        [this, example](const Answer& answer) {
            if (!answer)
                return;
            ChartsView::present(**answer);
            m_day->setFigures(dayFigures(**answer));
            QString load = example.requestsPerSecond
                ? text(RequestsPerSecond(*example.requestsPerSecond), Zeros::Dropped)
                : tr("the users that were stated");
            m_example->setText(tr("An example, not your scenario: %1 and growth of %2 a year.")
                                   .arg(load, percentText(example.growthPerYear)));
            m_example->show();
        });
}

void OverTimeView::present(const PlanView& planView)
{
    m_runner.cancel();
    m_example->hide();
    ChartsView::present(planView);
    m_day->setFigures(dayFigures(planView));
    offerWhatIsMissing(planView);
    if (planView.sizing->growth.empty() && !planView.sizing->day && planView.sizing->meets)
        drawExample(planView);
}

void OverTimeView::offerWhatIsMissing(const PlanView& planView)
{
    const Scenario& asked = planView.asked;
    m_offers->clear();
    Scenario after = asked;
    if (!asked.requestsPerSecond && !asked.concurrency && asked.trace.empty()) {
        const double some = roundBelow(planView.answer().maxRequestsPerSecond * (1 - asked.headroom));
        after.requestsPerSecond = some;
        offer(tr("Try a load of %1").arg(text(RequestsPerSecond(some), Zeros::Dropped)), after);
    } else {
        if (asked.growthPerYear == 0) {
            after.growthPerYear = someGrowth;
            offer(tr("Try growth of %1 a year").arg(percentText(someGrowth)), after);
            after = asked;
        }
        if (asked.requestsPerSecond && asked.trace.empty() && asked.traffic == Scenario{}.traffic) {
            after.traffic = asked.traffic + someDay;
            offer(tr("Try a day that peaks at three times the mean at 2 pm"), after);
        }
    }
    m_offerBox->setVisible(m_offers->count() > 0);
}

void OverTimeView::offer(const QString& words, const Scenario& after)
{
    auto* button = new QToolButton(m_offerBox);
    button->setObjectName(QStringLiteral("offer"));
    button->setText(words);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAccessibleName(words);
    connect(button, &QToolButton::clicked, this, [this, after, words] {
        if (document())
            document()->edit(after, words);
    });
    m_offers->addWidget(button);
    button->show();
}

} // namespace headroom::app

#include "moc_over_time_view.cpp"
