#include "calib/fit/attention_starts.h"

#include "calib/fit/form_knobs.h"

namespace headroom {

namespace {

// Each start, and each with pieces whose number balances going over keys and over results.
std::vector<EfficiencySet> withSplitRoots(const std::vector<EfficiencySet>& starts, const FormSlot& slot)
{
    std::vector<EfficiencySet> out;
    for (const double microseconds : {0.0, 0.5}) {
        for (const EfficiencySet& start : starts) {
            out.push_back(start);
            decodeAt(out.back(), slot).splitRoot = Seconds(microseconds * 1e-6);
        }
    }
    return out;
}

} // namespace

// Items begin and end beside what is read or before and after, and libraries leave few keys to the kernel of
// single rows or to none: a quarter of a block of 128 keys for each multiprocessor is what TensorRT-LLM asks
// for before it takes its matrix units (mayHavePerfGain of its XQA kernels). Its kernel of single rows was
// timed to split from 1,024 keys of 64 columns, 512 of 128 and 256 of 256 on, whatever their bytes.
// FlashAttention 2 splits the keys of groups of rows alone (seqlenq_ngroups_swapped of its flash_api.cpp).
std::vector<EfficiencySet> decodeStarts(const EfficiencySet& start, const FormSlot& slot)
{
    struct SingleRows {
        double blocks;
        double split;
        double scatter;
    };
    std::vector<EfficiencySet> starts;
    constexpr double never = 1e12; // keys times columns
    for (const SingleRows& rows : {SingleRows{0, 0, 0}, SingleRows{0, never, 0}, SingleRows{0, 65536, 0.05},
                                   SingleRows{0.25, 65536, 0.05}}) {
        for (const double beside : {0.0, 1.0}) {
            starts.push_back(start);
            DecodeAttentionForm& form = decodeAt(starts.back(), slot);
            form.startsBeside = beside;
            form.matrixBlocks = rows.blocks;
            form.rowSplit = rows.split;
            form.rowScatter = rows.scatter;
        }
    }
    return withSplitRoots(starts, slot);
}

// Latent heads that share a tile share what is read of the cache; another tile reads it again, mostly from
// the last level of cache, which is two to three times as fast as the memory. Beside a kernel of few heads
// there is one of 64, or one of 128, which pads 64 to as many.
std::vector<EfficiencySet> latentStarts(const EfficiencySet& start, const FormSlot& slot)
{
    constexpr double fromCache = 0.4;
    EfficiencySet together = start;
    decodeAt(together, slot).latentRows = 0;
    decodeAt(together, slot).readAgain = 0;
    decodeAt(together, slot).latentTile = 64;
    decodeAt(together, slot).itemRows = 16;
    EfficiencySet again = together;
    decodeAt(again, slot).readAgain = fromCache;
    EfficiencySet narrow = again;
    decodeAt(narrow, slot).latentRows = 16;
    EfficiencySet all = narrow;
    decodeAt(all, slot).latentTile = 128;
    EfficiencySet groups = together; // a kernel whose blocks take 64 heads and no fewer
    decodeAt(groups, slot).itemRows = 64;
    EfficiencySet groupsAgain = groups;
    decodeAt(groupsAgain, slot).readAgain = fromCache;
    return withSplitRoots({together, again, narrow, all, groups, groupsAgain}, slot);
}

} // namespace headroom
