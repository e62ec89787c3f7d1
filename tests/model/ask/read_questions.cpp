#include "headroom_source_dir.h"
#include "model/words/catalogue_vocabulary.h"
#include "model/words/tables.h"
#include "model/yaml/catalogue.h"
#include "tests/model/ask/describe.h"
#include "tests/model/ask/table_checks.h"

#include <algorithm>
#include <ctime>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::ask {

namespace {

std::string fileOf(std::string_view table)
{
    std::ifstream file(fmt::format("{}/resources/ask/{}.tsv", HEADROOM_SOURCE_DIR, table));
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

} // namespace

// The tables as they are now, in place of those that the library was built with: a new row needs no build.
std::string_view tableCalled(std::string_view name)
{
    static std::map<std::string_view, std::string> known;
    return known.try_emplace(name, fileOf(name)).first->second;
}

} // namespace headroom::ask

// Reads questions from standard input, one a line, and prints a line for each: the reading, and what was not
// used. A line that begins with "+ " follows the one before. With --all it prints what each phrase was read
// as, too; with --times it says how long reading took instead.
int main(int count, char** words)
{
    using namespace headroom;
    const bool times = count > 1 && std::string_view(words[1]) == "--times";
    const bool all = count > 1 && std::string_view(words[1]) == "--all";
    (void)tests::checkedRoles(ask::tableCalled("roles"), tests::checkedRules(ask::tableCalled("rules")));
    const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
    if (!catalogue) {
        for (const Problem& problem : catalogue.error())
            fmt::print(stderr, "{}: {}\n", problem.where, problem.what.english());
        return 2;
    }
    const ask::Vocabulary vocabulary = vocabularyOf(**catalogue);
    std::vector<double> micros;
    std::optional<Scenario> atHand; // of the last question
    for (std::string line; std::getline(std::cin, line);) {
        const std::clock_t begin = std::clock(); // of the processor: others may be busy
        const bool follows = line.starts_with("+ ") && atHand.has_value();
        const auto question
            = follows ? ask::read(line.substr(2), vocabulary, {}, &*atHand) : ask::read(line, vocabulary);
        if (question)
            atHand = question->scenario;
        const double took = 1e6 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        micros.push_back(took);
        constexpr double slow = 2000;
        if (times && took > slow)
            fmt::print("{:.0f} us: {}\n", took, line);
        if (times)
            continue;
        std::string out;
        if (question) {
            out = tests::describe(*question);
            for (const ask::Interpretation& one : question->interpretation)
                out += all ? fmt::format("\t'{}' {} ({}) [{}]", one.said, one.readAs, one.why,
                                         fmt::join(one.others, ", "))
                           : std::string();
            for (const std::string& one : question->assumptions)
                out += all ? fmt::format("\tassumed {}", one) : std::string();
            for (const ask::Unused& one : question->unused)
                out += fmt::format("\tunused '{}' {}", one.said, one.why);
        } else {
            out = "refused:";
            for (const Problem& problem : question.error())
                out += fmt::format(" {} {} ({});", problem.where, problem.what.english(),
                                   problem.hint.english());
        }
        std::replace(out.begin(), out.end(), '\n', ' ');
        fmt::print("{}\n", out);
    }
    if (times && !micros.empty()) {
        std::sort(micros.begin(), micros.end());
        const auto at = [&](double share) {
            return micros[static_cast<std::size_t>(share * static_cast<double>(micros.size() - 1))];
        };
        fmt::print("{} questions: median {:.0f} us, 90 % {:.0f} us, 99 % {:.0f} us, longest {:.0f} us\n",
                   micros.size(), at(0.5), at(0.9), at(0.99), micros.back());
    }
    return 0;
}
