#include "mutator.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <string_view>
#include <utility>

namespace headroom::test {

namespace {

// Numbers at which readers break: limits of types, of doubles, and spellings that are none.
constexpr std::array<std::string_view, 26> nastyNumbers{"0",
                                                        "-1",
                                                        "1",
                                                        "-0",
                                                        "255",
                                                        "256",
                                                        "65536",
                                                        "2147483647",
                                                        "2147483648",
                                                        "4294967296",
                                                        "9223372036854775807",
                                                        "9223372036854775808",
                                                        "18446744073709551616",
                                                        "1e308",
                                                        "-1e308",
                                                        "1e309",
                                                        "5e-324",
                                                        "1e-400",
                                                        "nan",
                                                        "inf",
                                                        "-inf",
                                                        "0x10",
                                                        "1_000",
                                                        "00",
                                                        "1.",
                                                        "12345678901234567890123456789"};
constexpr std::array<std::string_view, 20> nastyText{"\"",
                                                     "'",
                                                     "{",
                                                     "}",
                                                     "[",
                                                     "]",
                                                     ":",
                                                     ",",
                                                     "\n",
                                                     "\t",
                                                     std::string_view("\0", 1),
                                                     "\xff",
                                                     "\xe2\x80\xae",
                                                     "null",
                                                     "true",
                                                     "# ",
                                                     "- ",
                                                     "&a",
                                                     "*a",
                                                     "<<: "};
constexpr std::array<std::uint64_t, 8> nastyLengths{
    0, 1, 0x7F, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF};
constexpr std::size_t mostChanges = 6;
constexpr std::size_t longestInput = 64 << 10;

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

} // namespace

Mutator::Mutator(std::vector<std::string> seeds, std::uint64_t seed)
    : m_seeds(std::move(seeds)), m_random(seed)
{
    if (m_seeds.empty())
        m_seeds.emplace_back();
    constexpr double fixed = 300; // bytes whose reading takes as long as what every run costs
    std::vector<double> shares;
    for (const std::string& one : m_seeds)
        shares.push_back(1 / (fixed + static_cast<double>(one.size())));
    m_share = std::discrete_distribution<std::size_t>(shares.begin(), shares.end());
}

std::size_t Mutator::below(std::size_t count) { return count == 0 ? 0 : m_random() % count; }

// A word, a number or one mark.
Mutator::Piece Mutator::pieceOf(const std::string& text)
{
    if (text.empty())
        return {};
    std::size_t begin = below(text.size());
    std::size_t end = begin + 1;
    if (isWord(text[begin])) {
        while (begin > 0 && isWord(text[begin - 1]))
            --begin;
        while (end < text.size() && isWord(text[end]))
            ++end;
    }
    return {begin, end - begin};
}

Mutator::Piece Mutator::lineOf(const std::string& text)
{
    if (text.empty())
        return {};
    const std::size_t at = below(text.size());
    const std::size_t before = text.rfind('\n', at);
    const std::size_t begin = before == std::string::npos ? 0 : before;
    const std::size_t after = text.find('\n', std::max(at, begin + 1));
    return {begin, (after == std::string::npos ? text.size() : after) - begin};
}

Mutator::Piece Mutator::numberOf(const std::string& text)
{
    if (text.empty())
        return {};
    const auto start = text.begin() + static_cast<std::ptrdiff_t>(below(text.size()));
    auto digit = std::find_if(start, text.end(), isDigit);
    if (digit == text.end())
        digit = std::find_if(text.begin(), text.end(), isDigit);
    const auto end = std::find_if_not(digit, text.end(), isDigit);
    return {static_cast<std::size_t>(digit - text.begin()), static_cast<std::size_t>(end - digit)};
}

void Mutator::writeLength(std::string& text)
{
    const std::uint64_t value = nastyLengths[below(nastyLengths.size())] + below(3);
    const std::size_t size = below(2) == 0 ? 4 : 8;
    if (text.size() >= size)
        std::memcpy(text.data() + below(text.size() - size + 1), &value, size);
}

void Mutator::putNastyNumber(std::string& text)
{
    const Piece number = numberOf(text);
    text.replace(number.at, number.size, nastyNumbers[below(nastyNumbers.size())]);
}

void Mutator::addDigit(std::string& text)
{
    const Piece number = numberOf(text);
    text.insert(number.at + below(number.size + 1), std::to_string(below(10)));
}

void Mutator::putOtherPiece(std::string& text)
{
    const std::string& other = anySeed();
    const Piece piece = pieceOf(text);
    const Piece from = pieceOf(other);
    text.replace(piece.at, piece.size, other, from.at, from.size);
}

void Mutator::losePiece(std::string& text)
{
    const Piece piece = pieceOf(text);
    text.erase(piece.at, piece.size);
}

void Mutator::repeatLine(std::string& text)
{
    const Piece line = lineOf(text);
    text.insert(line.at, text.substr(line.at, line.size));
}

void Mutator::loseLine(std::string& text)
{
    const Piece line = lineOf(text);
    text.erase(line.at, line.size);
}

void Mutator::addOtherLine(std::string& text)
{
    const std::string& other = anySeed();
    const Piece line = lineOf(text);
    const Piece from = lineOf(other);
    text.insert(line.at, other, from.at, from.size);
}

void Mutator::addNastyText(std::string& text)
{
    text.insert(pieceOf(text).at, nastyText[below(nastyText.size())]);
}

void Mutator::flipBit(std::string& text)
{
    if (!text.empty())
        text[below(text.size())] ^= static_cast<char>(1U << below(8));
}

void Mutator::cut(std::string& text) { text.resize(below(text.size() + 1)); }

void Mutator::splice(std::string& text)
{
    const std::string& other = anySeed();
    text.resize(below(text.size() + 1));
    text.append(other, below(other.size() + 1));
}

void Mutator::change(std::string& text)
{
    using Change = void (Mutator::*)(std::string&);
    static constexpr std::array<Change, 12> changes{
        &Mutator::putNastyNumber, &Mutator::addDigit,    &Mutator::putOtherPiece, &Mutator::losePiece,
        &Mutator::repeatLine,     &Mutator::loseLine,    &Mutator::addOtherLine,  &Mutator::addNastyText,
        &Mutator::flipBit,        &Mutator::writeLength, &Mutator::cut,           &Mutator::splice};
    (this->*changes[below(changes.size())])(text);
}

std::string Mutator::next()
{
    std::string text = anySeed();
    for (std::size_t i = below(mostChanges) + 1; i > 0; --i)
        change(text);
    if (text.size() > longestInput)
        text.resize(longestInput);
    return text;
}

} // namespace headroom::test
