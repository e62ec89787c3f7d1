#include "calib/tools/cached_timings.h"
#include "calib/tools/published_samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string>

namespace headroom {

namespace fs = std::filesystem;
using Samples = std::vector<OpSample>;

namespace {

// Which card a row was timed on. gfx942 with 304 compute units are MI300X and MI325X, gfx950 with 256 MI350X
// and MI355X: each pair has the same arithmetic, and all of a table are taken as of the one that servers have
// more of. MI308X has 80 units and is in no catalogue.
constexpr struct {
    std::string_view units;
    std::string_view architecture;
    std::string_view gpu;
} timedCards[] = {{"304", "gfx942", "instinct-mi300x"}, {"256", "gfx950", "instinct-mi355x"}};

// Tables of experts of 2025 name the units alone; 256 of gfx1250 are of a later card.
std::string_view cardOf(const TimingTable& t, std::size_t i)
{
    const std::string architecture = t.text(i, "gfx");
    for (const auto& card : timedCards)
        if (t.text(i, "cu_num") == card.units && (architecture.empty() || architecture == card.architecture))
            return card.gpu;
    return {};
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// Products of a batch at once and weights narrower than what they meet are forms of neither kind.
bool isRead(const std::string& table)
{
    constexpr std::array otherKinds{"batched", "fp8fp4", "a8w4", "a16w4", "i4", "mxfp8", "chunk"};
    return std::none_of(otherKinds.begin(), otherKinds.end(),
                        [&](const char* kind) { return holds(table, kind); });
}

// A scale for each row or tensor, or one for each block, by the table's name; 4-bit tables hold both operands
// so.
std::optional<GemmClass> productType(const std::string& table, const TimingTable& t, std::size_t i)
{
    if (holds(table, "a4w4"))
        return GemmClass::Fp4;
    if (holds(table, "bf16"))
        return t.text(i, "outdtype") == "torch.bfloat16" ? std::optional(GemmClass::Half) : std::nullopt;
    if (holds(table, "blockscale"))
        return GemmClass::Fp8Block;
    if (!holds(table, "a8w8"))
        return std::nullopt;
    return holds(t.text(i, "q_dtype_w"), "int8") ? GemmClass::Int8 : GemmClass::Fp8;
}

std::optional<OpSample> productOf(const std::string& table, const TimingTable& t, std::size_t i,
                                  const Gpu& gpu)
{
    const std::optional<GemmClass> type = productType(table, t, i);
    const double m = t.number(i, "M"), n = t.number(i, "N"), k = t.number(i, "K");
    const double seconds = t.number(i, "us") * 1e-6;
    constexpr double leastElements = 5e5, mostElements = 1.5e9,
                     mostRows = 16384; // as layers of models have them
    if (!type || seconds <= 0 || n * k < leastElements || n * k > mostElements || m < 1 || m > mostRows)
        return std::nullopt;
    return sampleOf(publishedGemm(gpu, m, n, k, *type), seconds, fmt::format("{}x{}", n, k),
                    fmt::format("{} {}x{}", t.text(i, "libtype"), n, k));
}

std::optional<GemmClass> expertType(const TimingTable& t, std::size_t i)
{
    const std::string weights = t.text(i, "q_dtype_w"), activations = t.text(i, "q_dtype_a");
    if (holds(weights, "bfloat16"))
        return GemmClass::Half;
    if (holds(weights, "float4") && holds(activations, "float4"))
        return GemmClass::Fp4;
    if (!holds(weights, "float8") || !holds(activations, "float8"))
        return std::nullopt;
    return holds(t.text(i, "q_type"), "per_1x128") ? GemmClass::Fp8Block : GemmClass::Fp8;
}

// Both products, without putting tokens in order. Which experts a token takes is drawn evenly
// (csrc/ck_gemm_moe_2stages_codegen/gemm_moe_tune.py: scores by randn).
std::optional<OpSample> expertsOf(const TimingTable& t, std::size_t i, const Gpu& gpu)
{
    const std::optional<GemmClass> type = expertType(t, i);
    const double tokens = t.number(i, "token"), hidden = t.number(i, "model_dim"),
                 slice = t.number(i, "inter_dim");
    const double experts = t.number(i, "expert"), chosen = t.number(i, "topk");
    const double seconds = t.number(i, "us") * 1e-6;
    constexpr double mostTokens = 32768;
    if (!type || seconds <= 0 || tokens < 1 || tokens > mostTokens || t.text(i, "use_g1u1") != "1")
        return std::nullopt;
    const double met = experts * (1 - std::pow(1 - chosen / experts, tokens));
    return sampleOf(publishedExperts(gpu,
                                     {.tokens = tokens,
                                      .hidden = hidden,
                                      .slice = slice,
                                      .chosen = chosen,
                                      .experts = experts,
                                      .rankRows = tokens * chosen,
                                      .rankExperts = met,
                                      .type = *type}),
                    seconds, fmt::format("{}x{}x{}", hidden, slice, experts),
                    fmt::format("{}x{}x{} top {}", hidden, slice, experts, chosen));
}

} // namespace

// ROCm/aiter: for every shape the fastest of its kernels that its tuner found, microseconds. It goes over
// copies of all operands in turn, many times the size of any cache (aiter/test_common.py, perftest).
Result<bool> readAiter(const fs::path& folder, PublishedCollector& into)
{
    if (!fs::exists(folder))
        return true;
    for (const fs::path& file : tablesIn(folder)) {
        const std::string name = file.stem().string();
        if (!isRead(name))
            continue;
        const Result<TimingTable> table = openTable(file);
        if (!table) {
            // Rows of two of the repository's tables lack a cell.
            fmt::print(stderr, "passed over: {} {}\n", table.error().front().where,
                       table.error().front().what.english());
            continue;
        }
        std::map<std::string_view, Samples> cards;
        for (std::size_t i = 0; i < table->rows(); ++i) {
            const std::string_view card = cardOf(*table, i);
            const Gpu* gpu = card.empty() ? nullptr : into.gpu(card);
            if (gpu == nullptr)
                continue;
            const bool experts = holds(name, "fmoe");
            std::optional<OpSample> sample
                = experts ? expertsOf(*table, i, *gpu) : productOf(name, *table, i, *gpu);
            if (sample)
                cards[card].push_back(std::move(*sample));
        }
        for (auto& [card, samples] : cards)
            into.add(card, "aiter", "ROCm/aiter@e4048607 aiter/configs (" + name + ") (MIT)",
                     withoutImpossible(std::move(samples), *into.gpu(card)));
    }
    return true;
}

} // namespace headroom
