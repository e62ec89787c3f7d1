#include "model/yaml/name_index.h"

#include "model/base/spelling.h"
#include "model/yaml/name_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <unordered_set>

namespace headroom {

namespace {

// What `headroom list` calls the kind.
std::string_view listed(std::string_view kind)
{
    return kind == "accelerator" ? "gpus"
        : kind == "model"        ? "models"
        : kind == "engine"       ? "engines"
                                 : "nodes";
}

} // namespace

struct NameIndex::Words {
    // How surely a spelling means a row; smaller is surer.
    enum class Kinship : std::uint8_t { Id, Name, Alias };
    struct Spelled {
        std::size_t row;
        Kinship kinship;
    };
    std::once_flag made;
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    using Texts = std::unordered_set<std::string, Hash, std::equal_to<>>;
    Texts known;  // every word of every name: one outside it names nothing
    Texts pieces; // their runs of letters and of figures
    Texts ids;
    using Rows = std::vector<std::size_t>;         // in their order
    std::map<std::string, Rows> rowsWith;          // a word: where it stands in a name, whole or as a part
    std::multimap<std::string, Spelled> spellings; // of every id, name and alias
    std::vector<std::vector<std::vector<std::string>>> names; // of each row: the words of each of its names

    void make(const std::vector<IndexRow>& rows)
    {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            names.emplace_back();
            ids.insert(rows[i].id);
            addName(i, rows[i].id, Kinship::Id);
            addName(i, rows[i].name, Kinship::Name);
            for (const std::string& alias : rows[i].aliases)
                addName(i, alias, Kinship::Alias);
        }
    }

    void addName(std::size_t row, std::string_view name, Kinship kinship)
    {
        const std::vector<std::string> all = allWords(name);
        std::vector<std::string> kept = withoutNoise(all);
        spellings.emplace(squashed(all), Spelled{row, kinship});
        if (kept.size() != all.size())
            spellings.emplace(squashed(kept), Spelled{row, kinship});
        addParts(kept);
        known.insert(kept.begin(), kept.end());
        for (const std::string& word : kept)
            if (Rows& with = rowsWith[word]; with.empty() || with.back() != row)
                with.push_back(row);
        names[row].push_back(std::move(kept));
        for (const std::string& word : all)
            addPieces(word);
    }

    // "h100": "h" and "100"; "qwen2.5": "qwen" and "2.5".
    void addPieces(std::string_view word)
    {
        const auto figure = [](char c) { return isDigit(c) || c == '.'; };
        for (std::size_t from = 0, to = 0; from < word.size(); from = to) {
            while (to < word.size() && figure(word[to]) == figure(word[from]))
                ++to;
            pieces.emplace(word.substr(from, to - from));
        }
    }

    // Whether any name could have all these words, whole or as their parts.
    [[nodiscard]] bool knows(const std::vector<std::string>& typed) const
    {
        return std::all_of(typed.begin(), typed.end(), [&](const std::string& word) {
            std::vector<std::string> parts{word};
            addParts(parts);
            return known.contains(word)
                || (parts.size() == 3 && known.contains(parts[1]) && known.contains(parts[2]));
        });
    }

    // Rows with the surest kinship to this spelling. Where a newer row calls itself so, as "qwen 72b" does
    // for Qwen2.5, the older one that has the bare name is no surer.
    [[nodiscard]] std::vector<std::size_t> spelled(const std::vector<std::string>& words,
                                                   const std::vector<IndexRow>& all) const
    {
        const std::string whole = squashed(words);
        const auto [first, last] = spellings.equal_range(whole);
        std::vector<std::size_t> rows;
        Kinship surest = Kinship::Alias;
        std::string newest; // that is called so
        for (auto it = first; it != last; ++it) {
            surest = std::min(surest, it->second.kinship);
            if (it->second.kinship == Kinship::Alias)
                newest = std::max(newest, all[it->second.row].released);
        }
        // "qwen 72b", "qwen72b": letters, then nothing but the size.
        const std::size_t digits = whole.find_first_of("0123456789");
        const bool bare = digits != std::string::npos && digits > 1
            && whole.find_first_not_of("0123456789.", digits) == whole.size() - 1 && whole.back() == 'b';
        for (auto it = first; bare && it != last; ++it)
            if (it->second.kinship != Kinship::Alias && all[it->second.row].released < newest)
                surest = Kinship::Alias;
        for (auto it = first; it != last; ++it)
            if (it->second.kinship == surest
                && std::find(rows.begin(), rows.end(), it->second.row) == rows.end())
                rows.push_back(it->second.row);
        return rows;
    }

    // Whether a name of the row begins with one of the words, as no name of a model distilled into another's
    // shape does.
    [[nodiscard]] bool begins(std::size_t row, const std::vector<std::string>& typed) const
    {
        std::vector<std::string> parts = typed;
        addParts(parts);
        return std::any_of(names[row].begin(), names[row].begin() + 2,
                           [&](const std::vector<std::string>& name) {
                               if (name.empty())
                                   return false;
                               std::vector<std::string> first{name.front()};
                               addParts(first);
                               return std::any_of(first.begin(), first.end(), [&](const std::string& word) {
                                   return isLetter(word.front()) && hasWord(parts, word);
                               });
                           });
    }

    // Rows that have one of the words, the one that fewest have.
    [[nodiscard]] Rows rowsOfRarest(const Typed& words) const
    {
        static const Rows none;
        const auto rows = [&](const std::string& word) -> const Rows& {
            const auto found = rowsWith.find(word);
            return found == rowsWith.end() ? none : found->second;
        };
        Rows fewest;
        for (std::size_t w = 0; w < words.size(); ++w) {
            const Rows& whole = rows(words[w][0]);
            if (w > 0 && whole.size() >= fewest.size())
                continue;
            const Rows& part = words[w].size() == 3 ? rows(words[w][2]) : none; // or both of its parts
            Rows found;
            std::set_union(whole.begin(), whole.end(), part.begin(), part.end(), std::back_inserter(found));
            if (w == 0 || found.size() < fewest.size())
                fewest = std::move(found);
        }
        return fewest;
    }

    // Rows whose id or name has the words, or, when none has, rows with an alias that does.
    [[nodiscard]] std::vector<std::size_t> withWords(const std::vector<std::string>& typed) const
    {
        std::vector<std::size_t> own;
        std::vector<std::size_t> byAlias;
        const Typed words = withParts(typed);
        for (const std::size_t i : rowsOfRarest(words)) {
            const auto fits = [&](const std::vector<std::string>& name) { return hasWords(name, words); };
            if (std::any_of(names[i].begin(), names[i].begin() + 2, fits))
                own.push_back(i);
            else if (std::any_of(names[i].begin() + 2, names[i].end(), fits))
                byAlias.push_back(i);
        }
        return own.empty() ? byAlias : own;
    }
};

namespace {

void newestFirst(std::vector<std::size_t>& found, const std::vector<IndexRow>& rows)
{
    std::stable_sort(found.begin(), found.end(),
                     [&](std::size_t a, std::size_t b) { return rows[a].released > rows[b].released; });
}

// `meant` and `possible` are newest first; `bySpelling`: the text is one of the meant rows' names.
NameMatch matchOf(const std::vector<std::size_t>& meant, const std::vector<std::size_t>& possible,
                  const std::vector<IndexRow>& rows, std::string_view text, bool bySpelling)
{
    NameMatch match{.id = rows[meant.front()].id, .how = {}, .why = {}, .others = {}};
    for (const std::size_t other : possible)
        if (other != meant.front())
            match.others.push_back(rows[other].id);
    const std::size_t meanings = match.others.size() + 1;
    using How = NameMatch::How;
    match.how = meanings > 1 ? (bySpelling && meant.size() == 1 ? How::Usual : How::Newest)
        : bySpelling         ? How::Alias
                             : How::OnlyOne;
    const Message typed = asIs(text);
    if (match.how == How::Alias)
        match.why = "alias";
    else if (match.how == How::OnlyOne)
        match.why = say("the only one that '{}' fits", typed);
    else if (match.how == How::Usual)
        match.why = say("the usual one of {} that '{}' can mean", meanings, typed);
    else
        match.why = say("newest of {} that '{}' can mean", meanings, typed);
    return match;
}

} // namespace

NameIndex::NameIndex(std::string kind) : m_kind(std::move(kind)), m_words(std::make_unique<Words>()) {}
NameIndex::NameIndex(NameIndex&&) noexcept = default;
NameIndex& NameIndex::operator=(NameIndex&&) noexcept = default;
NameIndex::~NameIndex() = default;

void NameIndex::add(IndexRow row)
{
    m_ids.push_back(row.id);
    m_rows.push_back(std::move(row));
}

const NameIndex::Words& NameIndex::words() const
{
    std::call_once(m_words->made, [this] { m_words->make(m_rows); });
    return *m_words;
}

// The row that has "Qwen/Qwen-72B", a name under which something is published, to the letter.
std::optional<std::size_t> NameIndex::published(std::string_view text) const
{
    if (text.find('/') == std::string_view::npos)
        return std::nullopt;
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (std::find(m_rows[i].aliases.begin(), m_rows[i].aliases.end(), text) != m_rows[i].aliases.end())
            return i;
    return std::nullopt;
}

std::optional<NameMatch> NameIndex::match(std::string_view text) const
{
    if (words().ids.contains(text))
        return NameMatch{std::string(text), NameMatch::How::Exact, "exact id", {}};
    std::string small(text); // "Qwen-72B" is published so; "qwen 72b" is said
    std::transform(small.begin(), small.end(), small.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (words().ids.contains(small))
        return NameMatch{std::move(small), NameMatch::How::Alias, "alias", {}};
    if (const std::optional<std::size_t> row = published(text))
        return NameMatch{m_rows[*row].id, NameMatch::How::Alias, "alias", {}};
    std::vector<std::string> all = allWords(text);
    for (std::string& word : all) // "sglang v0.5.10", but "vllm v1" is called so
        if (m_kind == "engine" && word.size() > 1 && word[0] == 'v' && isDigit(word[1])
            && word.find('.') != std::string::npos)
            word.erase(0, 1);
    for (int attempt = 0; attempt < 2 && !all.empty(); ++attempt) {
        const std::vector<std::string> kept = withoutNoise(all);
        std::vector<std::size_t> possible;
        if (words().knows(kept))
            possible = words().withWords(kept);
        newestFirst(possible, m_rows);
        std::stable_partition(possible.begin(), possible.end(),
                              [&](std::size_t row) { return words().begins(row, kept); });
        const std::vector<std::string> turned = sizeLast(kept);
        const std::vector<std::string>* before = nullptr;
        for (const std::vector<std::string>* typed : std::array{&std::as_const(all), &kept, &turned}) {
            if (before != nullptr && *typed == *before)
                continue;
            before = typed;
            if (std::vector<std::size_t> meant = words().spelled(*typed, m_rows); !meant.empty()) {
                newestFirst(meant, m_rows);
                // Its id in other letters, or an engine's version that one build is spelled with ("sglang
                // 0.5.2", where another is "sglang rocm 0.5.2"): nothing else is meant.
                if (meant.size() == 1
                    && (m_kind == "engine"
                        || squashed(allWords(m_rows[meant.front()].id)) == squashed(*typed)))
                    possible.clear();
                for (const std::size_t row : meant)
                    if (std::find(possible.begin(), possible.end(), row) == possible.end())
                        possible.push_back(row);
                return matchOf(meant, possible, m_rows, text, true);
            }
        }
        if (!possible.empty())
            return matchOf(possible, possible, m_rows, text, false);
        // Of a version its release: "vLLM 0.10.2" is a 0.10. A plural: "two A100s".
        std::string& last = all.back();
        if (m_kind == "engine" && std::count(last.begin(), last.end(), '.') == 2)
            last.resize(last.rfind('.'));
        else if (last.size() >= 3 && last.back() == 's')
            last.pop_back();
        else
            break;
    }
    return std::nullopt;
}

std::vector<std::string> NameIndex::madeBy(std::string_view maker) const
{
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (!m_rows[i].maker.empty() && editDistance(m_rows[i].maker, maker) == 0)
            found.push_back(i);
    std::ranges::sort(found, {}, [&](std::size_t i) { return std::string_view(m_rows[i].id); });
    newestFirst(found, m_rows);
    std::vector<std::string> ids;
    for (const std::size_t i : found)
        ids.push_back(m_rows[i].id);
    return ids;
}

std::string NameIndex::nameOf(std::string_view id) const
{
    const auto row
        = std::find_if(m_rows.begin(), m_rows.end(), [&](const IndexRow& r) { return r.id == id; });
    return row == m_rows.end() || row->name.empty() ? std::string(id) : row->name;
}

bool NameIndex::hasPiece(std::string_view piece) const { return words().pieces.contains(piece); }

namespace {

// For sentences, in the reader's language.
Message kindInWords(std::string_view kind)
{
    for (const Message& each :
         {Message("accelerator"), Message("machine"), Message("model"), Message("engine")})
        if (each.code() == kind)
            return each;
    return Message(asIs(kind));
}

} // namespace

Result<NameMatch> NameIndex::find(std::string_view text) const
{
    if (std::optional<NameMatch> found = match(text))
        return *std::move(found);
    if (allWords(text).empty())
        return refuse("", say("no {} is named", kindInWords(m_kind)));
    const Message hint = spellingHint(text, withBeginnings(m_ids, text));
    return refuse("", say("there is no {} '{}'", kindInWords(m_kind), asIs(text.substr(0, 60))),
                  hint.empty()
                      ? say("'headroom list {}' shows all {} of them", asIs(listed(m_kind)), m_ids.size())
                      : hint);
}

} // namespace headroom
