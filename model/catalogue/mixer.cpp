#include "model/catalogue/mixer.h"

#include "model/base/message.h"

namespace headroom {

namespace {

void indexerContradictions(int heads, int headDim, std::vector<Message>& found)
{
    if ((heads > 0) != (headDim > 0))
        found.emplace_back("an indexer has index_heads and index_head_dim");
}

} // namespace

std::string_view Attention::name() const
{
    return kvHeads == 1 ? "MQA" : kvHeads == queryHeads ? "MHA" : "GQA";
}

LookBack Attention::lookBack() const
{
    return window > 0 ? LookBack::Window : chunk > 0 ? LookBack::Chunk : LookBack::Everything;
}

std::string_view Attention::layerWord() const
{
    switch (lookBack()) {
    case LookBack::Window:
        return "window";
    case LookBack::Chunk:
        return "chunk";
    case LookBack::Everything:
        break;
    }
    return "full";
}

void Attention::contradictions(std::vector<Message>& found) const
{
    if (kvHeads < 1 || queryHeads % kvHeads != 0)
        found.push_back(say("{} query heads do not share {} key-value heads evenly", queryHeads, kvHeads));
    if (window > 0 && chunk > 0)
        found.emplace_back("a layer has a window or a chunk, not both");
    if (ropeDims > headDim)
        found.push_back(say("rotates {} of {} dimensions", ropeDims, headDim));
}

RoughWidths Attention::widths() const
{
    const double head = double(headDim) + valueHeadDim;
    return {.queries = queryHeads * head, .keys = kvHeads * head};
}

void Mla::contradictions(std::vector<Message>& found) const
{
    indexerContradictions(indexHeads, indexHeadDim, found);
}

RoughWidths Mla::widths() const
{
    return {.queries = double(queryHeads) * (qkNopeDim + qkRopeDim + valueHeadDim),
            .latent = double(qLoraRank) + kvLoraRank + qkRopeDim + double(indexHeads) * indexHeadDim};
}

RoughWidths Mamba1::widths() const
{
    return {.state = double(innerDim),
            .convolved = double(innerDim) * (double(convKernel) + stateDim + dtRank)};
}

RoughWidths Mamba2::widths() const
{
    return {.state = double(innerDim) + double(groups) * stateDim + heads,
            .convolved = double(innerDim) * (double(convKernel) + stateDim)};
}

RoughWidths DeltaNet::widths() const
{
    return {.state = double(valueHeads) * valueDim + double(keyHeads) * keyDim + valueHeads};
}

RoughWidths Lightning::widths() const { return {.queries = double(queryHeads) * headDim}; }

std::string_view Compressed::name() const { return compression == 0 ? "" : indexHeads > 0 ? "CSA" : "HCA"; }

std::string_view Compressed::layerWord() const
{
    return compression == 0 ? "window" : indexHeads > 0 ? "sparse" : "merged";
}

void Compressed::contradictions(std::vector<Message>& found) const
{
    indexerContradictions(indexHeads, indexHeadDim, found);
    if (outGroups < 1 || queryHeads % outGroups != 0)
        found.push_back(say("{} query heads do not form {} groups", queryHeads, outGroups));
    if (indexHeads > 0 && compression == 0)
        found.emplace_back("an indexer chooses among merged tokens: compression is missing");
    if (compression > 0 && (headDim % compression != 0 || indexHeadDim % compression != 0))
        found.push_back(say("keys of {} and {} values are not a whole number each of {} merged tokens",
                            headDim, indexHeadDim, compression));
}

RoughWidths Compressed::widths() const
{
    return {.queries = double(queryHeads) * (headDim + qkRopeDim),
            .latent = double(qLoraRank) + qkRopeDim + double(indexHeads) * indexHeadDim
                + double(outGroups) * outLoraRank};
}

} // namespace headroom
