#include "model/yaml/check.h"

#include "app/cli/resolved.h"
#include "app/cli/verbs.h"
#include "model/json/table_json.h"
#include "model/report/columns.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/index_yaml.h"

#include <array>
#include <ostream>
#include <utility>

namespace headroom::cli {

namespace {

constexpr std::array checkFlags{
    Flag{"--write-index", "", "write the three index files anew from the names in all shipped files"},
};

struct GoodFile {
    std::string file;
    Message kind;
};

const Columns<GoodFile>& columns()
{
    static const Columns<GoodFile> all{
        {{"file", "file"}, [](const GoodFile& row) { return row.file; }},
        {{"kind", "is a good"}, [](const GoodFile& row) { return Cell(row.kind); }},
    };
    return all;
}

Exit writeIndexFiles(Console& console)
{
    const Result<AliasIndex> index = writeIndex(Catalogue::defaultRoot());
    if (!index)
        return console.refuse(index.error());
    console.note(say("names of {} accelerators, {} machines, {} models and {} engines are written",
                     index->gpus.size(), index->nodes.size(), index->models.size(), index->engines.size()));
    return Exit::Done;
}

Exit runCheck(const Arguments& arguments, Console& console)
{
    if (arguments.has("--write-index"))
        return writeIndexFiles(console);
    if (arguments.words.empty())
        return console.refuse({{"check", "is missing FILE", "the YAML files to check"}});
    std::vector<GoodFile> good;
    Problems problems;
    for (const std::string& file : arguments.words) {
        CheckedFile checked = checkFile(file);
        if (checked.problems.empty() && checked.kind)
            good.push_back({file, name(*checked.kind)});
        for (Problem& problem : checked.problems)
            problems.push_back(std::move(problem));
    }
    if (!problems.empty())
        return console.refuse(problems);
    const Table table = tableOf(columns(), good);
    console.out() << (console.format == Format::Json ? tableJson("headroom.check/1", table) + '\n'
                                                     : inFormat(table, console));
    return Exit::Done;
}

} // namespace

Verb checkVerb()
{
    return {.name = "check",
            .group = VerbGroup::Catalogue,
            .summary = "checks scenario, accelerator, machine, engine, model and calibration files",
            .example = "check my-gpu.yaml",
            .run = runCheck,
            .formats = true,
            .languages = true,
            .flags = checkFlags,
            .words = {"FILE…", "the YAML files to check", 0, -1}};
}

} // namespace headroom::cli
