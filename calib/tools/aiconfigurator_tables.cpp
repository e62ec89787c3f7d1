#include "calib/tools/aiconfigurator_readers.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace headroom {
namespace {

namespace fs = std::filesystem;

// How the publisher names a system, and ours.
struct SystemName {
    std::string_view published;
    std::string_view gpu;
};
constexpr std::array systems{SystemName{"a100_sxm", "a100-sxm-80gb"},
                             SystemName{"h100_sxm", "h100-sxm-80gb"},
                             SystemName{"h200_sxm", "h200-sxm-141gb"},
                             SystemName{"l40s", "l40s"},
                             SystemName{"b200_sxm", "b200-sxm-180gb"},
                             SystemName{"b300_sxm", "b300-sxm-288gb"},
                             SystemName{"gb200", "gb200"},
                             SystemName{"gb300", "gb300"},
                             SystemName{"rtx_pro_6000_server", "rtx-pro-6000-blackwell-server"},
                             SystemName{"b60", "arc-pro-b60-24gb"}};

Samples readByName(const TimingTable& table, const Gpu& gpu, std::string_view name)
{
    if (name == "gemm_perf")
        return readProducts(table, gpu);
    if (name == "context_attention_perf")
        return readAttention(table, gpu, false);
    if (name == "generation_attention_perf")
        return readAttention(table, gpu, true);
    if (name == "context_mla_perf")
        return readLatentAttention(table, gpu, false);
    if (name == "generation_mla_perf")
        return readLatentAttention(table, gpu, true);
    if (name == "custom_allreduce_perf")
        return readCustomAllReduce(table);
    return {};
}

} // namespace

// ai-dynamo/aiconfigurator: <system>__<backend>__<operator>.csv, with the dropped constants in manifest.csv.
Result<bool> readAiconfigurator(const fs::path& folder, PublishedCollector& into)
{
    if (!fs::exists(folder))
        return true;
    const Result<TimingTable> manifest = openTable(folder / "manifest.csv");
    if (!manifest)
        return refuse(manifest.error());
    for (std::size_t i = 0; i < manifest->rows(); ++i) {
        const std::string file = manifest->text(i, "file");
        const std::string system = manifest->text(i, "system");
        const std::string backend = manifest->text(i, "backend");
        const auto known = std::find_if(systems.begin(), systems.end(),
                                        [&](const SystemName& s) { return s.published == system; });
        if (known == systems.end())
            continue;
        const Gpu* gpu = into.gpu(known->gpu);
        if (!gpu)
            continue;
        auto constants = readConstants(manifest->text(i, "constants"));
        const std::string origin
            = fmt::format("ai-dynamo/aiconfigurator@095f58a {} (Apache-2.0), {} {}",
                          manifest->text(i, "source_path"), backend, manifest->text(i, "backend_version"));
        const Result<TimingTable> table = openTable(folder / file, std::move(constants));
        if (!table)
            return refuse(table.error());
        const std::string op = manifest->text(i, "op");
        // Collectives of NCCL are the same whoever calls them.
        if (op == "nccl_perf") {
            const Samples samples = readNccl(*table);
            for (const std::string_view engine : {"trtllm", "vllm", "sglang"})
                into.add(known->gpu, engine, origin, samples);
            continue;
        }
        if (op == "moe_perf") {
            for (OfOneType& type : readExperts(*table, *gpu))
                into.add(known->gpu, backend, origin + type.without, std::move(type.samples));
            continue;
        }
        into.add(known->gpu, backend, origin, readByName(*table, *gpu, op));
    }
    return true;
}

} // namespace headroom
