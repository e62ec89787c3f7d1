#include "model/words/names.h"

#include "model/words/tables.h"

#include <algorithm>
#include <utility>

namespace headroom::ask {

Names::Names(std::string_view table)
{
    eachRow("names", table, [&](const TsvRow& row) {
        const std::string_view kind = row[0];
        if (kind.empty() || row[1].empty())
            throw std::logic_error("a row needs a kind and a word");
        for (const std::string_view word : partsOf(row[1], '|')) {
            if (word.empty())
                throw std::logic_error("an empty word");
            const auto add = [&](std::string_view to) {
                m_kinds[to].rows.push_back({word, row[2]});
                m_kinds[to].words.insert(word);
            };
            add(kind);
            if (kind == "Family" || kind == "Variant" || kind == "Engine")
                add("Spelled");
        }
    });
}

const Names& Names::shipped()
{
    static const Names names(namesTable());
    return names;
}

const std::vector<Names::Row>& Names::rows(std::string_view kind) const { return m_kinds.at(kind).rows; }

bool Names::is(std::string_view kind, std::string_view word) const
{
    return m_kinds.at(kind).words.contains(word);
}

std::string Names::respelled(std::string text) const
{
    for (const auto& [written, latin] : rows("Respelling"))
        if (text.starts_with(written))
            return std::string(latin) + text.substr(written.size());
    return text;
}

bool Names::isRespelt(std::string_view character) const
{
    return std::ranges::any_of(rows("Respelling"), [&](const Row& row) {
        return row.word.find(character) != std::string_view::npos;
    });
}

NameMatch Names::usual(NameMatch match, std::string name) const
{
    std::erase_if(name,
                  [](char c) { return c == ' ' || c == '-' || c == '_'; }); // "Gemma 3" and "gemma-3" are one
    const auto usual = std::ranges::find(rows("Usual"), name, &Row::word);
    if (usual == rows("Usual").end())
        return match;
    if (const auto other = std::ranges::find(match.others, usual->field); other != match.others.end())
        std::swap(match.id, *other);
    return match;
}

namespace {

bool isFigure(char c) { return c >= '0' && c <= '9'; }

// Of figures 9 is some digits, d one.
bool isDigits(char shape, bool figures) { return figures && (shape == '9' || shape == 'd'); }
bool fits(char c, char shape, bool figures)
{
    return isDigits(shape, figures) ? isFigure(c) : c == shape || (shape >= 'a' && c + 32 == shape);
}

// Bytes of `text` that have the shape: a space may be missing.
std::size_t shaped(std::string_view text, std::string_view shape, bool figures)
{
    std::size_t at = 0;
    const auto next = [&] { return at < text.size() ? text[at] : '\0'; };
    for (const char c : shape) {
        const bool there = fits(next(), c, figures);
        if (!there && c != ' ')
            return 0;
        at += there ? 1 : 0;
        while (figures && c == '9' && isFigure(next()))
            ++at;
    }
    const bool han = static_cast<unsigned char>(shape.back()) >= 0x80;
    const bool runsOn = isFigure(next()) || (next() >= 'a' && next() <= 'z');
    return runsOn && !han ? 0 : at;
}

} // namespace

std::size_t Names::shape(std::string_view kind, std::string_view whole, const std::vector<Atom>& atoms,
                         std::size_t at) const
{
    const std::string_view text = whole.substr(atoms[at].begin);
    constexpr std::ptrdiff_t shortestPhone = 8; // digits: "512+256 10" is none
    std::size_t longest = 0;
    const bool figures = kind == "Figures";
    for (const auto& [shape, notBefore] : rows(kind)) {
        if (!fits(text.front(), shape.front(), figures))
            continue;
        const std::size_t end = shaped(text, shape, figures);
        if (end <= longest)
            continue;
        const std::string_view rest = text.substr(std::min(text.find_first_not_of(' ', end), text.size()));
        const bool few
            = text.front() == '+' && std::ranges::count_if(text.substr(0, end), isFigure) < shortestPhone;
        const auto begins = [&](std::string_view word) { return rest.starts_with(word); };
        if (!few && std::ranges::none_of(partsOf(notBefore, '|'), begins))
            longest = end;
    }
    std::size_t last = at;
    while (last < atoms.size() && atoms[last].end <= atoms[at].begin + longest)
        ++last;
    return last > at && atoms[last - 1].end == atoms[at].begin + longest ? last - at : 0;
}

} // namespace headroom::ask
