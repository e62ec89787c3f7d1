#pragma once

#include <QString>

namespace headroom {
struct PlanView;
}

namespace headroom::app {

// "8 × H100 · $19.92/h · 31 tok/s": what a plan comes to, in a line.
[[nodiscard]] QString planInALine(const PlanView& planView);
// How another plan differs from the one at hand, in what a buyer weighs: "4 GPUs fewer · $2.10/h less · 12
// tok/s faster · 8 points surer". "the same" where nothing does.
[[nodiscard]] QString deltasText(const PlanView& other, const PlanView& atHand);

} // namespace headroom::app
