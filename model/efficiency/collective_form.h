#pragma once

#include "model/base/kernel_class.h"
#include "model/base/units.h"
#include "model/efficiency/exchange_protocol.h"
#include "model/efficiency/uncertainty.h"

#include <array>
#include <cstddef>

namespace headroom {

// t = [ floor(ranks)^p + (steps * hop + wire bytes / (link * efficiency))^p ]^(1/p). All-reduces that know
// their one-shot kernel take the faster of floor + (ranks - 1) * message / (link * one-shot efficiency),
// where each rank reads the others whole, and floor + steps * hop + wire bytes / (link * efficiency), in two
// shots or round the ring. A message cut into the segments that suit it best takes (sqrt(steps * hop) +
// sqrt(wire time))^2 instead of their sum: `pipelined` is 1 (Chan, Heimlich, Purkayastha and van de Geijn,
// "Collective communication: theory, practice, and experience", 2007). Exchanges that know both of NCCL's
// ways take the faster of floor + wire bytes / (link * one-shot efficiency), every word with a flag that it
// has come, and floor + hop + wire bytes / (link * efficiency), where the ranks meet first. Between or beyond
// those, messages may be handed to a third way, which takes `handedStart` and its bytes over the link at
// `handedEfficiency`: lines with one flag for many words, more channels, or a switch that adds up, through
// which one-shot kernels pass their message once. Engines' own kernels leave messages from `ncclFrom` bytes
// on to NCCL, and all messages among more than `ncclBeyond` ranks; what is smaller than `meetFrom` bytes they
// pass in words that need no meeting of the ranks. Where cards share bridges of their host, links give the
// less the more of them exchange: their rates fall as the power `sharing` of half the ranks.
struct CollectiveForm {
    ExchangeProtocol protocol = ExchangeProtocol::Ring;
    Seconds floorBase{6e-6};
    Seconds floorPerRank{0.5e-6};
    Seconds perHop{0.7e-6};
    double linkEfficiency = 0.75;
    double oneShotEfficiency = 0; // in one shot, or with a flag in every word
    Seconds handedStart{0};
    double handedEfficiency = 0; // of the third way, or of LL128
    double handedFrom = 0;       // bytes of a message; 0: where that is faster
    double ncclFrom = 0;         // 0: no message is left for its size
    double ncclBeyond = 0;       // 0: none for the number of ranks
    double meetFrom = 0;
    double sharpness = 3;
    double pipelined = 0;
    double sharing = 0;
    Seconds metInStep{0}; // in an engine's step, beyond its time in a loop of nothing but exchanges
    Uncertainty uncertainty;

    friend bool operator==(const CollectiveForm&, const CollectiveForm&) = default;
};

// Collectives over PCIe, where nobody timed them on the accelerator itself. Floors and hops are those of the
// one PCIe server whose curves are published whole (ai-dynamo/aiconfigurator@095f58a, nccl_perf of
// rtx_pro_6000_server: median error 6 to 9 %). The share of the link that a ring of it reaches is 0.43 there
// among eight cards of PCIe 5, 0.65 between two of PCIe 4 (the same source, l40s), 0.76 among four
// (microsoft/vidur@7d47513, all_reduce.csv); hosts differ, so the spread is theirs.
[[nodiscard]] constexpr std::array<CollectiveForm, collectiveClassCount> collectivesOverPcie()
{
    const Uncertainty amongHosts{.lnBias = 0, .lnSpread = 0.25, .source = Source::Prior};
    const CollectiveForm reduce{.protocol = ExchangeProtocol::OneShot,
                                .floorBase = Seconds(1.1e-6),
                                .floorPerRank = Seconds(2.9e-6),
                                .perHop = Seconds(0.7e-6),
                                .linkEfficiency = 0.55,
                                .oneShotEfficiency = 0.6,
                                .pipelined = 1,
                                .uncertainty = amongHosts};
    const CollectiveForm exchange{.floorBase = Seconds(4.1e-6),
                                  .floorPerRank = Seconds(0.6e-6),
                                  .perHop = Seconds(1.3e-6),
                                  .linkEfficiency = 0.55,
                                  .sharpness = 1.6,
                                  .pipelined = 1,
                                  .uncertainty = amongHosts};
    return {reduce, reduce, exchange, exchange, exchange, exchange};
}

// Kernels that exchange experts' tokens inside a node or a domain of NVLink, in the order of CollectiveClass
// with the others, which are as CollectiveForm has them. Fitted to TensorRT-LLM's one-sided kernels on GB200
// (NVIDIA/TensorRT-LLM@22de8b3 tech blog 18: 8 to 64 ranks, 1 to 2,048 tokens, median error 7 %); DeepEP's on
// H800 and B200 lie within a tenth (deepseek-ai/DeepEP@004d6f9 and its second version).
[[nodiscard]] constexpr std::array<CollectiveForm, collectiveClassCount> collectivesWithin()
{
    std::array<CollectiveForm, collectiveClassCount> forms{};
    forms[static_cast<std::size_t>(CollectiveClass::ExpertExchange)]
        = {.floorBase = Seconds(24e-6),
           .floorPerRank = Seconds(0),
           .perHop = Seconds(0),
           .linkEfficiency = 0.78,
           .sharpness = 1.5,
           .sharing = 0.04,
           .uncertainty = {.lnBias = 0, .lnSpread = 0.15, .source = Source::Prior}};
    return forms;
}

// Between nodes, without the latency of the network, which is each machine's own. All-reduce: nccl-tests on
// two DGX Spark (8 to 64 KB in 32 to 68 us), on two H100 with an adapter each (2 to 32 MB in 113 to 812 us)
// and on two boxes of H20 (46 us from 4 to 512 B, of it a part inside); of large messages the share of the
// network that GCP A3 Mega reaches with 8 GB (0.90). All-gather: two DGX Spark, 19 to 21 of 25 GB/s. Send:
// Mooncake's transfers over 4 x 400 GbE, 164 of 200 GB/s, and NIXL's on MI355X, 42.6 of 50. Experts: DeepEP
// on H800, normal mode over 4 and 8 boxes (58 and 51 GB/s, of which three and 3.5 quarters cross),
// low-latency mode over 2 to 32 (118 to 194 us there, 195 to 369 us back). What an all-reduce over boxes of
// several cards takes in an engine's step besides, where ranks do not arrive together and the hosts' proxies
// sleep: between the 28 to 55 us that FasterTransformer's steps of 16 and 24 A100 lack (its guide of GPT) and
// the 93 us of vLLM's of 16 H100 (jingchaozhang.github.io), nearer to the rows of the former, which are more.
[[nodiscard]] constexpr std::array<CollectiveForm, collectiveClassCount> collectivesBetween()
{
    const Uncertainty amongNetworks{.lnBias = 0, .lnSpread = 0.3, .source = Source::Prior};
    const CollectiveForm reduce{.protocol = ExchangeProtocol::LlSimple,
                                .floorBase = Seconds(21e-6),
                                .floorPerRank = Seconds(0),
                                .perHop = Seconds(33e-6),
                                .linkEfficiency = 0.9,
                                .oneShotEfficiency = 0.19,
                                .metInStep = Seconds(50e-6),
                                .uncertainty = amongNetworks};
    CollectiveForm gather = reduce;
    gather.linkEfficiency = 0.8;
    gather.metInStep = {};
    const CollectiveForm send{.linkEfficiency = 0.82, .uncertainty = amongNetworks};
    const CollectiveForm experts{.floorBase = Seconds(0),
                                 .floorPerRank = Seconds(0),
                                 .perHop = Seconds(0),
                                 .linkEfficiency = 0.88,
                                 .sharpness = 1,
                                 .uncertainty = {.lnBias = 0, .lnSpread = 0.15, .source = Source::Prior}};
    return {reduce, reduce, gather, gather, send, experts};
}

} // namespace headroom
