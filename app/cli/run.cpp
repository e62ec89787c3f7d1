#include "app/cli/run.h"

#include "app/cli/parse.h"
#include "app/cli/scenario_flags.h"
#include "model/plan/resolve.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <exception>
#include <ostream>

namespace headroom::cli {

namespace {

// Words that are wrong do not hide what is wrong with the others.
Problems withScenario(Problems problems, const Wish& wish, Console& console)
{
    if (!wish.verb->scenario || wish.verb->name == "probe") // whose --model is the server's own name for it
        return problems;
    const ScenarioReading said = saidScenario(wish.arguments);
    problems.insert(problems.end(), said.problems.begin(), said.problems.end());
    if (const auto catalogue = console.catalogue())
        for (Problem& problem : wrongNames(said.scenario, **catalogue))
            problems.push_back(std::move(problem));
    return placed(std::move(problems), said.places);
}

Exit parseAndRun(const std::vector<std::string>& words, Console& console)
{
    // Known before anything can fail, so that a refusal is a document too.
    if (std::find(words.begin(), words.end(), "--json") != words.end())
        console.format = Format::Json;
    const Result<Wish> wish = parse(words);
    if (!wish)
        return console.refuse(wish.error());
    if (wish->verb == nullptr) {
        (words.empty() ? console.err() : console.out()) << wish->page;
        return words.empty() ? Exit::BadInput : Exit::Done;
    }
    const Result<Format> format = chosenFormat(wish->arguments);
    Problems problems = wish->problems;
    if (!format)
        problems.insert(problems.end(), format.error().begin(), format.error().end());
    const Result<Currency> currency = chosenCurrency(wish->arguments);
    if (!currency)
        problems.insert(problems.end(), currency.error().begin(), currency.error().end());
    if (!problems.empty())
        return console.refuse(withScenario(std::move(problems), *wish, console));
    console.format = *format;
    tellAmountsIn(console.tellsPeople() ? *currency : Currency{}); // programs read dollars
    return wish->verb->run(wish->arguments, console);
}

} // namespace

int run(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    Console console(out, err);
    try {
        return static_cast<int>(parseAndRun(words, console));
    } catch (const std::exception& broken) {
        err << "headroom: " << broken.what() << '\n';
        return static_cast<int>(Exit::BrokenMachine);
    }
}

} // namespace headroom::cli
