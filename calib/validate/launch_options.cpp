#include "calib/validate/launch_options.h"

#include "calib/validate/row_types.h"
#include "model/measured/kept_wide.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace headroom {
namespace {

// The number behind the first of these flags: "--max-num-batched-tokens 4096", "--max_num_tokens=16384".
std::optional<double> stated(const std::string& notes, std::initializer_list<std::string_view> flags)
{
    for (const std::string_view flag : flags) {
        const std::size_t at = notes.find(flag);
        if (at == std::string::npos)
            continue;
        const std::size_t begin = notes.find_first_not_of(" =", at + flag.size());
        if (begin == std::string::npos || begin == at + flag.size())
            continue; // a longer word begins with this one
        double value = 0;
        const auto [end, error] = std::from_chars(notes.data() + begin, notes.data() + notes.size(), value);
        if (error == std::errc() && value > 0)
            return value;
    }
    return std::nullopt;
}

template <typename T>
void set(std::optional<T>& setting, const std::optional<double>& value)
{
    if (value)
        setting = static_cast<T>(std::llround(*value));
}

bool saysAny(const std::string& notes, std::initializer_list<std::string_view> words)
{
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return notes.find(word) != std::string::npos; });
}

} // namespace

Scenario withLaunchOptions(Scenario scenario, const std::string& notes)
{
    set(scenario.maxBatchedTokens,
        stated(notes,
               {"--max-num-batched-tokens", "--max_num_tokens", "--chunked-prefill-size", "--ubatch-size",
                "-ub"}));
    set(scenario.maxSequences,
        stated(notes, {"--max-num-seqs", "max_num_seqs", "--max-running-requests", "--max_batch_size"}));
    set(scenario.receiveInterval, stated(notes, {"--scheduler-recv-interval"}));
    set(scenario.promptWait, stated(notes, {"batch_wait_timeout_iters"}));
    if (const auto share = stated(notes, {"batch_wait_max_tokens_ratio"}))
        scenario.promptWaitShare = *share;
    if (const auto share
        = stated(notes,
                 {"--gpu-memory-utilization", "--mem-fraction-static", "--kv_cache_free_gpu_memory_fraction",
                  "--kv_cache_free_gpu_mem_fraction"}))
        scenario.memoryFraction = *share;
    constexpr std::string_view stateKey = "--mamba-ssm-cache-dtype ";
    if (const std::size_t at = notes.find(stateKey); at != std::string::npos) {
        const std::size_t begin = at + stateKey.size();
        scenario.state = storedTypeOf(notes.substr(begin, notes.find_first_of(" ;,", begin) - begin));
    }
    if (const KeptWide kept = keptWideOfNotes(notes); kept.parts.any())
        scenario.keepsWide = kept.parts;
    // As the pages on wide expert parallelism say it.
    scenario.overlapsBatches
        = saysAny(notes, {"dual-batch", "two micro-batches", "two-batch overlap", "--enable-dbo"});
    scenario.dynamicChunks = saysAny(notes, {"dynamic chunking"});
    scenario.eager = saysAny(notes, {"enforce-eager", "--disable-cuda-graph"});
    if (const auto first = stated(notes, {"first chunk"})) { // "first chunk 18K"
        constexpr double kilo = 1024;
        scenario.maxBatchedTokens = std::llround(*first * kilo);
    }
    if (saysAny(notes,
                {"EPLB", "expert balancing", "routing made perfectly even", "routing even",
                 "experts made perfectly even"}))
        scenario.expertBalance = ExpertBalance::Balanced;
    return scenario;
}

} // namespace headroom
