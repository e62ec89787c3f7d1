#pragma once

#include "app/desktop/drawing/gauge.h"
#include "app/desktop/drawing/layout_picture.h"
#include "app/desktop/text/key_figure.h"
#include "model/estimate.h"
#include "model/plan/scenario.h"

#include <QVector>

namespace headroom {
struct Study;
struct Problem;
} // namespace headroom

namespace headroom::app {

// The texts and pictures of an answer that the window and the report share.

// The scenario with everything that the answer settles, in numbers to be read.
[[nodiscard]] Scenario chosenScenario(const Study& study);
[[nodiscard]] QString answerHeadline(const Study& study); // "2 × A100 80GB SXM", or the nearest to an answer
// The largest words: the headline, or that there is no answer.
[[nodiscard]] QString answerTitle(const Study& study);
// What was asked, in one sentence.
[[nodiscard]] QString questionText(const Study& study);
// What stands at its usual value, typed or left so: "prompts of 1,024 tokens".
[[nodiscard]] QStringList usualValues(const Study& study);
[[nodiscard]] QString
answerSubline(const Study& study); // "Llama 3.1 70B · bf16 weights · bf16 KV · TP 2 · vLLM"
// Whether the targets are met, how surely, and if not, why.
[[nodiscard]] QString verdictText(const Study& study);
// Good only where the targets are met surely.
[[nodiscard]] Tone verdictTone(const Study& study);
// Something to know of an answer, and what explains it.
struct Fact {
    QString text;
    QString figure; // of explainedFigures(), or a column of candidates
};
// Where the accuracy of the times that users feel comes from.
[[nodiscard]] Source timesSource(const Study& study);
// Limited by, how many users at most, power, what else: facts of one line belong together.
[[nodiscard]] QVector<QVector<Fact>> answerFacts(const Study& study);
// What a fleet of one size costs over a load that is not the same all day; none where it is.
[[nodiscard]] QVector<KeyFigure> dayFigures(const Study& study);
// The answer in lines for a letter: question, machines, verdict, figures.
[[nodiscard]] QString answerInWords(const Study& study);
[[nodiscard]] QString problemText(const Problem& problem); // place, what, hint in one line
[[nodiscard]] LayoutScene layoutScene(const Study& study);
[[nodiscard]] GaugeReading memoryGauge(const Study& study);
[[nodiscard]] GaugeReading speedGauge(const Study& study);
[[nodiscard]] GaugeReading firstTokenGauge(const Study& study);
[[nodiscard]] GaugeReading costGauge(const Study& study);

} // namespace headroom::app
