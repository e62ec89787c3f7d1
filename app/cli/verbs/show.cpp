#include "app/cli/resolved.h"
#include "app/cli/verbs.h"
#include "model/json/calibration_json.h"
#include "model/json/show_json.h"
#include "model/report/catalogue_rows.h"
#include "model/report/catalogue_text.h"
#include "model/yaml/catalogue.h"

#include <functional>
#include <map>
#include <ostream>

namespace headroom::cli {

namespace {

const Columns<LlmRow>& columnsOf(const Llm&) { return llmColumns(); }
const Columns<GpuRow>& columnsOf(const Gpu&) { return gpuColumns(); }
const Columns<NodeRow>& columnsOf(const Node&) { return nodeColumns(); }
const Columns<EngineRow>& columnsOf(const Engine&) { return engineColumns(); }

// As a table it is its row of `list`; Markdown has room for the sources.
template <typename T>
Exit print(const T& entry, Console& console)
{
    const auto row = [&] { return inFormat(tableOf(columnsOf(entry), {&entry}), console); };
    switch (console.format) {
    case Format::Json:
        console.out() << showJson(entry) << '\n';
        break;
    case Format::Text:
        console.out() << catalogueText(entry, console.language);
        break;
    case Format::Csv:
        console.out() << row();
        break;
    case Format::Markdown:
        console.out() << row() << '\n';
        for (const Citation& citation : entry.citations)
            console.out() << "- " << citation.key << ": " << citation.text << '\n';
        break;
    }
    return Exit::Done;
}

struct CatalogueKind {
    std::string name;
    std::function<Result<NameMatch>(const std::string&)> find;
    std::function<Exit(const std::string& id)> show;
};

std::vector<CatalogueKind> kindsOf(const Catalogue& c, Console& console)
{
    const auto shower = [&console](auto open) {
        return [open, &console](const std::string& id) {
            const auto entry = open(id);
            return entry ? print(**entry, console) : console.refuse(entry.error());
        };
    };
    return {
        {"model", [&c](const auto& t) { return c.findModel(t); },
         shower([&c](const auto& id) { return c.model(id); })},
        {"gpu", [&c](const auto& t) { return c.findGpu(t); },
         shower([&c](const auto& id) { return c.gpu(id); })},
        {"node", [&c](const auto& t) { return c.findNode(t); },
         shower([&c](const auto& id) { return c.node(id); })},
        {"engine", [&c](const auto& t) { return c.findEngine(t); },
         shower([&c](const auto& id) { return c.engine(id); })},
    };
}

bool isFile(const std::string& text) { return text.ends_with(".yaml") || text.ends_with(".yml"); }

Exit showOne(const CatalogueKind& kind, const std::string& text, const Result<NameMatch>& match,
             Console& console)
{
    if (isFile(text))
        return kind.show(text);
    if (match->id != text) {
        const Message read = say("'{}' is read as {} {} ({})", text, kind.name, match->id, match->why);
        console.note(match->others.empty()
                         ? read
                         : say("{}; it could also mean {}", read, joinedNames(match->others, ", ")));
    }
    return kind.show(match->id);
}

Exit showCalibration(const std::string& file, const Catalogue& catalogue, Console& console)
{
    const Result<const EfficiencySet*> set = catalogue.calibration(file);
    if (!set)
        return console.refuse(set.error());
    console.out() << (console.format == Format::Json ? calibrationJson(**set) + '\n'
                                                     : calibrationText(**set, console.language));
    return Exit::Done;
}

// `show model ID` says which catalogue is meant; `show ID` takes the first that knows the name, exact ids
// before others.
Exit runShow(const Arguments& arguments, Console& console)
{
    const auto opened = console.catalogue();
    if (!opened)
        return console.refuse(opened.error());
    const std::vector<CatalogueKind> kinds = kindsOf(**opened, console);
    if (arguments.words.size() == 2 && arguments.words.front() == "calibration")
        return showCalibration(arguments.words.back(), **opened, console);
    if (arguments.words.size() == 2) {
        for (const CatalogueKind& kind : kinds)
            if (kind.name == arguments.words.front() || kind.name + 's' == arguments.words.front()) {
                const std::string& text = arguments.words.back();
                const Result<NameMatch> match = kind.find(text);
                return match || isFile(text) ? showOne(kind, text, match, console)
                                             : console.refuse(match.error());
            }
        return console.refuse({{"show", say("knows no '{}'", arguments.words.front()),
                                say("one of {}", asIs("model, gpu, node, engine, calibration"))}});
    }
    const std::string& text = arguments.words.front();
    Problems problems;
    const CatalogueKind* tolerant = nullptr;
    for (const CatalogueKind& kind : kinds) {
        const Result<NameMatch> match = kind.find(text);
        if (match && match->id == text)
            return kind.show(text);
        if (match && tolerant == nullptr)
            tolerant = &kind;
        if (!match)
            problems.insert(problems.end(), match.error().begin(), match.error().end());
    }
    return tolerant != nullptr ? showOne(*tolerant, text, tolerant->find(text), console)
                               : console.refuse(problems);
}

} // namespace

Verb showVerb()
{
    return {.name = "show",
            .group = VerbGroup::Catalogue,
            .summary = "shows one entry of the catalogue with its sources",
            .example = "show gpu h100-sxm-80gb",
            .run = runShow,
            .money = true,
            .formats = true,
            .languages = true,
            .words = {"[model|gpu|node|engine|calibration] ID",
                      "what to show: an id or any usual spelling, or a file", 1, 2}};
}

} // namespace headroom::cli
