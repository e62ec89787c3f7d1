#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>

namespace headroom {

// What a synthetic routing puts on the rank whose experts were timed.
struct RankLoad {
    double rows = 0;     // routed to it
    double experts = 0;  // of it, chosen by some token
    double lnSpread = 0; // of either between draws: which draw was timed, nobody wrote down
};

// The routings that ai-dynamo/aiconfigurator times expert layers with (collector/helper.py, Apache-2.0):
// "balanced" deals experts out in turn; "power_law_1.2" draws each expert's share from that power law,
// between one token and four fifths of all of them, and times the rank with the heaviest load.
class PublishedRouting {
public:
    [[nodiscard]] RankLoad load(std::string_view distribution, int tokens, int experts, int chosen,
                                int ranks);

private:
    std::map<std::tuple<std::string, int, int, int, int>, RankLoad> m_known;
};

} // namespace headroom
