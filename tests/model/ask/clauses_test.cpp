#include "headroom_source_dir.h"
#include "model/words/catalogue_vocabulary.h"
#include "model/words/tables.h"
#include "model/yaml/catalogue.h"
#include "tests/model/ask/describe.h"
#include "tests/sanitized.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::tests {

namespace {

using Keys = std::map<std::string, std::string, std::less<>>;

Keys keysOf(std::string_view reading)
{
    Keys keys;
    for (const std::string_view one : partsOf(reading, ' '))
        if (const std::size_t sign = one.find('='); sign != std::string_view::npos)
            keys[std::string(one.substr(0, sign))] = one.substr(sign + 1);
    return keys;
}

struct Clause {
    std::string text;
    Keys keys;
};

std::vector<Clause> clausesIn(std::string_view language)
{
    std::ifstream file(std::string(HEADROOM_SOURCE_DIR) + "/tests/data/clauses.tsv");
    const std::string table((std::istreambuf_iterator<char>(file)), {});
    std::vector<Clause> clauses;
    for (const auto& row : tsvRows(table))
        if (row[0] == language)
            clauses.push_back({std::string(row[1]), keysOf(row[2])});
    return clauses;
}

using Random = std::mt19937;
std::size_t below(Random& random, std::size_t n) { return random() % n; }

// Whether a question that says these may say that too: a load once, a percentile of a time, a peak of a rate.
bool goesWith(const Keys& said, const Keys& more)
{
    const auto has = [&](std::string_view key) { return said.contains(key); };
    const bool isNew
        = std::none_of(more.begin(), more.end(), [&](const auto& one) { return has(one.first); });
    return isNew && !(more.contains("users") && has("rps")) && !(more.contains("rps") && has("users"))
        && (!more.contains("percentile") || has("ttft") || has("tpot"))
        && (!more.contains("peak") || has("rps"));
}

bool isSame(const std::string& one, const std::string& other)
{
    double a = 0;
    double b = 0;
    const bool numbers = std::from_chars(one.data(), one.data() + one.size(), a).ec == std::errc()
        && std::from_chars(other.data(), other.data() + other.size(), b).ec == std::errc();
    return one == other || (numbers && std::abs(a - b) <= 1e-4 * std::abs(b));
}

struct Joined {
    std::string text;
    Keys keys;
};

Joined joinedFrom(const std::vector<Clause>& clauses, bool chinese, Random& random)
{
    constexpr std::array<std::string_view, 8> english{", ",  " and ", " with ", ". ",
                                                      " - ", "; ",    " / ",    " ("};
    constexpr std::array<std::string_view, 8> chineseSigns{"，", "、",     " ",      "；",
                                                           "。", "，并且", "，另外", "（"};
    Joined out{.text = "Qwen3-32B", .keys = {{"model", "qwen3-32b"}}};
    const std::size_t most = 2 + below(random, 5);
    for (std::size_t tries = 0; tries < 40 && out.keys.size() <= most; ++tries) {
        const Clause& clause = clauses[below(random, clauses.size())];
        if (!goesWith(out.keys, clause.keys))
            continue;
        const std::string_view sign = (chinese ? chineseSigns : english)[below(random, english.size())];
        out.text += std::string(sign) + clause.text + (sign == " (" ? ")" : sign == "（" ? "）" : "");
        out.keys.insert(clause.keys.begin(), clause.keys.end());
    }
    return out;
}

} // namespace

TEST_CASE("Clauses in any order, joined as people join them, are read as each alone")
{
    const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
    REQUIRE(catalogue);
    const ask::Vocabulary vocabulary = vocabularyOf(**catalogue);
    const std::array<std::vector<Clause>, 2> clauses{clausesIn("en"), clausesIn("zh")};
    Random random(11);
    constexpr std::size_t all = test::sanitized ? 500 : 4000;
    std::size_t misread = 0;
    std::size_t refused = 0;
    for (std::size_t i = 0; i < all; ++i) {
        const bool chinese = i % 2 == 1;
        const Joined one = joinedFrom(clauses.at(chinese ? 1 : 0), chinese, random);
        const auto question = ask::read(one.text, vocabulary);
        if (!question) {
            ++refused;
            continue;
        }
        Keys read = keysOf(describe(*question));
        read.erase("objective");
        const bool same
            = read.size() == one.keys.size() && std::all_of(read.begin(), read.end(), [&](const auto& key) {
                  const auto said = one.keys.find(key.first);
                  return said != one.keys.end() && isSame(key.second, said->second);
              });
        if (same)
            continue;
        ++misread;
        MESSAGE(one.text << " -> " << describe(*question));
    }
    MESSAGE(all << " questions: " << misread << " misread, " << refused << " refused");
    CHECK(misread <= std::max<std::size_t>(1, all / 1000));
    CHECK(refused <= all / 10);
}

} // namespace headroom::tests
