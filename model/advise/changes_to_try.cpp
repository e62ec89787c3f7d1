#include "model/advise/changes_to_try.h"

#include "model/advise/narrower_types.h"
#include "model/advise/usual_changes.h"
#include "model/advise/well_known.h"
#include "model/base/three_digits.h"
#include "model/resolve/money.h"
#include "model/search/deciding_load.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace headroom {

namespace {

constexpr std::array usualPercentiles{99.0, 95.0, 90.0};

class Changes {
public:
    Changes(const SizingPlan& plan, const Scenario& scenario) : m_plan(plan), m_base(scenario)
    {
        if (m_base.gpus.size() != 1)
            m_base.gpus = {plan.answer.deployment.gpu->id};
    }

    std::vector<TriedChange> all() &&
    {
        pools();
        types();
        drafts();
        settings();
        targets();
        machines();
        return std::move(m_found);
    }

private:
    [[nodiscard]] const Deployment& answer() const { return m_plan.answer.deployment; }

    void add(Hint::Kind kind, Message change, std::string flags, Scenario scenario)
    {
        m_found.push_back({kind, std::move(change), std::move(flags), std::move(scenario)});
    }

    void pools()
    {
        if (m_base.prefill.pools != Disaggregation::No || !answer().engine->disaggregates)
            return;
        Scenario s = m_base;
        s.prefill.pools = Disaggregation::Only;
        if (s.targets.ttft || s.targets.latency || m_plan.assumed.ttft) {
            add(Hint::Kind::Pools, ownPromptsText, "--disaggregate only", std::move(s));
            return;
        }
        // The fewest GPUs for prompts are always busy: without a bound a first token waits for long.
        const Seconds wait = usualWait(s);
        s.targets.ttft = wait;
        add(Hint::Kind::Pools,
            say("prompts on GPUs of their own, first token within {} s", threeDigits(wait.base())),
            fmt::format("--disaggregate only --ttft {}", threeDigits(wait.base())), std::move(s));
    }

    [[nodiscard]] static bool runs(const std::vector<DType>& types, DType type)
    {
        return std::find(types.begin(), types.end(), type) != types.end();
    }

    void types()
    {
        const Deployment& d = answer();
        const bool kvFree = !m_base.kv && m_base.allowed.kv.empty() && bytesPerElement(d.kv) > 1
            && runs(d.engine->kvTypes, DType::Fp8);
        Scenario cache = m_base;
        cache.kv = DType::Fp8;
        if (kvFree)
            add(Hint::Kind::Types, "fp8 KV cache", "--kv fp8", cache);
        if (m_base.weights || !m_base.allowed.weights.empty())
            return;
        for (const DType type : usualNarrower(*d.engine, d.weights)) {
            Scenario weights = m_base;
            weights.weights = type;
            weights.compute.reset();
            add(Hint::Kind::Types, say("{} weights", asIs(name(type))),
                fmt::format("--weights {}", name(type)), weights);
            weights.kv = DType::Fp8;
            if (kvFree)
                add(Hint::Kind::Types, say("{} weights and fp8 KV cache", asIs(name(type))),
                    fmt::format("--weights {} --kv fp8", name(type)), std::move(weights));
        }
    }

    void drafts()
    {
        if (!m_base.speculation.empty() || !answer().engine->speculative || answer().llm->mtp.layers == 0)
            return;
        Scenario s = m_base;
        s.speculation = ownDrafts;
        add(Hint::Kind::Drafts, ownDraftsText, fmt::format("--spec-decode {}", ownDrafts), std::move(s));
    }

    void settings()
    {
        if (m_base.allowed.tune || (m_base.maxBatchedTokens && m_base.maxSequences))
            return;
        Scenario s = m_base;
        s.allowed.tune = true;
        add(Hint::Kind::Settings, "another setting of the engine", "--tune yes", std::move(s));
    }

    // Looser by one usual step. What was assumed nobody hangs on.
    void targets()
    {
        const Targets& t = m_base.targets;
        const Targets& assumed = m_plan.assumed;
        if (t.tokensPerSecond && !assumed.tokensPerSecond) {
            const auto* const next = std::find_if(usualSpeeds.begin(), usualSpeeds.end(),
                                                  [&](double speed) { return speed < *t.tokensPerSecond; });
            if (next != usualSpeeds.end()) {
                Scenario s = m_base;
                s.targets.tokensPerSecond = *next;
                add(Hint::Kind::Target, say("{} tokens/s for each user", threeDigits(*next)),
                    fmt::format("--tps {}", threeDigits(*next)), std::move(s));
            }
        }
        if (!assumed.ttft)
            later(&Targets::ttft, "time to first token", "--ttft");
        later(&Targets::tpot, "time between tokens", "--tpot");
        later(&Targets::latency, "latency", "--latency");
        if (!t.any() || assumed.ttft) // then nothing was promised
            return;
        const auto* const next = std::find_if(usualPercentiles.begin(), usualPercentiles.end(),
                                              [&](double percentile) { return percentile < t.percentile; });
        if (next != usualPercentiles.end()) {
            Scenario s = m_base;
            s.targets.percentile = *next;
            add(Hint::Kind::Target, say("targets for {} % of requests", threeDigits(*next)),
                fmt::format("--percentile {}", threeDigits(*next)), std::move(s));
        }
    }

    void later(std::optional<Seconds> Targets::*field, const Message& what, std::string_view flag)
    {
        const std::optional<Seconds>& now = m_base.targets.*field;
        if (!now)
            return;
        const auto* const next = std::find_if(usualTimes.begin(), usualTimes.end(),
                                              [&](double time) { return time > now->base() * (1 + 1e-9); });
        if (next == usualTimes.end())
            return;
        Scenario s = m_base;
        s.targets.*field = Seconds(*next);
        add(Hint::Kind::Target, say("{} of {} s", what, threeDigits(*next)),
            fmt::format("{} {}", flag, threeDigits(*next)), std::move(s));
    }

    // One accelerator was named: what most providers rent out stands beside it. Its price, its box and its
    // calibration are not theirs, and machines that are there are not exchanged.
    void machines()
    {
        if (m_plan.scenario.gpus.size() != 1 || m_base.gpuCount
            || (!m_base.calibration.empty() && m_base.calibration != "none"))
            return;
        for (const char* const id : wellKnownAccelerators) {
            if (id == answer().gpu->id)
                continue;
            Scenario s = m_base;
            s.gpus = {id};
            s.node.clear();
            s.gpusPerBox.reset();
            s.money.gpuPrice.reset();
            s.money.purchasePrice.reset();
            s.money.serverPrice.reset();
            add(Hint::Kind::Machine, asIs(id), fmt::format("--gpu {}", id), std::move(s));
        }
    }

    const SizingPlan& m_plan;
    Scenario m_base;
    std::vector<TriedChange> m_found;
};

} // namespace

std::vector<TriedChange> changesOf(const SizingPlan& plan, const Scenario& scenario)
{
    return Changes(plan, scenario).all();
}

} // namespace headroom
