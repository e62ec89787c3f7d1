#include "model/yaml/gpu_yaml.h"

#include "model/yaml/platform_words.h"
#include "model/yaml/reader.h"
#include "model/yaml/writer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace headroom {

namespace {

constexpr Dim rate{.byte = 1, .second = -1};

// H100's tensor boost clock (1830 MHz) is 8 % below its highest SM clock, the widest gap among shipped parts.
constexpr double peakTolerance = 0.12;

// Wider type first: the second must not be slower than the first.
constexpr std::array ordered{
    std::pair{MathUnit::Fp32, MathUnit::Tf32}, std::pair{MathUnit::Tf32, MathUnit::Bf16},
    std::pair{MathUnit::Tf32, MathUnit::Fp16}, std::pair{MathUnit::Fp32, MathUnit::Bf16},
    std::pair{MathUnit::Fp32, MathUnit::Fp16}, std::pair{MathUnit::Bf16, MathUnit::Fp8},
    std::pair{MathUnit::Fp16, MathUnit::Int8}, std::pair{MathUnit::Bf16, MathUnit::Int8},
    std::pair{MathUnit::Fp8, MathUnit::Fp4},   std::pair{MathUnit::Int8, MathUnit::Int4},
};

// The platform of a maker's accelerators, where a file states none.
struct VendorPlatform {
    std::string_view vendor;
    Platform platform;
};
constexpr std::array vendorPlatforms{
    VendorPlatform{"NVIDIA", Platform::Cuda}, VendorPlatform{"AMD", Platform::Rocm},
    VendorPlatform{"Intel", Platform::Xpu},   VendorPlatform{"Google", Platform::Tpu},
    VendorPlatform{"AWS", Platform::Neuron},  VendorPlatform{"Apple", Platform::Metal},
    VendorPlatform{"Huawei", Platform::Cann}};

Platform usualPlatform(const Gpu& gpu)
{
    if (gpu.processor())
        return Platform::Cpu;
    for (const VendorPlatform& known : vendorPlatforms)
        if (known.vendor == gpu.vendor)
            return known.platform;
    return Platform::Other;
}

MathUnit unitAt(std::size_t i) { return static_cast<MathUnit>(i); }

void checkRates(const Gpu& gpu, MapReader& compute)
{
    for (std::size_t i = 0; i < mathUnitCount; ++i) {
        const double expected = gpu.smCount * gpu.boostClockHz * gpu.perSmClock[i];
        const double ratio = gpu.peaks[i].base() / expected;
        if (expected <= 0 || gpu.peaks[i].base() <= 0 || std::abs(ratio - 1) <= peakTolerance)
            continue;
        const std::string product = quantityText(FlopsPerSecond(std::round(expected / 1e10) * 1e10));
        const bool sparse = std::abs(ratio / 2 - 1) <= peakTolerance;
        compute.report(name(unitAt(i)),
                       say("{} does not agree with {} SMs x {} x {} per clock = {}",
                           quantityText(gpu.peaks[i]), gpu.smCount,
                           quantityText(gpu.boostClockHz, {.second = -1}), gpu.perSmClock[i], product),
                       sparse ? Message("this is the figure with 2:4 sparsity: write the dense half")
                              : Message("peaks are dense"));
    }
}

void checkOrder(const Gpu& gpu, MapReader& compute)
{
    std::vector<MathUnit> excused;
    for (const auto& [wide, narrow] : ordered) {
        if (!gpu.has(wide) || !gpu.has(narrow)
            || gpu.peak(narrow).base() >= gpu.peak(wide).base() * (1 - 1e-9))
            continue;
        if (std::find(gpu.outOfOrder.begin(), gpu.outOfOrder.end(), narrow) != gpu.outOfOrder.end())
            excused.push_back(narrow);
        else
            compute.report(
                name(narrow), say("is lower than {}, the wider type", asIs(name(wide))),
                say("if the hardware really is so, list it: 'out_of_order: [{}]'", asIs(name(narrow))));
    }
    for (const MathUnit listed : gpu.outOfOrder)
        if (std::find(excused.begin(), excused.end(), listed) == excused.end())
            compute.report("out_of_order", say("{} is not below any wider type", asIs(name(listed))));
}

void readPeaks(MapReader& compute, Gpu& gpu)
{
    for (std::size_t i = 0; i < mathUnitCount; ++i)
        gpu.peaks[i] = compute.maybeQuantity<Dim{.flop = 1, .second = -1}>(name(unitAt(i)), positive)
                           .value_or(FlopsPerSecond{});
    for (const std::string& key : compute.keys())
        if (key.find("spars") != std::string::npos) {
            compute.report(key, "sparse figures are not read: peaks are dense");
            (void)compute.maybeText(key);
        }
    if (!compute.keys().empty()
        && std::none_of(gpu.peaks.begin(), gpu.peaks.end(), [](auto p) { return p.base() > 0; }))
        compute.report("bf16", "no peak at all is given");
    if (std::optional<MapReader> rates = compute.maybeMap("per_sm_clock")) {
        for (std::size_t i = 0; i < mathUnitCount; ++i)
            gpu.perSmClock[i] = rates->maybeNumber(name(unitAt(i)), positive).value_or(0);
        rates->finish();
    }
    for (const std::string& text : compute.maybeTexts("out_of_order")) {
        if (const std::optional<MathUnit> unit = mathUnitFromName(text))
            gpu.outOfOrder.push_back(*unit);
        else
            compute.report("out_of_order", say("'{}' is no arithmetic", text));
    }
}

void readCompute(MapReader compute, Gpu& gpu, SourceReader& sources)
{
    gpu.computeCapability = compute.maybeNumber("compute_capability", positive).value_or(0);
    gpu.smCount = compute.maybeCount("sm_count", 1).value_or(0);
    gpu.boostClockHz = compute.maybeQuantity<Dim{.second = -1}>("boost_clock", positive)
                           .value_or(Quantity<Dim{.second = -1}>{})
                           .base();
    readPeaks(compute, gpu);
    checkRates(gpu, compute);
    checkOrder(gpu, compute);
    sources.cite(compute, "compute");
    compute.finish();
}

void readMemory(MapReader memory, Gpu& gpu, SourceReader& sources)
{
    gpu.memorySold = memory.quantity<Dim{.byte = 1}>("sold", positive);
    if (const auto known = memory.maybeQuantity<Dim{.byte = 1}>("usable", positive)) {
        gpu.memoryUsable = *known;
        gpu.memoryUsableKnown = true;
        if (memory.has("usable_estimate"))
            memory.report("usable_estimate", "stands beside 'usable'", "keep one of the two");
        (void)memory.maybeText("usable_estimate");
    } else if (!memory.has("usable")) {
        gpu.memoryUsable = memory.quantity<Dim{.byte = 1}>("usable_estimate", positive);
    }
    if (gpu.memoryUsable > gpu.memorySold)
        memory.report(gpu.memoryUsableKnown ? "usable" : "usable_estimate", "is more than what is sold",
                      "GiB is 2^30 bytes, GB is 10^9");
    gpu.memoryType = memory.text("type");
    gpu.memoryBandwidth = memory.quantity<rate>("bandwidth", positive);
    gpu.l2Cache = memory.maybeQuantity<Dim{.byte = 1}>("l2_cache", positive).value_or(Bytes{});
    sources.cite(memory, "memory");
    memory.finish();
}

void readLinks(MapReader links, Gpu& gpu, SourceReader& sources)
{
    gpu.linkName = links.maybeText("name").value_or("");
    if (!gpu.linkName.empty()) {
        gpu.linkPerDirection = links.quantity<rate>("per_direction", positive);
        const BytesPerSecond both = links.quantity<rate>("both_directions", positive);
        if (std::abs(both.base() - 2 * gpu.linkPerDirection.base()) > 1e-6 * both.base())
            links.report(
                "both_directions", "must be twice 'per_direction'",
                "vendors print the sum of both directions: NVLink 4's 900 GB/s are 450 GB/s each way");
        gpu.linkDomain = links.count("domain", 1);
    }
    gpu.pcieName = links.maybeText("pcie").value_or("");
    gpu.pciePerDirection
        = links.maybeQuantity<rate>("pcie_per_direction", positive).value_or(BytesPerSecond{});
    sources.cite(links, "links");
    links.finish();
}

constexpr std::array priceKinds{Choice<PriceKind>{name(PriceKind::OnDemand), PriceKind::OnDemand},
                                Choice<PriceKind>{name(PriceKind::Reserved), PriceKind::Reserved},
                                Choice<PriceKind>{name(PriceKind::Spot), PriceKind::Spot}};

RentOffer readOffer(MapReader& in)
{
    RentOffer offer;
    offer.provider = in.text("provider");
    offer.kind = in.choice(std::string_view("kind"), std::span<const Choice<PriceKind>>(priceKinds));
    offer.price = in.quantity<Dim{.second = -1, .dollar = 1}>("price", positive);
    offer.least = in.count("least", 1, 10000);
    offer.asOf = in.text("as_of");
    offer.source = in.text("source");
    in.finish();
    return offer;
}

void writeOffer(MapWriter& out, const RentOffer& offer)
{
    out.text("provider", offer.provider);
    out.text("kind", name(offer.kind));
    out.quantity("price", offer.price);
    out.whole("least", offer.least);
    out.text("as_of", offer.asOf);
    out.text("source", offer.source);
}

void readMoney(MapReader& in, Gpu& gpu, SourceReader& sources)
{
    if (std::optional<MapReader> power = in.maybeMap("power")) {
        gpu.tdp = power->quantity<Dim{.second = -1, .joule = 1}>("tdp", positive);
        sources.cite(*power, "power");
        power->finish();
    }
    if (std::optional<MapReader> price = in.maybeMap("price")) {
        gpu.cloudPrice = price->maybeQuantity<Dim{.second = -1, .dollar = 1}>("cloud", positive);
        gpu.cloudPriceRange = price->maybeText("cloud_range").value_or("");
        gpu.purchasePrice = price->maybeQuantity<Dim{.dollar = 1}>("purchase", positive);
        for (MapReader& offer : price->maybeMaps("offers"))
            gpu.offers.push_back(readOffer(offer));
        if (!gpu.cloudPrice && gpu.offers.empty() && !gpu.purchasePrice && gpu.cloudPriceRange.empty())
            price->report("", "names no price", "give 'cloud' or 'purchase', or leave the group out");
        sources.cite(*price, "price");
        price->finish();
    }
}

} // namespace

Result<Gpu> readGpu(const std::string& text, const std::string& file)
{
    return readYaml(text, file, [](MapReader& in) {
        Gpu gpu;
        gpu.id = in.identifier("id");
        gpu.name = in.name("name");
        gpu.vendor = in.text("vendor");
        gpu.formFactor = in.text("form_factor");
        gpu.architecture = in.text("architecture");
        gpu.family = in.text("family");
        gpu.platform = in.maybeChoice("platform", std::span<const Choice<Platform>>(platformWords))
                           .value_or(usualPlatform(gpu));
        gpu.aliases = in.maybeTexts("aliases");
        gpu.releaseYear = in.count("release_year", 1990, 2100);
        gpu.confidence = in.choice("confidence", confidences());
        gpu.defaultNode = in.text("default_node");
        gpu.notes = in.maybeText("notes").value_or("");
        SourceReader sources(in, gpu.confidence);
        readCompute(in.map("compute"), gpu, sources);
        readMemory(in.map("memory"), gpu, sources);
        readLinks(in.map("links"), gpu, sources);
        readMoney(in, gpu, sources);
        gpu.citations = sources.finish();
        return gpu;
    });
}

namespace {

void writeCompute(MapWriter& compute, const Gpu& gpu)
{
    if (gpu.computeCapability > 0)
        compute.number("compute_capability", gpu.computeCapability);
    if (gpu.smCount > 0)
        compute.whole("sm_count", gpu.smCount);
    if (gpu.boostClockHz > 0)
        compute.quantity("boost_clock", Quantity<Dim{.second = -1}>(gpu.boostClockHz));
    for (std::size_t i = 0; i < mathUnitCount; ++i)
        if (gpu.peaks[i].base() > 0)
            compute.quantity(name(unitAt(i)), gpu.peaks[i]);
    if (std::any_of(gpu.perSmClock.begin(), gpu.perSmClock.end(), [](double ops) { return ops > 0; }))
        compute.map("per_sm_clock", [&](MapWriter& rates) {
            for (std::size_t i = 0; i < mathUnitCount; ++i)
                if (gpu.perSmClock[i] > 0)
                    rates.number(name(unitAt(i)), gpu.perSmClock[i]);
        });
    std::vector<std::string> names;
    for (const MathUnit unit : gpu.outOfOrder)
        names.emplace_back(name(unit));
    if (!names.empty())
        compute.texts("out_of_order", names);
}

void writeMemory(MapWriter& memory, const Gpu& gpu)
{
    memory.quantity("sold", gpu.memorySold);
    memory.quantity(gpu.memoryUsableKnown ? "usable" : "usable_estimate", gpu.memoryUsable);
    memory.text("type", gpu.memoryType);
    memory.quantity("bandwidth", gpu.memoryBandwidth);
    if (gpu.l2Cache.base() > 0)
        memory.quantity("l2_cache", gpu.l2Cache);
}

void writeLinks(MapWriter& links, const Gpu& gpu)
{
    if (!gpu.linkName.empty()) {
        links.text("name", gpu.linkName);
        links.quantity("per_direction", gpu.linkPerDirection);
        links.quantity("both_directions", 2 * gpu.linkPerDirection);
        links.whole("domain", gpu.linkDomain);
    }
    if (!gpu.pcieName.empty())
        links.text("pcie", gpu.pcieName);
    if (gpu.pciePerDirection.base() > 0)
        links.quantity("pcie_per_direction", gpu.pciePerDirection);
}

void writePrice(MapWriter& price, const Gpu& gpu)
{
    if (gpu.cloudPrice)
        price.quantity("cloud", *gpu.cloudPrice);
    if (!gpu.cloudPriceRange.empty())
        price.text("cloud_range", gpu.cloudPriceRange);
    if (gpu.purchasePrice)
        price.quantity("purchase", *gpu.purchasePrice);
    if (!gpu.offers.empty())
        price.maps("offers", gpu.offers, writeOffer);
}

} // namespace

std::string writeGpu(const Gpu& gpu)
{
    const SourceWriter sources(gpu.citations, gpu.confidence);
    const auto cited = [&](std::string_view name, auto write) {
        return [&, name, write](MapWriter& group) {
            write(group, gpu);
            sources.cite(group, name);
        };
    };
    MapWriter out;
    out.text("id", gpu.id);
    out.text("name", gpu.name);
    out.text("vendor", gpu.vendor);
    out.text("form_factor", gpu.formFactor);
    out.text("architecture", gpu.architecture);
    out.text("family", gpu.family);
    if (gpu.platform != usualPlatform(gpu))
        out.text("platform", nameOf(platformWords, gpu.platform));
    if (!gpu.aliases.empty())
        out.texts("aliases", gpu.aliases);
    out.whole("release_year", gpu.releaseYear);
    out.text("confidence", name(gpu.confidence));
    out.text("default_node", gpu.defaultNode);
    if (!gpu.notes.empty())
        out.text("notes", gpu.notes);
    out.map("compute", cited("compute", writeCompute));
    out.map("memory", cited("memory", writeMemory));
    out.map("links", cited("links", writeLinks));
    if (gpu.tdp.base() > 0)
        out.map("power",
                cited("power", [](MapWriter& power, const Gpu& g) { power.quantity("tdp", g.tdp); }));
    if (gpu.cloudPrice || gpu.purchasePrice || !gpu.cloudPriceRange.empty() || !gpu.offers.empty())
        out.map("price", cited("price", writePrice));
    sources.finish(out);
    return out.yaml();
}

} // namespace headroom
