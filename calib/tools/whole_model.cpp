// whole_model DEVICE MODEL CALIBRATION [WITHIN]   every layer of a model with random weights, run as one
// sequence on the device, against what the planner says with that calibration
//
// Exit 0: all within (0.08 unless given); 1: one is not; 2: wrong words; 3: no such device or file.
#include "calib/calibrate.h"
#include "calib/calibration_device.h"
#include "calib/measure/timing.h"
#include "calib/sweep/layer_tasks.h"
#include "model/cost/step_cost.h"
#include "model/resolve/calibrated.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace headroom;
using kernels::Kernel;
using kernels::Task;

struct Step {
    bool decode;
    std::int64_t sequences;
    std::int64_t tokens;
    std::int64_t past;
};

// What serving does most: a few and many running sequences, a short and a long prompt.
std::vector<Step> stepsFor(const std::string& kind)
{
    if (kind == "cpu")
        return {{true, 1, 1, 128}, {true, 4, 1, 256}, {true, 16, 1, 128}, {false, 1, 32, 0}};
    return {{true, 1, 1, 1024},
            {true, 16, 1, 1024},
            {true, 64, 1, 1024},
            {false, 1, 512, 0},
            {false, 1, 2048, 0}};
}

struct Subject {
    const Llm* llm = nullptr;
    bool cpu = true;
    [[nodiscard]] DType activations() const { return cpu ? DType::Fp32 : DType::Bf16; }
};

LayerCase layerOf(const Subject& subject, const Step& step, std::size_t kind)
{
    return {.llm = subject.llm,
            .kind = kind,
            .activations = subject.activations(),
            .decode = step.decode,
            .sequences = step.sequences,
            .queryTokens = step.tokens,
            .past = step.past};
}

// What stands before the first layer and behind the last; only last tokens go through the head.
std::vector<Task> headTasks(const Subject& subject, const Step& step)
{
    const Llm& llm = *subject.llm;
    Task norm{.kernel = Kernel::NormResidual, .name = OpName::Norm};
    norm.m = step.sequences * step.tokens;
    norm.k = llm.hidden;
    norm.hot = true;
    Task head{.kernel = Kernel::Gemm, .name = OpName::Head};
    head.m = step.sequences;
    head.n = llm.vocab;
    head.k = llm.hidden;
    Task sampling{.kernel = Kernel::Sampling, .name = OpName::Sampling};
    sampling.m = step.sequences;
    sampling.n = llm.vocab;
    sampling.hot = true;
    std::vector<Task> out{norm, head, sampling};
    for (Task& task : out)
        task.activations = subject.activations();
    return out;
}

// Operands of the whole model: weights and cache of each layer are its own, activations are shared.
class WholeModel {
public:
    WholeModel(kernels::Device& device, const Subject& subject, const Step& step) : m_device(device)
    {
        for (const auto kind : subject.llm->layers)
            add(layerTasks(layerOf(subject, step, kind)));
        add(headTasks(subject, step));
    }
    [[nodiscard]] Seconds time()
    {
        constexpr int repeats = 7;
        (void)m_device.timeSequence(m_sequence, 1); // touches everything for the first time
        std::vector<double> times;
        for (int i = 0; i < repeats; ++i)
            times.push_back(m_device.timeSequence(m_sequence, 1).perLaunch.base());
        return Seconds(medianOf(std::move(times)));
    }

private:
    void add(const std::vector<Task>& tasks)
    {
        for (const Task& task : tasks)
            m_sequence.push_back(operandsOf(task));
    }
    [[nodiscard]] kernels::Prepared* operandsOf(const Task& task)
    {
        const auto known = std::find_if(m_shared.begin(), m_shared.end(),
                                        [&](const auto& entry) { return entry.first == task; });
        if (known != m_shared.end())
            return known->second;
        m_operands.push_back(m_device.prepare(task, ++m_seed, 1));
        if (task.hot)
            m_shared.emplace_back(task, m_operands.back().get());
        return m_operands.back().get();
    }

    kernels::Device& m_device;
    std::uint64_t m_seed = 1;
    std::vector<std::unique_ptr<kernels::Prepared>> m_operands;
    std::vector<std::pair<Task, kernels::Prepared*>> m_shared;
    std::vector<kernels::Prepared*> m_sequence;
};

StepShape shapeOf(const Step& step)
{
    const auto sequences = double(step.sequences);
    if (step.decode)
        return {.decodeSequences = sequences, .decodeContext = double(step.past), .sampledRows = sequences};
    return {.prefillTokens = sequences * double(step.tokens),
            .prefillSequences = sequences,
            .prefillPast = double(step.past),
            .sampledRows = sequences};
}

template <typename T>
const T& valueOf(const Result<T>& result)
{
    if (!result)
        throw std::runtime_error(result.error().front().where + ": " + result.error().front().what.english());
    return *result;
}

int run(const std::vector<std::string>& words, double within)
{
    const auto catalogue = valueOf(Catalogue::open(Catalogue::defaultRoot()));
    const auto device = std::move(openDevice(words[0])).value();
    Subject subject{.llm = valueOf(catalogue->model(valueOf(catalogue->findModel(words[1])).id)),
                    .cpu = device->facts().kind == "cpu"};
    const EfficiencySet& measured = *valueOf(catalogue->calibration(words[2]));
    const Gpu& entry = *valueOf(catalogue->gpu(measured.gpu));
    const Node alone;
    const Calibrated calibrated = applyCalibration(measured, measured, entry, alone, Engine{});
    const Gpu gpu = calibrated.gpu.value_or(entry);
    const Engine nothingAround; // no host time: the operators alone
    Deployment deployment{.llm = subject.llm,
                          .gpu = &gpu,
                          .node = &alone,
                          .engine = &nothingAround,
                          .efficiency = &calibrated.efficiency};
    deployment.compute = subject.cpu ? MathUnit::Fp32 : MathUnit::Bf16;
    const StepTimer timer(deployment);
    fmt::print("{} on {}, {} layers, weights in bf16\n\n", subject.llm->name, device->facts().name,
               subject.llm->layers.size());
    fmt::print(
        "| step | measured ms | predicted ms | 10th to 90th percentile | error |\n|---|---|---|---|---|\n");
    bool good = true;
    for (const Step& step : stepsFor(device->facts().kind)) {
        const Estimate<Seconds> predicted = timer.cost(shapeOf(step)).rate;
        const Seconds time = WholeModel(*device, subject, step).time();
        const double error = predicted.value / time - 1;
        good = good && std::abs(error) <= within;
        fmt::print("| {} {} x {} after {} | {:.3f} | {:.3f} | {:.3f} to {:.3f} | {:+.1f} %{} |\n",
                   step.decode ? "decode" : "prefill", step.sequences, step.tokens, step.past,
                   time.base() * 1e3, predicted.value.base() * 1e3, predicted.low.base() * 1e3,
                   predicted.high.base() * 1e3, 100 * error,
                   std::abs(error) <= within ? "" : fmt::format(", above {:.0f} %", 100 * within));
    }
    return good ? 0 : 1;
}

} // namespace

int main(int argc, char** argv)
{
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    double within = 0.08; // what a plan of one accelerator claims (docs/executor.md)
    const auto fourth = words.size() == 4
        ? std::from_chars(words[3].data(), words[3].data() + words[3].size(), within).ec
        : std::errc();
    if (words.size() < 3 || words.size() > 4 || fourth != std::errc() || !(within > 0)) {
        fmt::print(stderr, "whole_model cpu|cuda:N MODEL CALIBRATION [WITHIN]\n");
        return 2;
    }
    try {
        return run(words, within);
    } catch (const std::exception& failure) {
        fmt::print(stderr, "{}\n", failure.what());
        return 3;
    }
}
