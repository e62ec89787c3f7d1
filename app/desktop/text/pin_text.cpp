#include "app/desktop/text/pin_text.h"

#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/translated.h"
#include "model/advise/plan_view.h"
#include "model/scenario/stated_load.h"

#include <QStringList>

#include <cmath>

namespace headroom::app {

namespace {

double dollarsOf(const PlanView& planView) { return perHour(planView.prediction.service.price); }

void tellGpus(QStringList& parts, int by)
{
    if (by > 0)
        parts << tr("%n GPU(s) more", nullptr, by);
    else if (by < 0)
        parts << tr("%n GPU(s) fewer", nullptr, -by);
}

} // namespace

QString planInALine(const PlanView& planView)
{
    QStringList parts{answerHeadline(planView)};
    if (planView.prediction.service.priceKnown)
        parts << perHourText(planView.prediction.service.price);
    if (planView.prediction.memory.fits)
        parts << text(planView.answer().point.tokensPerSecondPerUser.value);
    if (!planView.sizing->meets)
        parts << tr("does not meet its targets");
    return parts.join(QStringLiteral(" · "));
}

QString deltasText(const PlanView& other, const PlanView& atHand)
{
    QStringList parts;
    tellGpus(parts, other.answer().gpus() - atHand.answer().gpus());
    constexpr double told = 0.005; // of a difference: below, both read alike
    if (other.prediction.service.priceKnown && atHand.prediction.service.priceKnown) {
        const double by = dollarsOf(other) - dollarsOf(atHand);
        if (std::abs(by) >= told)
            parts << (by > 0 ? tr("%1 more") : tr("%1 less")).arg(perHourText(dollarsPerHour(std::abs(by))));
    }
    if (other.prediction.memory.fits && atHand.prediction.memory.fits) {
        const double mine = atHand.answer().point.tokensPerSecondPerUser.value.base();
        const double by = other.answer().point.tokensPerSecondPerUser.value.base() - mine;
        if (std::abs(by) >= told * mine)
            parts << (by > 0 ? tr("%1 faster") : tr("%1 slower")).arg(text(TokensPerSecond(std::abs(by))));
    }
    if (mayMiss(other.asked) && mayMiss(atHand.asked)) {
        constexpr double points = 100;
        const auto by = static_cast<int>(
            std::lround((other.answer().confidence - atHand.answer().confidence) * points));
        if (by > 0)
            parts << tr("%n point(s) surer", nullptr, by);
        else if (by < 0)
            parts << tr("%n point(s) less sure", nullptr, -by);
    }
    return parts.isEmpty() ? tr("the same") : parts.join(QStringLiteral(" · "));
}

} // namespace headroom::app
