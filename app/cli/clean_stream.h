#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace headroom::cli {

// Text as a terminal may show it: control characters (but for tab and line end) and marks that turn the
// direction of text are written out, "\x1b", and what is no UTF-8 becomes U+FFFD. Text without them is left
// as it is. `rest`: the start of a character that is not whole yet, at most three bytes.
struct CleanText {
    std::string text;
    std::string rest;
};
[[nodiscard]] CleanText cleanText(std::string_view bytes);

// The only way from a verb to a terminal, a pipe or a file: whatever it writes is cleaned.
class CleanStream final : public std::ostream {
public:
    explicit CleanStream(std::ostream& to);
    ~CleanStream() override;

    // From here on a tag of HTML is text: "<b" is written "&lt;b". For Markdown, which browsers show.
    void withoutTags() { m_buffer.tags = false; }

private:
    class Buffer final : public std::streambuf {
    public:
        explicit Buffer(std::ostream& to) : m_to(to) {}
        void finish();
        bool tags = true;

    protected:
        int_type overflow(int_type next) override;
        std::streamsize xsputn(const char* text, std::streamsize size) override;
        int sync() override;

    private:
        std::ostream& m_to;
        std::string m_rest; // of a character or a tag that is not whole yet
    };
    Buffer m_buffer;
};

} // namespace headroom::cli
