#include "model/ask/rules.h"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace headroom::ask {

namespace {

using Sets = std::map<std::string_view, std::string_view>; // "%People": what stands for it

Rule::Test testOf(std::string_view text, const Lexicon& lexicon)
{
    using Of = Rule::Test::Of;
    constexpr std::array<std::pair<std::string_view, ItemKind>, 5> kinds{{{"Gpu", ItemKind::Gpu},
                                                                          {"Model", ItemKind::Model},
                                                                          {"Type", ItemKind::Type},
                                                                          {"Engine", ItemKind::Engine},
                                                                          {"Unknown", ItemKind::Unknown}}};
    constexpr std::array<std::pair<std::string_view, Of>, 7> signs{{{"#", Of::Number},
                                                                    {"#1", Of::One},
                                                                    {"#apart", Of::NumberApart},
                                                                    {"#plain", Of::NumberPlain},
                                                                    {"#k", Of::NumberInK},
                                                                    {"$", Of::End},
                                                                    {"Family", Of::Family}}};
    for (const auto& [name, of] : signs)
        if (name == text)
            return {.of = of};
    if (text.starts_with("#:")) // "#:Box"
        return {.of = Of::Number, .text = text.substr(2)};
    if (text.starts_with(':')) // ":asks"
        return {.of = Of::Note, .text = text.substr(1)};
    if (text.starts_with('\''))
        return {.of = Of::Text, .text = text.substr(1, text.size() - 2)};
    for (const auto& [name, kind] : kinds)
        if (name == text)
            return {.of = Of::Kind, .kind = kind};
    const bool plural = text.ends_with("+s"); // "Box+s"
    const std::size_t note = plural ? text.size() - 2 : text.find(':');
    const Meaning word = lexicon.meaningOf(text.substr(0, note));
    if (word == Meaning::Filler)
        throw std::logic_error("no such word in resources/ask/words.tsv: " + std::string(text));
    if (plural)
        return {.of = Of::Plural, .word = word};
    return {.word = word,
            .text = note == std::string_view::npos ? std::string_view{} : text.substr(note + 1)};
}

// "User|Request", "Total?", "Context*", "(Ttft)", "!#", "~n=#", "^Type"
Rule::Piece pieceOf(std::string_view text, const Sets& sets, const Lexicon& lexicon)
{
    Rule::Piece piece{
        .optional = text.ends_with('?'), .many = text.ends_with('*'), .negated = text.front() == '!'};
    if (piece.optional || piece.many)
        text.remove_suffix(1);
    if (piece.negated)
        text.remove_prefix(1);
    piece.near = text.front() == '~';
    piece.beside = text.front() == '^';
    if (piece.near || piece.beside)
        text.remove_prefix(1);
    if (text.size() > 2 && text[1] == '=') { // "n=#"
        piece.name = text.front();
        text.remove_prefix(2);
    }
    piece.context = text.front() == '(';
    if (piece.context)
        text = text.substr(1, text.size() - 2);
    for (const std::string_view part : partsOf(text, '|'))
        if (const auto set = sets.find(part); set != sets.end())
            for (const std::string_view word : partsOf(set->second, '|'))
                piece.any.push_back(testOf(word, lexicon));
        else
            piece.any.push_back(testOf(part, lexicon));
    return piece;
}

std::vector<Rule::Piece> piecesOf(std::string_view text, const Sets& sets, const Lexicon& lexicon)
{
    std::vector<Rule::Piece> pieces;
    for (const std::string_view part : partsOf(text, ' '))
        pieces.push_back(pieceOf(part, sets, lexicon));
    return pieces;
}

std::vector<std::string_view> whenOf(std::string_view text, const Sets& sets)
{
    std::vector<std::string_view> when;
    for (const std::string_view part : partsOf(text, ' ')) {
        const auto set = sets.find(part);
        const std::vector<std::string_view> all = partsOf(set == sets.end() ? part : set->second, ' ');
        when.insert(when.end(), all.begin(), all.end());
    }
    return when;
}

std::vector<Rule::Effect> effectsOf(std::string_view text, const Sets& sets, const Lexicon& lexicon)
{
    std::vector<Rule::Effect> effects;
    for (Setting& setting : settingsOf(text)) {
        Rule::Effect effect{std::move(setting), {}};
        if (effect.what == "also")
            effect.words = pieceOf(effect.values.front(), sets, lexicon);
        effects.push_back(std::move(effect));
    }
    return effects;
}

} // namespace

Rules rulesOf(std::string_view table, const Lexicon& lexicon)
{
    Rules rules;
    Sets sets;
    for (const auto& row : rowsOf(table)) {
        if (fieldOf(row, 0).starts_with('%')) {
            sets.emplace(fieldOf(row, 0), fieldOf(row, 1));
            continue;
        }
        Rule rule{.when = whenOf(fieldOf(row, 1), sets),
                  .before = piecesOf(fieldOf(row, 2), sets, lexicon),
                  .word = fieldOf(row, 3).empty() ? Rule::Piece{} : pieceOf(fieldOf(row, 3), sets, lexicon),
                  .behind = piecesOf(fieldOf(row, 4), sets, lexicon),
                  .effects = effectsOf(fieldOf(row, 5), sets, lexicon)};
        std::reverse(rule.before.begin(), rule.before.end());
        rules[fieldOf(row, 0)].push_back(std::move(rule));
    }
    return rules;
}

} // namespace headroom::ask
