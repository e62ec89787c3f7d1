#include "app/cli/run.h"

#include "app/cli/help_page.h"
#include "app/cli/language.h"
#include "app/cli/parse.h"
#include "app/cli/scenario_flags.h"
#include "headroom_version.h"
#include "model/resolve/resolve.h"
#include "model/text/write_file.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <ostream>
#include <sstream>

namespace headroom::cli {

namespace {

// Words that are wrong do not hide what is wrong with the others.
Problems withScenario(Problems problems, const Wish& wish, Console& console)
{
    if (!wish.verb->scenario || wish.verb->name == "probe") // whose --model is the server's own name for it
        return problems;
    const ScenarioReading said = saidScenario(wish.arguments);
    problems.insert(problems.end(), said.problems.begin(), said.problems.end());
    if (const auto catalogue = console.catalogue())
        for (Problem& problem : wrongNames(said.scenario, **catalogue))
            problems.push_back(std::move(problem));
    return placed(std::move(problems), said.places);
}

// Standard output, and whether anything was written to it.
class Noticed final : public std::ostream {
public:
    explicit Noticed(std::ostream& to) : std::ostream(nullptr), m_buffer(to) { rdbuf(&m_buffer); }
    [[nodiscard]] bool isUsed() const { return m_buffer.used; }

private:
    class Buffer final : public std::streambuf {
    public:
        explicit Buffer(std::ostream& to) : m_to(to) {}
        bool used = false;

    protected:
        int_type overflow(int_type next) override
        {
            if (traits_type::eq_int_type(next, traits_type::eof()))
                return traits_type::not_eof(next);
            const char one = traits_type::to_char_type(next);
            return xsputn(&one, 1) == 1 ? next : traits_type::eof();
        }
        std::streamsize xsputn(const char* text, std::streamsize size) override
        {
            used = used || size > 0;
            return m_to.write(text, size) ? size : 0;
        }
        int sync() override { return m_to.flush() ? 0 : -1; }

    private:
        std::ostream& m_to;
    };
    Buffer m_buffer;
};

// Results go elsewhere for as long as this lives.
class Redirected {
public:
    Redirected(Console& console, CleanStream& to) : m_console(console), m_shown(console.out())
    {
        console.writeTo(to);
    }
    ~Redirected() { m_console.writeTo(m_shown); }
    Redirected(const Redirected&) = delete;
    Redirected& operator=(const Redirected&) = delete;

private:
    Console& m_console;
    CleanStream& m_shown;
};

// With -o the results are written when they are whole; what is refused or breaks leaves the file as it was.
Exit runVerb(const Wish& wish, Console& console)
{
    const auto file = takesOutputFlag(*wish.verb) ? wish.arguments.text("--output-file") : std::nullopt;
    if (!file) {
        if (console.format == Format::Markdown)
            console.out().withoutTags();
        return wish.verb->run(wish.arguments, console);
    }
    std::ostringstream kept;
    Exit code = Exit::BrokenMachine;
    try {
        CleanStream clean(kept);
        if (console.format == Format::Markdown)
            clean.withoutTags();
        const Redirected redirected(console, clean);
        code = wish.verb->run(wish.arguments, console);
    } catch (...) {
        console.out() << kept.str(); // what it had come to
        throw;
    }
    if (code == Exit::Done || code == Exit::No)
        writeFile(*file, kept.str());
    else
        console.out() << kept.str(); // the document that tells what was wrong
    return code;
}

std::string pageOf(const Wish& wish, ask::Language language)
{
    if (wish.page == Page::Version)
        return "headroom " HEADROOM_VERSION "\n";
    return wish.verb == nullptr ? helpPage(language) : helpPage(*wish.verb, language);
}

Exit parseAndRun(const std::vector<std::string>& words, Console& console)
{
    // Known before anything can fail, so that a refusal is a document too.
    if (std::find(words.begin(), words.end(), "--json") != words.end())
        console.format = Format::Json;
    console.language = languageIn(words);
    const Result<Wish> wish = parse(words);
    if (!wish)
        return console.refuse(wish.error());
    if (wish->page != Page::None) {
        (words.empty() ? console.err() : console.out()) << pageOf(*wish, console.language);
        return words.empty() ? Exit::BadInput : Exit::Done;
    }
    const Result<Format> format = chosenFormat(wish->arguments);
    Problems problems = wish->problems;
    if (!format)
        problems.insert(problems.end(), format.error().begin(), format.error().end());
    const Result<Currency> currency = chosenCurrency(wish->arguments);
    if (!currency)
        problems.insert(problems.end(), currency.error().begin(), currency.error().end());
    if (const Result<ask::Language> language = languageFrom(wish->arguments, console.language);
        wish->verb->languages && !language)
        problems.insert(problems.end(), language.error().begin(), language.error().end());
    if (!problems.empty())
        return console.refuse(withScenario(std::move(problems), *wish, console));
    console.format = *format;
    tellAmountsIn(console.tellsPeople() ? *currency : Currency{}); // programs read dollars
    return runVerb(*wish, console);
}

// Whoever reads standard output gets all of it, or is told.
Exit delivered(Exit code, std::ostream& out, Console& console)
{
    errno = 0;
    if (out.flush())
        return code;
    const int why = errno; // of a write before this one it is not known any more
    console.note(why != 0 ? say("standard output could not be written: {}", asIs(std::strerror(why)))
                          : say("standard output could not be written"));
    return Exit::BrokenMachine;
}

} // namespace

int run(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    Noticed shown(out);
    CleanStream cleanOut(shown);
    CleanStream cleanErr(err);
    Console console(cleanOut, cleanErr, err);
    // A document that stands there by now is the only one, and tells itself what broke.
    const auto broke = [&](const Problem& problem) {
        if (shown.isUsed())
            console.format = Format::Text;
        return console.breakOff(problem);
    };
    Exit code = Exit::BrokenMachine;
    try {
        code = parseAndRun(words, console);
    } catch (const std::bad_alloc&) {
        code = broke({{}, "there is not enough memory for this", {}});
    } catch (const CannotWrite& broken) {
        code = broke({broken.file(), say("could not be written: {}", broken.reason()), {}});
    } catch (const std::exception& broken) {
        code = broke({{}, asIs(broken.what()), {}});
    }
    return static_cast<int>(delivered(code, cleanOut, console));
}

} // namespace headroom::cli
