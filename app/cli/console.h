#pragma once

#include "app/cli/clean_stream.h"
#include "model/base/result.h"
#include "model/words/text.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace headroom {
class Catalogue;
}

namespace headroom::cli {

enum class Format : std::uint8_t { Text, Csv, Json, Markdown };

// Exit codes of the contract; only `main` hands them to the system.
enum class Exit : std::uint8_t { Done = 0, No = 1, BadInput = 2, BrokenMachine = 3 };

// What a verb speaks through: results to `out`, everything else to `err`, and the catalogue, opened when
// first asked for.
class Console {
public:
    // `terminal`: standard error itself, for what moves the cursor on purpose.
    Console(CleanStream& out, CleanStream& err, std::ostream& terminal)
        : m_out(&out), m_err(err), m_terminal(terminal)
    {}

    Format format = Format::Text;
    ask::Language language = ask::Language::English;
    // The message in that language.
    [[nodiscard]] std::string told(const Message& message) const;
    // The same as a line of its own on `err`.
    void note(const Message& message);
    // Results go to `out` from here on.
    void writeTo(CleanStream& out) { m_out = &out; }
    [[nodiscard]] bool tellsPeople() const { return format == Format::Text || format == Format::Markdown; }

    [[nodiscard]] CleanStream& out() { return *m_out; }
    [[nodiscard]] CleanStream& err() { return m_err; }
    [[nodiscard]] std::ostream& terminal() { return m_terminal; }
    [[nodiscard]] Result<std::shared_ptr<const Catalogue>> catalogue();

    // Where each key of the scenario was said, in a file or by a flag: a problem of a key is told there.
    std::map<std::string, std::string, std::less<>> places;

    // All problems, each on its own lines; with --json also as the one document on `out`.
    Exit refuse(const Problems& problems);
    // The same of a disk, a driver or a memory that failed.
    Exit breakOff(const Problem& problem);

private:
    void tell(Problems problems);

    CleanStream* m_out;
    CleanStream& m_err;
    std::ostream& m_terminal;
    std::shared_ptr<const Catalogue> m_catalogue;
};

} // namespace headroom::cli
