#include "model/resolve/predict_scenario.h"

#include "model/closed_form/offered_rate.h"

namespace headroom {

Prediction predictScenario(const Resolved& r)
{
    Prediction out = predict(r.deployment, r.load);
    if (!r.offered)
        return out;
    const double each = r.offered->base() / r.deployment.layout.replicas;
    UserTimes point;
    point.keepsUp = ReplicaCurve(r.deployment, r.load).keepsUpWith(each, r.load.batch, {});
    (void)serveOffered(out, *r.offered, point);
    return out;
}

} // namespace headroom
