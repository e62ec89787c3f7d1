#include "model/count/counted.h"

#include "model/count/mixer_count.h"
#include "model/count/storage.h"

#include <utility>

namespace headroom {

namespace {

CountedLlm countedOf(const Llm& llm)
{
    CountedLlm out;
    const auto take = [&](const Tensor& tensor) { out.tensors.push_back(tensor); };
    for (const LayerKind& kind : llm.kinds) {
        const std::size_t first = out.tensors.size();
        forEachTensor(llm, kind, take);
        out.kinds.push_back({first, out.tensors.size()});
    }
    for (std::size_t i = 0; i < dtypeCount; ++i) {
        const auto type = static_cast<DType>(i);
        out.as[i].mixed = mixedBytesPerElement(llm, type);
        if (mixesByLayer(type))
            continue;
        const StorageRules rules{.llm = &llm, .type = type, .asLoaded = true};
        for (const Tensor& tensor : out.tensors)
            out.as[i].bytes.push_back(storedBytes(tensor, rules));
    }
    return out;
}

} // namespace

std::unique_ptr<const Llm> withCounts(Llm llm)
{
    auto out = std::make_unique<Llm>(std::move(llm));
    out->counted.hold(std::make_shared<const CountedLlm>(countedOf(*out)));
    return out;
}

} // namespace headroom
