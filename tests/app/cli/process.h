#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom::test {

struct Finished {
    int exitCode = -1; // -1: did not end by itself
    std::string out;
    std::string err;
};

// Runs the program `headroom` with these words and waits for its end. `output`: where its standard output
// goes instead; `files`: how many it may open, 0: as many as we; `started` is told its number before it is
// waited for.
[[nodiscard]] Finished headroomProgram(const std::vector<std::string>& words, const std::string& output = {},
                                       int files = 0, const std::function<void(int)>& started = {});

// A variable of the environment of the program that is started, or with null none of that name; as it was
// before when the test ends.
class Variable {
public:
    Variable(const char* name, const char* value);
    ~Variable();
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* m_name;
    std::optional<std::string> m_before;
};

} // namespace headroom::test
