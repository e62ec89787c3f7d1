#include "app/cli/run.h"

#include "app/cli/parse.h"
#include "app/cli/scenario_flags.h"

#include <algorithm>
#include <exception>
#include <ostream>

namespace headroom::cli {

namespace {

Exit parseAndRun(const std::vector<std::string>& words, Console& console)
{
    // Known before anything can fail, so that a refusal is a document too.
    if (std::find(words.begin(), words.end(), "--json") != words.end())
        console.format = Format::Json;
    const Result<Wish> wish = parse(words);
    if (!wish)
        return console.refuse(wish.error());
    if (wish->verb == nullptr) {
        (words.empty() ? console.err() : console.out()) << wish->page;
        return words.empty() ? Exit::BadInput : Exit::Done;
    }
    const Result<Format> format = chosenFormat(wish->arguments);
    if (!format)
        return console.refuse(format.error());
    console.format = *format;
    return wish->verb->run(wish->arguments, console);
}

} // namespace

int run(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    Console console(out, err);
    try {
        return static_cast<int>(parseAndRun(words, console));
    } catch (const std::exception& broken) {
        err << "headroom: " << broken.what() << '\n';
        return static_cast<int>(Exit::BrokenMachine);
    }
}

} // namespace headroom::cli
