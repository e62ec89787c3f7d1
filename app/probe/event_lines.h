#pragma once

#include <string>
#include <string_view>

namespace headroom::probe {

// Puts the lines of a stream together, whatever pieces they come in. Every byte is looked at once.
class EventLines {
public:
    static constexpr std::size_t longest = 1U << 20U; // no event of a real server comes near it

    // Hands each line that the piece completes to `line`, which says whether to go on. False: a line is
    // longer than the longest.
    template <typename Line>
    bool add(std::string_view piece, const Line& line)
    {
        for (std::size_t end = piece.find('\n'); end != std::string_view::npos; end = piece.find('\n')) {
            if (m_begun.size() + end > longest)
                return false;
            const std::string whole = std::move(m_begun).append(piece.substr(0, end));
            m_begun.clear();
            piece.remove_prefix(end + 1);
            if (!line(std::string_view(whole).substr(0, whole.size() - (whole.ends_with('\r') ? 1 : 0))))
                return true;
        }
        m_begun += piece;
        return m_begun.size() <= longest;
    }

    [[nodiscard]] bool insideLine() const { return !m_begun.empty(); }

private:
    std::string m_begun;
};

} // namespace headroom::probe
