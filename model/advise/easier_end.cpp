#include "model/advise/easier_end.h"

#include "model/advise/size.h"
#include "model/base/three_digits.h"
#include "model/search/candidate_text.h"

#include <utility>
#include <vector>

namespace headroom {

namespace {

// "16 users at once, 20 tokens/s for each user"
Message endsText(const Scenario& asked, const Scenario& easier)
{
    std::vector<Message> parts;
    if (easier.concurrency != asked.concurrency)
        parts.push_back(say("{:.0f} users at once", *easier.concurrency));
    if (easier.requestsPerSecond != asked.requestsPerSecond)
        parts.push_back(say("{} requests/s", asIs(threeDigits(*easier.requestsPerSecond))));
    if (easier.targets != asked.targets)
        parts.push_back(say("{} tokens/s for each user", threeDigits(*easier.targets.tokensPerSecond)));
    return joined(std::move(parts), ", ");
}

} // namespace

std::shared_ptr<const SizingPlan> withEasierEnds(std::shared_ptr<const SizingPlan> plan,
                                                 const Scenario& asked, const Scenario& easier,
                                                 const Catalogue& catalogue, const SearchOptions& options)
{
    SearchOptions brief = options;
    brief.explain = false;
    brief.safer = true;
    const auto other = size(easier, catalogue, brief);
    auto out = std::make_shared<SizingPlan>(*plan);
    const Message ends = endsText(asked, easier);
    if (!other || !(*other)->meets)
        out->assumptions.push_back(
            say("planned for the harder end of what was given as a range: {} have no answer either", ends));
    else
        out->assumptions.push_back(
            say("planned for the harder end of what was given as a range: {} take {} × {}", ends,
                (*other)->answer.gpus(), (*other)->answer.deployment.gpu->name));
    return out;
}

} // namespace headroom
