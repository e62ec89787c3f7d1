#include "model/report/catalogue_text.h"

#include "model/count/parameters.h"
#include "model/count/weights.h"
#include "model/report/catalogue_rows.h"
#include "model/report/text_page.h"

#include <fmt/format.h>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom {

namespace {

class CataloguePage : TextPage {
public:
    using TextPage::TextPage;

    // Figures of its table row, one a line, and what only `show` tells.
    template <typename Row>
    void figures(const Columns<Row>& columns, const Row& row)
    {
        for (const Column<Row>& column : columns)
            line(column.title, cellMessage(column, column.cell(row)));
    }
    void line(const Message& what, const Message& text)
    {
        constexpr std::size_t labelWidth = 16;
        if (const std::string told = tell(text); !told.empty())
            add(padded(tell(what), labelWidth) + told + '\n');
    }
    void line(const Message& what, const std::string& text) { line(what, asIs(text)); }
    void ending(const std::vector<std::string>& aliases, const std::string& notes,
                const std::vector<Citation>& citations)
    {
        line("also called", joinedNames(aliases, ", "));
        line("notes", notes);
        if (!citations.empty())
            add('\n' + tell("Sources") + '\n');
        for (const Citation& citation : citations)
            add(fmt::format("  {}: {}\n", citation.key, citation.text));
    }
    [[nodiscard]] std::string written() && { return std::move(*this).text(); }
};

Message partsOf(const ParameterCount& n)
{
    std::vector<Message> parts;
    const auto add = [&parts](Code what, std::int64_t count) {
        if (count > 0)
            parts.push_back(say("{} {}", Message(what), inUnits(double(count), Measure::Whole)));
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
    return joined(std::move(parts), ", ");
}

Message named(std::string_view name, double value, Measure measure)
{
    return say("{} {}", asIs(name), inUnits(value, measure));
}

} // namespace

std::string catalogueText(const Llm& llm, ask::Language language)
{
    const ParameterCount n = countParameters(llm);
    CataloguePage page(language);
    page.figures(llmColumns(), &llm);
    page.line("by part", partsOf(n));
    if (llm.published.total > 0) {
        const Message total = inUnits(double(llm.published.total), Measure::Whole);
        page.line("published",
                  say("{}; counted the same way: {}",
                      llm.published.exact ? total : say("{} (rounded)", total),
                      inUnits(double(n.comparable), Measure::Whole)));
    }
    std::vector<Message> sizes;
    for (const DType type : {DType::Bf16, DType::Fp8, DType::Int4, DType::Nvfp4, DType::Q4_K_M})
        sizes.push_back(named(name(type), countWeights(llm, type).total().base(), Measure::Storage));
    page.line("weights", joined(std::move(sizes), ", "));
    page.ending(llm.aliases, llm.notes, llm.citations);
    return std::move(page).written();
}

std::string catalogueText(const Gpu& gpu, ask::Language language)
{
    CataloguePage page(language);
    page.figures(gpuColumns(), &gpu);
    const Message usable = inUnits(gpu.memoryUsable.base(), Measure::Storage);
    page.line("usable", gpu.memoryUsableKnown ? usable : say("{} (estimated)", usable));
    std::vector<Message> peaks;
    for (std::size_t unit = 0; unit < mathUnitCount; ++unit)
        if (gpu.has(MathUnit(unit)))
            peaks.push_back(named(name(MathUnit(unit)), gpu.peak(MathUnit(unit)).base(), Measure::WorkRate));
    page.line("dense peaks", joined(std::move(peaks), ", "));
    page.line("architecture", gpu.architecture);
    page.line("form", gpu.formFactor);
    page.line("memory type", gpu.memoryType);
    page.line("link", gpu.linkName);
    page.line("stands in", gpu.defaultNode);
    page.line("price range", gpu.cloudPriceRange);
    page.ending(gpu.aliases, gpu.notes, gpu.citations);
    return std::move(page).written();
}

std::string catalogueText(const Node& node, ask::Language language)
{
    CataloguePage page(language);
    page.figures(nodeColumns(), &node);
    page.line("with", joinedNames(node.gpus, ", "));
    page.line(
        "to host",
        say("{}, {}", node.host.name, inUnits(node.host.perGpuPerDirection.base(), Measure::Bandwidth)));
    page.ending(node.aliases, node.notes, node.citations);
    return std::move(page).written();
}

std::string catalogueText(const Engine& engine, ask::Language language)
{
    const LatentLaunch& latent = engine.latent;
    CataloguePage page(language);
    page.figures(engineColumns(), &engine);
    page.line("step budget", inUnits(double(engine.maxBatchedTokens), Measure::Length));
    if (latent.promptsPerStep > 0)
        page.line("for MLA",
                  say("{:g} prompt beside the running sequences of a step", latent.promptsPerStep));
    if (latent.answerSteps > 0)
        page.line("streamed", say("every {:g} steps with MLA", latent.answerSteps));
    page.line("at once", counted(double(engine.maxSequences), "{} sequence", "{} sequences"));
    page.line("KV page", inUnits(double(engine.blockTokens), Measure::Length));
    page.ending(engine.aliases, engine.notes, engine.citations);
    return std::move(page).written();
}

} // namespace headroom
