#include "model/cost/forms.h"
#include "model/cost/op_slot.h"
#include "model/count/op_work.h"
#include "model/efficiency/form_slot.h"
#include "tests/model/cost/planted.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace headroom;

namespace {

// One token each of 256 sequences of DeepSeek's latent attention.
Op latentDecode(double heads, double cacheByte)
{
    return decodeLatentOp({.batch = 256,
                           .queryTokens = 1,
                           .past = 4095,
                           .heads = heads,
                           .latent = 512,
                           .rope = 64,
                           .nope = 128,
                           .value = 128,
                           .kvBytesPerElement = cacheByte},
                          MathUnit::Fp16);
}

} // namespace

TEST_CASE("keys seen by a causal chunk equal the sum over its queries")
{
    for (const double past : {0.0, 100.0, 5000.0})
        for (const double query : {1.0, 7.0, 600.0})
            for (const double limit : {0.0, 64.0, 4096.0}) {
                double sum = 0;
                for (int i = 1; i <= int(query); ++i)
                    sum += limit > 0 ? std::min(past + i, limit) : past + i;
                CHECK(meanKeysSeen(past, query, limit) == doctest::Approx(sum / query));
            }
}

TEST_CASE("a narrow head pays for its exponentials, and the last block of rows ends with its prompt")
{
    EfficiencySet set = planted::limit();
    Gpu gpu = planted::rtx4090();
    gpu.smCount = 100;
    const AttentionShape shape{
        .batch = 64, .queryTokens = 4096, .queryHeads = 32, .kvHeads = 8, .headDim = 128};
    const Op op = prefillAttentionOp(shape, MathUnit::Fp16);
    const double plain = timeOp(op, gpu, {}, set).total.base();
    set.prefillAttention.softmaxColumns = 64; // half of this head's columns
    CHECK(timeOp(op, gpu, {}, set).total.base() == doctest::Approx(std::hypot(1, 0.5) * plain).epsilon(1e-3));

    // One sequence with one head: 32 blocks of 128 rows for 100 multiprocessors. The last sees 4096 keys,
    // twice the mean, and a multiprocessor has a hundredth of the peak.
    set.prefillAttention.softmaxColumns = 0;
    set.prefillAttention.lastBlock = 1;
    const Op one = prefillAttentionOp(
        {.batch = 1, .queryTokens = 4096, .queryHeads = 1, .kvHeads = 1, .headDim = 128}, MathUnit::Fp16);
    const double block = 4.0 * 128 * 128 * 4096 / (gpu.peak(MathUnit::Fp16).base() / 100);
    const double spread = one.flops.base() / gpu.peak(MathUnit::Fp16).base();
    CHECK(timeOp(one, gpu, {}, set).total.base()
          == doctest::Approx(std::hypot(block, spread)).epsilon(1e-2)); // reading adds a little

    // Its 32 blocks wait for none, those of ten sequences for a part of the last.
    set.prefillAttention.tail = 0.5;
    CHECK(timeOp(one, gpu, {}, set).total.base() == doctest::Approx(std::hypot(block, spread)).epsilon(1e-2));
    const Op ten = prefillAttentionOp(
        {.batch = 10, .queryTokens = 4096, .queryHeads = 1, .kvHeads = 1, .headDim = 128}, MathUnit::Fp16);
    const double waits = 0.5 * block * (1 - 100 / 320.0);
    CHECK(timeOp(ten, gpu, {}, set).total.base()
          == doctest::Approx(std::hypot(block, 10 * spread + waits)).epsilon(1e-2));
}

TEST_CASE("a prompt's new keys are put into the cache first, and what was just written may still be near")
{
    EfficiencySet set = planted::limit();
    Gpu gpu = planted::rtx4090();
    gpu.l2Cache = Bytes(64e6);
    const auto attend = [](double tokens, double past) {
        return prefillAttentionOp(
            {.batch = 1, .queryTokens = tokens, .past = past, .queryHeads = 1, .kvHeads = 1, .headDim = 64},
            MathUnit::Fp16);
    };
    const auto seconds = [&](const Op& op) { return timeOp(op, gpu, {}, set).total.base(); };
    const Op fresh = attend(1000, 0);
    const Op after = attend(1000, 9000);
    const double freshPlain = seconds(fresh);
    const double afterPlain = seconds(after);
    set.prefillAttention.appendPasses = 3;
    const double pass = 3 * fresh.kvBytes.base() / gpu.memoryBandwidth.base();
    CHECK(seconds(fresh) == doctest::Approx(freshPlain + pass));
    CHECK(seconds(after) == doctest::Approx(afterPlain + pass)); // nine tenths were there before
    set.prefillAttention.appendPasses = 0;
    set.prefillAttention.cachedCost = 0.25;
    CHECK(timeOp(fresh, gpu, {}, set).memory.base()
          == doctest::Approx(0.25 * fresh.bytes().base() / gpu.memoryBandwidth.base()));
    const Op large = attend(1e6, 0); // 512 MB, of which the cache holds an eighth and keeps a 64th
    CHECK(timeOp(large, gpu, {}, set).memory.base()
          == doctest::Approx((1 - 0.75 / 64) * large.bytes().base() / gpu.memoryBandwidth.base()));
}

TEST_CASE("every KV head of a sequence costs a decode its item, every tile of an expert its start")
{
    EfficiencySet set = planted::limit();
    Gpu gpu = planted::rtx4090();
    gpu.smCount = 100;
    const Op decode = decodeAttentionOp(
        {.batch = 50, .past = 9999, .queryHeads = 8, .kvHeads = 8, .headDim = 128}, MathUnit::Fp16);
    const double before = timeOp(decode, gpu, {}, set).memory.base();
    set.decodeAttention.perItem = Seconds(2e-6);
    CHECK(timeOp(decode, gpu, {}, set).memory.base() == doctest::Approx(before + 2e-6 * 50 * 8 / 100));

    // 10 experts of 100 rows each: two pieces of 64 rows.
    const Op experts = expertOp({.rows = 1000, .experts = 10, .inner = 1024, .slice = 256}, GemmClass::Half,
                                MathUnit::Fp16);
    const double still = timeOp(experts, gpu, {}, set).memory.base();
    set.grouped[static_cast<std::size_t>(GemmClass::Half)].perTile = Seconds(1e-6);
    CHECK(timeOp(experts, gpu, {}, set).memory.base() == doctest::Approx(still + 1e-6 * 10 * 2));
}

TEST_CASE("keys of too few sequences are split until the card is full, and their results put together")
{
    EfficiencySet set = planted::limit();
    Gpu gpu = planted::rtx4090();
    gpu.smCount = 100;
    set.decodeAttention.perItem = Seconds(2e-6);
    const auto attend = [](double batch, double keys) {
        return decodeAttentionOp(
            {.batch = batch, .past = keys - 1, .queryHeads = 64, .kvHeads = 8, .headDim = 128},
            MathUnit::Fp16);
    };
    const auto seconds = [&](const Op& op) { return timeOp(op, gpu, {}, set).total.base(); };
    const double whole = seconds(attend(1, 100000));
    set.decodeAttention.fill = 4;
    set.decodeAttention.combine = Seconds(5e-6);
    // 8 items of 782 pieces each would be too many: 4 on each of 100 multiprocessors.
    CHECK(seconds(attend(1, 100000)) == doctest::Approx(whole + 5e-6 + 2e-6 * (4 - 8 / 100.0)).epsilon(1e-3));
    // 8 items of 2560 keys: 20 pieces of 128 keys each.
    set.decodeAttention.fill = 0;
    const double shorter = seconds(attend(1, 2560));
    set.decodeAttention.fill = 4;
    CHECK(seconds(attend(1, 2560)) == doctest::Approx(shorter + 5e-6 + 2e-6 * (160 - 8) / 100).epsilon(1e-2));
    // More sequences than pieces fit: nothing is split.
    const double many = seconds(attend(100, 2560));
    set.decodeAttention.fill = 0;
    CHECK(seconds(attend(100, 2560)) == doctest::Approx(many));
}

TEST_CASE("a kernel that splits no keys ends with its longest sequence")
{
    EfficiencySet set = planted::limit();
    Gpu gpu = planted::rtx4090();
    gpu.smCount = 100;
    set.decodeAttention.reach = 2;
    const Op one = decodeAttentionOp(
        {.batch = 1, .past = 99999, .queryHeads = 8, .kvHeads = 1, .headDim = 128}, MathUnit::Fp16);
    // One KV head of one sequence draws two hundredths of the bandwidth.
    CHECK(timeOp(one, gpu, {}, set).total.base()
          == doctest::Approx(one.kvBytes.base() / gpu.memoryBandwidth.base() * 50).epsilon(1e-3));
    // Multi-head attention has a kernel of its own, where its figures are known.
    const Op row = decodeAttentionOp(
        {.batch = 1, .past = 99999, .queryHeads = 1, .kvHeads = 1, .headDim = 128}, MathUnit::Fp16);
    set.decodeAttention.rowReach = 20;
    const double unknown = timeOp(row, gpu, {}, set).total.base();
    CHECK(unknown == doctest::Approx(row.kvBytes.base() / gpu.memoryBandwidth.base() * 50).epsilon(1e-3));
    set.decodeAttention.rowEfficiency = 1;
    CHECK(timeOp(row, gpu, {}, set).total.base() == doctest::Approx(unknown / 10).epsilon(0.03));
}

TEST_CASE("wide heads cost a decode more than their bytes, and keys are cut into pieces of some length")
{
    EfficiencySet set = planted::limit();
    Gpu gpu = planted::rtx4090();
    gpu.smCount = 100;
    const auto attend = [](double width) {
        return decodeAttentionOp(
            {.batch = 100, .past = 9999, .queryHeads = 8, .kvHeads = 1, .headDim = width}, MathUnit::Fp16);
    };
    const auto memory = [&](const Op& op) { return timeOp(op, gpu, {}, set).memory.base(); };
    const double usual = memory(attend(128));
    set.decodeAttention.wideHeads = 0.2;
    CHECK(memory(attend(128)) == doctest::Approx(usual));
    CHECK(memory(attend(256)) == doctest::Approx(2 * 1.2 * usual));
    CHECK(memory(attend(64)) == doctest::Approx(0.5 * usual));
    set.decodeAttention.narrowHeads = 1.2;
    CHECK(memory(attend(64)) == doctest::Approx(0.5 * 1.2 * usual));
    CHECK(memory(attend(96)) == doctest::Approx(0.75 * 1.1 * usual));
    // 100 items of 10,000 keys: four pieces of 2500.
    set.decodeAttention = planted::limit().decodeAttention;
    set.decodeAttention.fill = 100;
    set.decodeAttention.pieceKeys = 2500;
    set.decodeAttention.perItem = Seconds(1e-6);
    CHECK(memory(attend(128)) == doctest::Approx(usual + 4e-6));
}

TEST_CASE("latent attention works on 64 heads at a time, and its 8-bit cache has figures of its own")
{
    EfficiencySet set = planted::limit();
    const Gpu gpu = planted::rtx4090();
    const double few = timeOp(latentDecode(16, 2), gpu, {}, set).compute.base();
    CHECK(timeOp(latentDecode(64, 2), gpu, {}, set).compute.base() == doctest::Approx(few));
    CHECK(timeOp(latentDecode(128, 2), gpu, {}, set).compute.base() == doctest::Approx(2 * few));
    set.decodeMla8.computeEfficiency = 0.5;
    CHECK(timeOp(latentDecode(128, 2), gpu, {}, set).compute.base() == doctest::Approx(2 * few));
    CHECK(timeOp(latentDecode(128, 1), gpu, {}, set).compute.base() == doctest::Approx(4 * few));
    CHECK(slotName(slotOf(latentDecode(128, 1))) == "decode mla 8-bit cache");
}

TEST_CASE("latent heads beyond a tile read the cache again, where a kernel says what that costs")
{
    EfficiencySet set = planted::limit();
    const Gpu gpu = planted::rtx4090();
    set.decodeMla.queryPasses = 1; // of its own, so that memory is the cache
    const auto keys = [&](double heads) {
        const Op op = latentDecode(heads, 2);
        return timeOp(op, gpu, {}, set).memory.base() - (op.activationBytes / gpu.memoryBandwidth).base();
    };
    const auto isTimes = [](double value) { return doctest::Approx(value).epsilon(1e-6); };
    const double once = keys(16);
    CHECK(keys(128) == isTimes(once));
    set.decodeMla.readAgain = 0.4;
    CHECK(keys(64) == isTimes(once));
    CHECK(keys(128) == isTimes(1.4 * once));
    set.decodeMla.latentRows = 16; // and another kernel for more than two of its tiles
    CHECK(keys(16) == isTimes(once));
    CHECK(keys(32) == isTimes(1.4 * once));
    CHECK(keys(64) == isTimes(once));
    CHECK(keys(128) == isTimes(once));
    const auto work
        = [&](double heads) { return timeOp(latentDecode(heads, 2), gpu, {}, set).compute.base(); };
    CHECK(work(128) == isTimes(2 * work(64)));
    set.decodeMla.latentTile = 128; // which pads 64 heads
    CHECK(work(128) == isTimes(work(64)));
}

TEST_CASE("few keys are left to the kernel of single rows")
{
    EfficiencySet set = planted::limit();
    Gpu gpu = planted::rtx4090();
    gpu.smCount = 100;
    set.decodeAttention.perItem = Seconds(1e-6);
    set.decodeAttention.rowItem = Seconds(3e-6);
    set.decodeAttention.rowEfficiency = 1;
    set.decodeAttention.launch = Seconds(4e-6);
    set.decodeAttention.rowFixed = 1.5;
    const auto time = [&](double sequences, double keys) {
        const Op op = decodeAttentionOp(
            {.batch = sequences, .past = keys - 1, .queryHeads = 8, .kvHeads = 1, .headDim = 128},
            MathUnit::Fp16);
        const double read = (op.bytes() / gpu.memoryBandwidth).base();
        return timeOp(op, gpu, {}, set).memory.base() - read;
    };
    const double ofMatrix = time(2, 1024);
    CHECK(ofMatrix == doctest::Approx(2 * 1e-6 / 100).epsilon(1e-6));
    set.decodeAttention.matrixBlocks = 0.25; // 25 blocks of 128 keys here
    CHECK(time(2, 1024) == doctest::Approx(16 * 3e-6 / 100).epsilon(1e-6));
    CHECK(time(4, 1025) == doctest::Approx(4 * 1e-6 / 100).epsilon(1e-6));
    CHECK(time(25, 16) == doctest::Approx(25 * 1e-6 / 100).epsilon(1e-6)); // no less than a block each
}

TEST_CASE("single rows are split from so many elements of keys on, and few of them read more slowly")
{
    EfficiencySet set = planted::limit();
    Gpu gpu = planted::rtx4090();
    gpu.smCount = 100;
    DecodeAttentionForm& form = set.decodeAttention;
    form.rowEfficiency = 1;
    form.fill = 8;
    form.rowSplit = 65536;
    form.combine = Seconds(1e-3);
    form.splitRoot = Seconds(1e-2); // matrix units alone
    const auto attend = [&](double keys, double width) {
        return decodeAttentionOp(
            {.batch = 50, .past = keys - 1, .queryHeads = 1, .kvHeads = 1, .headDim = width}, MathUnit::Fp16);
    };
    const auto launch = [&](double keys, double width) {
        const Op op = attend(keys, width);
        const double work = (op.bytes() / gpu.memoryBandwidth).base();
        return timeOp(op, gpu, {}, set).total.base() - work;
    };
    CHECK(launch(511, 128) < 1e-4);
    CHECK(launch(512, 128) == doctest::Approx(1e-3).epsilon(0.05));
    CHECK(launch(512, 64) < 1e-4);
    CHECK(launch(1024, 64) == doctest::Approx(1e-3).epsilon(0.05));
    const double whole = timeOp(attend(8192, 128), gpu, {}, set).memory.base();
    form.rowScatter = 0.1; // 50 of 800 items
    CHECK(timeOp(attend(8192, 128), gpu, {}, set).memory.base()
          == doctest::Approx(std::pow(16, 0.1) * whole).epsilon(1e-6));
}

TEST_CASE("pieces put together take a root of their number, and tall items take longer")
{
    EfficiencySet set = planted::limit();
    Gpu gpu = planted::rtx4090();
    gpu.smCount = 100;
    DecodeAttentionForm& form = set.decodeAttention;
    form.fill = 8;
    const auto attend = [&](double keys, double rows, double width) {
        return timeOp(decodeAttentionOp(
                          {.batch = 50, .past = keys - 1, .queryHeads = rows, .kvHeads = 1, .headDim = width},
                          MathUnit::Fp16),
                      gpu, {}, set);
    };
    const double apart = attend(2048, 8, 128).total.base();
    const double short_ = attend(255, 8, 128).total.base();
    form.splitRoot = Seconds(1e-3);
    CHECK(attend(2048, 8, 128).total.base() - apart == doctest::Approx(4e-3).epsilon(0.02)); // 16 pieces
    CHECK(attend(255, 8, 128).total.base() == doctest::Approx(short_));
    form.splitRoot = {};
    form.perItem = Seconds(1e-3);
    const double starts = 800 / 100. * 1e-3;
    CHECK(attend(8192, 8, 256).memory.base() == doctest::Approx(starts).epsilon(0.05));
    form.tallItems = 3;
    CHECK(attend(8192, 8, 256).memory.base() == doctest::Approx(starts).epsilon(0.05));
    CHECK(attend(8192, 16, 256).memory.base() == doctest::Approx(3 * starts).epsilon(0.05));
}

TEST_CASE(
    "latent queries are put in place by a pass of their own, and arithmetic hides what it is longer than")
{
    EfficiencySet set = planted::limit();
    const Gpu gpu = planted::rtx4090();
    const Op op = decodeLatentOp({.batch = 256,
                                  .queryTokens = 1,
                                  .past = 4095,
                                  .heads = 64,
                                  .latent = 512,
                                  .rope = 64,
                                  .nope = 128,
                                  .value = 128},
                                 MathUnit::Fp16);
    const double keys = op.kvBytes.base() / gpu.memoryBandwidth.base();
    const double queries = op.activationBytes.base() / gpu.memoryBandwidth.base();
    const double work = op.flops.base() / gpu.peak(MathUnit::Fp16).base();
    set.decodeMla.queryPasses = 2;
    CHECK(timeOp(op, gpu, {}, set).total.base()
          == doctest::Approx(std::hypot(work, keys) + 2 * queries).epsilon(1e-3));
    set.decodeMla.sharpness = 6;
    CHECK(timeOp(op, gpu, {}, set).total.base()
          == doctest::Approx(std::pow(std::pow(work, 6) + std::pow(keys, 6), 1 / 6.) + 2 * queries)
                 .epsilon(1e-3));
}

TEST_CASE("kernels that regroup query rows copy them where several sequences have several KV heads")
{
    EfficiencySet set = planted::limit();
    const auto seconds = [&](double batch, double queryHeads, double kvHeads) {
        const Op op = decodeAttentionOp(
            {.batch = batch, .past = 999, .queryHeads = queryHeads, .kvHeads = kvHeads, .headDim = 128},
            MathUnit::Fp16);
        return timeOp(op, planted::rtx4090(), {}, set).total.base();
    };
    const double one = seconds(1, 32, 8);
    const double several = seconds(4, 32, 8);
    const double ofOneHead = seconds(4, 8, 1);
    const double notGrouped = seconds(4, 8, 8);
    set.decodeAttention.regroup = Seconds(5e-6);
    CHECK(seconds(1, 32, 8) == doctest::Approx(one));
    CHECK(seconds(4, 32, 8) == doctest::Approx(several + 5e-6));
    CHECK(seconds(4, 8, 1) == doctest::Approx(ofOneHead));
    CHECK(seconds(4, 8, 8) == doctest::Approx(notGrouped));
}

TEST_CASE("heads beyond flash attention's widest take four times as long for each operation")
{
    const EfficiencySet set = planted::limit();
    const Gpu gpu = planted::rtx4090();
    const auto perFlop = [&](double columns) {
        const Op op = prefillAttentionOp(
            {.batch = 1, .queryTokens = 16384, .queryHeads = 8, .kvHeads = 1, .headDim = columns},
            MathUnit::Fp16);
        return timeOp(op, gpu, {}, set).total.base() / op.flops.base();
    };
    CHECK(perFlop(256) == doctest::Approx(perFlop(128)).epsilon(0.02));
    CHECK(perFlop(512) == doctest::Approx(4 * perFlop(256)).epsilon(0.02));
}
