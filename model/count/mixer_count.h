#pragma once

#include "model/base/message.h"
#include "model/base/units.h"
#include "model/catalogue/mixer.h"
#include "model/count/cache.h"
#include "model/count/sink.h"
#include "model/count/tensors.h"

#include <cstdint>
#include <variant>

namespace headroom {

struct OperatorBuilder;

// What counting asks of a kind of mixer. Each kind answers in a file of its own (attention.cpp, mla.cpp, …):
// one that is forgotten, or leaves a question open, does not compile.
class MixerCount {
public:
    // Its tensors: the one place that says what it is made of.
    virtual void tensors(std::int64_t hidden, Sink<Tensor> visit) const = 0;
    // The operators that one GPU executes for `count` layers of a step.
    virtual void operators(const OperatorBuilder& build, double count) const = 0;
    // Why its heads cannot be split over `tp` ranks; empty: they can.
    [[nodiscard]] virtual Message obstacle(int tp) const = 0;
    // Values that are alive at once for a token on one of `tp` ranks, the residual stream aside.
    [[nodiscard]] virtual double liveValues(int tp) const = 0;

    // Its cache, as the functions of the same names in cache.h say.
    [[nodiscard]] virtual std::int64_t kvElementsPerToken() const { return 0; }
    [[nodiscard]] virtual Bytes layerKvBytesPerToken(DType kv, int tp) const;
    [[nodiscard]] virtual StateElements stateElements() const { return {}; }
    [[nodiscard]] virtual std::int64_t cacheCap() const { return 0; }
    // Windows and states have pages of their own sizes, apart from the other layers'.
    [[nodiscard]] virtual bool ownPages() const { return false; }
    // Layers that share one cache.
    [[nodiscard]] virtual int layersPerCache() const { return 1; }
    // What one token's cache in one layer is made of: "2 × 8 KV heads × 128".
    [[nodiscard]] virtual Message cacheShape() const { return {}; }
    // `all` of a token's cache, with what of it is not kept.
    [[nodiscard]] virtual Message keptOf(const Message& all) const { return all; }

protected:
    ~MixerCount() = default;
};

// One for each kind: hands its answers to `use`.
using MixerUse = Sink<MixerCount>;
void withCount(const Attention& mixer, MixerUse use); // attention.cpp
void withCount(const Mla& mixer, MixerUse use);       // mla.cpp
void withCount(const Mamba1& mixer, MixerUse use);    // recurrent.cpp, and those below
void withCount(const Mamba2& mixer, MixerUse use);
void withCount(const DeltaNet& mixer, MixerUse use);
void withCount(const Lightning& mixer, MixerUse use);
void withCount(const Compressed& mixer, MixerUse use); // compressed.cpp
void withCount(const NoMixer& mixer, MixerUse use);    // mixer_count.cpp

// What `ask` makes of the answers of a mixer's kind.
template <typename Ask>
auto ofMixer(const Mixer& mixer, const Ask& ask)
{
    using Answer = decltype(ask(std::declval<const MixerCount&>()));
    if constexpr (std::is_void_v<Answer>) {
        std::visit([&](const auto& kind) { withCount(kind, ask); }, mixer);
    } else {
        Answer answer{};
        std::visit(
            [&](const auto& kind) { withCount(kind, [&](const MixerCount& count) { answer = ask(count); }); },
            mixer);
        return answer;
    }
}

// Heads on one of `tp` ranks: query heads divide, kv heads are replicated when there are fewer than ranks.
[[nodiscard]] inline double headsPerRank(double heads, double tp)
{
    return std::max(heads / tp, std::min(heads, 1.0));
}

[[nodiscard]] Message notDivisible(const Message& what, std::int64_t count, int tp);
// The same where `count` is not a multiple of `tp`, else empty.
[[nodiscard]] Message unlessDivisible(const Message& what, std::int64_t count, int tp);

// Visits every kind of tensor of one layer once: the one place that says what a layer is made of.
template <typename Visit>
void forEachMixerTensor(const Llm& llm, const LayerKind& kind, const Visit& visit)
{
    ofMixer(kind.mixer, [&](const MixerCount& count) { count.tensors(llm.hidden, visit); });
}
template <typename Visit>
void forEachTensor(const Llm& llm, const LayerKind& kind, const Visit& visit)
{
    forEachMixerTensor(llm, kind, visit);
    tensors::besideMixer(llm, kind, visit);
}

} // namespace headroom
