#include "calib/links/exchange.h"

#include "calib/calibrate.h"

#include <charconv>

namespace headroom {

std::string packed(const std::vector<std::string>& words)
{
    std::string out;
    for (const std::string& word : words)
        out += std::to_string(word.size()) + ' ' + word;
    return out;
}

std::vector<std::string> unpacked(const std::string& pack)
{
    std::vector<std::string> out;
    std::size_t at = 0;
    while (at < pack.size()) {
        std::size_t length = 0;
        const auto [end, error] = std::from_chars(pack.data() + at, pack.data() + pack.size(), length);
        const auto begin = static_cast<std::size_t>(end - pack.data()) + 1;
        if (error != std::errc() || begin > pack.size() || length > pack.size() - begin)
            throw CalibrationBroken(
                "the processes do not understand each other: are they all of one version?");
        out.push_back(pack.substr(begin, length));
        at = begin + length;
    }
    return out;
}

std::vector<std::string> gatherForAll(Exchange& exchange, const std::string& mine)
{
    return unpacked(exchange.broadcast(packed(exchange.gather(mine))));
}

} // namespace headroom
