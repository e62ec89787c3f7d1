#pragma once

#include "model/launch/launch_words.h"

#include <string>
#include <string_view>

namespace headroom {

// One function for each language that start lines are written in. Whatever bytes go in, they come out of the
// language's own reader as they were.

// A word of a POSIX shell: plain, or in single quotes.
[[nodiscard]] std::string shellQuoted(std::string_view text);

// How a shell says what a variable of a start line stands for: "$HEAD", "0", "$SLURM_NODEID".
struct LaunchPlace {
    std::string rank; // a number, or a variable of the shell
    std::string head;
    int slot = 0;
};
[[nodiscard]] std::string shellWord(const LaunchWord& word, const LaunchPlace& place);

// "cat > NAME <<'EOF'" and the content, with an end that no line of it is. Content ends with a line end.
[[nodiscard]] std::string shellFile(std::string_view name, std::string_view content);
// "<<'EOF'" and the content likewise, to be read by what stands before it.
[[nodiscard]] std::string hereDocument(std::string_view content);
// The rest of a comment's line: line ends and other control characters become blanks.
[[nodiscard]] std::string commentText(std::string_view text);

// A string of JSON, quotes around it.
[[nodiscard]] std::string jsonQuoted(std::string_view text);

// A string of YAML on one line: plain where no reader takes it for anything else.
[[nodiscard]] std::string yamlQuoted(std::string_view text);
// The value of "key:" or an element's "- " as a block of lines, or quoted where a block cannot hold it.
[[nodiscard]] std::string yamlBlock(std::string_view text, std::string_view indent);

// The kubelet replaces $(NAME) in a container's arguments; this keeps what it would take for one.
[[nodiscard]] std::string kubernetesArgument(std::string_view text);
// A label of RFC 1035, as names of services must be: at most 63 letters, figures and hyphens, a letter first.
[[nodiscard]] std::string kubernetesName(std::string_view text);

} // namespace headroom
