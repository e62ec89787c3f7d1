#pragma once

#include "model/search/prompt_queue.h"
#include "model/search/search.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace headroom {

// Services with two pools: one computes prompts, the other decodes, and each prompt's cache goes from the one
// to the other over the link between their boxes.

// One replica of a pool that computes prompts.
struct PromptUnit {
    std::shared_ptr<const Resolved> machine;
    Deployment deployment;  // one replica
    PromptRound lone;       // of one prompt
    PromptRound full;       // of as many as go together
    Estimate<Seconds> ttft; // of one prompt that finds the replica free
    Bytes kvBytesPerToken;  // that are sent on

    // Between two prompts, kept busy.
    [[nodiscard]] Seconds every() const { return full.every / full.prompts; }
};

// Replicas of this machine that hold a prompt, fewest GPUs first. One that another of the same size matches
// in everything is left out.
[[nodiscard]] std::vector<PromptUnit> promptUnits(const std::shared_ptr<const Resolved>& machine,
                                                  const Scenario& scenario);

// The unit that a pool is made of.
[[nodiscard]] PromptUnit unitOf(const PromptPool& pool);

[[nodiscard]] inline Deployment laidOut(Deployment deployment, const Layout& layout)
{
    deployment.layout = layout;
    return deployment;
}

// Of the time that prompts may keep their pool busy.
[[nodiscard]] double busyShare(const Scenario& scenario);

// Replicas of each pool.
struct PoolSizes {
    int prompts = 1;
    int decodes = 1;
    friend bool operator==(const PoolSizes&, const PoolSizes&) = default;
};
[[nodiscard]] inline PoolSizes sizesOf(const Candidate& c)
{
    return {c.prompts->deployment.layout.replicas, c.deployment.layout.replicas};
}
// Judges a layout of the pool that decodes beside a pool of such units: closed form, a queue before the
// prompts (prompt_queue.h). Without sizes it chooses them.
[[nodiscard]] Candidate judgePools(const std::shared_ptr<const Resolved>& machine, const Layout& layout,
                                   const PromptUnit& unit, const Scenario& scenario, bool sure = false,
                                   std::optional<PoolSizes> sizes = {});

// The same where what only decodes is known.
[[nodiscard]] Candidate judgePools(const std::shared_ptr<const Resolved>& machine,
                                   const std::shared_ptr<const DecodingReplica>& decodes,
                                   const PromptUnit& unit, const Scenario& scenario, bool sure,
                                   std::optional<PoolSizes> sizes = {});

// The cheapest pools, none smaller than `from` and none larger than `most`, that are so sure to keep the
// scenario's targets in closed form. None: such pools are not.
[[nodiscard]] std::optional<PoolSizes> surePools(const std::shared_ptr<const Resolved>& machine,
                                                 const Layout& layout, const PromptUnit& unit,
                                                 const Scenario& scenario, const PoolSizes& from,
                                                 const PoolSizes& most, double sure);

// GPUs whose number was stated are shared out between the pools. The best division in closed form leaves one
// of them just enough, which a replay may find too little: the surest stands beside it.
struct Divided {
    Candidate best;
    std::optional<Candidate> surest; // none: none meets the targets
};
[[nodiscard]] bool dividesGpus(const Scenario& scenario);
[[nodiscard]] Divided dividePools(const std::shared_ptr<const Resolved>& machine,
                                  const std::shared_ptr<const DecodingReplica>& decodes,
                                  const PromptUnit& unit, const Scenario& scenario, bool sure);

// The best services with two pools, one candidate for each layout of the machine that decodes; where a number
// of GPUs is divided the surest, too. `prompting`: the accelerators that may compute prompts; empty: the same
// one that decodes. With `toBeat`, the best so far if there is one, only what may be better is given; where
// replays follow what costs up to twice as much may be. The result is the same for any number of threads.
[[nodiscard]] std::vector<Candidate>
searchPools(const std::vector<std::shared_ptr<const Resolved>>& decoding,
            const std::vector<std::shared_ptr<const Resolved>>& prompting, const Scenario& scenario,
            bool sure = false, const std::optional<Candidate>* toBeat = nullptr, bool replaysFollow = false,
            std::size_t threads = 1);

} // namespace headroom
