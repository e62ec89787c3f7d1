#include "calib/tools/aiconfigurator_readers.h"

#include <cmath>
#include <fmt/format.h>

namespace headroom {

Samples readCustomAllReduce(const TimingTable& t)
{
    Samples out;
    for (std::size_t i = 0; i < t.rows(); ++i) {
        if (t.text(i, "backend").find("eager") != std::string::npos)
            continue; // timed with the launch by the processor
        const double ranks = t.number(i, "num_gpus");
        const double ms = t.number(i, "latency");
        const double bytes = t.number(i, "message_size") * 2; // elements of 16 bits
        if (ms > 0 && ranks > 1 && bytes <= 268435456)
            out.push_back(sampleOf(
                publishedCollective(CollectiveClass::CustomAllReduce, static_cast<int>(ranks), bytes),
                ms * 1e-3, fmt::format("{}", std::log2(bytes)), fmt::format("{} ranks", ranks)));
    }
    return out;
}

Samples readNccl(const TimingTable& t)
{
    Samples out;
    for (std::size_t i = 0; i < t.rows(); ++i) {
        const std::string name = t.text(i, "op_name");
        const double ranks = t.number(i, "num_gpus");
        const double ms = t.number(i, "latency");
        double bytes = t.number(i, "message_size") * (t.text(i, "nccl_dtype") == "int8" ? 1 : 2);
        CollectiveClass cls = CollectiveClass::NcclAllReduce;
        if (name == "all_gather") {
            cls = CollectiveClass::AllGather;
            bytes /= ranks; // NCCL's tests print the gathered size
        } else if (name == "alltoall") {
            cls = CollectiveClass::AllToAll;
        } else if (name != "all_reduce") {
            continue;
        }
        if (ms > 0 && ranks > 1 && bytes <= 268435456)
            out.push_back(sampleOf(publishedCollective(cls, static_cast<int>(ranks), bytes), ms * 1e-3,
                                   fmt::format("{}", std::log2(bytes)), fmt::format("{} ranks", ranks)));
    }
    return out;
}

} // namespace headroom
