#include "app/cli/verbs.h"
#include "model/json/import_model.h"
#include "model/json/show_json.h"
#include "model/yaml/llm_yaml.h"
#include "model/yaml/tree.h"

#include <array>
#include <ostream>

namespace headroom::cli {

namespace {

constexpr std::array flags{
    Flag{"--output-file", "FILE", "where the model file is written; without it, standard output"},
};

Exit importOneModel(const std::string& file, const Arguments& arguments, Console& console)
{
    const Result<ImportedModel> imported = importModel(file);
    if (!imported)
        return console.refuse(imported.error());
    for (const std::string& warning : imported->warnings)
        console.err() << "headroom: " << warning << '\n';
    const std::string yaml = writeLlm(imported->llm);
    if (const auto target = arguments.text("--output-file")) {
        const Result<bool> written = writeTextFile(*target, yaml);
        if (!written)
            return console.refuse(written.error());
        console.err() << "headroom: " << *target << " is written; --model " << *target << " uses it\n";
    }
    if (console.format == Format::Json)
        console.out() << showJson(imported->llm) << '\n';
    else if (!arguments.has("--output-file"))
        console.out() << yaml;
    return Exit::Done;
}

Exit run(const Arguments& arguments, Console& console)
{
    const std::string& what = arguments.words.front();
    if (what == "model")
        return importOneModel(arguments.words.back(), arguments, console);
    return console.refuse({{"import", "knows no '" + what + "'", "import model FILE"}});
}

} // namespace

Verb importVerb()
{
    return {.name = "import",
            .summary = "a config.json, GGUF or safetensors file becomes a model of the catalogue",
            .run = run,
            .formats = true,
            .flags = flags,
            .words
            = {"model FILE", "a local config.json, its folder, a .safetensors, its index or a .gguf", 2, 2}};
}

} // namespace headroom::cli
