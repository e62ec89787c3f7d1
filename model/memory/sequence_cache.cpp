#include "model/memory/sequence_cache.h"

#include "model/count/layer_counts.h"
#include "model/count/mixer_count.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace headroom {

namespace {

// Blocks of `block` tokens that a layer with this cap holds; a window over blocks straddles one more than it
// fills.
double blocksHeld(std::int64_t cap, double context, double block)
{
    const double whole = std::ceil(context / block);
    if (cap <= 0 || context <= static_cast<double>(cap))
        return whole;
    return std::min(whole, std::ceil(static_cast<double>(cap) / block) + 1);
}

std::int64_t heldUpTo(const Mixer& mixer, bool chunksHoldAll)
{
    const LookBack back = std::visit([](const auto& kind) { return kind.lookBack(); }, mixer);
    return chunksHoldAll && back == LookBack::Chunk ? 0 : cacheCap(mixer);
}

} // namespace

StageCache::StageCache(const CachePages& pages) : m_blockTokens(pages.blockTokens), m_unified(pages.unified)
{
    const Llm& llm = *pages.llm;
    const LayerCounts counts = layerCounts(llm, pages.layers.first, pages.layers.end);
    for (std::size_t k = 0; k < llm.kinds.size(); ++k) {
        const Mixer& mixer = llm.kinds[k].mixer;
        const Bytes perToken = layerKvBytesPerToken(mixer, pages.kv, pages.tp);
        const Bytes state = layerStateBytes(mixer, pages.tp);
        if (perToken == Bytes{} && state == Bytes{})
            continue;
        if (ofMixer(mixer, [](const MixerCount& count) { return count.ownPages(); }))
            m_unified = false;
        if (const int layers = counts[k]; layers > 0)
            add({heldUpTo(mixer, pages.chunksHoldAll), perToken, state, layers});
    }
}

void StageCache::add(const Bucket& bucket)
{
    for (std::size_t i = 0; i < m_size; ++i)
        if (m_buckets[i].cap == bucket.cap && m_buckets[i].perToken == bucket.perToken
            && m_buckets[i].state == bucket.state) {
            m_buckets[i].layers += bucket.layers;
            return;
        }
    assert(m_size < most); // layoutObstacle refuses what has more
    if (m_size < most)
        m_buckets[m_size++] = bucket;
}

Bytes StageCache::exact(double context) const
{
    Bytes sum;
    for (const Bucket& bucket : buckets()) {
        const double held = bucket.cap > 0 ? std::min(context, static_cast<double>(bucket.cap)) : context;
        sum += bucket.layers * (held * bucket.perToken + bucket.state);
    }
    return sum;
}

Bytes StageCache::inBlocks(double context, double block) const
{
    Bytes sum;
    for (const Bucket& bucket : buckets())
        sum += bucket.layers
            * (blocksHeld(bucket.cap, context, block) * block * bucket.perToken + bucket.state);
    return sum;
}

// vLLM's hybrid pages (kv_cache_utils: _get_kv_cache_groups_uniform_page_size). The attention block grows in
// steps of 16 until its page holds a recurrent state; layers fall into groups of equal size, the last of a
// bucket padded; a block is one page for each layer of a group.
Bytes StageCache::inUnifiedPages(double context, double block) const
{
    Bytes largestState;
    Bytes widest; // per token
    int fewest = 0;
    int mostLayers = 0;
    for (const Bucket& bucket : buckets()) {
        largestState = std::max(largestState, bucket.state);
        widest = std::max(widest, bucket.perToken);
        fewest = fewest == 0 ? bucket.layers : std::min(fewest, bucket.layers);
        mostLayers = std::max(mostLayers, bucket.layers);
    }
    if (widest == Bytes{} || m_size < 2)
        return inBlocks(context, block);
    constexpr double alignment = 16;
    if (largestState > block * widest)
        block = std::ceil(largestState / (alignment * widest)) * alignment;
    const Bytes page = block * widest;
    const int group = mostLayers * 2 < fewest * 3 ? mostLayers : fewest;
    double blocks = 0;
    for (const Bucket& bucket : buckets()) {
        const double groups = std::ceil(static_cast<double>(bucket.layers) / group);
        // A narrower layer takes a block of more tokens on a page of the same size.
        const double tokens = bucket.perToken > Bytes{} ? page / bucket.perToken : 0;
        blocks += groups * (tokens > 0 ? blocksHeld(bucket.cap, context, tokens) : 1);
    }
    return blocks * group * page;
}

Bytes StageCache::sequence(double context) const
{
    if (m_blockTokens <= 1)
        return exact(context);
    return m_unified ? inUnifiedPages(context, m_blockTokens) : inBlocks(context, m_blockTokens);
}

Bytes StageCache::perToken() const
{
    Bytes sum;
    for (const Bucket& bucket : buckets())
        sum += bucket.layers * bucket.perToken;
    return sum;
}

bool growsEvenly(const Llm& llm, bool chunksHoldAll)
{
    return std::all_of(llm.kinds.begin(), llm.kinds.end(), [&](const LayerKind& kind) {
        return heldUpTo(kind.mixer, chunksHoldAll) == 0 && !stateElements(kind.mixer).any();
    });
}

} // namespace headroom
