#pragma once

#include "model/base/dtype.h"
#include "model/base/quantity_text.h"
#include "model/base/result.h"
#include "model/base/units.h"
#include "model/catalogue/citation.h"
#include "model/yaml/tree.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// What a number may be; the default is "not negative".
struct Between {
    double low = 0;
    double high = std::numeric_limits<double>::max();

    static constexpr Between anything() { return {std::numeric_limits<double>::lowest()}; }
    static constexpr Between share() { return {0, 1}; }
};
constexpr Between positive{std::numeric_limits<double>::min()};

template <typename E>
struct Choice {
    std::string_view name;
    E value;
};
// Its name; every value of the kind has one.
template <typename E, std::size_t n>
std::string_view nameOf(const std::array<Choice<E>, n>& choices, E value)
{
    return std::find_if(choices.begin(), choices.end(), [&](const Choice<E>& c) { return c.value == value; })
        ->name;
}

// Reads one YAML map: every function names a key, reports what is wrong with its value, and remembers that it
// was asked for, so that finish() can report the keys nobody asked for. A function that reports returns a
// default value; whoever made `problems` refuses the whole file when it is not empty. `maybe…` returns
// nothing when the key is absent. The tree and `problems` must outlive the reader.
class MapReader {
public:
    MapReader(const YamlNode& node, std::string file, std::string path, Problems& problems);

    [[nodiscard]] bool has(std::string_view key) const; // does not count as asking for it
    [[nodiscard]] std::vector<std::string> keys() const;
    [[nodiscard]] const std::string& path() const { return m_path; } // "" or "memory."
    [[nodiscard]] std::string where(std::string_view key) const;     // "file:line:column path.key"

    std::string text(std::string_view key);
    std::optional<std::string> maybeText(std::string_view key);
    // What start lines, files and names of objects are made of: lower-case letters, figures, dots, hyphens.
    std::string identifier(std::string_view key);
    // One line without control characters that no program takes for an option.
    std::string name(std::string_view key);
    std::optional<std::string> maybeName(std::string_view key);
    std::vector<std::string> texts(std::string_view key);
    std::vector<std::string> maybeTexts(std::string_view key); // empty when absent

    double number(std::string_view key, Between range = {});
    std::optional<double> maybeNumber(std::string_view key, Between range = {});
    std::vector<double> numbers(std::string_view key, Between range = {});
    std::vector<double> maybeNumbers(std::string_view key, Between range = {});

    std::int64_t whole(std::string_view key, std::int64_t low = 0, std::int64_t high = mostWhole);
    std::optional<std::int64_t> maybeWhole(std::string_view key, std::int64_t low = 0,
                                           std::int64_t high = mostWhole);
    std::vector<std::int64_t> maybeWholes(std::string_view key, std::int64_t low = 0,
                                          std::int64_t high = mostWhole);
    // The same, for fields of type int.
    int count(std::string_view key, int low = 0, int high = std::numeric_limits<int>::max());
    std::optional<int> maybeCount(std::string_view key, int low = 0,
                                  int high = std::numeric_limits<int>::max());

    bool flag(std::string_view key); // true or false
    std::optional<bool> maybeFlag(std::string_view key);

    template <Dim D>
    Quantity<D> quantity(std::string_view key, Between range = {})
    {
        return Quantity<D>(required(key) ? quantityIn(key, D, range).value_or(0) : 0);
    }
    template <Dim D>
    std::optional<Quantity<D>> maybeQuantity(std::string_view key, Between range = {})
    {
        const std::optional<double> base = quantityIn(key, D, range);
        return base ? std::optional(Quantity<D>(*base)) : std::nullopt;
    }

    DType dtype(std::string_view key);
    std::optional<DType> maybeDType(std::string_view key);
    std::vector<DType> dtypes(std::string_view key);
    std::optional<MathUnit> maybeMathUnit(std::string_view key);

    template <typename E>
    E choice(std::string_view key, std::span<const Choice<E>> known)
    {
        return required(key) ? maybeChoice(key, known).value_or(known.front().value) : known.front().value;
    }
    template <typename E>
    std::optional<E> maybeChoice(std::string_view key, std::span<const Choice<E>> known)
    {
        std::vector<std::string> names;
        for (const Choice<E>& one : known)
            names.emplace_back(one.name);
        const std::optional<std::size_t> index = choiceIn(key, names);
        return index ? std::optional(known[*index].value) : std::nullopt;
    }

    // Groups: the value must be a map (or a list of maps); each returned reader must be finished by who asked
    // for it.
    MapReader map(std::string_view key); // absent: reported, and an empty map is read
    std::optional<MapReader> maybeMap(std::string_view key);
    std::vector<MapReader> maps(std::string_view key);
    std::vector<MapReader> maybeMaps(std::string_view key);

    // A problem at `key`'s value (or at the map when there is none).
    void report(std::string_view key, Message what, Message hint = {});
    // Nothing was reported since this reader was made.
    [[nodiscard]] bool sound() const { return m_problems->size() == m_problemsBefore; }
    // Reports every key that was never asked for, with the nearest that was.
    void finish();

    static constexpr std::int64_t mostWhole = 9'007'199'254'740'992; // 2^53: every double below it is exact

private:
    bool required(std::string_view key);         // reports the absence
    const YamlNode* asked(std::string_view key); // nullptr: absent
    const YamlNode* scalarAt(std::string_view key, Code expected);
    const YamlNode* listAt(std::string_view key);
    void reportAt(const YamlNode& node, std::string_view key, Message what, Message hint = {});
    std::optional<double> numberOf(const YamlNode& node, std::string_view key, Between range);
    std::optional<std::int64_t> wholeOf(const YamlNode& node, std::string_view key, std::int64_t low,
                                        std::int64_t high);
    std::optional<DType> dtypeOf(const YamlNode& node, std::string_view key);
    std::optional<double> quantityIn(std::string_view key, Dim dim, Between range);
    std::optional<std::size_t> choiceIn(std::string_view key, const std::vector<std::string>& names);

    const YamlNode* m_node;
    std::string m_file;
    std::string m_path;
    Problems* m_problems;
    std::size_t m_problemsBefore;
    std::vector<std::string> m_asked;
};

// The `sources:` of a file, and the `source:` key of each of its groups:
//     sources: {datasheet: "NVIDIA A100 datasheet, 2021"}
//     memory: {sold: 80 GiB, source: datasheet, confidence: high}
class SourceReader {
public:
    explicit SourceReader(MapReader& file, Confidence usual = Confidence::Medium);
    // Asks `group` for `source` (required) and `confidence` (optional) and remembers them under `name`.
    void cite(MapReader& group, std::string name);
    // The citations in the order of the calls; a source that no group names is reported.
    std::vector<Citation> finish();

private:
    struct Known {
        std::string key;
        std::string text;
        bool used = false;
    };
    MapReader* m_file;
    Confidence m_usual;
    std::vector<Known> m_known;
    std::vector<Citation> m_citations;
};

[[nodiscard]] std::span<const Choice<Confidence>> confidences();
[[nodiscard]] std::string_view name(Confidence confidence);

// Parses and reads: `read(MapReader&)` returns the value; problems of both together refuse it.
template <typename Read>
auto readYaml(const std::string& text, const std::string& file, Read read)
    -> Result<decltype(read(std::declval<MapReader&>()))>
{
    const Result<YamlNode> tree = parseYaml(text, file);
    if (!tree)
        return refuse(tree.error());
    Problems problems;
    MapReader in(*tree, file, "", problems);
    auto value = read(in);
    in.finish();
    if (!problems.empty())
        return refuse(std::move(problems));
    return value;
}

} // namespace headroom
