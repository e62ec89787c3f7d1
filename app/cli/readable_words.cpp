#include "app/cli/readable_words.h"

#include "app/cli/language.h"
#include "app/cli/scenario_flags.h"

#include <algorithm>
#include <map>
#include <set>

namespace headroom::cli {

namespace {

// By each of its spellings: "-o", "--out".
std::map<std::string, Flag, std::less<>> bySpelling(const std::vector<Flag>& flags)
{
    std::map<std::string, Flag, std::less<>> out;
    for (const Flag& flag : flags)
        for (std::size_t begin = 0; begin < flag.name.size();) {
            const std::size_t end = std::min(flag.name.find(',', begin), flag.name.size());
            out.emplace(flag.name.substr(begin, end - begin), flag);
            begin = end + 1;
        }
    return out;
}

class Reading {
public:
    explicit Reading(const Verb& verb) : m_known(bySpelling(flagsOf(verb))) {}

    // Whether `word` is a flag that this reads; `next` is what follows it, null at the end.
    [[nodiscard]] const Flag* flagOf(const std::string& word) const
    {
        const auto found = m_known.find(word.substr(0, word.find('=')));
        return found == m_known.end() ? nullptr : &found->second;
    }
    // Why the flag cannot be read; empty where it can.
    [[nodiscard]] Problems objections(const Flag& flag, const std::string& word, const std::string* next)
    {
        const std::string name = word.substr(0, word.find('='));
        const bool has = name.size() < word.size();
        if (flag.value.empty())
            return has ? Problems{{name, "takes no value", {}}} : Problems{};
        const Message usage = say("give it as {} {}", name, std::string(flag.value));
        if (!has && next == nullptr)
            return {{name, "its value is missing", usage}};
        if (!has && (next->starts_with("--") || m_known.contains(*next)))
            return {{name, "its value is missing, another flag follows", usage}};
        if (!m_seen.insert(std::string(flag.name)).second && !flag.repeats)
            return {{name, "stands twice", "keep one of the two"}};
        return {};
    }

private:
    std::map<std::string, Flag, std::less<>> m_known;
    std::set<std::string> m_seen;
};

} // namespace

std::vector<Flag> flagsOf(const Verb& verb)
{
    std::vector<Flag> out;
    const auto add
        = [&out](std::span<const Flag> flags) { out.insert(out.end(), flags.begin(), flags.end()); };
    if (verb.scenario)
        add(scenarioFlags());
    add(verb.flags);
    if (verb.languages)
        out.push_back(languageFlag);
    if (verb.money)
        add(currencyFlags());
    if (verb.formats)
        add(formatFlags());
    if (takesOutputFlag(verb))
        out.push_back(outputFlag());
    return out;
}

ReadableWords readableWords(const std::vector<std::string>& words)
{
    const auto namesVerb = [](const std::string& word) {
        return std::any_of(verbs().begin(), verbs().end(),
                           [&](const Verb& verb) { return verb.name == word; });
    };
    const auto first = std::find_if(words.begin(), words.end(), namesVerb);
    if (first == words.end())
        return {.words = words, .plain = {}, .problems = {}};
    Reading reading(
        *std::find_if(verbs().begin(), verbs().end(), [&](const Verb& verb) { return verb.name == *first; }));
    ReadableWords out{.words = {words.begin(), first + 1}, .plain = {}, .problems = {}};
    for (auto word = first + 1; word != words.end(); ++word) {
        if (*word == "--") {
            out.plain.assign(word + 1, words.end());
            break;
        }
        const Flag* const flag = reading.flagOf(*word);
        const std::string* const next = word + 1 == words.end() ? nullptr : &*(word + 1);
        const Problems wrong = flag == nullptr ? Problems{} : reading.objections(*flag, *word, next);
        out.problems.insert(out.problems.end(), wrong.begin(), wrong.end());
        // A value goes the way of its flag.
        const bool valued = flag != nullptr && !flag->value.empty() && word->find('=') == std::string::npos
            && next != nullptr && !next->starts_with("--") && reading.flagOf(*next) == nullptr;
        if (wrong.empty())
            out.words.push_back(*word);
        if (valued) {
            ++word;
            if (wrong.empty())
                out.words.push_back(*word);
        }
    }
    return out;
}

} // namespace headroom::cli
