#include "kernels/cpu/cpu_operators.h"
#include "kernels/cpu/reference.h"
#include "kernels/device.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace headroom;
using namespace headroom::kernels;

namespace {

Task cpuTask(Kernel kernel)
{
    Task task{.kernel = kernel};
    task.weights = task.activations = task.kv = DType::Fp32;
    return task;
}

void passes(Task task)
{
    CAPTURE(describe(task));
    const auto device = makeCpuDevice(2);
    REQUIRE(device->obstacle(task).empty());
    const auto prepared = device->prepare(task, 7, 1);
    CHECK(device->check(*prepared) <= toleranceOf(task));
}

} // namespace

TEST_CASE("matrix products agree with the reference for every storage type and odd sizes")
{
    for (const DType weights : {DType::Fp32, DType::Bf16, DType::Fp16, DType::Fp8, DType::Int8, DType::Int4})
        for (const std::int64_t m : {1, 3, 17})
            for (const auto& [n, k] : {std::pair{1, 1}, std::pair{65, 129}, std::pair{33, 256}}) {
                Task task = cpuTask(Kernel::Gemm);
                task.weights = weights;
                task.m = m;
                task.n = n;
                task.k = k;
                passes(task);
            }
}

TEST_CASE(
    "attention agrees with the reference: one token, ragged batches, page boundaries, groups, narrow caches")
{
    for (const std::int64_t past : {0, 1, 15, 16, 17, 200})
        for (const int kvHeads : {1, 2, 8}) {
            Task task = cpuTask(Kernel::DecodeAttention);
            task.batch = 3;
            task.past = past;
            task.ragged = true;
            task.queryHeads = 8;
            task.kvHeads = kvHeads;
            task.headDim = 32;
            passes(task);
            task.kv = DType::Fp8;
            passes(task);
            task.kv = DType::Int8;
            passes(task);
            task.kv = DType::Bf16;
            task.kernel = Kernel::PrefillAttention;
            task.queryTokens = 37;
            passes(task);
        }
}

TEST_CASE("latent attention agrees with the reference")
{
    Task task = cpuTask(Kernel::DecodeLatent);
    task.batch = 2;
    task.past = 77;
    task.queryHeads = 16;
    task.latent = 64;
    task.rope = 16;
    passes(task);
}

TEST_CASE("norm, rotary embedding, activation, sampling, reading and copying agree with the reference")
{
    for (const std::int64_t rows : {1, 5, 64}) {
        Task norm = cpuTask(Kernel::NormResidual);
        norm.m = rows;
        norm.k = 257;
        passes(norm);
        norm.activations = DType::Bf16;
        passes(norm);

        Task rope = cpuTask(Kernel::RopeAppend);
        rope.m = rows;
        rope.past = 13;
        rope.queryHeads = 4;
        rope.kvHeads = 2;
        rope.headDim = 64;
        passes(rope);

        Task activation = cpuTask(Kernel::GatedActivation);
        activation.m = rows;
        activation.n = 100;
        passes(activation);
        activation.gated = false;
        passes(activation);

        Task sampling = cpuTask(Kernel::Sampling);
        sampling.m = rows;
        sampling.n = 1001;
        passes(sampling);
    }
    Task read = cpuTask(Kernel::Read);
    read.bytes = 4 * 100003;
    const auto device = makeCpuDevice(2);
    const auto prepared = device->prepare(read, 3, 1);
    CHECK(device->check(*prepared) < 1e-4); // one float sum of 100,003 of both signs
    Task copy = cpuTask(Kernel::Copy);
    copy.bytes = 4096;
    passes(copy);
}

TEST_CASE("experts agree with the reference: all idle but one, skewed routing, narrow weights")
{
    for (const std::int64_t tokens : {1, 2, 19})
        for (const double skew : {0.0, 1.5}) {
            Task task = cpuTask(Kernel::Experts);
            task.m = tokens;
            task.k = 64;
            task.n = 48;
            task.experts = 8;
            task.expertsPerToken = 2;
            task.routingSkew = skew;
            passes(task);
            task.weights = DType::Int8;
            passes(task);
        }
}

TEST_CASE("one huge logit takes all the attention")
{
    Task task = cpuTask(Kernel::DecodeAttention);
    task.batch = 1;
    task.past = 40;
    task.queryHeads = 2;
    task.kvHeads = 1;
    task.headDim = 16;
    Operands operands = makeOperands(task, 5);
    std::vector<float> query(32, 100.0F);
    storeRow(operands.input, 0, query);
    const std::size_t chosen = operands.cache.row(0, 0, 23);
    storeRow(operands.cache.keys, chosen, std::vector<float>(16, 90.0F));
    CpuThreads threads(2);
    runOnCpu(task, operands, threads);
    CHECK(errorAgainstReference(task, operands) < 1e-5);
    std::vector<float> value(16);
    load(operands.cache.values, chosen, 0, value);
    std::vector<float> out(32);
    load(operands.output, 0, 0, out);
    for (std::size_t i = 0; i < 16; ++i)
        CHECK(out[i] == doctest::Approx(value[i]));
}

TEST_CASE("a check sees what was not written and what is wrong")
{
    Task task = cpuTask(Kernel::Gemm);
    task.m = 4;
    task.n = 8;
    task.k = 16;
    Operands operands = makeOperands(task, 1);
    CHECK(std::isinf(errorAgainstReference(task, operands))); // poisoned
    CpuThreads threads(1);
    runOnCpu(task, operands, threads);
    CHECK(errorAgainstReference(task, operands) < 1e-5);
    std::vector<float> row(8);
    load(operands.output, 2, 0, row);
    row[3] += 0.5F;
    storeRow(operands.output, 2, row);
    CHECK(errorAgainstReference(task, operands) > 1e-3);
}

TEST_CASE("the same seed makes the same operands, another one others")
{
    Task task = cpuTask(Kernel::Gemm);
    task.m = 2;
    task.n = 3;
    task.k = 5;
    CHECK(makeOperands(task, 1).input.bytes == makeOperands(task, 1).input.bytes);
    CHECK(makeOperands(task, 1).input.bytes != makeOperands(task, 2).input.bytes);
}

TEST_CASE("what the device cannot run it refuses with a reason")
{
    const auto device = makeCpuDevice(1);
    CHECK_FALSE(device->obstacle({.kernel = Kernel::AllReduce, .ranks = 2}).empty());
    CHECK_FALSE(device->obstacle({.kernel = Kernel::Gemm, .activations = DType::Fp8}).empty());
    CHECK_FALSE(device->obstacle({.kernel = Kernel::Gemm, .weights = DType::Nvfp4}).empty());
    CHECK(device->facts().units == 1);
    CHECK(device->facts().memory.base() > 0);
}
