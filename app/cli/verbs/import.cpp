#include "app/cli/verbs.h"
#include "model/import/import_model.h"
#include "model/import/measured_csv.h"
#include "model/json/bench_json.h"
#include "model/json/show_json.h"
#include "model/text/write_file.h"
#include "model/yaml/llm_yaml.h"

#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <ostream>

namespace headroom::cli {

namespace {

constexpr std::array importFlags{
    Flag{"-o,--output-file", "FILE", "where to write the model or the rows; default: standard output"},
    Flag{"--replace", "", "overwrite the file of -o if it exists"},
    Flag{"--model", "NAME", "bench: the model that was measured, if the result does not name it"},
    Flag{"--gpu", "NAME", "bench: the accelerator"},
    Flag{"--gpus", "N", "bench: the number of accelerators"},
    Flag{"--tp", "N", "bench: tensor parallelism"},
    Flag{"--engine", "NAME", "bench: the engine that served"},
    Flag{"--weights", "TYPE", "bench: the type of the weights"},
    Flag{"--kv", "TYPE", "bench: the type of the KV cache"},
    Flag{"--prompt", "TOKENS", "bench: prompt length; '1024 (mean)' where lengths differ"},
    Flag{"--output", "TOKENS", "bench: output length, written the same way"},
    Flag{"--concurrency", "LOAD", "bench: users at once, `max` for a saturated run, or 'qps 4'"},
};

// "--gpus" stands where a row's own column is called "gpus"; lengths and load go by a scenario's words.
Message flagOf(const std::string& column)
{
    constexpr std::array scenarioWords{std::pair{"input_len", "--prompt"},
                                       std::pair{"output_len", "--output"},
                                       std::pair{"batch_or_concurrency", "--concurrency"}};
    std::string flag = "--" + column;
    for (const auto& [own, word] : scenarioWords)
        if (column == own)
            flag = word;
    for (const Flag& known : importFlags)
        if (known.name == flag)
            return asIs(flag);
    return say("a column '{}' of the rows", column);
}

std::optional<int> countOf(const Arguments& arguments, std::string_view flag, Problems& problems)
{
    const auto text = arguments.text(flag);
    if (!text)
        return std::nullopt;
    int value = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (error == std::errc{} && end == text->data() + text->size() && value >= 1)
        return value;
    problems.push_back({std::string(flag), say("expected a whole number from 1 up, got '{}'", *text), {}});
    return std::nullopt;
}

Exit importOneBench(const std::string& file, const Arguments& arguments, Console& console)
{
    Problems problems;
    const auto word = [&](std::string_view flag) { return arguments.text(flag).value_or(""); };
    const MeasuredRow given{.engine = word("--engine"),
                            .model = word("--model"),
                            .gpu = word("--gpu"),
                            .gpus = countOf(arguments, "--gpus", problems),
                            .tp = countOf(arguments, "--tp", problems),
                            .weightDtype = word("--weights"),
                            .kvDtype = word("--kv"),
                            .inputLength = word("--prompt"),
                            .outputLength = word("--output"),
                            .load = word("--concurrency")};
    const auto readable = [&](std::string_view flag, const std::string& said, bool understood, Message hint) {
        if (!said.empty() && !understood)
            problems.push_back({std::string(flag), say("cannot be read: '{}'", said), std::move(hint)});
    };
    readable("--prompt", given.inputLength, readTokenLength(given.inputLength).has_value(),
             "such as 1024 or '281 (mean)'");
    readable("--output", given.outputLength, readTokenLength(given.outputLength).has_value(),
             "such as 256 or '190 (mean)'");
    readable("--concurrency", given.load, readLoad(given.load).kind != LoadKind::Unknown,
             "such as 16, max, 'qps 4' or '1000 (all at once)'");
    if (!problems.empty())
        return console.refuse(problems);
    const Result<ImportedBench> bench = importBench(std::filesystem::path(file), given);
    if (!bench)
        return console.refuse(bench.error());
    for (const Message& warning : bench->warnings)
        console.note(warning);
    for (const std::string& column : bench->missing)
        console.note(say("{} does not say the {}: give {}", bench->format, column, flagOf(column)));
    const std::string rows = measuredCsv(bench->rows);
    if (const auto target = arguments.text("--output-file")) {
        writeFile(*target, rows);
        console.note(say("{} is written; validate reads it", *target));
    }
    if (console.format == Format::Json)
        console.out() << benchJson(*bench) << '\n';
    else if (!arguments.has("--output-file"))
        console.out() << rows;
    return Exit::Done;
}

// What was imported before may have been corrected by hand since.
Problems inTheWay(const Arguments& arguments)
{
    const auto target = arguments.text("--output-file");
    std::error_code missing;
    if (!target || arguments.has("--replace") || !std::filesystem::is_regular_file(*target, missing))
        return {};
    return {{"-o", say("{} is there already", *target), "--replace writes over it, another name keeps both"}};
}

Exit importOneModel(const std::string& file, const Arguments& arguments, Console& console)
{
    const Result<ImportedModel> imported = importModel(file);
    if (!imported)
        return console.refuse(imported.error());
    for (const Message& warning : imported->warnings)
        console.note(warning);
    const std::string yaml = writeLlm(imported->llm);
    if (const auto target = arguments.text("--output-file")) {
        writeFile(*target, yaml);
        console.note(say("{} is written; --model {} uses it", *target, *target));
    }
    if (console.format == Format::Json)
        console.out() << showJson(imported->llm) << '\n';
    else if (!arguments.has("--output-file"))
        console.out() << yaml;
    return Exit::Done;
}

Exit runImport(const Arguments& arguments, Console& console)
{
    if (const Problems problems = inTheWay(arguments); !problems.empty())
        return console.refuse(problems);
    const std::string& what = arguments.words.front();
    if (what == "model")
        return importOneModel(arguments.words.back(), arguments, console);
    if (what == "bench")
        return importOneBench(arguments.words.back(), arguments, console);
    return console.refuse(
        {{"import", say("knows no '{}'", what), "`import model FILE` or `import bench FILE`"}});
}

} // namespace

Verb importVerb()
{
    return {.name = "import",
            .group = VerbGroup::Catalogue,
            .summary = "makes a model of a config.json, GGUF or safetensors file, or measured rows of a load "
                       "tool's result",
            .example = "import model path/to/config.json -o models/my-model.yaml",
            .run = runImport,
            .formats = true,
            .languages = true,
            .flags = importFlags,
            .words = {"model|bench FILE",
                      "model: a local config.json, its folder, a .safetensors, its index or a .gguf; bench: "
                      "a result file",
                      2, 2}};
}

} // namespace headroom::cli
