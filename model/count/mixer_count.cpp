#include "model/count/mixer_count.h"

namespace headroom {

namespace {

class NoMixerCount final : public MixerCount {
public:
    void tensors(std::int64_t, Sink<Tensor>) const override {}
    void operators(const OperatorBuilder&, double) const override {}
    [[nodiscard]] Message obstacle(int) const override { return {}; }
    [[nodiscard]] double liveValues(int) const override { return 0; }
};

} // namespace

void withCount(const NoMixer&, MixerUse use) { use(NoMixerCount()); }

Bytes MixerCount::layerKvBytesPerToken(DType kv, int) const
{
    return static_cast<double>(kvElementsPerToken()) * kvBytesPerElement(kv);
}

Message notDivisible(const Message& what, std::int64_t count, int tp)
{
    return say("{} {} cannot be split evenly over tp = {}", count, what, tp);
}

Message unlessDivisible(const Message& what, std::int64_t count, int tp)
{
    return count % tp == 0 ? Message() : notDivisible(what, count, tp);
}

} // namespace headroom
