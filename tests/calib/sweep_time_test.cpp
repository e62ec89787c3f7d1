#include "calib/calibrate_device.h"
#include "calib/measure/sweep_run.h"
#include "calib/sweep/held_out_layers.h"
#include "fake_card.h"
#include "fake_device.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/efficiency_yaml.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace headroom;
using namespace headroom::test;

namespace {

struct CardRun {
    double seconds = 0;
    std::size_t measured = 0;
    std::size_t planned = 0;
    RunOutcome outcome;
};

// The whole sweep of an H100 as a user starts it, on the card's own clock.
CardRun runOn(double slowness, std::optional<Seconds> budget = std::nullopt)
{
    const auto catalogue = Catalogue::open(Catalogue::defaultRoot());
    REQUIRE(catalogue.has_value());
    const auto gpu = (*catalogue)->gpu("h100-sxm-80gb");
    REQUIRE(gpu.has_value());
    const auto prior = readPrior(Catalogue::defaultRoot(), (*gpu)->family);
    REQUIRE(prior.has_value());
    FakeCard card(**gpu, *prior);
    card.slowness = slowness;
    const Sweep sweep = sweepFor(card,
                                 {.deviceKind = "cuda",
                                  .holdOut = heldOutLayers(**catalogue, "cuda"),
                                  .settling = settlingLayers(**catalogue, "cuda"),
                                  .model = nullptr,
                                  .seed = 7});
    Folder folder;
    SamplesWriter writer = SamplesWriter::create(folder.file("c.samples.csv"), {});
    RunPolicy policy = runPolicyFor({}, "cuda");
    policy.budget = budget.value_or(policy.budget);
    policy.rest = {}; // nothing here grows hot
    CardRun out{.planned = sweep.points.size()};
    const HostClock clock = card.clock();
    out.outcome = runSweep(card, sweep, anchorTasks("cuda"), policy, {}, writer, clock, {}, {});
    out.seconds = clock().base();
    out.measured = tabulate(out.outcome.samples, sweep.points.size(), CountedLook::Newest).finished();
    return out;
}

bool noted(const RunOutcome& outcome, const std::string& text)
{
    return std::any_of(outcome.notes.begin(), outcome.notes.end(),
                       [&](const Message& note) { return note.english().find(text) != std::string::npos; });
}

} // namespace

TEST_CASE("the whole sweep of an H100 takes a minute and a half, warm-up and preparation included")
{
    const CardRun run = runOn(1);
    MESSAGE(run.measured << " of " << run.planned << " points in " << run.seconds << " s");
    CHECK(run.seconds <= 80);
    CHECK(run.seconds >= 45); // the rest is for points that are timed again
    CHECK(double(run.measured) >= 0.9 * double(run.planned));
}

TEST_CASE("a card eight times as slow ends in time, too, and says which points were too long for it")
{
    const CardRun run = runOn(8);
    MESSAGE(run.measured << " of " << run.planned << " points in " << run.seconds << " s");
    CHECK(run.outcome.deadline);
    CHECK(run.seconds <= 100);
    CHECK(run.measured > 300);
    CHECK(noted(run.outcome, "did not fit the time that was left"));
}

TEST_CASE("a quick run holds its twenty seconds, and every family is among its points")
{
    const CardRun run = runOn(1, Seconds(20));
    CHECK(run.seconds <= 26);
    std::size_t families = 0;
    for (const std::string family :
         {"gemm bf16", "gemm fp8", "gemm int4", "prefill_attention", "decode_attention", "decode_latent",
          "experts bf16", "norm", "rope_append", "sampling"})
        families
            += std::any_of(run.outcome.samples.begin(), run.outcome.samples.end(), [&](const Sample& sample) {
                   return sample.kind == SampleKind::Point && sample.what.starts_with(family);
               });
    CHECK(families == 10);
}
