#include "model/base/apart.h"
#include "model/search/judge.h"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <utility>

namespace headroom::tests {

TEST_CASE("Two figures that differ are told in as many digits as show it, and in three where those do")
{
    const auto told = [](double one, double other) {
        const Apart figures = apart(one, other);
        return figures.one.english() + " " + figures.other.english();
    };
    CHECK(told(23.312, 23.298) == "23.31 23.3");
    CHECK(told(50.0004, 50) == "50.0004 50");
    CHECK(told(141.2, 126.4) == "141 126");
    CHECK(told(0.0123, 0.0123) == "0.0123 0.0123");
    CHECK(told(12345.4, 12345.2) == "12345.4 12345.2");
    CHECK(told(1.0 / 3, 1.0 / 3 + 1e-16) == "0.333 0.333"); // by rounding alone
    // Whichever two: never alike, unless they are the same to twelve digits.
    for (const double size : {1e-6, 3.3e-3, 0.7, 1.0, 9.995, 42.0, 999.7, 1e4, 7.3e7})
        for (const double more : {1e-9, 1e-6, 1e-4, 3e-3, 0.4}) {
            const Apart figures = apart(size, size * (1 + more));
            CAPTURE(size);
            CAPTURE(more);
            CHECK(figures.one.english() != figures.other.english());
        }
}

TEST_CASE("Amounts that differ by less than a cent are told apart")
{
    const Apart alike = amountsApart(25.0041, 25);
    CHECK(alike.one.english() == "$25.004");
    CHECK(alike.other.english() == "$25");
    const Apart other = amountsApart(26, 25);
    CHECK(other.one.english() == "$26.00");
    CHECK(other.other.english() == "$25.00");
}

TEST_CASE("Why a service will not do never sets two figures against each other that look alike")
{
    Prediction prediction;
    prediction.memory.perGpu.used = Bytes(23.312e9);
    prediction.memory.perGpu.usable = Bytes(23.298e9);
    CHECK(memoryText(prediction).english() == "memory: 23.31 GB on each GPU, 23.3 GB can be used");

    Candidate candidate;
    candidate.point.tpot.value = Seconds(0.0500004);
    candidate.point.ttft.value = Seconds(2.0001);
    candidate.point.latency.value = Seconds(30.0002);
    candidate.point.tokensPerSecondPerUser.value = TokensPerSecond(19.9998);
    Targets targets;
    targets.tpot = Seconds(0.05);
    targets.ttft = Seconds(2);
    targets.latency = Seconds(30);
    targets.tokensPerSecond = 20;
    for (const auto& [missed, told] :
         {std::pair{TargetKind::Tpot, "time between tokens of 50.0004 ms, 50 ms are asked for"},
          {TargetKind::Ttft, "time to first token of 2.0001 s, 2 s are asked for"},
          {TargetKind::Latency, "latency of a request of 30.0002 s, 30 s are asked for"},
          {TargetKind::Speed, "19.9998 tokens/s for each user, 20 are asked for"}}) {
        candidate.missed = missed;
        CHECK(missText(candidate, targets).english() == told);
    }
}

} // namespace headroom::tests
