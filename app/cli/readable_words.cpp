#include "app/cli/readable_words.h"

#include "app/cli/language.h"
#include "app/cli/scenario_flags.h"

#include <algorithm>
#include <map>
#include <optional>
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

// A word as a flag and the value that is written to it: "--tp=4", "-ofile", "-o=file".
struct Spelled {
    std::string name;
    std::optional<std::string> value;
};

Spelled spelled(const std::string& word)
{
    const bool isShort = word.size() > 2 && word[0] == '-' && word[1] != '-';
    const std::size_t equals = isShort ? 2 : word.find('=');
    if (equals >= word.size())
        return {word, std::nullopt};
    return {word.substr(0, equals), word.substr(word[equals] == '=' ? equals + 1 : equals)};
}

class Reading {
public:
    explicit Reading(const Verb& verb) : m_known(bySpelling(flagsOf(verb))) {}

    // The flag that a word is, null where it is none that the verb takes.
    [[nodiscard]] const Flag* flagOf(const std::string& word) const
    {
        const auto found = m_known.find(spelled(word).name);
        return found == m_known.end() ? nullptr : &found->second;
    }
    // Why the flag cannot be read, `next` being what follows it, null at the end; empty where it can.
    [[nodiscard]] Problems objections(const Flag& flag, const Spelled& said, const std::string* next)
    {
        if (flag.value.empty())
            return said.value
                ? Problems{{said.name, "takes no value", say("write {} alone, or leave it out", said.name)}}
                : Problems{};
        const Message usage = say("give it as {} {}", said.name, std::string(flag.value));
        if (said.value ? said.value->empty() : next == nullptr)
            return {{said.name, "its value is missing", usage}};
        if (!said.value && isFlag(*next))
            return {{said.name, "its value is missing, another flag follows", usage}};
        if (!m_seen.insert(std::string(flag.name)).second && !flag.repeats)
            return {{said.name, "is given twice", "keep one of the two"}};
        return {};
    }
    // No value begins with two dashes, or is a flag.
    [[nodiscard]] bool isFlag(const std::string& word) const
    {
        return word.starts_with("--") || flagOf(word) != nullptr;
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

ReadableWords readableWords(const Verb& verb, const std::vector<std::string>& words)
{
    Reading reading(verb);
    ReadableWords out;
    for (auto word = words.begin(); word != words.end(); ++word) {
        if (*word == "--") {
            out.plain.assign(word + 1, words.end());
            break;
        }
        const Flag* const flag = reading.flagOf(*word);
        if (flag == nullptr) {
            out.words.push_back(*word);
            continue;
        }
        const Spelled said = spelled(*word);
        const std::string* const next = word + 1 == words.end() ? nullptr : &*(word + 1);
        const Problems wrong = reading.objections(*flag, said, next);
        out.problems.insert(out.problems.end(), wrong.begin(), wrong.end());
        // A value goes the way of its flag.
        const bool follows = !flag->value.empty() && !said.value && next != nullptr && !reading.isFlag(*next);
        if (wrong.empty()) {
            out.words.push_back(said.name);
            if (!flag->value.empty())
                out.words.push_back(said.value ? *said.value : *next);
        }
        if (follows)
            ++word;
    }
    return out;
}

} // namespace headroom::cli
