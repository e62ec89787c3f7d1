#include "model/cost/forms.h"
#include "model/cost/step_cost.h"
#include "model/count/op_work.h"
#include "tests/model/cost/planted.h"

#include <doctest/doctest.h>

using namespace headroom;

// 32 heads of 512 columns on 256 keys of each of 4096 queries are 68.7 GFLOP: at 165.2 TFLOP/s 416 us.
TEST_CASE("kernels that fetch keys for each query run at a share of the peak that is their own")
{
    EfficiencySet set = planted::limit();
    set.prefillMla.halfLength = 4096; // other kernels' ramp: half of their rate
    const Gpu gpu = planted::rtx4090();
    Op op{.name = OpName::PrefillAttention,
          .cls = OpClass::PrefillMla,
          .flops = Flops(4 * 32 * 512 * 256.0 * 4096),
          .unit = MathUnit::Fp16,
          .batch = 1,
          .queryTokens = 4096,
          .context = 256,
          .queryHeads = 32,
          .kvHeads = 1,
          .headDim = 512};
    const auto micros = [&] { return timeOp(op, gpu, {}, set).total.base() * 1e6; };
    CHECK(micros() == doctest::Approx(2 * 416).epsilon(1e-3));
    set.prefillMla.gatheredEfficiency = 0.25;
    CHECK(micros() == doctest::Approx(2 * 416).epsilon(1e-3));
    op.gathers = true;
    CHECK(micros() == doctest::Approx(4 * 416).epsilon(1e-3));
    // What kernels of this kind a build has is less sure than how fast those are that were timed.
    set.prefillMla.uncertainty.lnSpread = 0.1;
    set.prefillMla.gatheredSpread = 0.9;
    CHECK(timeOp(op, gpu, {}, set).lnSpread == 0.9);
    op.gathers = false;
    CHECK(timeOp(op, gpu, {}, set).lnSpread == 0.1);
    op.gathers = true;
    set.prefillMla.gatheredEfficiency = 0; // not known: as the others
    CHECK(micros() == doctest::Approx(2 * 416).epsilon(1e-3));
}

// 32 heads of 320 columns on 2,048 keys of each of 4,096 queries are 172 GFLOP: at 165.2 TFLOP/s 1,040 us.
TEST_CASE("heads that no library made a kernel for are attended to at a share of the peak of their own")
{
    EfficiencySet set = planted::limit();
    set.prefillMla.halfLength = 0;
    const Gpu gpu = planted::rtx4090();
    Op op{.name = OpName::PrefillAttention,
          .cls = OpClass::PrefillMla,
          .flops = Flops(2 * 32 * 320 * 2048.0 * 4096),
          .unit = MathUnit::Fp16,
          .batch = 1,
          .queryTokens = 4096,
          .context = 2048,
          .queryHeads = 32,
          .kvHeads = 32,
          .headDim = 192};
    const auto micros = [&] { return timeOp(op, gpu, {}, set).total.base() * 1e6; };
    const double made = micros();
    CHECK(made == doctest::Approx(1040).epsilon(1e-3));
    set.prefillMla.generalEfficiency = 0.2;
    CHECK(micros() == made);
    op.general = true;
    CHECK(micros() == doctest::Approx(5 * made).epsilon(1e-3));
    set.prefillMla.generalEfficiency = 0; // not known: as the others
    CHECK(micros() == made);
}

// 64 queries meet 2,080 keys. Expanded, a head multiplies 128 + 64 columns of each and sums 128; in the
// latent space 512 + 64 and 512.
TEST_CASE("captured latent prompts attend as decodes do where the engine has no kernel for them")
{
    planted::World world;
    world.llm.kinds[0].mixer = Mla{.queryHeads = 128,
                                   .qLoraRank = 1536,
                                   .kvLoraRank = 512,
                                   .qkNopeDim = 128,
                                   .qkRopeDim = 64,
                                   .valueHeadDim = 128};
    const auto attention = [&] {
        const StepShape step{.prefillTokens = 64, .prefillSequences = 1, .sampledRows = 1};
        for (const Op& op : StepTimer(world.deployment({.tp = 8})).operators(step))
            if (op.name == OpName::PrefillAttention)
                return op;
        FAIL("no attention");
        return Op{};
    };
    CHECK(attention().flops.base() == doctest::Approx(2 * 16 * (192 + 128) * 2080.0));
    world.engine.latent.absorbsPromptsOn = {"some-other-family"};
    CHECK_FALSE(attention().general);
    world.engine.latent.absorbsPromptsOn = {world.gpu.family};
    CHECK(attention().general);
    CHECK(attention().flops.base() == doctest::Approx(2 * 16 * (576 + 512) * 2080.0));
}
