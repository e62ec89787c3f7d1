#include "model/advise/sweep.h"

#include "model/base/figure_text.h"
#include "model/base/spelling.h"
#include "model/closed_form/engine_spread.h"
#include "model/resolve/predict_scenario.h"
#include "model/resolve/resolve.h"
#include "model/scenario/easier_ends.h"
#include "model/scenario/scenario_keys.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

namespace headroom {

namespace {

// Keys that change only the layout or the load: the names need not be looked up again for each of their
// values.
struct QuickKey {
    std::string_view name;
    double (*read)(const Scenario&);
    void (*apply)(Deployment&, Load&, double);
    void (*say)(Scenario&, double); // for whoever chooses what is still open
};
constexpr std::array quickKeys{
    QuickKey{"tp", [](const Scenario& s) { return double(s.tp.value_or(0)); },
             [](Deployment& d, Load&, double v) { d.layout.tp = int(v); },
             [](Scenario& s, double v) { s.tp = int(v); }},
    QuickKey{"pp", [](const Scenario& s) { return double(s.pp.value_or(0)); },
             [](Deployment& d, Load&, double v) { d.layout.pp = int(v); },
             [](Scenario& s, double v) { s.pp = int(v); }},
    QuickKey{"ep", [](const Scenario& s) { return double(s.ep.value_or(0)); },
             [](Deployment& d, Load&, double v) { d.layout.ep = int(v); },
             [](Scenario& s, double v) { s.ep = int(v); }},
    QuickKey{"dp", [](const Scenario& s) { return double(s.dp.value_or(0)); },
             [](Deployment& d, Load&, double v) { d.layout.dp = int(v); },
             [](Scenario& s, double v) { s.dp = int(v); }},
    QuickKey{"replicas", [](const Scenario& s) { return double(s.replicas.value_or(0)); },
             [](Deployment& d, Load&, double v) { d.layout.replicas = int(v); },
             [](Scenario& s, double v) { s.replicas = int(v); }},
    QuickKey{"batch", [](const Scenario& s) { return s.batch.value_or(0); },
             [](Deployment&, Load& l, double v) { l.batch = v; }, [](Scenario& s, double v) { s.batch = v; }},
    QuickKey{"prefix-cached", [](const Scenario& s) { return s.prefixCached; },
             [](Deployment&, Load& l, double v) { l.prefixCached = v; },
             [](Scenario& s, double v) { s.prefixCached = v; }},
    QuickKey{"prompt", [](const Scenario& s) { return s.prompt.mean(); },
             [](Deployment&, Load& l, double v) { l.promptTokens = v; }, [](Scenario&, double) {}},
    QuickKey{"output", [](const Scenario& s) { return s.output.mean(); },
             [](Deployment&, Load& l, double v) { l.outputTokens = v; }, [](Scenario&, double) {}},
};

struct Axis {
    const ScenarioKey* key = nullptr;
    const QuickKey* quick = nullptr; // null: names are looked up for each value
    std::vector<std::string> texts;
    std::vector<double> numbers; // of a quick key
    std::size_t stride = 0;      // of a slow key: its place in the number of a machine
};

const QuickKey* findQuick(std::string_view name)
{
    const auto* const found = std::find_if(quickKeys.begin(), quickKeys.end(),
                                           [name](const QuickKey& k) { return k.name == name; });
    return found == quickKeys.end() ? nullptr : &*found;
}

Axis prepared(const SweepAxis& axis, std::size_t& machines)
{
    Axis out{.key = findScenarioKey(axis.key), .quick = findQuick(axis.key), .texts = axis.values};
    for (const std::string& text : axis.values) {
        if (out.quick == nullptr)
            continue;
        Scenario one;
        (void)out.key->set(one, text); // known to be good: an axis comes from sweepAxisFromText
        out.numbers.push_back(out.quick->read(one));
    }
    if (out.quick == nullptr) {
        out.stride = machines;
        machines *= axis.values.size();
    }
    return out;
}

Message firstReason(const Problems& problems)
{
    const Problem& first = problems.front();
    return first.where.empty() ? Message(first.what) : say("{}: {}", first.where, Message(first.what));
}

// Looked-up scenarios by the number of their slow values; forgotten when there are too many to keep.
class Machines {
public:
    Machines(const Scenario& base, const std::vector<Axis>& axes, const Catalogue& catalogue)
        : m_base(base), m_axes(axes), m_catalogue(catalogue)
    {}

    // Tells a combination of slow values from every other.
    [[nodiscard]] std::size_t numberOf(std::span<const std::size_t> choice) const
    {
        std::size_t number = 0;
        for (std::size_t i = 0; i < m_axes.size(); ++i)
            number += m_axes[i].stride * choice[i];
        return number;
    }

    const Result<Resolved>& at(std::span<const std::size_t> choice)
    {
        const std::size_t number = numberOf(choice);
        if (const auto known = m_known.find(number); known != m_known.end())
            return known->second;
        if (m_known.size() >= most)
            m_known.clear();
        Scenario scenario = m_base;
        for (std::size_t i = 0; i < m_axes.size(); ++i)
            if (m_axes[i].quick == nullptr)
                (void)m_axes[i].key->set(scenario, m_axes[i].texts[choice[i]]);
        return m_known.emplace(number, resolveMachine(scenario, m_catalogue)).first->second;
    }

private:
    static constexpr std::size_t most = 4096; // some 10 MB
    const Scenario& m_base;
    const std::vector<Axis>& m_axes;
    const Catalogue& m_catalogue;
    std::unordered_map<std::size_t, Result<Resolved>> m_known;
};

// Predictors of the layouts and lengths met last: most combinations differ from one before in the batch
// alone.
class Predictors {
public:
    struct Kept {
        std::size_t machine = 0;
        Layout layout;
        Load load;
        Message whyNot; // empty: there is a predictor
        std::optional<Predictor> predictor;
    };

    const Kept& at(std::size_t machine, const Deployment& deployment, Load load)
    {
        load.batch = 1;
        const auto isMeant = [&](const std::unique_ptr<Kept>& kept) {
            return kept && kept->machine == machine && kept->layout == deployment.layout
                && kept->load == load;
        };
        const std::size_t home = homeOf(machine, deployment.layout, load);
        for (std::size_t i = 0; i < neighbours; ++i)
            if (const std::unique_ptr<Kept>& kept = m_slots[(home + i) % most]; isMeant(kept))
                return *kept;
        // The neighbours are given up in turn: those of an earlier layout are not asked for again.
        std::unique_ptr<Kept>& slot = m_slots[(home + m_made++ % neighbours) % most];
        slot = std::make_unique<Kept>();
        slot->machine = machine;
        slot->layout = deployment.layout;
        slot->load = load;
        if (const Problems problems = layoutProblems(deployment); !problems.empty())
            slot->whyNot = firstReason(problems);
        else
            slot->predictor.emplace(deployment, load);
        return *slot;
    }

private:
    static std::size_t homeOf(std::size_t machine, const Layout& layout, const Load& load)
    {
        std::uint64_t hash = machine;
        for (const double part :
             {double(layout.tp), double(layout.pp), double(layout.ep), double(layout.dp),
              double(layout.replicas), load.promptTokens, load.outputTokens, load.prefixCached})
            hash = (std::rotl(hash, 23) ^ std::bit_cast<std::uint64_t>(part)) * 0x9E3779B97F4A7C15U;
        return (hash >> 32U) % most;
    }

    static constexpr std::size_t most = 4096; // some 25 MB
    static constexpr std::size_t neighbours = 8;
    std::vector<std::unique_ptr<Kept>> m_slots = std::vector<std::unique_ptr<Kept>>(most);
    std::size_t m_made = 0;
};

// One combination of a machine: layout and load set, then predicted or refused.
void visit(const Resolved& machine, std::size_t number, Predictors& predictors, const std::vector<Axis>& axes,
           SweepPoint& point, const SweepSink& sink)
{
    const auto given = [&](std::string_view key, bool inBase) {
        return inBase
            || std::any_of(axes.begin(), axes.end(), [key](const Axis& a) { return a.key->name == key; });
    };
    const Scenario& s = machine.scenario;
    const bool settled = given("tp", s.tp.has_value()) && !s.gpuCount
        && (given("batch", s.batch.has_value()) || (!s.concurrency && !s.requestsPerSecond));
    Deployment deployment = machine.deployment;
    Load load = machine.load;
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (axes[i].quick != nullptr)
            axes[i].quick->apply(deployment, load, axes[i].numbers[point.choice[i]]);
    const auto tell = [&](const Deployment& d, const Load& l, const Prediction& prediction) {
        point.deployment = &d;
        point.load = &l;
        point.prediction = &prediction;
        sink(point);
    };
    if (settled) {
        const Predictors::Kept& kept = predictors.at(number, deployment, load);
        point.whyNot = kept.whyNot.empty() ? nullptr : &kept.whyNot;
        if (!kept.predictor)
            return sink(point);
        Prediction told = kept.predictor->at(load.batch);
        tellRanges(told, deployment);
        return tell(deployment, load, told);
    }
    Resolved open = machine;
    open.deployment = deployment;
    open.load = load;
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (axes[i].quick != nullptr)
            axes[i].quick->say(open.scenario, axes[i].numbers[point.choice[i]]);
    const Result<Resolved> chosen = chooseLayout(std::move(open));
    if (chosen)
        return tell(chosen->deployment, chosen->load, predictScenario(*chosen));
    const Message why = firstReason(chosen.error());
    point.whyNot = &why;
    sink(point);
}

std::vector<std::string> split(std::string_view text)
{
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        parts.emplace_back(text.substr(begin, comma - begin));
        begin = comma + 1;
    }
    return parts;
}

} // namespace

Result<SweepAxis> sweepAxisFromText(std::string_view text)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos)
        return refuse("", say("expected a key and its values, got '{}'", asIs(text)),
                      "for example tp=1,2,4,8");
    SweepAxis axis{std::string(text.substr(0, equals)), split(text.substr(equals + 1))};
    const ScenarioKey* const key = findScenarioKey(axis.key);
    if (key == nullptr) {
        Message hint = spellingHint(axis.key, scenarioKeyNames());
        return refuse("", say("unknown key '{}'", axis.key),
                      hint.empty() ? "a key is a flag of a scenario without its dashes" : std::move(hint));
    }
    Problems problems;
    for (const std::string& value : axis.values) {
        Scenario one;
        for (Problem& problem : key->set(one, value)) {
            problem.where = axis.key;
            problems.push_back(std::move(problem));
        }
        for (Problem& problem : rangeProblems(one))
            problems.push_back(std::move(problem));
    }
    if (!problems.empty())
        return refuse(std::move(problems));
    return axis;
}

Result<std::size_t> sweep(const Scenario& base, const std::vector<SweepAxis>& axes,
                          const Catalogue& catalogue, const SweepSink& sink, const RunControl& control)
{
    constexpr std::size_t pointsBetweenLooks = 4096;
    double total = 1;
    for (const SweepAxis& axis : axes)
        total *= double(axis.values.size());
    if (total > double(mostSweepPoints))
        return refuse("over", say("{} combinations are more than this takes", groupedDigits(total)),
                      say("at most {}", mostSweepPoints));
    std::vector<Axis> ready;
    std::size_t machineCount = 1;
    for (const SweepAxis& axis : axes)
        ready.push_back(prepared(axis, machineCount));
    Machines machines(base, ready, catalogue);
    Predictors predictors;
    std::vector<std::size_t> choice(axes.size(), 0);
    std::size_t done = 0;
    const auto count = static_cast<std::size_t>(total);
    for (; done < count; ++done) {
        if (done % pointsBetweenLooks == 0) {
            if (control.stop.stop_requested())
                break;
            control.progress(double(done) / total, "sweep");
        }
        SweepPoint point{.choice = choice};
        const Result<Resolved>& machine = machines.at(choice);
        if (machine) {
            visit(*machine, machines.numberOf(choice), predictors, ready, point, sink);
        } else {
            if (machineCount == 1) // the base itself is wrong
                return refuse(machine.error());
            const Message why = firstReason(machine.error());
            point.whyNot = &why;
            sink(point);
        }
        for (std::size_t i = choice.size(); i-- > 0;) {
            if (++choice[i] < axes[i].values.size())
                break;
            choice[i] = 0;
        }
    }
    return done;
}

} // namespace headroom
