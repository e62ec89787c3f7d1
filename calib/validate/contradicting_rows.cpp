#include "calib/validate/contradicting_rows.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>
#include <sstream>
#include <string>

namespace headroom {
namespace {

// Half of the published repeats of a run agree within 4 %.
constexpr double mostBetweenRepeats = 1.3;

// What the notes say in words. Numbers, dates and settings by name differ between repeats; those that matter
// are part of the run already.
std::string words(const std::string& notes)
{
    const auto idle = [](unsigned char c) { return std::isdigit(c) != 0 || c == '='; };
    std::istringstream in(notes);
    std::string out;
    for (std::string word; in >> word;)
        if (std::none_of(word.begin(), word.end(), idle))
            out += word + " ";
    return out;
}

std::string setUpOf(const PreparedRuns& prepared, std::size_t row)
{
    const MeasuredRow& r = prepared.rows[row].row;
    return fmt::format("{}|{}|{}|{}|{}|{}", *prepared.runOf[row], prepared.rows[row].quantity(), r.source,
                       r.engineVersion, r.computeDtype, words(r.notes));
}

using Places = std::vector<std::size_t>;

// The largest group of neighbours, by figure, that agree; `ascending` is sorted.
Places agreeing(const PreparedRuns& prepared, const Places& ascending)
{
    const auto figure = [&](std::size_t place) { return prepared.rows[ascending[place]].row.value; };
    std::size_t bestFrom = 0;
    std::size_t most = 0;
    for (std::size_t from = 0, to = 0; from < ascending.size(); ++from) {
        while (to < ascending.size() && figure(to) <= mostBetweenRepeats * figure(from))
            ++to;
        if (to - from > most) {
            most = to - from;
            bestFrom = from;
        }
    }
    const auto begin = ascending.begin() + static_cast<std::ptrdiff_t>(bestFrom);
    return {begin, begin + static_cast<std::ptrdiff_t>(most)};
}

void markAmong(PreparedRuns& prepared, Places places)
{
    std::sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
        return prepared.rows[a].row.value < prepared.rows[b].row.value;
    });
    const Places agree = agreeing(prepared, places);
    if (agree.size() == places.size())
        return;
    const bool settled = places.size() > 2 && 2 * agree.size() > places.size();
    for (const std::size_t place : places) {
        if (settled && std::find(agree.begin(), agree.end(), place) != agree.end())
            continue;
        JudgedRow& judged = prepared.rows[place];
        const bool low = judged.row.value * judged.row.value
            < prepared.rows[places.front()].row.value * prepared.rows[places.back()].row.value;
        const MeasuredRow& other = prepared.rows[low ? places.back() : places.front()].row;
        judged.used = false;
        judged.contradicted = true;
        judged.whySkipped
            = say("contradicts {}: the same stated set-up, and {:.2g} times the figure; what differed "
                  "is not stated",
                  other.id, other.value / judged.row.value);
    }
}

} // namespace

void markContradictions(PreparedRuns& prepared)
{
    std::map<std::string, Places> setUps;
    for (std::size_t i = 0; i < prepared.rows.size(); ++i)
        if (prepared.runOf[i] && prepared.rows[i].used)
            setUps[setUpOf(prepared, i)].push_back(i);
    for (auto& [setUp, places] : setUps)
        if (places.size() > 1)
            markAmong(prepared, std::move(places));
}

} // namespace headroom
