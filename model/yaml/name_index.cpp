#include "model/yaml/name_index.h"

#include "model/spelling.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <set>

namespace headroom {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return c >= 'a' && c <= 'z'; }

// Words that name the maker or the kind of thing and distinguish nothing.
bool isNoise(std::string_view word)
{
    static constexpr std::array<std::string_view, 12> noise{"nvidia", "amd",    "intel",  "google",
                                                            "aws",    "gpu",    "gpus",   "tensor",
                                                            "core",   "radeon", "habana", "geforce"};
    return std::find(noise.begin(), noise.end(), word) != noise.end();
}

std::string_view withoutOrganisation(std::string_view text)
{
    const std::size_t slash = text.rfind('/');
    return slash != std::string_view::npos && slash + 1 < text.size() ? text.substr(slash + 1) : text;
}

std::vector<std::string> splitWords(std::string_view text)
{
    std::vector<std::string> words(1);
    const std::string_view rest = withoutOrganisation(text);
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const char c = static_cast<char>(std::tolower(static_cast<unsigned char>(rest[i])));
        const bool decimalPoint
            = c == '.' && i > 0 && isDigit(rest[i - 1]) && i + 1 < rest.size() && isDigit(rest[i + 1]);
        if (isDigit(c) || isLetter(c) || decimalPoint || c == '+'
            || (static_cast<unsigned char>(c) & 0x80) != 0)
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty())
        words.pop_back();
    return words;
}

// "80 gb" and "80gib" are "80gb"; "70 b" is "70b".
void joinSizes(std::vector<std::string>& words)
{
    static constexpr std::array<std::string_view, 5> sizes{"gb", "gib", "g", "b", "m"};
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool number
            = std::all_of(words[i].begin(), words[i].end(), [](char c) { return isDigit(c) || c == '.'; });
        if (number && i + 1 < words.size()
            && std::find(sizes.begin(), sizes.end(), words[i + 1]) != sizes.end()) {
            words[i] += words[i + 1];
            words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        }
        if (words[i].ends_with("gib"))
            words[i].replace(words[i].size() - 3, 3, "gb");
    }
}

std::vector<std::string> wordsOf(std::string_view text)
{
    std::vector<std::string> words = splitWords(text);
    joinSizes(words);
    std::vector<std::string> kept;
    std::copy_if(words.begin(), words.end(), std::back_inserter(kept),
                 [](const std::string& w) { return !isNoise(w); });
    return kept.empty() ? words : kept;
}

std::string squashed(const std::vector<std::string>& words)
{
    std::string out;
    for (const std::string& word : words)
        out += word;
    return out;
}

// "qwen2.5" also stands for "qwen" and "2.5": where the name's letters end and its figures begin. One letter
// before a figure is a name of its own ("a100", "b200").
void addParts(std::vector<std::string>& words)
{
    const std::size_t whole = words.size();
    for (std::size_t i = 0; i < whole; ++i) {
        const std::string word = words[i];
        std::size_t letters = 0;
        while (letters < word.size() && isLetter(word[letters]))
            ++letters;
        if (letters >= 2 && letters < word.size() && isDigit(word[letters])) {
            words.push_back(word.substr(0, letters));
            words.push_back(word.substr(letters));
        }
    }
}

bool hasWord(const std::vector<std::string>& name, const std::string& word)
{
    return std::find(name.begin(), name.end(), word) != name.end();
}

// Every word stands in the name, whole or as its parts.
bool hasWords(const std::vector<std::string>& name, const std::vector<std::string>& words)
{
    return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
        if (hasWord(name, word))
            return true;
        std::vector<std::string> parts{word};
        addParts(parts);
        return parts.size() == 3 && hasWord(name, parts[1]) && hasWord(name, parts[2]);
    });
}

} // namespace

void NameIndex::add(IndexRow row)
{
    Entry entry{row, {}};
    std::set<std::string> spellings;
    const auto addName = [&](std::string_view name) {
        std::vector<std::string> words = wordsOf(name);
        spellings.insert(squashed(words));
        addParts(words);
        entry.names.push_back(std::move(words));
    };
    addName(row.id);
    addName(row.name);
    for (const std::string& alias : row.aliases)
        addName(alias);
    for (const std::string& spelling : spellings)
        m_spellings.emplace(spelling, m_entries.size());
    m_ids.push_back(row.id);
    m_entries.push_back(std::move(entry));
}

std::vector<const NameIndex::Entry*> NameIndex::withWords(const std::vector<std::string>& words) const
{
    std::vector<const Entry*> found;
    for (const Entry& entry : m_entries)
        if (std::any_of(entry.names.begin(), entry.names.end(),
                        [&](const auto& name) { return hasWords(name, words); }))
            found.push_back(&entry);
    std::stable_sort(found.begin(), found.end(),
                     [](const Entry* a, const Entry* b) { return a->row.released > b->row.released; });
    return found;
}

NameMatch NameIndex::matched(const std::vector<const Entry*>& found, std::string_view text,
                             const std::vector<std::string>& words, bool bySpelling) const
{
    NameMatch match{.id = found.front()->row.id, .why = {}, .others = {}};
    std::vector<const Entry*> others = bySpelling ? withWords(words) : found;
    for (const Entry* other : found)
        if (std::find(others.begin(), others.end(), other) == others.end())
            others.push_back(other);
    for (const Entry* other : others)
        if (other->row.id != match.id)
            match.others.push_back(other->row.id);
    const std::size_t meanings = match.others.size() + 1;
    if (meanings == 1)
        match.why = bySpelling ? "alias" : fmt::format("the only one that '{}' fits", text);
    else if (bySpelling && found.size() == 1)
        match.why = fmt::format("the usual one of {} that '{}' can mean", meanings, text);
    else
        match.why = fmt::format("newest of {} that '{}' can mean", meanings, text);
    return match;
}

Result<NameMatch> NameIndex::find(std::string_view text) const
{
    if (std::find(m_ids.begin(), m_ids.end(), text) != m_ids.end())
        return NameMatch{std::string(text), "exact id", {}};
    std::vector<std::string> words = wordsOf(text);
    if (words.empty())
        return refuse("", fmt::format("no {} is named", m_kind));
    for (int attempt = 0; attempt < 2; ++attempt) {
        std::vector<const Entry*> found;
        const auto [first, last] = m_spellings.equal_range(squashed(words));
        for (auto it = first; it != last; ++it)
            found.push_back(&m_entries[it->second]);
        std::stable_sort(found.begin(), found.end(),
                         [](const Entry* a, const Entry* b) { return a->row.released > b->row.released; });
        if (!found.empty())
            return matched(found, text, words, true);
        if (found = withWords(words); !found.empty())
            return matched(found, text, words, false);
        // A plural: "two A100s".
        if (words.back().size() < 3 || words.back().back() != 's')
            break;
        words.back().pop_back();
    }
    std::string hint = spellingHint(text, m_ids);
    return refuse("", fmt::format("there is no {} '{}'", m_kind, text.substr(0, 60)),
                  hint.empty() ? fmt::format("'headroom list' shows all {} of them", m_ids.size()) : hint);
}

} // namespace headroom
