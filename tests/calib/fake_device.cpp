#include "fake_device.h"

#include "model/cost/forms.h"
#include "model/resolve/calibrated.h"
#include "model/text/text_file.h"

#include <cstdlib>

namespace headroom::test {

namespace {

struct FakePrepared final : kernels::Prepared {
    kernels::Task task;
    [[nodiscard]] int copies() const override { return 1; }
};

const kernels::Task& taskOf(const kernels::Prepared& prepared)
{
    return dynamic_cast<const FakePrepared&>(prepared).task;
}

} // namespace

FakeDevice::FakeDevice()
{
    m_facts.kind = "cpu";
    m_facts.name = "planted machine";
    m_facts.units = 4;
    m_facts.cache = Bytes(1e6);
    m_facts.memory = Bytes(32e9);
    gpu.id = "cpu";
    gpu.family = "cpu";
    gpu.smCount = 4;
    gpu.memoryBandwidth = BytesPerSecond(100e9);
    gpu.peaks[static_cast<std::size_t>(MathUnit::Fp32)] = FlopsPerSecond(2e12);
    truth.gemm.fill({.computeEfficiency = 0.8,
                     .memoryEfficiency = 0.7,
                     .launch = Seconds(9e-6),
                     .sharpness = 2.5,
                     .waveExponent = 0.4});
    truth.prefillAttention
        = {.computeEfficiency = 0.4, .memoryEfficiency = 0.6, .halfLength = 60, .launch = Seconds(12e-6)};
    truth.decodeAttention = truth.decodeAttention8 = {
        .memoryEfficiency = 0.65, .computeEfficiency = 0.3, .floor = Seconds(14e-6), .launch = Seconds(6e-6)};
    truth.stream = {.memoryEfficiency = 0.5, .launch = Seconds(7e-6)};
}

Seconds FakeDevice::exact(const kernels::Task& task) const
{
    if (task.kernel == kernels::Kernel::Empty)
        return Seconds(5e-6);
    if (task.kernel == kernels::Kernel::Read || task.kernel == kernels::Kernel::Copy)
        return kernels::workOf(task).bytes() / gpu.memoryBandwidth;
    static const Node alone;
    return timeOp(kernels::workOf(task), gpu, alone, truth).total;
}

std::unique_ptr<kernels::Prepared> FakeDevice::prepare(const kernels::Task& task, std::uint64_t, int)
{
    auto out = std::make_unique<FakePrepared>();
    out->task = task;
    return out;
}

double FakeDevice::check(kernels::Prepared& prepared) { return wrong(taskOf(prepared)) ? 0.3 : 0; }

kernels::Stretch FakeDevice::spend(Seconds each, int launches)
{
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    double seconds = each.base() * slowness(*m_now) * (1 + noise * normal(m_random));
    if (uniform(m_random) < outliers)
        seconds *= 5;
    *m_now += seconds * launches;
    if (lie == Lie::StandsStill)
        seconds = each.base() / launches; // a stretch of any length takes as long as one launch
    if (lie == Lie::RunsSlow)
        seconds *= 0.25;
    return {.perLaunch = Seconds(seconds), .launches = launches};
}

kernels::Stretch FakeDevice::time(kernels::Prepared& prepared, int launches)
{
    return spend(exact(taskOf(prepared)), launches);
}

kernels::Stretch FakeDevice::timeSequence(const std::vector<kernels::Prepared*>& sequence, int rounds)
{
    Seconds sum;
    for (const kernels::Prepared* prepared : sequence)
        sum += exact(taskOf(*prepared));
    return spend(sum, rounds);
}

Llm plainModel()
{
    Llm llm;
    llm.id = "plain";
    llm.name = "Plain";
    llm.hidden = 960;
    llm.vocab = 32000;
    LayerKind kind;
    kind.mixer = Attention{.queryHeads = 15, .kvHeads = 5, .headDim = 64};
    kind.mlp = {.kind = MlpKind::Dense, .intermediate = 2560};
    llm.kinds = {kind};
    llm.layers = {0, 0};
    return llm;
}

CalibrationSubject fakeSubject(const FakeDevice& device, const Llm& llm, std::uint64_t seed)
{
    SweepRequest request{.deviceKind = "cpu", .holdOut = {}, .model = nullptr, .seed = seed};
    for (const DType weights : {DType::Bf16, DType::Int8, DType::Int4})
        for (const auto& [decode, sequences, tokens, past] :
             {std::tuple{true, 1, 1, 128}, {true, 4, 1, 384}, {true, 16, 1, 200}, {false, 1, 32, 0}})
            request.holdOut.push_back({.llm = &llm,
                                       .weights = weights,
                                       .activations = DType::Fp32,
                                       .decode = decode,
                                       .sequences = sequences,
                                       .queryTokens = tokens,
                                       .past = past});
    EfficiencySet prior;
    prior.family = "cpu";
    return {
        .gpu = device.gpu, .prior = prior, .sweep = sweepFor(device, request), .anchors = anchorTasks("cpu")};
}

Folder::Folder()
{
    std::string name = (std::filesystem::temp_directory_path() / "headroom-calib-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
        throw std::runtime_error("no temporary folder");
    m_path = name;
}

Folder::~Folder()
{
    std::error_code left;
    std::filesystem::remove_all(m_path, left);
}

std::string textOf(const std::filesystem::path& file)
{
    const auto text = readTextFile(file, 1U << 26);
    return text ? *text : std::string();
}

} // namespace headroom::test
