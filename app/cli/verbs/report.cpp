#include "app/cli/language.h"
#include "app/cli/scenario_flags.h"
#include "app/cli/sizing.h"
#include "app/cli/verbs.h"
#include "model/ask/question.h"
#include "model/base/currency_name.h"
#include "model/text/write_file.h"
#include "model/words/catalogue_vocabulary.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/scenario_yaml.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace headroom::cli {

namespace {

// Hands the scenario to the program that paints: a file in a folder that only this user can open, removed
// afterwards.
class HandedScenario {
public:
    explicit HandedScenario(const Scenario& scenario)
    {
        std::string folder = (std::filesystem::temp_directory_path() / "headroom-XXXXXX").string();
        if (mkdtemp(folder.data()) == nullptr)
            throw CannotWrite(folder, std::strerror(errno));
        m_folder = folder;
        try {
            writeFile(path(), writeScenario(scenario));
        } catch (...) {
            remove();
            throw;
        }
    }
    ~HandedScenario() { remove(); }
    HandedScenario(const HandedScenario&) = delete;
    HandedScenario& operator=(const HandedScenario&) = delete;
    [[nodiscard]] std::string path() const { return (m_folder / "scenario.yaml").string(); }

private:
    void remove() const
    {
        std::error_code left; // a folder of /tmp that stays is no reason to lose a report
        std::filesystem::remove_all(m_folder, left);
    }
    std::filesystem::path m_folder;
};

constexpr std::array reportFlags{
    Flag{"-o,--output-file", "FILE.pdf",
         "the report to write: .pdf, .html (one page that stands alone) or .md"},
    Flag{"--ask", "\"TEXT\"", "the scenario, asked as a question"},
    Flag{"--lang", "en|zh",
         "language of the report; default: Chinese for a question in Chinese, else that of the environment"},
    Flag{"--paper", "SIZE", "a4 or letter; default: a4"},
    Flag{"--since", "FILE",
         "an earlier report (.pdf, .html or .md): the new one says what has changed since"},
};

// What is asked for, and in which language it was said.
struct Asked {
    Scenario scenario;
    ask::Language language = ask::Language::English; // that it is answered in unless a flag says another
    Currency currency = toldCurrency();
};

Result<Asked> askedOf(const Arguments& arguments, Console& console)
{
    const std::optional<std::string> text = arguments.text("--ask");
    if (!text)
        return scenarioFrom(arguments, console).map([&](Scenario s) {
            return Asked{.scenario = std::move(s), .language = console.language};
        });
    const auto catalogue = console.catalogue();
    if (!catalogue)
        return refuse(catalogue.error());
    ask::Vocabulary vocabulary = vocabularyOf(**catalogue);
    vocabulary.draftingStated = arguments.has("--spec-decode");
    Result<ask::Question> question = ask::read(*text, vocabulary);
    if (!question)
        return refuse(std::move(question.error()));
    const ask::Language own = languageOfAnswer(question->language, console.language);
    if (const auto language = languageFrom(arguments, own); language && *language != question->language)
        question = ask::read(*text, vocabulary, *language);
    Scenario scenario = question->scenario;
    scenario.name = *text;
    return scenarioFrom(arguments, console, scenario).map([&](Scenario s) {
        const bool said = arguments.has("--currency") || !question->currency;
        return Asked{std::move(s), own, said ? toldCurrency() : *question->currency};
    });
}

// The program that paints: beside this one, else wherever the system finds it. The command line itself links
// no Qt.
std::string painter()
{
    std::error_code none;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", none);
    const std::filesystem::path beside = self.parent_path() / "headroom-report";
    return !none && std::filesystem::exists(beside, none) ? beside.string() : "headroom-report";
}

int runAndWait(std::vector<std::string> words)
{
    std::vector<char*> raw;
    for (std::string& word : words)
        raw.push_back(word.data());
    raw.push_back(nullptr);
    pid_t child = 0;
    if (posix_spawnp(&child, raw.front(), nullptr, nullptr, raw.data(), environ) != 0)
        throw std::runtime_error("headroom-report could not be started: it comes with the desktop program");
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (!WIFEXITED(status))
        throw std::runtime_error("headroom-report ended without a report");
    return WEXITSTATUS(status);
}

Exit runReport(const Arguments& arguments, Console& console)
{
    const std::optional<std::string> out = arguments.text("--output-file");
    const Result<Asked> asked = askedOf(arguments, console);
    const Result<ask::Language> language
        = languageFrom(arguments, asked ? asked->language : console.language);
    if (language)
        console.language = *language;
    Problems problems = joined(language, asked);
    std::string paper = arguments.text("--paper").value_or("a4");
    std::transform(paper.begin(), paper.end(), paper.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (paper != "a4" && paper != "letter")
        problems.push_back({"--paper", say("unknown size '{}'", paper), "a4 or letter"});
    if (!out)
        problems.push_back({"-o", "a report needs a file", "such as -o report.pdf"});
    if (!problems.empty())
        return console.refuse(problems);
    // Who reads Chinese reckons in yuan, unless something else was said.
    const bool saysCurrency = arguments.has("--currency") || !asked->currency.isDollar();
    const Currency told
        = !saysCurrency && *language == ask::Language::Chinese ? publishedYuan : asked->currency;
    const HandedScenario handed(asked->scenario);
    std::vector<std::string> words{painter(),
                                   "--scenario",
                                   handed.path(),
                                   "-o",
                                   *out,
                                   "--lang",
                                   *language == ask::Language::Chinese ? "zh_CN" : "en",
                                   "--paper",
                                   paper,
                                   "--currency",
                                   currencyName(told)};
    if (const std::optional<std::string> since = arguments.text("--since"))
        words.insert(words.end(), {"--since", *since});
    const int code = runAndWait(std::move(words));
    if (code == 0 || code == 1)
        console.err() << console.told(say("{} written", *out)) << '\n';
    return static_cast<Exit>(code);
}

} // namespace

Verb reportVerb()
{
    return {.name = "report",
            .summary = "writes the capacity report of a scenario as PDF, HTML or Markdown",
            .example = "report --model llama-3.1-70b --gpu a100-sxm-80gb --tps 20 -o plan.pdf",
            .run = runReport,
            .scenario = true,
            .money = true,
            .flags = reportFlags};
}

} // namespace headroom::cli
