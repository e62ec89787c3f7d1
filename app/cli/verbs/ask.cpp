#include "app/cli/language.h"
#include "app/cli/scenario_flags.h"
#include "app/cli/sizing.h"
#include "app/cli/verbs.h"
#include "model/ask/question.h"
#include "model/words/catalogue_vocabulary.h"
#include "model/yaml/catalogue.h"

#include <array>
#include <optional>
#include <utility>

namespace headroom::cli {

namespace {

constexpr std::array askFlags{
    Flag{"--lang", "en|zh",
         "language of the answer; default: Chinese for a question in Chinese, else that of the environment"},
};

Exit runAsk(const Arguments& arguments, Console& console)
{
    std::string text;
    for (const std::string& word : arguments.words)
        text += (text.empty() ? "" : " ") + word;
    const auto catalogue = console.catalogue();
    if (!catalogue)
        return console.refuse(catalogue.error());
    ask::Vocabulary vocabulary = vocabularyOf(**catalogue);
    vocabulary.draftingStated = arguments.has("--spec-decode");
    vocabulary.listsModels = true;
    // "double it", "same on H200": of the scenario of a file
    std::optional<Scenario> atHand;
    if (arguments.has("--scenario")) {
        Result<Scenario> said = scenarioFrom(arguments, console);
        if (!said)
            return console.refuse(said.error());
        atHand = *std::move(said);
    }
    const Scenario* const before = atHand ? &*atHand : nullptr;
    Result<ask::Question> question = ask::read(text, vocabulary, {}, before);
    const Result<ask::Language> language = languageFrom(
        arguments, question ? languageOfAnswer(question->language, console.language) : console.language);
    if (question && language && *language != question->language)
        question = ask::read(text, vocabulary, *language, before);
    if (language)
        console.language = *language;
    if (atHand && question && !question->changesAtHand)
        return console.refuse({{"--scenario",
                                question->kind == ask::QuestionKind::Models
                                    ? say("the question asks which models run, whatever model the file has")
                                    : say("the question names a model of its own"),
                                "leave --scenario out, or ask for a change of it: 'same with X'"}});
    // Flags beside the question say what it leaves open, or override it.
    const Result<Scenario> scenario = question && question->changesAtHand
        ? Result<Scenario>(question->scenario)
        : scenarioFrom(arguments, console, question ? question->scenario : Scenario{});
    if (const Problems problems = joined(question, language, scenario); !problems.empty())
        return console.refuse(problems);
    if (question->currency && !arguments.has("--currency") && console.tellsPeople())
        tellAmountsIn(*question->currency); // of the question
    return printAnswer(*scenario, *question, **catalogue, console);
}

} // namespace

Verb askVerb()
{
    return {.name = "ask",
            .summary = "answers a question in English or Chinese",
            .example = "ask \"how many A100s for Llama-70B at 20 TPS\"",
            .run = runAsk,
            .scenario = true,
            .money = true,
            .formats = true,
            .flags = askFlags,
            .words = {.name = "TEXT", .help = "the question", .atLeast = 1, .atMost = -1}};
}

} // namespace headroom::cli
