#include "cases.h"

#include "headroom_source_dir.h"
#include "model/count/weights.h"
#include "model/resolve/compute_unit.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/efficiency_source.h"
#include "reading.h"

#include <doctest/doctest.h>

#include <array>
#include <random>
#include <sstream>

namespace headroom::twin {

namespace {

constexpr int caseCount = 2000;
constexpr std::uint64_t seed = 20261123;

class Draw {
public:
    template <typename Values>
    const auto& oneOf(const Values& values)
    {
        return values[static_cast<std::size_t>(m_random() % std::size(values))];
    }
    // Log-uniform, whole.
    double between(double low, double high)
    {
        const double share = static_cast<double>(m_random() % 1000003) / 1000003.0;
        return std::floor(low * std::pow(high / low, share));
    }

private:
    std::mt19937_64 m_random{seed};
};

Case drawCase(Draw& draw, const Catalogue& catalogue)
{
    static const EfficiencySet ideal = idealEfficiency();
    constexpr std::array weightTypes{DType::Bf16,   DType::Fp16,  DType::Fp8,    DType::Int8,   DType::Fp6,
                                     DType::Int4,   DType::Mxfp4, DType::Nvfp4,  DType::Q8_0,   DType::Q6_K,
                                     DType::Q5_K_M, DType::Q4_0,  DType::Q4_K_M, DType::Q3_K_M, DType::Q2_K};
    constexpr std::array kvTypes{DType::Bf16, DType::Fp16, DType::Fp8, DType::Int8, DType::Q8_0};
    constexpr std::array widths{1, 1, 2, 4, 8};
    constexpr std::array depths{1, 1, 2, 4};
    Case c;
    Deployment& d = c.deployment;
    do {
        const std::string& model = draw.oneOf(catalogue.modelIds());
        const auto known = specs().find(model);
        if (known == specs().end())
            continue;
        c.spec = &known->second;
        d.llm = catalogue.model(model).value();
        d.gpu = catalogue.gpu(draw.oneOf(catalogue.gpuIds())).value();
        d.layout = {.tp = draw.oneOf(widths), .pp = draw.oneOf(depths)};
        d.layout.ep = draw.between(0, 2) > 0 ? d.layout.tp : 1;
    } while (d.llm == nullptr || !layoutObstacle(*d.llm, d.layout).empty());
    d.node = catalogue.node(d.gpu->defaultNode).value();
    d.engine = catalogue.engine("ideal").value();
    d.efficiency = &ideal;
    d.weights = draw.oneOf(weightTypes);
    d.kv = draw.oneOf(kvTypes);
    d.compute = computeUnitFor(d.weights, *d.gpu);
    c.spread = {.tensor = d.layout.tp, .stages = d.layout.pp, .experts = d.layout.ep};
    c.weights = std::string(name(d.weights));
    c.kv = std::string(name(d.kv));
    c.kvBytes = d.kv == DType::Q8_0 ? 34.0 / 32 : d.kv == DType::Bf16 || d.kv == DType::Fp16 ? 2 : 1;
    c.prompt = draw.between(16, 12000);
    c.context = draw.between(16, 100000);
    c.batch = draw.between(1, 512);
    return c;
}

} // namespace

bool isGguf(const std::string& type) { return type.front() == 'q'; }

const std::map<std::string, ModelSpec>& specs()
{
    static const auto all = [] {
        std::map<std::string, ModelSpec> read;
        for (const std::string& id : shippedCatalogue().modelIds())
            if (auto spec = fromSheet(std::filesystem::path(HEADROOM_SOURCE_DIR) / "models" / (id + ".yaml")))
                read[id] = std::move(*spec);
        return read;
    }();
    return all;
}

const std::vector<Case>& cases()
{
    static const std::vector<Case> all = [] {
        Draw draw;
        std::vector<Case> drawn;
        for (int i = 0; i < caseCount; ++i)
            drawn.push_back(drawCase(draw, shippedCatalogue()));
        return drawn;
    }();
    return all;
}

std::string Case::words() const
{
    std::ostringstream out;
    out << spec->id << " on " << deployment.gpu->id << ", tp " << spread.tensor << ", pp " << spread.stages
        << ", ep " << spread.experts << ", weights " << weights << ", cache " << kv << ", prompt " << prompt
        << ", context " << context << ", batch " << batch;
    return out.str();
}

const Catalogue& shippedCatalogue()
{
    static const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
    REQUIRE(catalogue);
    return **catalogue;
}

Machine Case::machine() const
{
    const Gpu& gpu = *deployment.gpu;
    const auto peak = [&](MathUnit unit) { return gpu.peak(unit).base(); };
    const double sixteen = std::max({peak(MathUnit::Bf16), peak(MathUnit::Fp16), peak(MathUnit::Fp32)});
    return {.matrixPeak = std::max(sixteen, peak(deployment.compute)),
            .sixteenPeak = sixteen,
            .indexPeak = std::max(sixteen, peak(MathUnit::Fp8)),
            .bandwidth = gpu.memoryBandwidth.base()};
}

} // namespace headroom::twin
