#include "model/base/told_problems.h"

#include <fmt/format.h>

namespace headroom {

Problems toldProblems(const Problems& problems)
{
    if (problems.size() <= mostProblemsTold)
        return problems;
    Problems told(problems.begin(), problems.begin() + mostProblemsTold);
    told.push_back({"", say("and {} more problems", problems.size() - mostProblemsTold), ""});
    return told;
}

} // namespace headroom
