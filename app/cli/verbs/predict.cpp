#include "app/cli/resolved.h"
#include "app/cli/verbs.h"
#include "model/json/explanation_json.h"
#include "model/json/predict_json.h"
#include "model/report/explain.h"
#include "model/report/figures.h"
#include "model/report/op_rows.h"
#include "model/report/prediction_text.h"
#include "model/resolve/predict_scenario.h"

#include <array>
#include <ostream>

namespace headroom::cli {

namespace {

constexpr std::array predictFlags{
    Flag{"--explain", "FIGURE",
         "show the formula behind a figure, with its numbers and where they come from; `all` for every "
         "figure"},
    Flag{"--operators", "", "show the time of every operator in a prompt and in a decode step"},
};

Exit explain(const Resolved& resolved, const Prediction& prediction, const std::string& figure,
             Console& console)
{
    const Result<std::vector<Explanation>> explanations = explainFigures(resolved, prediction, figure);
    if (!explanations)
        return console.refuse(explanations.error());
    if (console.format == Format::Json)
        console.out() << explanationsJson(*explanations) << '\n';
    else
        for (const Explanation& each : *explanations)
            console.out() << explanationText(each, console.language) << '\n';
    return prediction.memory.fits ? Exit::Done : Exit::No;
}

Exit runPredict(const Arguments& arguments, Console& console)
{
    const Result<Resolved> resolved = resolvedFrom(arguments, console);
    if (!resolved)
        return console.refuse(resolved.error());
    if (resolved->scenario.prefill != PrefillChoice{})
        return console.refuse(
            Problems{{"prefill-replicas", "predict is about one pool that computes prompts and answers",
                      "simulate plays two pools, size chooses them"}});
    const Prediction prediction = predictScenario(*resolved);
    if (const auto figure = arguments.text("--explain"))
        return explain(*resolved, prediction, *figure, console);
    if (arguments.has("--operators") && console.format != Format::Json) {
        const Table table = tableOf(operatorColumns(), operatorRows(resolved->deployment, resolved->load));
        console.out() << inFormat(table, console);
        return prediction.memory.fits ? Exit::Done : Exit::No;
    }
    switch (console.format) {
    case Format::Json:
        console.out() << predictJson(*resolved, prediction) << '\n';
        break;
    case Format::Csv:
        console.out() << csvTable(tableOf(figureColumns(), {figuresOf(*resolved, prediction)}));
        break;
    case Format::Markdown:
        console.out() << predictionMarkdown(*resolved, prediction, console.language);
        break;
    case Format::Text:
        console.out() << predictionText(*resolved, prediction, console.language);
        break;
    }
    return prediction.memory.fits ? Exit::Done : Exit::No;
}

} // namespace

Verb predictVerb()
{
    return {.name = "predict",
            .summary = "predicts a deployment that you describe: memory, TTFT, TPOT, throughput, cost",
            .example = "predict --model llama-3.1-70b --gpu a100-sxm-80gb --tp 4 --batch 16",
            .run = runPredict,
            .scenario = true,
            .money = true,
            .formats = true,
            .languages = true,
            .flags = predictFlags};
}

} // namespace headroom::cli
