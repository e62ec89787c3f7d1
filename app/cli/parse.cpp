#include "app/cli/parse.h"

#include "app/cli/hidden_keys.h"
#include "app/cli/language.h"
#include "app/cli/readable_words.h"
#include "app/cli/scenario_flags.h"
#include "model/base/spelling.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <initializer_list>

namespace headroom::cli {

namespace {

constexpr Code helpHint = "--help after the verb shows its flags";

// No verb takes more words than a shell passes; CLI11 wants a number.
constexpr int anyNumber = 1 << 20;

void declare(CLI::App& command, const Flag& flag)
{
    const std::string name(flag.name);
    if (flag.value.empty()) {
        command.add_flag(name);
        return;
    }
    CLI::Option* const option = command.add_option(name);
    option->expected(1);
    if (flag.repeats)
        option->expected(1, anyNumber)->allow_extra_args(false);
}

// Each spelling of a flag: "-o", "--output-file".
std::vector<std::string> spellingsOf(const Verb& verb)
{
    std::vector<std::string> out;
    for (const Flag& flag : flagsOf(verb))
        for (std::size_t begin = 0; begin < flag.name.size();) {
            const std::size_t end = std::min(flag.name.find(',', begin), flag.name.size());
            out.emplace_back(flag.name.substr(begin, end - begin));
            begin = end + 1;
        }
    return out;
}

bool looksLikeFlag(const std::string& word)
{
    return word.size() > 1 && word.front() == '-' && std::isdigit(static_cast<unsigned char>(word[1])) == 0;
}

// "it is a flag of predict"; empty where no verb does.
Message takenElsewhere(const std::string& name)
{
    std::vector<Message> takers;
    for (const Verb& verb : verbs())
        if (const std::vector<std::string> known = spellingsOf(verb);
            std::find(known.begin(), known.end(), name) != known.end())
            takers.push_back(asIs(verb.name));
    constexpr std::size_t most = 3; // one that nearly all take is missing for another reason
    if (takers.empty() || takers.size() > most)
        return {};
    return say("it is a flag of {}", joined(std::move(takers), ", "));
}

Problem unknownFlag(const std::string& where, const std::string& word, const std::vector<std::string>& known)
{
    const std::string name = word.substr(0, word.find('='));
    Message hint = takenElsewhere(name);
    if (hint.empty())
        hint = spellingHint(name, known);
    return {where, say("unknown flag '{}'", name), hint.empty() ? Message(helpHint) : std::move(hint)};
}

// What no declared flag took: the verb's own words, and mistakes. A word after an unknown flag is taken for
// its value.
void sortWords(const std::vector<std::string>& left, const Verb& verb, const std::vector<std::string>& plain,
               Arguments& arguments, Problems& problems)
{
    const std::string verbName(verb.name);
    const std::vector<std::string> known = spellingsOf(verb);
    bool afterUnknownFlag = false;
    bool afterKeyFlag = false; // what stands there is not repeated, whatever it looks like
    for (const std::string& word : left) {
        const bool flag = looksLikeFlag(word) && !afterKeyFlag;
        if (flag)
            problems.push_back(unknownFlag(verbName, word, known));
        else if (!afterUnknownFlag)
            arguments.words.push_back(word);
        afterUnknownFlag = flag && word.find('=') == std::string::npos;
        afterKeyFlag = afterUnknownFlag && namesKey(word);
    }
    arguments.words.insert(arguments.words.end(), plain.begin(), plain.end());
    const auto count = static_cast<int>(arguments.words.size());
    if (problems.empty() && count < verb.words.atLeast)
        problems.push_back({verbName, say("is missing {}", std::string(verb.words.name)), verb.words.help});
    if (verb.words.atMost >= 0)
        for (int i = verb.words.atMost; i < count; ++i)
            problems.push_back(
                {verbName, say("does not know what to do with '{}'", arguments.words[std::size_t(i)]),
                 verb.words.name.empty() ? say("flags start with --") : Message(verb.words.help)});
}

bool asksFor(const std::vector<std::string>& words, std::initializer_list<std::string_view> spellings)
{
    const auto end = std::find(words.begin(), words.end(), "--");
    return std::find_first_of(words.begin(), end, spellings.begin(), spellings.end()) != end;
}

// Words of which none is a verb.
Result<Wish> withoutVerb(const std::vector<std::string>& words)
{
    if (asksFor(words, {"--version"}))
        return Wish{.verb = nullptr, .page = Page::Version, .arguments = {}, .problems = {}};
    // These say how something is told, and not what.
    auto word = words.begin();
    for (; word != words.end(); ++word)
        if (*word == languageFlag.name && word + 1 != words.end())
            ++word;
        else if (*word != "--json" && !word->starts_with(std::string(languageFlag.name) + '='))
            break;
    if (word == words.end() || asksFor(words, {"-h", "--help"}))
        return Wish{.verb = nullptr, .page = Page::Help, .arguments = {}, .problems = {}};
    if (looksLikeFlag(*word)) {
        const std::vector<std::string> known{"--help", "--version", "--lang"};
        Problem problem = unknownFlag("", *word, known);
        if (problem.hint.is(helpHint))
            problem.hint = "headroom --help lists the verbs";
        return refuse({std::move(problem)});
    }
    std::vector<std::string> names;
    for (const Verb& verb : verbs())
        names.emplace_back(verb.name);
    Message hint = spellingHint(*word, names);
    if (hint.empty() && word->find(' ') != std::string::npos)
        hint = "a question goes behind `headroom ask`, in quotes";
    return refuse("", say("unknown verb '{}'", *word),
                  hint.empty() ? "headroom --help lists the verbs" : std::move(hint));
}

} // namespace

Result<Wish> parse(const std::vector<std::string>& words)
{
    const auto named = std::find_first_of(
        words.begin(), std::find(words.begin(), words.end(), "--"), verbs().begin(), verbs().end(),
        [](const std::string& word, const Verb& verb) { return word == verb.name; });
    if (named == std::find(words.begin(), words.end(), "--"))
        return withoutVerb(words);
    const Verb& verb = *std::find_if(verbs().begin(), verbs().end(),
                                     [&](const Verb& known) { return known.name == *named; });
    if (asksFor(words, {"-h", "--help"}))
        return Wish{.verb = &verb, .page = Page::Help, .arguments = {}, .problems = {}};
    // Flags before the verb are taken as those behind it.
    std::vector<std::string> others(words.begin(), named);
    others.insert(others.end(), named + 1, words.end());
    ReadableWords said = readableWords(verb, others);

    CLI::App command;
    command.set_help_flag(); // is a page
    command.allow_extras();
    for (const Flag& flag : flagsOf(verb))
        declare(command, flag);
    Wish wish{.verb = &verb, .page = Page::None, .arguments = {}, .problems = std::move(said.problems)};
    try {
        std::reverse(said.words.begin(), said.words.end()); // CLI11 takes them from the back
        command.parse(std::move(said.words));
    } catch (const CLI::ParseError&) { // of words that are readable: in no line that is known
        wish.problems.push_back(
            {std::string(verb.name), "flags and values of these words cannot be told apart", helpHint});
        return wish;
    }
    for (const CLI::Option* option : command.get_options())
        if (option->count() > 0)
            wish.arguments.flags["--" + option->get_lnames().front()] = option->results();
    sortWords(command.remaining(), verb, said.plain, wish.arguments, wish.problems);
    return wish;
}

} // namespace headroom::cli
