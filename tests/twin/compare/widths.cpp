#include "widths.h"

#include "model/closed_form/prediction.h"
#include "model/yaml/efficiency_source.h"
#include "program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace headroom::twin {

namespace {

constexpr double nothing = 1e18; // times the rate of memory: it takes no time

// Of the service only what splits evenly takes time, and exchanges: products and attention at the peaks of
// the card, bytes at the real rates of its links. Every rank's own norms, the scores of the last stage and
// whatever one part has that the others have not are nothing.
struct Bare {
    Subject subject;
    Llm llm;
    Engine engine;
    EfficiencySet efficiency = idealEfficiency();
    Deployment d;

    Bare(const Question& question, int budget)
        : subject(question),
          llm(*subject.deployment().llm),
          engine(*subject.deployment().engine),
          d(subject.deployment())
    {
        constexpr std::size_t stages = 4;
        llm.layers.resize(llm.layers.size() / stages * stages);
        llm.vocab = 1;
        engine.maxBatchedTokens = budget;
        engine.scheduler = SchedulerKind::ChunkedPrefill; // prompts and decodes in one pass
        engine.eagerLaunch = {};
        engine.collectiveOverlap = 0;
        efficiency.stream.memoryEfficiency = nothing;
        efficiency.prefillAttention.memoryEfficiency
            = nothing; // longer chunks read what is cached less often
        for (GemmForm& form : efficiency.gemm)
            form.activationEfficiency = nothing;
        d.llm = &llm;
        d.engine = &engine;
        d.efficiency = &efficiency;
    }
    Bare(const Bare&) = delete;
    Bare& operator=(const Bare&) = delete;
};

// What one token adds to the stage that sets the pace. Around a ring of t each link takes 2 (t - 1) / t of
// what is added up, after attention and after the MLP of each layer; each rank hands its slice on.
double exchangedByHand(const Node& node, const Llm& llm, int tp, int pp)
{
    const double row = 2 * double(llm.hidden); // bytes
    const double link = node.intra.perGpuPerDirection.base();
    const double layers = double(llm.layers.size()) / pp;
    const double reduced = layers * 2 * (2.0 * (tp - 1) / tp) * row / link;
    if (pp == 1)
        return reduced;
    const bool boxes = tp * pp > node.gpusPerNode;
    return reduced + row / tp / (boxes ? node.inter.perGpuPerDirection.base() : link);
}

// What a prompt waits because parts of prompts are not alike: a later one has more keys, and the passes that
// a pipeline has under way wait for the longest of them, which of n spread evenly lies (n - 1) / (n + 1) of
// the way from the mean to the end. From the mean to the last part it is half the prompt that its tokens see
// more.
double unevenByHand(const Deployment& d, const WidthsQuestion& asked, int pp)
{
    const double prompt = asked.prompt;
    const double part = asked.budget * prompt / (prompt + asked.output); // decodes take the rest of a pass
    if (prompt <= part)
        return 0;
    const auto& attention = std::get<Attention>(d.llm->kinds.front().mixer);
    const double perKey = 4.0 * attention.queryHeads * attention.headDim * double(d.llm->layers.size());
    const double seconds
        = prompt * perKey * (prompt - part) / 2 / asked.cards / d.gpu->peak(MathUnit::Bf16).base();
    return seconds * (pp - 1) / (pp + 1);
}

} // namespace

double Widths::unexplained() const
{
    double most = 0;
    for (const Layout& a : layouts)
        for (const Layout& b : layouts)
            most = std::max(
                most,
                std::abs((a.seconds - b.seconds) - (a.exchanged - b.exchanged) - (a.uneven - b.uneven))
                    / std::max(a.seconds, b.seconds));
    return most;
}

Widths widthsOf(const WidthsQuestion& asked)
{
    Widths out;
    for (const int pp : {1, 2, 4}) {
        const Question question{.model = asked.model,
                                .gpu = asked.gpu,
                                .engine = "vllm",
                                .weights = asked.narrow ? DType::Fp8 : DType::Bf16,
                                .tp = asked.cards / pp,
                                .pp = pp,
                                .users = asked.users,
                                .prompt = asked.prompt,
                                .output = asked.output};
        const Bare bare(question, asked.budget);
        const Load load{.batch = double(asked.users),
                        .promptTokens = double(asked.prompt),
                        .outputTokens = double(asked.output)};
        const double tokens = asked.prompt + asked.output - 1.0; // the last is not computed with
        out.layouts.push_back({question.tp, pp, 1 / predict(bare.d, load).requestsPerSecond.value.base(),
                               tokens * exchangedByHand(*bare.d.node, bare.llm, question.tp, pp),
                               unevenByHand(bare.d, asked, pp)});
    }
    char line[160];
    std::snprintf(line, sizeof line, "%-18s %-28s %d cards users %-4d %d/%d budget %d", asked.model,
                  asked.gpu, asked.cards, asked.users, asked.prompt, asked.output, asked.budget);
    out.words = line;
    return out;
}

WidthsQuestion anyWidths(std::mt19937_64& random)
{
    const auto oneOf = [&](const auto& values) { return values[random() % values.size()]; };
    WidthsQuestion q{.model = oneOf(std::array{"llama-3.1-70b", "llama-3.1-8b", "qwen2.5-32b"}),
                     .gpu = oneOf(std::array{"h200-sxm-141gb", "h100-sxm-80gb", "b200-sxm-180gb", "l40s",
                                             "rtx-pro-6000-blackwell-server"}),
                     .cards = oneOf(std::array{4, 8})};
    q.narrow = (random() & 1U) != 0;
    q.output = oneOf(std::array{2, 200});
    q.prompt = oneOf(std::array{8000, 12000, 16000});
    // So many that the prompts of every fourth of them fill the passes that they take.
    q.budget = q.output == 2 ? oneOf(std::array{2048, 8192}) : 1024;
    q.users = oneOf(std::array{128, 256});
    return q;
}

} // namespace headroom::twin
