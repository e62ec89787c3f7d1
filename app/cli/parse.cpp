#include "app/cli/parse.h"

#include "app/cli/hidden_keys.h"
#include "app/cli/readable_words.h"
#include "app/cli/scenario_flags.h"
#include "headroom_version.h"
#include "model/base/spelling.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <sstream>

namespace headroom::cli {

namespace {

constexpr const char* summary = "Which GPUs, how many, arranged how, will serve an LLM at a given speed.\n"
                                "Start with: headroom ask \"how many A100s for Llama-70B at 20 TPS\"";
constexpr Code helpHint = "--help after the verb shows its flags";

// No verb takes more words than a shell passes; CLI11 wants a number.
constexpr int anyNumber = 1 << 20;

void declare(CLI::App& command, const Flag& flag)
{
    const std::string name(flag.name);
    if (flag.value.empty()) {
        command.add_flag(name)->description(std::string(flag.help));
        return;
    }
    CLI::Option* const option = command.add_option(name)->description(std::string(flag.help));
    option->type_name(std::string(flag.value));
    option->expected(1);
    if (flag.repeats)
        option->expected(1, anyNumber)->allow_extra_args(false);
}

void declare(CLI::App& command, const Verb& verb)
{
    command.allow_extras();
    for (const Flag& flag : flagsOf(verb))
        declare(command, flag);
    if (!verb.words.name.empty())
        command.footer(fmt::format("headroom {} {}: {}", verb.name, verb.words.name, verb.words.help.text));
}

std::vector<std::string> flagNames(const CLI::App& command)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    return names;
}

bool looksLikeFlag(const std::string& word)
{
    return word.size() > 1 && word.front() == '-' && std::isdigit(static_cast<unsigned char>(word[1])) == 0;
}

Problem unknownFlag(const std::string& verb, const std::string& word, const std::vector<std::string>& known)
{
    const std::string name = word.substr(0, word.find('='));
    Message hint = spellingHint(name, known);
    return {verb, say("unknown flag '{}'", name), hint.empty() ? Message(helpHint) : std::move(hint)};
}

// What no declared flag took: the verb's own words, and mistakes. A word after an unknown flag is taken for
// its value.
void sortWords(const CLI::App& command, const Verb& verb, const std::vector<std::string>& plain,
               Arguments& arguments, Problems& problems)
{
    const std::string verbName(verb.name);
    const std::vector<std::string> known = flagNames(command);
    bool afterUnknownFlag = false;
    bool afterKeyFlag = false; // what stands there is not repeated, whatever it looks like
    for (const std::string& word : command.remaining()) {
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

Result<Wish> wishOf(const CLI::App& app, ReadableWords said)
{
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    if (chosen.empty()) {
        const std::vector<std::string> words = app.remaining();
        if (words.empty())
            return Wish{nullptr, {}, app.help(), {}};
        if (looksLikeFlag(words.front()))
            return refuse({unknownFlag("", words.front(), flagNames(app))});
        std::vector<std::string> names;
        for (const Verb& verb : verbs())
            names.emplace_back(verb.name);
        Message hint = spellingHint(words.front(), names);
        return refuse("", say("unknown verb '{}'", words.front()),
                      hint.empty() ? "headroom --help lists the verbs" : std::move(hint));
    }
    const CLI::App& command = *chosen.front();
    const auto verb = std::find_if(verbs().begin(), verbs().end(), [&command](const Verb& known) {
        return known.name == command.get_name();
    });
    Wish wish{&*verb, {}, {}, std::move(said.problems)};
    for (const CLI::Option* option : command.get_options())
        if (option->count() > 0)
            wish.arguments.flags["--" + option->get_lnames().front()] = option->results();
    sortWords(command, *verb, said.plain, wish.arguments, wish.problems);
    return wish;
}

// CLI11 gave up at one mistake, `why`. Collects every unknown flag, and the values of the known ones, whose
// own mistakes are told later.
Wish gaveUp(const CLI::App& command, const std::vector<std::string>& words, std::string why)
{
    const auto verb = std::find_if(verbs().begin(), verbs().end(), [&command](const Verb& known) {
        return known.name == command.get_name();
    });
    Wish wish{&*verb, {}, {}, {{std::string(verb->name), std::move(why), helpHint}}};
    const std::vector<std::string> known = flagNames(command);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string name = words[i].substr(0, words[i].find('='));
        if (!looksLikeFlag(words[i]))
            continue;
        if (i > 0 && namesKey(words[i - 1])
            && std::find(known.begin(), known.end(), words[i - 1]) == known.end())
            continue; // the key itself
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            if (name.starts_with("--"))
                wish.problems.push_back(unknownFlag(std::string(wish.verb->name), words[i], known));
        } else if (name.size() < words[i].size()) {
            wish.arguments.flags[name] = {words[i].substr(name.size() + 1)};
        } else if (i + 1 < words.size() && !looksLikeFlag(words[i + 1])) {
            wish.arguments.flags[name] = {words[i + 1]};
        }
    }
    return wish;
}

} // namespace

Result<Wish> parse(const std::vector<std::string>& words)
{
    CLI::App app(summary, "headroom");
    app.set_version_flag("--version", "headroom " HEADROOM_VERSION);
    app.allow_extras();
    app.require_subcommand(0, 1);
    for (const Verb& verb : verbs())
        declare(*app.add_subcommand(std::string(verb.name), std::string(verb.summary)), verb);
    ReadableWords said = readableWords(words);
    try {
        app.parse(std::vector<std::string>(said.words.rbegin(),
                                           said.words.rend())); // CLI11 takes them from the back
    } catch (const CLI::Success& wanted) {                      // --help and --version
        std::ostringstream page;
        app.exit(wanted, page, page);
        return Wish{nullptr, {}, page.str(), {}};
    } catch (const CLI::ParseError& error) {
        const std::vector<CLI::App*> chosen = app.get_subcommands();
        if (chosen.empty())
            return refuse("", error.what(), helpHint);
        return gaveUp(*chosen.front(), words, error.what());
    }
    return wishOf(app, std::move(said));
}

} // namespace headroom::cli
