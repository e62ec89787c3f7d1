#include "model/yaml/index_yaml.h"

#include "model/text/text_file.h"
#include "model/text/write_file.h"
#include "model/yaml/reader.h"
#include "model/yaml/writer.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace headroom {

namespace {

namespace fs = std::filesystem;

struct Kind {
    std::string_view key; // in the index file
    std::string_view folder;
    std::string_view index;
    bool uniqueAliases;
    std::vector<IndexRow> AliasIndex::*rows;
};
const std::vector<Kind>& kinds()
{
    static const std::vector<Kind> all{
        {"gpus", "hw_profiles/gpus", "hw_profiles/index.yaml", true, &AliasIndex::gpus},
        {"nodes", "hw_profiles/nodes", "hw_profiles/index.yaml", true, &AliasIndex::nodes},
        {"models", "models", "models/index.yaml", false, &AliasIndex::models},
        {"engines", "resources/engines", "resources/engines/index.yaml", true, &AliasIndex::engines},
    };
    return all;
}

std::vector<std::string_view> indexFiles()
{
    std::vector<std::string_view> files;
    for (const Kind& kind : kinds())
        if (std::find(files.begin(), files.end(), kind.index) == files.end())
            files.push_back(kind.index);
    return files;
}

std::vector<IndexRow> rowsOf(MapReader& in, std::string_view key)
{
    std::vector<IndexRow> rows;
    MapReader group = in.map(key);
    for (const std::string& id : group.keys()) {
        MapReader row = group.map(id);
        rows.push_back({.id = id,
                        .name = row.text("name"),
                        .released = row.maybeText("released").value_or(""),
                        .maker = row.maybeText("maker").value_or(""),
                        .aliases = row.maybeTexts("aliases")});
        row.finish();
    }
    group.finish();
    return rows;
}

// Only what the index keeps is read here; the file's own reader judges the rest of it.
std::optional<IndexRow> rowOfFile(const fs::path& path, const std::string& shown, Problems& problems)
{
    const Result<YamlNode> tree = parseYamlFile(path, shown);
    if (!tree) {
        problems.insert(problems.end(), tree.error().begin(), tree.error().end());
        return std::nullopt;
    }
    MapReader in(*tree, shown, "", problems);
    IndexRow row{.id = in.text("id"),
                 .name = in.text("name"),
                 .released = {},
                 .maker = {},
                 .aliases = in.maybeTexts("aliases")};
    row.released = in.maybeText(in.has("release_year") ? "release_year" : "released").value_or("");
    const std::string form = in.maybeText("form_factor").value_or("");
    if (!form.empty() && form.find("Socket") == std::string::npos) // a CPU is no card
        row.maker = in.maybeText("vendor").value_or("");
    if (row.id != path.stem().string())
        in.report("id", say("'{}' is not the file's name", row.id),
                  "an id is the name of its file without '.yaml'");
    return row;
}

std::vector<fs::path> sheetsIn(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code status;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, status))
        if (entry.path().extension() == ".yaml" && entry.path().filename() != "index.yaml")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

void checkAliases(const std::vector<IndexRow>& rows, const Kind& kind, Problems& problems)
{
    std::map<std::string, std::string> owner;
    for (const IndexRow& row : rows)
        owner[row.id] = row.id;
    for (const IndexRow& row : rows)
        for (const std::string& alias : row.aliases) {
            const auto [place, fresh] = owner.emplace(alias, row.id);
            if (!fresh && place->second != row.id)
                problems.push_back({fmt::format("{}/{}.yaml aliases", kind.folder, row.id),
                                    say("'{}' already means {}", alias, place->second), ""});
        }
}

std::string indexText(const AliasIndex& index, std::string_view file)
{
    std::string text = "# Written by 'headroom check --write-index' from the files beside it; do not edit.\n";
    for (const Kind& kind : kinds()) {
        if (kind.index != file)
            continue;
        MapWriter out;
        out.map(kind.key, [&](MapWriter& group) {
            for (const IndexRow& row : index.*kind.rows)
                group.map(row.id, [&](MapWriter& one) {
                    one.text("name", row.name);
                    if (!row.released.empty())
                        one.text("released", row.released);
                    if (!row.maker.empty())
                        one.text("maker", row.maker);
                    if (!row.aliases.empty())
                        one.texts("aliases", row.aliases);
                });
        });
        text += out.yaml();
    }
    return text;
}

} // namespace

Result<AliasIndex> parseIndex(const std::string& text, const std::string& file)
{
    return readYaml(text, file, [](MapReader& in) {
        AliasIndex index;
        for (const Kind& kind : kinds())
            if (in.has(kind.key))
                index.*kind.rows = rowsOf(in, kind.key);
        return index;
    });
}

Result<AliasIndex> readIndex(const fs::path& root)
{
    AliasIndex index;
    Problems problems;
    for (const std::string_view file : indexFiles()) {
        const std::string shown = (root / file).string();
        const Result<AliasIndex> part
            = readTextFile(root / file, longestYamlFile).and_then([&](const std::string& text) {
                  return parseIndex(text, shown);
              });
        if (!part)
            problems.insert(problems.end(), part.error().begin(), part.error().end());
        for (const Kind& kind : kinds())
            if (part && kind.index == file)
                index.*kind.rows = (*part).*kind.rows;
    }
    if (!problems.empty())
        return refuse(std::move(problems));
    return index;
}

Result<AliasIndex> gatherIndex(const fs::path& root)
{
    AliasIndex index;
    Problems problems;
    for (const Kind& kind : kinds()) {
        for (const fs::path& path : sheetsIn(root / kind.folder)) {
            const std::string shown = fmt::format("{}/{}", kind.folder, path.filename().string());
            if (std::optional<IndexRow> row = rowOfFile(path, shown, problems))
                (index.*kind.rows).push_back(std::move(*row));
        }
        if (kind.uniqueAliases)
            checkAliases(index.*kind.rows, kind, problems);
    }
    if (!problems.empty())
        return refuse(std::move(problems));
    return index;
}

Result<AliasIndex> writeIndex(const fs::path& root)
{
    return gatherIndex(root).map([&](const AliasIndex& index) {
        for (const std::string_view file : indexFiles())
            writeFile(root / file, indexText(index, file));
        return index;
    });
}

} // namespace headroom
