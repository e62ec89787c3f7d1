#include "laws.h"

#include "model/closed_form/prediction.h"
#include "model/cost/step_cost.h"
#include "model/count/operators.h"
#include "model/yaml/efficiency_source.h"
#include "program.h"
#include "widths.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace headroom::twin {

namespace {

constexpr std::array models{"llama-3.1-70b", "llama-3.1-8b", "qwen2.5-32b", "qwen3-235b-a22b", "deepseek-v3"};
constexpr std::array gpus{"h200-sxm-141gb", "b200-sxm-180gb", "gb200", "l40s",
                          "rtx-pro-6000-blackwell-server"};
constexpr std::array engines{"vllm", "sglang", "tensorrt-llm"};

// A deployment and what of it a law changes, held together.
struct Case {
    Subject subject;
    Llm llm;
    Engine engine;
    Node node;
    EfficiencySet efficiency;
    Deployment d;
    std::string words;

    explicit Case(const Question& question)
        : subject(question),
          llm(*subject.deployment().llm),
          engine(*subject.deployment().engine),
          node(*subject.deployment().node),
          efficiency(*subject.deployment().efficiency),
          d(subject.deployment()),
          words(question.words())
    {
        d.llm = &llm;
        d.engine = &engine;
        d.node = &node;
        d.efficiency = &efficiency;
    }
};

// Stages that are alike and links that cost nothing.
void evenOut(Case& c)
{
    c.llm.layers.assign(96, c.llm.layers.back()); // beside which what the last stage alone does is little
    c.llm.vocab = 1;
    for (Link* link : {&c.node.intra, &c.node.inter, &c.node.host}) {
        link->perGpuPerDirection = BytesPerSecond(1e18);
        link->latency = {};
    }
    const EfficiencySet ideal = idealEfficiency();
    c.efficiency.intraNode = ideal.intraNode;
    c.efficiency.interNode = ideal.interNode;
    // A pass with a prompt in it is launched kernel by kernel, one without is not.
    c.engine.eagerLaunch = c.efficiency.eagerLaunch = {};
}

// `decodes`: of those alone, their prompts are computed elsewhere.
double requestRate(const Case& c, double batch, double prompt, double output, bool decodes)
{
    return predict(
               c.d,
               {.batch = batch, .promptTokens = prompt, .outputTokens = output, .promptElsewhere = decodes})
        .requestsPerSecond.value.base();
}

double lonelyTokenTime(const Case& c)
{
    return predict(c.d, {.batch = 1, .promptTokens = 1000, .outputTokens = 200}).tpot.value.base();
}

const std::array shapes{StepShape{.prefillTokens = 4096, .prefillSequences = 4, .sampledRows = 4},
                        StepShape{.decodeSequences = 64, .decodeContext = 2000, .sampledRows = 64}};

double stepTime(const Case& c)
{
    double sum = 0;
    for (const StepShape& shape : shapes)
        sum += StepTimer(c.d).rate(shape).base();
    return sum;
}

struct Sent {
    double reduced = 0, handedOn = 0, toExperts = 0, gathered = 0;
};

// Messages of one rank in a step, by what they are for: as the program counts them.
Sent counted(const Deployment& d, const StageLayers& stage, const StepShape& shape)
{
    Sent sent;
    forEachOperator(d, stage, shape, [&](const Op& op) {
        if (op.cls != OpClass::Collective)
            return;
        const double bytes = op.count * op.message.base();
        if (op.name == OpName::AllReduce)
            sent.reduced += bytes;
        else if (op.name == OpName::SendRecv)
            sent.handedOn += bytes;
        else if (op.name == OpName::AllToAll)
            sent.toExperts += op.count * (op.nodes > 1 ? op.across : op.message).base();
        else
            sent.gathered += bytes;
    });
    return sent;
}

// Places that a token's experts stand on, of `places` that hold as many each, in their order: over every
// choice of groups, and in each all that the token may draw.
double placesMet(const Mlp& mlp, int places)
{
    const int groups = std::max(1, mlp.expertGroups);
    const int chosen = mlp.expertGroups > 0 ? mlp.groupsPerToken : 1;
    const auto placeOf = [&](int expert) { return expert * places / mlp.experts; };
    double met = 0;
    int choices = 0;
    for (unsigned choice = 0; choice < 1U << groups; ++choice) {
        std::vector<double> share(static_cast<std::size_t>(places)); // of the experts that may be drawn
        int taken = 0;
        for (int group = 0; group < groups; ++group) {
            if ((choice >> group & 1U) == 0)
                continue;
            ++taken;
            const int size = mlp.experts / groups;
            for (int i = 0; i < size; ++i)
                share[static_cast<std::size_t>(placeOf(group * size + i))] += 1.0 / (size * chosen);
        }
        if (taken != chosen)
            continue;
        ++choices;
        for (const double part : share)
            met += 1 - std::pow(1 - std::min(part, 1.0), mlp.expertsPerToken);
    }
    return met / choices;
}

// The same from the sheet of the model: two reductions a layer, a hand-over, tokens to their experts and
// back.
Sent byHand(const Deployment& d, int stage, const StepShape& shape)
{
    const Layout& l = d.layout;
    const double perRank
        = shape.tokens() / std::min(double(l.dp), shape.prefillSequences + shape.decodeSequences);
    const double row = double(d.llm->hidden) * 2;
    const StageRange range = stageRange(int(d.llm->layerCount()), l.pp, stage);
    Sent sent;
    for (int i = range.first; i < range.end; ++i) {
        const LayerKind& kind = d.llm->kinds[d.llm->layers[std::size_t(i)]];
        if (l.tp > 1)
            sent.reduced += (kind.parallel ? 1 : 2) * perRank * row;
        if (kind.mlp.kind != MlpKind::Moe || l.dp == 1)
            continue;
        if (l.ep == 1) {
            sent.gathered += 2 * perRank * row;
            continue;
        }
        const int boxes = (l.ep + d.node->gpusPerNode - 1) / d.node->gpusPerNode;
        const double chosen = kind.mlp.expertsPerToken;
        const double narrow = d.weights == DType::Fp8 ? 1 + 4.0 / 128 : 2; // the cases know these two
        const double bytes = perRank / l.tp * double(d.llm->hidden) * (narrow + 2);
        const LinkTopology inside = d.node->intra.topology;
        if (boxes == 1 && (inside == LinkTopology::Pcie || inside == LinkTopology::Pairs))
            sent.gathered += bytes; // every rank gets every token, whoever has its experts
        else if (boxes == 1)
            sent.toExperts += bytes * placesMet(kind.mlp, l.ep);
        else
            sent.toExperts += bytes * (shape.prefillTokens > 0 ? placesMet(kind.mlp, boxes) : chosen)
                * (boxes - 1) / boxes;
    }
    if (stage + 1 < l.pp)
        sent.handedOn = perRank * row / l.tp;
    return sent;
}

class Laws {
public:
    explicit Laws(std::uint64_t seed) : m_random(seed) {}

    template <typename Values>
    auto oneOf(const Values& values)
    {
        return values[m_random() % values.size()];
    }

    std::vector<Law> over(int cases)
    {
        while (m_laws[0].cases < cases) {
            Question question{.model = oneOf(models), .gpu = oneOf(gpus), .engine = oneOf(engines)};
            question.weights = question.model == std::string("llama-3.1-8b") ? DType::Bf16 : DType::Fp8;
            question.tp = oneOf(std::array{1, 2, 4, 8});
            question.pp = oneOf(std::array{2, 4, 8});
            if (!Subject(question).possible())
                continue;
            conserved(question);
            lonely(question);
            sameBytes(question);
            network(question);
            widths();
        }
        return m_laws;
    }

private:
    void judge(std::size_t law, bool holds, double off, const Case& c)
    {
        Law& judged = m_laws[law];
        ++judged.cases;
        judged.worst = std::max(judged.worst, std::abs(off));
        if (!holds)
            judged.broken.push_back(c.words + ", off by " + std::to_string(100 * off) + " %");
    }

    // n stages with n times the users serve n times what one card serves that holds the whole model.
    void conserved(const Question& question)
    {
        Case piped(question);
        Case whole(question);
        struct Mix {
            double users, prompt, output;
            std::int64_t budget;
        };
        const Mix mix
            = oneOf(std::array{Mix{64, 8000, 1, 8192}, Mix{64, 16, 400, 8192}, Mix{128, 2000, 20, 512}});
        for (Case* c : {&piped, &whole}) {
            evenOut(*c);
            c->engine.maxBatchedTokens = mix.budget;
            if (mix.output > 1) // passes that are alike: prompts ride on decodes
                c->engine.scheduler = SchedulerKind::ChunkedPrefill;
            // Parts of a prompt are alike where their keys take no time; else they wait for one another,
            // which the law of widths counts.
            if (mix.budget < std::int64_t(mix.prompt))
                for (PrefillAttentionForm* form :
                     {&c->efficiency.prefillAttention, &c->efficiency.prefillMla})
                    form->computeEfficiency = form->memoryEfficiency = 1e18;
        }
        whole.d.layout.pp = 1;
        const double n = question.pp;
        const bool decodes = mix.output > mix.prompt;
        const double off = requestRate(piped, n * mix.users, mix.prompt, mix.output, decodes)
                / (n * requestRate(whole, mix.users, mix.prompt, mix.output, decodes))
            - 1;
        piped.words += " " + std::to_string(int(mix.prompt)) + "/" + std::to_string(int(mix.output));
        judge(0, std::abs(off) <= 0.03, off, piped);
    }
    void lonely(const Question& question)
    {
        Case c(question);
        double before = 0;
        for (const int stages : {1, 2, 4, 8}) {
            c.d.layout.pp = stages;
            const double time = lonelyTokenTime(c);
            judge(1, time >= before * (1 - 1e-9), before > 0 ? std::min(0.0, time / before - 1) : 0, c);
            before = time;
        }
    }
    void sameBytes(const Question& question)
    {
        Case c(question);
        Layout& l = c.d.layout;
        l.dp = oneOf(std::array{1, 2, 8, 16});
        l.ep = l.dp > 1 && (m_random() & 1U) != 0 ? l.tp * l.dp : 1;
        if (256 % l.ep != 0 || 128 % l.ep != 0)
            l.ep = 1;
        const StepShape& shape = shapes[m_random() % shapes.size()];
        const int stage = static_cast<int>(m_random() % static_cast<std::uint64_t>(l.pp));
        const Sent program = counted(c.d, stageLayers(c.llm, l.pp, stage), shape);
        Sent hand = byHand(c.d, stage, shape);
        if (stage + 1 == l.pp && l.tp > 1) // and the scores of the sampled rows, a slice from each
            hand.gathered += shape.sampledRows / busyRanks(c.d, shape) * double(c.llm.vocab) / l.tp * 2;
        for (const double Sent::*what :
             {&Sent::reduced, &Sent::handedOn, &Sent::toExperts, &Sent::gathered}) {
            const double off = hand.*what > 0 ? program.*what / (hand.*what) - 1 : program.*what;
            judge(2, std::abs(off) <= 0.002, off, c);
        }
    }
    // Halves what a box has, its rate and its GPUs, or its network's rate, or quadruples a latency.
    void network(const Question& question)
    {
        Case c(question);
        c.d.layout.dp = oneOf(std::array{1, 4, 8});
        c.d.layout.ep = c.d.layout.dp > 1 && c.llm.kinds.back().mlp.kind == MlpKind::Moe
            ? c.d.layout.tp * c.d.layout.dp
            : 1;
        if (c.node.inter.perGpuPerDirection.base() <= 0)
            return;
        const double before = stepTime(c);
        const auto slower = [&](const auto& change) {
            Case worse = c;
            worse.d.node = &worse.node;
            worse.d.llm = &worse.llm;
            worse.d.engine = &worse.engine;
            worse.d.efficiency = &worse.efficiency;
            change(worse.node);
            const double off = std::min(0.0, stepTime(worse) / before - 1);
            judge(3, off >= -1e-9, off, c);
        };
        slower([](Node& node) { node.inter.perGpuPerDirection = node.inter.perGpuPerDirection * 0.5; });
        slower([](Node& node) { node.intra.perGpuPerDirection = node.intra.perGpuPerDirection * 0.5; });
        slower([](Node& node) { node.inter.latency = node.inter.latency * 4; });
        slower([](Node& node) { node.intra.latency = node.intra.latency * 4; });
        // Without a network what must cross it never ends.
        const int gpusOfReplica = c.d.layout.gpusPerReplica();
        c.node.inter = {};
        const double without = stepTime(c);
        judge(4, (gpusOfReplica > c.node.gpusPerNode) == std::isinf(without), 0, c);
    }

    void widths()
    {
        const Widths widths = widthsOf(anyWidths(m_random));
        Law& law = m_laws[5];
        ++law.cases;
        const double off = widths.unexplained();
        law.worst = std::max(law.worst, off);
        if (off <= 0.03)
            return;
        std::string told = widths.words + ", off by " + std::to_string(100 * off) + " %:";
        for (const Widths::Layout& layout : widths.layouts)
            told += " TP" + std::to_string(layout.tp) + " PP" + std::to_string(layout.pp) + " "
                + std::to_string(1e3 * layout.seconds) + " ms, " + std::to_string(1e3 * layout.exchanged)
                + " of them exchanges, " + std::to_string(1e3 * layout.uneven) + " waiting;";
        law.broken.push_back(told);
    }

    std::mt19937_64 m_random;
    std::vector<Law> m_laws{{"n stages do n times the work of one card (3 %)"},
                            {"more stages never shorten a lone user's time between tokens"},
                            {"bytes on every link are those counted by hand (0.2 %)"},
                            {"a slower network never helps"},
                            {"what needs a link that is missing never ends"},
                            {"one wide stage or narrow ones: exchanges, unequal passes (3 %)"}};
};

} // namespace

std::vector<Law> lawsOver(std::uint64_t seed, int cases) { return Laws(seed).over(cases); }

} // namespace headroom::twin
