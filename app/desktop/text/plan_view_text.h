#pragma once

#include "app/desktop/drawing/gauge.h"
#include "app/desktop/drawing/layout_picture.h"
#include "app/desktop/text/key_figure.h"
#include "model/base/estimate.h"
#include "model/scenario/scenario.h"

#include <QVector>

#include <string_view>

namespace headroom {
struct PlanView;
struct Problem;
} // namespace headroom

namespace headroom::app {

// The texts and pictures of an answer that the window and the report share.

// The scenario with everything that the answer settles, in numbers to be read.
[[nodiscard]] Scenario chosenScenario(const PlanView& planView);
[[nodiscard]] QString
answerHeadline(const PlanView& planView); // "2 × A100 80GB SXM", or the nearest to an answer
// The largest words: the headline, or that there is no answer.
[[nodiscard]] QString answerTitle(const PlanView& planView);
// What was asked, in one sentence.
[[nodiscard]] QString questionText(const PlanView& planView);
// What stands at its usual value, typed or left so: "prompts of 1,024 tokens".
struct UsualValue {
    QString text;
    std::string_view key; // of scenarioKeys(): where it can be said otherwise
};
[[nodiscard]] QVector<UsualValue> usualValuesOf(const PlanView& planView);
[[nodiscard]] QStringList usualValues(const PlanView& planView);
[[nodiscard]] QString
answerSubline(const PlanView& planView); // "Llama 3.1 70B · bf16 weights · bf16 KV · TP 2 · vLLM"
// How long a job takes; empty without one.
[[nodiscard]] QString jobTimeWords(const PlanView& planView);
// Whether the targets are met, how surely, and if not, why.
[[nodiscard]] QString verdictText(const PlanView& planView);
// Good only where the targets are met surely.
[[nodiscard]] Tone verdictTone(const PlanView& planView);
// Something to know of an answer, and what explains it.
struct Fact {
    QString text;
    QString figure; // of explainedFigures(), or a column of candidates
    Tone tone = Tone::Plain;
};
// Where the accuracy of the times that users feel comes from.
[[nodiscard]] Source timesSource(const PlanView& planView);
// Limited by, how many users at most, power, what else: facts of one line belong together.
[[nodiscard]] QVector<QVector<Fact>> answerFacts(const PlanView& planView);
// What a fleet of one size costs over a load that is not the same all day; none where it is.
[[nodiscard]] QVector<KeyFigure> dayFigures(const PlanView& planView);
// The answer in lines for a letter: question, machines, verdict, figures.
[[nodiscard]] QString answerInWords(const PlanView& planView);
[[nodiscard]] QString problemText(const Problem& problem); // place, what, hint in one line
[[nodiscard]] LayoutScene layoutScene(const PlanView& planView);
[[nodiscard]] GaugeReading memoryGauge(const PlanView& planView);
[[nodiscard]] GaugeReading speedGauge(const PlanView& planView);
[[nodiscard]] GaugeReading firstTokenGauge(const PlanView& planView);
[[nodiscard]] GaugeReading costGauge(const PlanView& planView);

} // namespace headroom::app
