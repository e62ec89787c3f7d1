#include "model/report/catalogue_text.h"

#include "model/count/parameters.h"
#include "model/count/weights.h"
#include "model/report/catalogue_rows.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace headroom {

namespace {

// Figures of its table row, one a line, and what only `show` tells.
template <typename Row>
std::string figures(const Columns<Row>& columns, const Row& row)
{
    std::string out;
    for (const Column<Row>& column : columns) {
        const std::string text = cellText(column, column.cell(row));
        if (!text.empty())
            out += fmt::format("{:<16}{}\n", column.title.english(), text);
    }
    return out;
}

std::string line(const char* what, const std::string& text)
{
    return text.empty() ? std::string() : fmt::format("{:<16}{}\n", what, text);
}

std::string withCommas(const std::vector<std::string>& parts)
{
    std::string out;
    for (const std::string& part : parts)
        out += (out.empty() ? "" : ", ") + part;
    return out;
}

std::string ending(const std::vector<std::string>& aliases, const std::string& notes,
                   const std::vector<Citation>& citations)
{
    std::string out = line("also called", withCommas(aliases)) + line("notes", notes);
    if (!citations.empty())
        out += "\nSources\n";
    for (const Citation& citation : citations)
        out += fmt::format("  {}: {}\n", citation.key, citation.text);
    return out;
}

} // namespace

std::string catalogueText(const Llm& llm)
{
    const ParameterCount n = countParameters(llm);
    std::string out = figures(llmColumns(), &llm);
    std::vector<std::string> parts;
    const auto add = [&parts](const char* what, std::int64_t count) {
        if (count > 0)
            parts.push_back(fmt::format("{} {}", what, forPeople(double(count), Measure::Whole)));
    };
    add("embedding", n.embedding);
    add("attention and other mixers", n.mixers);
    add("dense MLPs", n.denseMlp);
    add("routers", n.routers);
    add("experts", n.experts);
    add("shared experts", n.sharedExperts);
    add("norms", n.norms);
    add("head", n.head);
    add("multi-token prediction (not in the total)", n.mtp);
    out += line("by part", withCommas(parts));
    if (llm.published.total > 0)
        out += line("published",
                    fmt::format("{}{}; counted the same way: {}",
                                forPeople(double(llm.published.total), Measure::Whole),
                                llm.published.exact ? "" : " (rounded)",
                                forPeople(double(n.comparable), Measure::Whole)));
    std::vector<std::string> sizes;
    for (const DType type : {DType::Bf16, DType::Fp8, DType::Int4, DType::Nvfp4, DType::Q4_K_M})
        sizes.push_back(fmt::format("{} {}", name(type),
                                    forPeople(countWeights(llm, type).total().base(), Measure::Storage)));
    out += line("weights", withCommas(sizes));
    return out + ending(llm.aliases, llm.notes, llm.citations);
}

std::string catalogueText(const Gpu& gpu)
{
    std::string out = figures(gpuColumns(), &gpu);
    out += line("usable",
                forPeople(gpu.memoryUsable.base(), Measure::Storage)
                    + (gpu.memoryUsableKnown ? "" : " (estimated)"));
    std::vector<std::string> peaks;
    for (std::size_t unit = 0; unit < mathUnitCount; ++unit)
        if (gpu.has(MathUnit(unit)))
            peaks.push_back(fmt::format("{} {}", name(MathUnit(unit)),
                                        forPeople(gpu.peak(MathUnit(unit)).base(), Measure::WorkRate)));
    out += line("dense peaks", withCommas(peaks));
    out += line("architecture", gpu.architecture) + line("form", gpu.formFactor)
        + line("memory type", gpu.memoryType);
    out += line("link", gpu.linkName) + line("stands in", gpu.defaultNode)
        + line("price range", gpu.cloudPriceRange);
    return out + ending(gpu.aliases, gpu.notes, gpu.citations);
}

std::string catalogueText(const Node& node)
{
    return figures(nodeColumns(), &node) + line("with", withCommas(node.gpus))
        + line("to host",
               node.host.name + ", " + forPeople(node.host.perGpuPerDirection.base(), Measure::Bandwidth))
        + ending(node.aliases, node.notes, node.citations);
}

std::string catalogueText(const Engine& engine)
{
    const LatentLaunch& latent = engine.latent;
    return figures(engineColumns(), &engine)
        + line("step budget", forPeople(double(engine.maxBatchedTokens), Measure::Length))
        + line("for MLA",
               latent.promptsPerStep > 0
                   ? fmt::format("{:g} prompt beside the running sequences of a step", latent.promptsPerStep)
                   : "")
        + line("streamed",
               latent.answerSteps > 0 ? fmt::format("every {:g} steps with MLA", latent.answerSteps) : "")
        + line("at once", forPeople(double(engine.maxSequences), Measure::Whole) + " sequences")
        + line("KV page", forPeople(double(engine.blockTokens), Measure::Length))
        + ending(engine.aliases, engine.notes, engine.citations);
}

} // namespace headroom
