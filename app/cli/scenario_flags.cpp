#include "app/cli/scenario_flags.h"

#include "model/base/currency_name.h"
#include "model/import/lengths_csv.h"
#include "model/resolve/resolve.h"
#include "model/scenario/easier_ends.h"
#include "model/scenario/scenario_keys.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace headroom::cli {

namespace {

// Names with their dashes, which the keys do not have.
std::vector<std::string> dashedNames()
{
    std::vector<std::string> names;
    for (const ScenarioKey& key : scenarioKeys())
        names.push_back("--" + std::string(key.name));
    return names;
}

// "file:lengths.csv" was only named so far.
void readLengths(LengthDistribution& lengths, const std::string& key, Problems& problems)
{
    if (lengths.kind != LengthDistribution::Kind::Empirical || !lengths.sorted.empty())
        return;
    const std::string file = lengths.text.substr(lengths.text.find(':') + 1);
    Result<LengthDistribution> read = readLengthsFile(file);
    if (!read) {
        for (Problem& problem : read.error())
            problems.push_back({problem.where.empty() ? key : std::move(problem.where),
                                std::move(problem.what), std::move(problem.hint)});
        return;
    }
    read->text = lengths.text;
    lengths = std::move(*read);
}

} // namespace

std::span<const Flag> scenarioFlags()
{
    static const std::vector<std::string> names = dashedNames();
    static const std::vector<Flag> flags = [] {
        std::vector<Flag> all{{"--scenario", "FILE", "a scenario file; flags beside it win"}};
        for (std::size_t i = 0; i < names.size(); ++i)
            all.push_back({names[i], scenarioKeys()[i].value, scenarioKeys()[i].help});
        return all;
    }();
    return flags;
}

ScenarioReading saidScenario(const Arguments& arguments, Scenario base)
{
    const std::optional<std::string> file = arguments.text("--scenario");
    ScenarioReading said = file ? readScenarioOver(std::move(base), *file, *file)
                                : ScenarioReading{.scenario = std::move(base), .problems = {}, .places = {}};
    for (const ScenarioKey& key : scenarioKeys()) {
        const std::string flag = "--" + std::string(key.name);
        const std::optional<std::string> text = arguments.text(flag);
        if (!text)
            continue;
        said.places[std::string(key.name)] = flag;
        for (Problem& problem : key.set(said.scenario, *text))
            said.problems.push_back({flag, std::move(problem.what), std::move(problem.hint)});
    }
    readLengths(said.scenario.prompt, "prompt", said.problems);
    readLengths(said.scenario.output, "output", said.problems);
    return said;
}

Problems problemsOf(const ScenarioReading& said, Console& console)
{
    Problems problems = said.problems;
    if (problems.empty())
        return problems;
    if (const auto catalogue = console.catalogue())
        for (Problem& problem : wrongNames(said.scenario, **catalogue))
            problems.push_back(std::move(problem));
    return placed(std::move(problems), said.places);
}

Result<Scenario> scenarioFrom(const Arguments& arguments, Console& console, Scenario base)
{
    ScenarioReading said = saidScenario(arguments, std::move(base));
    if (Problems problems = problemsOf(said, console); !problems.empty())
        return refuse(std::move(problems));
    console.places = std::move(said.places);
    return std::move(said.scenario);
}

namespace {

// What is weighed against another has several numbers.
Problems weighedProblems(const Scenario& scenario)
{
    Problems problems;
    const auto add = [&](bool several, std::string_view key) {
        if (several)
            problems.push_back({std::string(key),
                                "several are named to be weighed, and one is worked out here",
                                "name one, or weigh them with `size` or `compare`"});
    };
    add(!scenario.layouts.empty(), "layouts");
    add(!scenario.gpuLayouts.empty(), "gpu");
    add(!scenario.weightTypes.empty(), "weights");
    return problems;
}

} // namespace

Result<Scenario> singleScenarioFrom(const Arguments& arguments, Console& console)
{
    Result<Scenario> scenario = scenarioFrom(arguments, console);
    if (scenario)
        if (Problems weighed = weighedProblems(*scenario); !weighed.empty())
            return refuse(placed(std::move(weighed), console.places));
    if (scenario)
        if (Problems ranges = rangeProblems(*scenario); !ranges.empty())
            return refuse(placed(std::move(ranges), console.places));
    return scenario;
}

std::span<const Flag> currencyFlags()
{
    static constexpr std::array flags{
        Flag{"--currency", "USD|CNY|EUR[=RATE]",
             "currency that amounts are shown in; CNY=7.1 is 7.1 yuan to the dollar; prices are always typed "
             "in dollars"},
    };
    return flags;
}

Result<Currency> chosenCurrency(const Arguments& arguments)
{
    return readCurrency(arguments.text("--currency").value_or("USD"), "--currency");
}

const Flag& outputFlag()
{
    static constexpr Flag flag{"-o,--output-file", "FILE", "write to this file instead of standard output"};
    return flag;
}

bool takesOutputFlag(const Verb& verb)
{
    return verb.formats && std::none_of(verb.flags.begin(), verb.flags.end(), [](const Flag& flag) {
               return flag.name.starts_with("-o,");
           });
}

std::span<const Flag> formatFlags()
{
    static constexpr std::array flags{
        Flag{"--json", "", "one JSON document in base units; everything else goes to standard error"},
        Flag{"--csv", "", "comma-separated values in base units, with a header"},
        Flag{"--markdown", "", "Markdown tables"},
    };
    return flags;
}

Result<Format> chosenFormat(const Arguments& arguments)
{
    const bool json = arguments.has("--json");
    const bool csv = arguments.has("--csv");
    const bool markdown = arguments.has("--markdown");
    if (json + csv + markdown > 1)
        return refuse("output", "takes one of --json, --csv and --markdown, not several");
    return json ? Format::Json : csv ? Format::Csv : markdown ? Format::Markdown : Format::Text;
}

} // namespace headroom::cli
