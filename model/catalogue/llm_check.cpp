#include "model/catalogue/llm_check.h"

#include "model/catalogue/llm_fields.h"

#include <algorithm>

namespace headroom {

namespace {

// Holds each size of a layer kind against the bound that its key has in a model file.
class BoundsChecker {
public:
    explicit BoundsChecker(std::vector<Message>& found) : m_found(&found) {}

    void size(std::string_view key, std::int64_t value, std::int64_t atMost)
    {
        within(key, value, 1, atMost);
    }
    void maybeSize(std::string_view key, std::int64_t value, std::int64_t atMost, std::int64_t = 0)
    {
        within(key, value, 0, atMost);
    }
    void flag(std::string_view, bool, bool) {}
    void dtype(std::string_view, DType, DType) {}
    void qkNorm(std::string_view, QkNorm) {}

    void within(std::string_view key, std::int64_t value, std::int64_t atLeast, std::int64_t atMost)
    {
        if (value >= atLeast && value <= atMost)
            return;
        Message text = say("{} of {}: no model's is outside {} to {}", asIs(key), value, atLeast, atMost);
        if (std::find(m_found->begin(), m_found->end(), text) == m_found->end())
            m_found->push_back(std::move(text));
    }

private:
    std::vector<Message>* m_found;
};

// An upper bound of the order of magnitude, in floating point.
double roughParameters(const Llm& llm)
{
    const auto hidden = static_cast<double>(llm.hidden);
    double sum
        = 2 * static_cast<double>(llm.vocab) * hidden + static_cast<double>(llm.learnedPositions) * hidden;
    std::vector<double> ofKind;
    for (const LayerKind& kind : llm.kinds) {
        const RoughWidths m = std::visit([](const auto& mixer) { return mixer.widths(); }, kind.mixer);
        const Mlp& f = kind.mlp;
        const double wide = double(f.intermediate) + double(f.experts) * double(f.expertIntermediate)
            + double(f.sharedIntermediate) + double(f.latent);
        ofKind.push_back((hidden + m.latent)
                             * (4 * m.queries + 2 * m.keys + 4 * m.latent + 4 * m.state + 3 * wide)
                         + 4 * m.convolved);
    }
    for (const std::uint8_t kind : llm.layers)
        sum += ofKind[kind];
    return sum;
}

} // namespace

std::vector<Message> contradictions(const LayerKind& kind)
{
    std::vector<Message> found;
    std::visit([&](const auto& mixer) { mixer.contradictions(found); }, kind.mixer);
    if (kind.mlp.kind == MlpKind::Moe && kind.mlp.expertsPerToken > kind.mlp.experts)
        found.push_back(say("a token chooses {} of {} experts", kind.mlp.expertsPerToken, kind.mlp.experts));
    if (const Mlp& mlp = kind.mlp; mlp.kind == MlpKind::Moe && mlp.expertGroups + mlp.groupsPerToken > 0
        && (mlp.groupsPerToken < 1 || mlp.groupsPerToken > mlp.expertGroups
            || mlp.experts % mlp.expertGroups != 0
            || mlp.expertsPerToken > mlp.experts / mlp.expertGroups * mlp.groupsPerToken))
        found.push_back(say("a token chooses {} of {} experts from {} of {} groups", mlp.expertsPerToken,
                            mlp.experts, mlp.groupsPerToken, mlp.expertGroups));
    return found;
}

std::vector<Message> impossibleSizes(const Llm& llm)
{
    std::vector<Message> found;
    BoundsChecker bounds(found);
    bounds.within("hidden", llm.hidden, 1, most::hidden);
    bounds.within("vocab", llm.vocab, 1, most::vocab);
    bounds.within("learned_positions", llm.learnedPositions, 0, most::vocab);
    bounds.within("residual_streams", llm.residualStreams, 0, most::norms);
    bounds.within("max_context", llm.maxContext, 1, most::tokens);
    if (const auto kinds = static_cast<std::int64_t>(llm.kinds.size()); kinds < 1 || kinds > most::kinds)
        found.push_back(say("{} kinds of layer: a model has from 1 to {}", kinds, most::kinds));
    bounds.within("layers", llm.layerCount(), 1, most::layers);
    bounds.within("modules", llm.mtp.layers, 0, most::modules);
    if ((llm.mtp.layers > 0) == llm.mtp.kinds.empty())
        found.emplace_back("prediction modules have layers, and only they");
    if (const auto& native = llm.nativeQuantization) {
        bounds.within("group_size", native->groupSize, 0, most::block);
        bounds.within("block_rows", native->blockRows, 0, most::block);
        bounds.within("block_columns", native->blockColumns, 0, most::block);
    }
    for (const LayerKind& kind : llm.kinds) {
        mixerFields(bounds, kind.mixer);
        mlpFields(bounds, kind.mlp);
        bounds.within("norms", kind.norms, 0, most::norms);
    }
    if (found.empty() && roughParameters(llm) > 1e15)
        found.emplace_back("these sizes make a model of more than 10^15 parameters");
    return found;
}

} // namespace headroom
