#include "calib/validate/launch_options.h"

#include <charconv>
#include <initializer_list>
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

} // namespace

LaunchOptions launchOptions(const std::string& notes)
{
    return {.batchedTokens
            = stated(notes, {"--max-num-batched-tokens", "--max_num_tokens", "--chunked-prefill-size"}),
            .sequences
            = stated(notes, {"--max-num-seqs", "max_num_seqs", "--max-running-requests", "--max_batch_size"}),
            .memoryFraction = stated(
                notes,
                {"--gpu-memory-utilization", "--mem-fraction-static", "--kv_cache_free_gpu_memory_fraction"}),
            .receiveInterval = stated(notes, {"--scheduler-recv-interval"})};
}

Engine launchedWith(const Engine& engine, const LaunchOptions& options)
{
    Engine out = engine;
    const auto set = [](std::int64_t& limit, const std::optional<double>& value) {
        if (value)
            limit = static_cast<std::int64_t>(*value);
    };
    set(out.maxBatchedTokens, options.batchedTokens);
    set(out.maxSequences, options.sequences);
    if (options.batchedTokens)
        out.latent.promptsPerStep = 0;
    for (EngineLimits& card : out.limitsByCard) {
        set(card.maxBatchedTokens, options.batchedTokens);
        set(card.maxSequences, options.sequences);
        card.receiveInterval = options.receiveInterval.value_or(card.receiveInterval);
        card.receiveIntervalOfFew = options.receiveInterval.value_or(card.receiveIntervalOfFew);
    }
    out.memoryFraction = options.memoryFraction.value_or(out.memoryFraction);
    return out;
}

} // namespace headroom
