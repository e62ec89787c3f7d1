#include "headroom_source_dir.h"
#include "model/report/translation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::tests {

namespace {

namespace fs = std::filesystem;

// A literal of the source, neighbours joined, with what stands before and behind it.
struct Literal {
    std::string text;
    std::size_t begin = 0;
    std::size_t end = 0;
};

// Past a character between single quotes; where none begins here (1'000), past the quote.
std::size_t pastCharacter(std::string_view source, std::size_t at)
{
    std::size_t word = at;
    while (word > 0 && std::isalnum(static_cast<unsigned char>(source[word - 1])) != 0)
        --word;
    const std::string_view before = source.substr(word, at - word);
    if (!before.empty() && before != "u" && before != "L" && before != "U" && before != "u8")
        return at + 1;
    std::size_t end = at + 1;
    while (end < source.size() && source[end] != '\'')
        end += source[end] == '\\' ? std::size_t{2} : 1;
    return end + 1;
}

std::string unescaped(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            out += text[i];
            continue;
        }
        const char next = text[++i];
        out += next == 'n' ? '\n' : next == 't' ? '\t' : next;
    }
    return out;
}

std::vector<Literal> literalsOf(std::string_view source)
{
    std::vector<Literal> out;
    for (std::size_t i = 0; i < source.size();) {
        const std::string_view rest = source.substr(i);
        if (rest.starts_with("//")) {
            i = std::min(source.find('\n', i), source.size());
        } else if (rest.starts_with("R\"")) {
            const std::size_t open = source.find('(', i);
            const std::string close = ')' + std::string(source.substr(i + 2, open - i - 2)) + '"';
            i = std::min(source.find(close, open), source.size() - close.size()) + close.size();
        } else if (rest.front() == '\'') {
            i = pastCharacter(source, i);
        } else if (rest.front() == '"') {
            std::size_t end = i + 1;
            while (end < source.size() && source[end] != '"')
                end += source[end] == '\\' ? std::size_t{2} : 1;
            const std::string text = unescaped(source.substr(i + 1, end - i - 1));
            const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
            const auto* const from = source.data() + (out.empty() ? 0 : out.back().end);
            if (!out.empty() && std::all_of(from, source.data() + i, blank))
                out.back() = {out.back().text + text, out.back().begin, end + 1};
            else
                out.push_back({text, i, end + 1});
            i = end + 1;
        } else {
            ++i;
        }
    }
    return out;
}

std::string contentOf(const fs::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::vector<fs::path> sources(const std::vector<std::string>& folders)
{
    std::vector<fs::path> out;
    for (const std::string& folder : folders)
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(HEADROOM_SOURCE_DIR) / folder))
            if (const fs::path kind = entry.path().extension();
                kind == ".cpp" || kind == ".h" || kind == ".cu")
                out.push_back(entry.path());
    return out;
}

bool follows(std::string_view source, const Literal& literal, std::string_view call)
{
    std::string_view before = source.substr(0, literal.begin);
    while (!before.empty() && std::isspace(static_cast<unsigned char>(before.back())) != 0)
        before.remove_suffix(1);
    if (!before.ends_with(call))
        return false;
    before.remove_suffix(call.size());
    return before.empty()
        || (std::isalnum(static_cast<unsigned char>(before.back())) == 0 && before.back() != '_');
}

// say("English", "中文") of what speaks both languages itself.
bool isSaidTwice(std::string_view source, const Literal& literal)
{
    const std::size_t at = source.find_first_not_of(" \n", literal.end);
    if (at == std::string_view::npos || source[at] != ',')
        return false;
    const std::size_t next = source.find_first_not_of(" \n", at + 1);
    return next != std::string_view::npos && source[next] == '"';
}

bool hasWords(std::string_view text)
{
    std::size_t letters = 0;
    for (const char c : text) {
        letters = std::isalpha(static_cast<unsigned char>(c)) != 0 ? letters + 1 : 0;
        if (letters > 1)
            return true;
    }
    return false;
}

std::string keyOf(const Literal& literal)
{
    const bool balanced = std::count(literal.text.begin(), literal.text.end(), '{')
        == std::count(literal.text.begin(), literal.text.end(), '}');
    return balanced ? translationKey(literal.text) : literal.text;
}

std::set<std::string> places(const std::string& text)
{
    std::set<std::string> out;
    for (std::size_t i = 0; i + 1 < text.size(); ++i)
        if (text[i] == '%' && text[i + 1] >= '1' && text[i + 1] <= '9')
            out.insert(text.substr(i, 2));
    return out;
}

// Where every sentence is a message. These are not: whence a form of a calibration is, as its file has it,
// and ids.
const std::vector<std::string> roomsOfMessages{"model/resolve", "model/search",      "model/advise",
                                               "model/serve",   "model/closed_form", "model/catalogue",
                                               "model/yaml",    "kernels/cpu",       "kernels/cuda"};
const std::set<std::string> ownTexts{
    "headroom ", ", on ", "measured between these devices", "measured on this machine",
    "as the calibration has it", "the maker's library, measured on this machine", "as measured", "load sweep",
    "static batching",
    // of the system's files, of drivers and of NCCL
    "model name", "cpu MHz", "NCCL: the ticket of a group is broken", "layout of the weights",
    "layout of the input", "layout of the output", "the pointer to a scale", "power cap", "hardware slowdown",
    "thermal (software)", "thermal (hardware)", "power brake",
    // of a platform, and the letters of a name
    "Intel XPU", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-() "};

bool isSentence(std::string_view text)
{
    if (text.starts_with("--")) // flags, as a command line has them
        return false;
    const std::size_t blank = text.find(' ');
    const bool begins = text.starts_with("a ") || text.starts_with("A ") || hasWords(text.substr(0, blank));
    return blank != std::string_view::npos && begins
        && std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::islower(c) != 0; });
}

std::string listed(const std::set<std::string>& all)
{
    std::string out;
    for (const std::string& one : all)
        out += one + '\n';
    return out;
}

} // namespace

TEST_CASE("every template of a message has its Chinese, with the same places")
{
    std::set<std::string> missing;
    std::size_t seen = 0;
    for (const fs::path& file : sources({"model", "app", "calib", "kernels"})) {
        const std::string source = contentOf(file);
        for (const Literal& literal : literalsOf(source)) {
            // The reader of questions says its own sentences, from a table that ask_test holds.
            const bool reader = file.string().find("/model/ask/") != std::string::npos;
            const bool code = (follows(source, literal, "say(") && !reader)
                || follows(source, literal, "Message(") || follows(source, literal, "Code(");
            if (!code || isSaidTwice(source, literal) || !hasWords(literal.text))
                continue;
            ++seen;
            if (!chineseByKey().contains(keyOf(literal)))
                missing.insert(keyOf(literal) + " | " + file.filename().string());
        }
    }
    CHECK(seen > 250);
    CHECK(listed(missing) == "");
    std::set<std::string> changed;
    for (const auto& [english, chinese] : chineseByKey())
        if (places(english) != places(chinese))
            changed.insert(english);
    CHECK(listed(changed) == "");
}

TEST_CASE("in the rooms that tell messages every sentence has its Chinese")
{
    std::set<std::string> missing;
    for (const fs::path& file : sources(roomsOfMessages)) {
        const std::string source = contentOf(file);
        for (const Literal& literal : literalsOf(source))
            if (isSentence(literal.text) && !ownTexts.contains(literal.text)
                && !follows(source, literal, "fmt::format(") && !chineseByKey().contains(keyOf(literal)))
                missing.insert(keyOf(literal) + " | " + file.filename().string());
    }
    CHECK(listed(missing) == "");
}

TEST_CASE("no Chinese is kept of what nobody says any more")
{
    std::set<std::string> said;
    for (const fs::path& file : sources({"model", "app", "calib", "kernels"}))
        for (const Literal& literal : literalsOf(contentOf(file))) {
            said.insert(literal.text);
            said.insert(keyOf(literal));
        }
    std::set<std::string> unused;
    for (const auto& [english, chinese] : chineseByKey())
        if (!said.contains(english))
            unused.insert(english);
    CHECK(listed(unused) == "");
}

} // namespace headroom::tests
