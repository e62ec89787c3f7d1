#include "model/search/told_once.h"

#include "model/search/safe_answer.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace headroom {

void tellOnce(SizingPlan& plan)
{
    std::vector<const Candidate*> told{&plan.answer};
    for (std::optional<Candidate>* const each :
         {&plan.safe, &plan.likely, &plan.cheapest, &plan.surest, &plan.elsewhere}) {
        if (!*each)
            continue;
        const auto same = std::find_if(told.begin(), told.end(),
                                       [&](const Candidate* other) { return sameService(*other, **each); });
        if (same != told.end())
            **each = **same;
        else
            told.push_back(&**each);
    }
    std::vector<char> seen(told.size(), 0);
    std::vector<Candidate> kept;
    kept.reserve(plan.candidates.size());
    for (Candidate& c : plan.candidates) {
        const auto same = std::find_if(told.begin(), told.end(),
                                       [&](const Candidate* other) { return sameService(*other, c); });
        if (same == told.end()) {
            kept.push_back(std::move(c));
            continue;
        }
        const auto place = static_cast<std::size_t>(same - told.begin());
        if (std::exchange(seen[place], char{1}) == 0)
            kept.push_back(**same);
    }
    plan.candidates = std::move(kept);
}

} // namespace headroom
