#pragma once

#include "model/result.h"

#include <cstdint>
#include <functional>
#include <iosfwd>
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
    Console(std::ostream& out, std::ostream& err) : m_out(out), m_err(err) {}

    Format format = Format::Text;
    [[nodiscard]] bool tellsPeople() const { return format == Format::Text || format == Format::Markdown; }

    [[nodiscard]] std::ostream& out() { return m_out; }
    [[nodiscard]] std::ostream& err() { return m_err; }
    [[nodiscard]] Result<std::shared_ptr<const Catalogue>> catalogue();

    // Where each key of the scenario was said, in a file or by a flag: a problem of a key is told there.
    std::map<std::string, std::string, std::less<>> places;

    // All problems, each on its own lines; with --json also as the one document on `out`.
    Exit refuse(const Problems& problems);

private:
    std::ostream& m_out;
    std::ostream& m_err;
    std::shared_ptr<const Catalogue> m_catalogue;
};

} // namespace headroom::cli
