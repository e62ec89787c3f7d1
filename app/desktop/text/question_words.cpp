#include "app/desktop/text/question_words.h"

#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"
#include "model/words/catalogue_vocabulary.h"
#include "model/yaml/catalogue.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::app {

namespace {

bool sayTheSame(Scenario a, const Scenario& b)
{
    a.name = b.name;
    return a == b;
}

std::optional<ask::Question> readAs(const Scenario& meant, const std::string& text,
                                    const ask::Vocabulary& vocabulary, ask::Language speak)
{
    Result<ask::Question> question = ask::read(text, vocabulary, speak);
    if (!question || !sayTheSame(question->scenario, meant))
        return std::nullopt;
    question->text = text;
    return *std::move(question);
}

struct ChangedKey {
    std::string before;
    std::string after;
};

// The one key whose value differs; nothing where several do.
std::optional<ChangedKey> theChange(const Scenario& before, const Scenario& after)
{
    std::optional<ChangedKey> found;
    for (const ScenarioKey& key : scenarioKeys()) {
        ChangedKey change{scenarioValue(before, key.name), scenarioValue(after, key.name)};
        if (change.before == change.after)
            continue;
        if (found)
            return std::nullopt;
        found = std::move(change);
    }
    return found;
}

std::optional<double> numberIn(const std::string& text)
{
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    return !text.empty() && *end == 0 ? std::optional(number) : std::nullopt;
}

std::string shortest(double number)
{
    constexpr int most = 32;
    char text[most];
    (void)std::snprintf(text, sizeof text, "%.6g", number);
    return text;
}

// The phrase with each of its numbers in turn grown as the value grew: "8k" of 8,192 to "4k", "500 ms" of
// half a second to "300 ms".
std::vector<std::string> withNumber(const std::string& said, double factor)
{
    std::vector<std::string> out;
    for (std::size_t begin = 0; begin < said.size(); ++begin) {
        if (std::isdigit(static_cast<unsigned char>(said[begin])) == 0)
            continue;
        std::size_t end = begin;
        while (end < said.size()
               && (std::isdigit(static_cast<unsigned char>(said[end])) != 0 || said[end] == '.'))
            ++end;
        const double number = std::strtod(said.substr(begin, end - begin).c_str(), nullptr);
        out.push_back(said.substr(0, begin) + shortest(number * factor) + said.substr(end));
        begin = end;
    }
    return out;
}

std::vector<std::string> newPhrases(const std::string& said, const ChangedKey& change,
                                    const Catalogue& catalogue)
{
    const std::optional<double> before = numberIn(change.before);
    const std::optional<double> after = numberIn(change.after);
    if (before && after && *before != 0)
        return withNumber(said, *after / *before);
    std::vector<std::string> out;
    if (const auto model = catalogue.model(change.after))
        out.push_back((*model)->name);
    if (const auto gpu = catalogue.gpu(change.after))
        out.push_back((*gpu)->name);
    out.push_back(change.after);
    return out;
}

} // namespace

std::optional<ask::Question> questionOf(const Scenario& scenario, const Catalogue& catalogue,
                                        ask::Language speak)
{
    if (scenario.name.empty())
        return std::nullopt;
    return readAs(scenario, scenario.name, vocabularyOf(catalogue), speak);
}

std::optional<ask::Question> toldAnew(const ask::Question& question, const Scenario& before,
                                      const Scenario& after, const Catalogue& catalogue, ask::Language speak)
{
    const std::optional<ChangedKey> change = theChange(before, after);
    if (!change || change->after.empty())
        return std::nullopt;
    const ask::Vocabulary vocabulary = vocabularyOf(catalogue);
    for (const ask::Interpretation& phrase : question.interpretation)
        for (const std::string& with : newPhrases(phrase.said, *change, catalogue)) {
            std::string text = question.text;
            text.replace(phrase.position, phrase.said.size(), with);
            if (auto told = readAs(after, text, vocabulary, speak))
                return told;
        }
    return std::nullopt;
}

} // namespace headroom::app
