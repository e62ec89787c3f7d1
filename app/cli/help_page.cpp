#include "app/cli/help_page.h"

#include "app/cli/language.h"
#include "app/cli/readable_words.h"
#include "app/cli/scenario_flags.h"
#include "model/report/translation.h"
#include "model/scenario/key_groups.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom::cli {

namespace {

constexpr std::size_t nameWidth = 28; // of what stands before a help text; longer names have their own line

struct VerbGroupRow {
    VerbGroup group;
    Code title;
};
constexpr std::array verbGroups{
    VerbGroupRow{VerbGroup::Plan, Code("Plan")},
    VerbGroupRow{VerbGroup::Catalogue, Code("The catalogue and your own files")},
    VerbGroupRow{VerbGroup::Measure, Code("Measure, and hold predictions against measurements")},
};

constexpr std::array pageFlags{
    Flag{"-h,--help", "", "show this help"},
    Flag{"--version", "", "show the version"},
};

class PageText {
public:
    explicit PageText(ask::Language language) : m_language(language) {}

    [[nodiscard]] std::string told(const Message& message) const
    {
        return m_language == ask::Language::Chinese ? inChinese(message) : message.english();
    }
    // What is declared as data: a code without places.
    [[nodiscard]] std::string told(std::string_view code) const { return told(Message::said(code, {})); }

    void line(const std::string& text) { m_text += text + '\n'; }
    void title(const std::string& text) { m_text += '\n' + text + '\n'; }
    void row(std::string_view name, std::string_view help)
    {
        m_text += fmt::format("  {:{}}", name, nameWidth);
        if (name.size() > nameWidth)
            m_text += fmt::format("\n  {:{}}", "", nameWidth);
        m_text += "  " + told(help) + '\n';
    }
    void row(const Flag& flag)
    {
        row(flag.value.empty() ? std::string(flag.name) : fmt::format("{} {}", flag.name, flag.value),
            flag.help);
    }
    [[nodiscard]] std::string text() && { return std::move(m_text); }

private:
    ask::Language m_language;
    std::string m_text;
};

// Behind the file that holds them all, the keys of a scenario as flags.
void addScenario(PageText& page)
{
    const std::span<const Flag> flags = scenarioFlags();
    page.title(page.told(say("The scenario: a file, or flags")));
    page.row(flags.front());
    auto group = keyGroups().begin();
    for (const Flag& flag : flags.subspan(1)) {
        if (group != keyGroups().end() && flag.name.substr(2) == group->first)
            page.title(page.told((group++)->title));
        page.row(flag);
    }
}

// Flags that many verbs have: language, money, formats.
void addOutput(PageText& page, const Verb& verb)
{
    page.title(page.told(say("Output")));
    if (verb.languages)
        page.row(languageFlag);
    if (verb.money)
        page.row(currencyFlags().front());
    if (verb.formats)
        for (const Flag& flag : formatFlags())
            page.row(flag);
    if (takesOutputFlag(verb))
        page.row(outputFlag());
    page.row(pageFlags.front());
}

} // namespace

std::string helpPage(ask::Language language)
{
    PageText page(language);
    page.line(page.told(say("Which GPUs, how many, arranged how, will serve an LLM at a given speed.")));
    page.title(page.told(say("Usage:    headroom VERB …, and headroom VERB --help for its flags")));
    page.line(page.told(say("Example:  headroom {}", std::string(verbs().front().example))));
    for (const VerbGroupRow& row : verbGroups) {
        page.title(page.told(row.title));
        for (const Verb& verb : verbs())
            if (verb.group == row.group)
                page.row(verb.name, verb.summary);
    }
    page.title(page.told(say("Flags")));
    for (const Flag& flag : pageFlags)
        page.row(flag);
    page.row(languageFlag);
    return std::move(page).text();
}

std::string helpPage(const Verb& verb, ask::Language language)
{
    PageText page(language);
    page.line(fmt::format("headroom {}: {}", verb.name, page.told(verb.summary)));
    const std::string words = verb.words.name.empty() ? std::string() : ' ' + std::string(verb.words.name);
    page.title(page.told(say("Usage:    headroom {}{} [flags]", std::string(verb.name), words)));
    page.line(page.told(say("Example:  headroom {}", std::string(verb.example))));
    if (!verb.words.name.empty()) {
        page.line("");
        page.row(verb.words.name, verb.words.help.text);
    }
    if (!verb.flags.empty()) {
        page.title(page.told(say("Flags of {} alone", std::string(verb.name))));
        for (const Flag& flag : verb.flags)
            page.row(flag);
    }
    if (verb.scenario)
        addScenario(page);
    addOutput(page, verb);
    return std::move(page).text();
}

} // namespace headroom::cli
