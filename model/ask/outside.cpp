#include "model/ask/draft.h"
#include "model/ask/tables.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

namespace headroom::ask {

namespace {

// A row of the table: its phrases, whether a model beside them makes them harmless, and what is said.
struct Topic {
    std::unordered_map<std::string, std::vector<std::vector<std::string>>> phrases; // by their first atom
    bool beside = false;
    Wording sentence;
};

const std::vector<Topic>& topics()
{
    static const std::vector<Topic> all = [] {
        std::vector<Topic> out;
        for (const auto& row : rowsOf(outsideTable())) {
            Topic topic{.beside = fieldOf(row, 0) == "beside",
                        .sentence = {fieldOf(row, 2), fieldOf(row, 3)}};
            for (const std::string_view phrase : partsOf(fieldOf(row, 1), '|')) {
                std::vector<std::string> words;
                for (Atom& atom : atomsOf(phrase))
                    words.push_back(std::move(atom.text));
                topic.phrases[words.front()].push_back(words);
            }
            out.push_back(std::move(topic));
        }
        return out;
    }();
    return all;
}

// How many atoms from `at` are a phrase of the topic.
std::size_t matched(const Topic& topic, const std::vector<Atom>& atoms, std::size_t at)
{
    std::size_t longest = 0;
    const auto begun = topic.phrases.find(atoms[at].text);
    if (begun == topic.phrases.end())
        return 0;
    for (const auto& phrase : begun->second) {
        const bool fits = phrase.size() > longest && at + phrase.size() <= atoms.size()
            && std::equal(phrase.begin(), phrase.end(), atoms.begin() + static_cast<std::ptrdiff_t>(at),
                          [](const std::string& a, const Atom& b) { return a == b.text; });
        const std::size_t end = at + phrase.size();
        const bool whole = end >= atoms.size() || atoms[end].spaceBefore
            || atoms[end].kind != atoms[end - 1].kind || atoms[end].kind == AtomKind::Han;
        if (fits && whole)
            longest = phrase.size();
    }
    return longest;
}

bool isKana(std::string_view text)
{
    return text.size() == 3 && static_cast<unsigned char>(text[0]) == 0xE3
        && (static_cast<unsigned char>(text[1]) == 0x81 || static_cast<unsigned char>(text[1]) == 0x82
            || static_cast<unsigned char>(text[1]) == 0x83);
}

bool isCyrillicOrHangul(std::string_view text)
{
    const auto lead = static_cast<unsigned char>(text.front());
    return (lead >= 0xD0 && lead <= 0xD3) || (lead >= 0xEA && lead <= 0xED);
}

// Words of other languages: two of them are no accident.
bool isForeign(const std::vector<Atom>& atoms, const Draft& draft)
{
    std::size_t foreign = 0;
    std::size_t other = 0;
    for (const Atom& atom : atoms) {
        for (std::size_t at = 0; at + 3 <= atom.text.size(); at += 3)
            other += isKana(std::string_view(atom.text).substr(at, 3)) ? 1U : 0U;
        other += isCyrillicOrHangul(atom.text) ? 1U : 0U;
    }
    const Meaning word = Lexicon::shipped().meaningOf("Foreign");
    for (std::size_t i = 0; i < draft.size(); ++i)
        foreign += draft.at(i).is(word) ? 1U : 0U;
    return foreign >= 2 || other >= 2;
}

} // namespace

std::optional<Problem> outside(Draft& draft)
{
    const std::vector<Atom> atoms = atomsOf(draft.question.text);
    if (isForeign(atoms, draft))
        return Problem{draft.tell("the question"), draft.tell("questions are read in English and in Chinese"),
                       draft.tell("e.g. 'how many H100 for Llama 70B with 100 users at 20 tokens/s'")};
    for (const Topic& topic : topics()) {
        for (std::size_t at = 0; at < atoms.size(); ++at) {
            const std::size_t length = matched(topic, atoms, at);
            const auto phrase = length == 0 ? std::nullopt : Lexicon::shipped().longest(atoms, at);
            if (length == 0 || (phrase && phrase->atoms > length)) // "微调后的" is not "微调"
                continue;
            const std::size_t begin = atoms[at].begin;
            const std::size_t end = atoms[at + length - 1].end;
            const std::string_view sentence = draft.say(topic.sentence);
            bool model = false;
            bool named = false; // a part of a name that the catalogue has, or of a longer phrase
            for (std::size_t i = 0; i < draft.size(); ++i) {
                named = named
                    || (draft.at(i).kind == ItemKind::Word && draft.at(i).begin < begin
                        && draft.at(i).end >= end);
                if (!draft.isName(i, ItemKind::Model))
                    continue;
                const bool apart = draft.at(i).end <= begin || draft.at(i).begin >= end;
                model = model || apart;
                named = named || (!apart && draft.at(i).begin < begin);
            }
            if (named)
                continue;
            if (!topic.beside || !model)
                return Problem{
                    "'" + draft.question.text.substr(begin, end - begin) + "'", std::string(sentence), {}};
            for (std::size_t i = 0; i < draft.size(); ++i)
                if (draft.at(i).begin >= begin && draft.at(i).end <= end) {
                    draft.make(i, Meaning::Filler);
                    draft.take(i);
                }
            draft.question.unused.push_back({.said = draft.question.text.substr(begin, end - begin),
                                             .why = std::string(sentence),
                                             .position = begin});
            break;
        }
    }
    return std::nullopt;
}

} // namespace headroom::ask
