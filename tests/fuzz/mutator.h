#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace headroom::test {

// Makes new inputs out of given ones. It knows what files are made of: words, numbers, marks, lines and
// binary lengths. The same seed gives the same inputs.
class Mutator {
public:
    Mutator(std::vector<std::string> seeds, std::uint64_t seed);

    // One of the seeds with a few changes.
    [[nodiscard]] std::string next();

private:
    struct Piece {
        std::size_t at = 0;
        std::size_t size = 0;
    };
    [[nodiscard]] std::size_t below(std::size_t count); // 0 when there is nothing to draw from
    // Short ones more often: each takes about the same time in all.
    [[nodiscard]] const std::string& anySeed() { return m_seeds[m_share(m_random)]; }
    [[nodiscard]] Piece pieceOf(const std::string& text);
    [[nodiscard]] Piece lineOf(const std::string& text);
    [[nodiscard]] Piece numberOf(const std::string& text);
    // One of those below, drawn.
    void change(std::string& text);
    void putNastyNumber(std::string& text);
    void addDigit(std::string& text);
    void putOtherPiece(std::string& text);
    void losePiece(std::string& text);
    void repeatLine(std::string& text);
    void loseLine(std::string& text);
    void addOtherLine(std::string& text);
    void addNastyText(std::string& text);
    void flipBit(std::string& text);
    void writeLength(std::string& text);
    void cut(std::string& text);
    void splice(std::string& text);

    std::vector<std::string> m_seeds;
    std::discrete_distribution<std::size_t> m_share;
    std::mt19937_64 m_random;
};

} // namespace headroom::test
