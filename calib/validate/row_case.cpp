#include "calib/validate/row_case.h"

#include "calib/validate/load_tool.h"
#include "calib/validate/text_lengths.h"
#include "model/count/weights.h"
#include "model/plan/resolve.h"
#include "model/plan/usual_box.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace headroom {
namespace {

std::string lower(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return char(std::tolower(c)); });
    return out;
}

// The number behind `key` in free text: "EP=4", "range ratio 0.8".
std::optional<double> numberAfter(const std::string& text, std::string_view key)
{
    const std::size_t at = text.find(key);
    if (at == std::string::npos)
        return std::nullopt;
    const char* begin = text.data() + at + key.size();
    double value = 0;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
    return error == std::errc() && end != begin ? std::optional(value) : std::nullopt;
}

// The number just before `word`: "1000 requests".
std::optional<double> numberBefore(const std::string& text, std::string_view word)
{
    const std::size_t at = text.find(word);
    if (at == std::string::npos || at == 0)
        return std::nullopt;
    std::size_t begin = at;
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(text[begin - 1])) != 0)
        --begin;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data() + begin, text.data() + at, value);
    return error == std::errc() && begin < at ? std::optional(value) : std::nullopt;
}

std::string firstProblem(const Problems& problems)
{
    const Problem& p = problems.front();
    return p.hint.empty() ? p.what : p.what + " (" + p.hint + ")";
}

// Synthetic prompts are of one length, and a mean close to a round number betrays them.
bool nearRound(double tokens)
{
    const double nearest
        = tokens >= 950 ? std::round(tokens / 1000) * 1000 : std::exp2(std::round(std::log2(tokens)));
    return std::abs(tokens - nearest) < 0.005 * nearest;
}

LengthDistribution syntheticLengths(const TokenLength& length, double rangeRatio)
{
    const double most = std::max(1.0, length.tokens);
    return rangeRatio > 0 && rangeRatio < 1
        ? LengthDistribution::uniform(std::max(1.0, rangeRatio * length.tokens), most)
        : LengthDistribution::of(most);
}

// Over how many ranks the experts are spread: "EP=4", "--ep-size 8", "EP on", and "DEP4" where attention is
// data-parallel.
int expertRanks(const std::string& notes, int ranks)
{
    double said = 1;
    for (const std::string_view key : {"EP=", "--ep-size ", "--ep_size ", "DEP"})
        said = std::max(said, numberAfter(notes, key).value_or(1));
    if (said <= 1 && notes.find("EP on") != std::string::npos)
        said = ranks;
    return std::clamp(static_cast<int>(said), 1, std::max(ranks, 1));
}

// Fills what the row does not say from what it does: tp x pp x dp is the number of GPUs.
std::optional<std::string> layoutOf(const MeasuredRow& row, const std::string& notes, const Llm& llm,
                                    Layout& layout)
{
    if (!row.gpus && !row.tp)
        return "neither the number of GPUs nor the tensor-parallel width is stated";
    const int gpus = row.gpus.value_or(row.tp.value_or(1) * row.pp.value_or(1) * row.dp.value_or(1));
    layout.pp = std::max(1, row.pp.value_or(1));
    const int dp = std::max(1, row.dp.value_or(1));
    layout.tp = std::max(1, row.tp.value_or(gpus / std::max(1, layout.pp * dp)));
    if (layout.tp * layout.pp * dp != gpus)
        return fmt::format("tp {} x pp {} x dp {} is not the stated number of GPUs, {}", layout.tp, layout.pp,
                           dp, gpus);
    layout.ep = expertRanks(notes, layout.tp * dp);
    const bool moe = std::any_of(llm.kinds.begin(), llm.kinds.end(),
                                 [](const LayerKind& kind) { return kind.mlp.kind == MlpKind::Moe; });
    if (moe && dp == 1 && notes.find("enable_attention_dp") != std::string::npos) {
        // The stated width is that of the experts; attention runs copied on every rank of it.
        layout.dp = layout.tp;
        layout.ep = layout.tp;
        layout.tp = 1;
        layout.replicas = 1;
        return std::nullopt;
    }
    // Ranks that share nothing are replicas; data-parallel attention joins them in the experts.
    if (!moe)
        layout.ep = 1;
    const bool joined = dp > 1 && (layout.ep > 1 || numberAfter(notes, "attention_dp=").value_or(1) > 1);
    layout.dp = joined ? dp : 1;
    layout.replicas = joined ? 1 : dp;
    return std::nullopt;
}

struct Types {
    DType weights = DType::Bf16;
    DType kv = DType::Bf16;
};

std::optional<std::string> typesOf(const MeasuredRow& row, const Llm& llm, const Gpu& gpu,
                                   const Engine& engine, Types& types, std::string& assumed)
{
    std::optional<DType> weights = storedTypeOf(row.weightDtype);
    if (row.weightDtype.empty()) {
        // Who serves a model by its name gets the checkpoint that was published under it.
        weights = llm.nativeQuantization ? llm.nativeQuantization->type : llm.nativeType;
        assumed = fmt::format("weights in {}, as published: the row does not say", name(*weights));
    }
    if (!weights)
        return "no known type of weights: " + row.weightDtype;
    types.weights = *weights;
    const std::string kv = lower(row.kvDtype);
    if (kv.empty() || kv == "auto" || kv == "not stated") {
        // Unsaid: engines store the cache in 16 bit unless they are told otherwise, which public launch
        // scripts do on cards with FP4 arithmetic (SemiAnalysisAI/InferenceX: benchmarks/single_node) and
        // TensorRT-LLM's own tables everywhere, where activations are narrow too.
        const MathUnit unit = computeUnitFor(*weights, gpu);
        const bool told = gpu.has(MathUnit::Fp4) || engine.fusesQuantise;
        const bool narrow = told && (unit == MathUnit::Fp8 || unit == MathUnit::Fp4);
        const bool can
            = std::find(engine.kvTypes.begin(), engine.kvTypes.end(), DType::Fp8) != engine.kvTypes.end();
        types.kv = narrow && can && kv.empty() ? DType::Fp8 : DType::Bf16;
    } else if (const std::optional<DType> stated = storedTypeOf(kv)) {
        types.kv = *stated;
    } else {
        return "no known type of cache: " + row.kvDtype;
    }
    if (bytesPerElement(types.kv) == 2)
        types.kv = llm.nativeType == DType::Fp16 ? DType::Fp16 : DType::Bf16;
    return std::nullopt;
}

std::optional<std::string> loadOf(const MeasuredRow& row, const std::string& notes, const Engine& engine,
                                  RowCase& out)
{
    const MeasuredLoad load = readLoad(row.load);
    out.amount = load.amount;
    const bool fixedBatch = notes.find("static") != std::string::npos
        || notes.find("batched requests") != std::string::npos || engine.scheduler == SchedulerKind::Static;
    switch (load.kind) {
    case LoadKind::Unknown:
        return "the load is not stated in numbers: '" + row.load + "'";
    case LoadKind::Saturated:
        out.kind = RunKind::Saturated;
        break;
    case LoadKind::RequestRate:
        if (!(load.amount > 0))
            return "a request rate of zero or without bound says nothing of the load";
        out.kind = RunKind::OpenLoop;
        break;
    case LoadKind::Burst:
        out.kind = RunKind::Burst;
        break;
    case LoadKind::Concurrency:
        // Latency of a whole request is published for static batches; so is a single sequence.
        out.kind = fixedBatch || load.amount <= 1 || row.metric == Metric::Latency ? RunKind::Static
                                                                                   : RunKind::ClosedLoop;
        if (notes.find("at once") != std::string::npos)
            out.kind = RunKind::Burst;
        break;
    }
    if (out.kind != RunKind::Saturated)
        out.finiteRequests = numberBefore(notes, " requests").value_or(0);
    return std::nullopt;
}

std::optional<std::string> lengthsOfRow(const MeasuredRow& row, const std::string& notes, RowCase& out)
{
    const std::optional<TokenLength> input = readTokenLength(row.inputLength);
    const std::optional<TokenLength> output = readTokenLength(row.outputLength);
    if (!input || !output)
        return "the lengths are not stated in numbers";
    const bool timesOnly = row.metric == Metric::Ttft || row.metric == Metric::Tpot;
    if ((input->bound || output->bound) && !timesOnly)
        return "lengths are only bounded, and throughput depends on their mean";
    const double ratio = numberAfter(notes, "range ratio ").value_or(0);
    const bool chosen = notes.find("real prompts") != std::string::npos;
    const bool synthetic = !chosen && nearRound(input->tokens);
    const auto lengths = [&](const TokenLength& length, auto ofChosen, auto ofAny) {
        if (synthetic || !length.mean)
            return syntheticLengths(length, ratio);
        out.lengthsGuessed = true;
        return chosen ? ofChosen(length.tokens) : ofAny(length.tokens);
    };
    out.prompt = lengths(*input, chosenQuestionLengths, questionLengths);
    out.output = lengths(*output, cutAnswerLengths, answerLengths);
    return std::nullopt;
}

// What was measured had room for one of its requests: where the engine's usual share of the card has not, the
// server was given more than the row says.
void giveRoom(RowCase& run)
{
    constexpr double largestShare = 0.97;
    if (run.options.memoryFraction || run.preset->memoryFraction >= largestShare || memoryOf(run, 1).fits)
        return;
    RowCase wider = run;
    wider.options.memoryFraction = largestShare;
    wider.launched = std::make_shared<const Engine>(launchedWith(*run.preset, wider.options));
    wider.deployment.engine = wider.launched.get();
    if (!memoryOf(wider, 1).fits)
        return;
    wider.assumed += fmt::format(
        "{}{:.0f} % of the memory for the engine: it ran, and the usual share does not hold it",
        wider.assumed.empty() ? "" : "; ", 100 * largestShare);
    run = std::move(wider);
}

} // namespace

std::string_view runName(RunKind kind)
{
    switch (kind) {
    case RunKind::Static:
        return "static batch";
    case RunKind::ClosedLoop:
        return "concurrency";
    case RunKind::Burst:
        return "burst";
    case RunKind::Saturated:
        return "saturated";
    case RunKind::OpenLoop:
        return "request rate";
    }
    return "concurrency";
}

std::optional<DType> storedTypeOf(std::string_view cell)
{
    std::string text = lower(cell);
    text = text.substr(0, text.find(" ("));
    text = text.substr(0, text.find('/'));
    if (const std::optional<DType> whole = dtypeFromName(text))
        return whole;
    // "gptq-int4", "awq-int4 g128", "int8 gptq", "gptq-4bit g128": the type is one of the words, a method's
    // name alone means its usual four bits. Mean widths ("2.5 bpw") are no type of ours.
    if (text.find("bpw") != std::string::npos)
        return std::nullopt;
    std::optional<DType> method;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" -", begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        begin = end + 1;
        if (word == "4bit" || word == "8bit")
            return word == "4bit" ? DType::Int4 : DType::Int8;
        if (word == "awq" || word == "gptq")
            method = DType::Int4;
        else if (const std::optional<DType> type = dtypeFromName(word))
            return type;
    }
    return method;
}

Result<const Engine*> engineOf(const Catalogue& catalogue, const std::string& name,
                               const std::string& version)
{
    std::string part = version;
    while (!part.empty()) {
        if (const Result<NameMatch> match = catalogue.findEngine(name + " " + part))
            return catalogue.engine(match->id);
        const std::size_t cut = part.find_last_of(".-+ ");
        part = cut == std::string::npos ? "" : part.substr(0, cut);
    }
    const Result<NameMatch> match = catalogue.findEngine(name);
    if (!match)
        return refuse(match.error());
    return catalogue.engine(match->id);
}

MemoryPlan memoryOf(const RowCase& run, double sequences)
{
    const double context = run.prompt.mean() + run.output.mean() / 2;
    return planMemory(run.deployment,
                      {.sequences = sequences,
                       .meanContext = context,
                       .maxContext = run.prompt.mean() + run.output.mean()});
}

std::variant<RowCase, std::string> caseOf(const MeasuredRow& row, const Catalogue& catalogue)
{
    const auto gpuName = catalogue.findGpu(row.gpu);
    if (!gpuName)
        return "accelerator: " + firstProblem(gpuName.error());
    const auto modelName = catalogue.findModel(row.model);
    if (!modelName)
        return "model: " + firstProblem(modelName.error());
    if (!modelName->isNamed())
        return fmt::format("model: there is no model '{}'; '{}' is the nearest", row.model, modelName->id);
    const auto engine = engineOf(catalogue, row.engine, row.engineVersion);
    if (!engine)
        return "engine: " + firstProblem(engine.error());
    const auto gpu = catalogue.gpu(gpuName->id);
    if (!gpu)
        return "accelerator: " + firstProblem(gpu.error());
    const auto llm = catalogue.model(modelName->id);
    if (!llm)
        return "model: " + firstProblem(llm.error());
    RowCase out;
    Deployment& d = out.deployment;
    d.llm = *llm;
    d.gpu = *gpu;
    d.engine = *engine;
    Types types;
    for (const std::optional<std::string>& why :
         {layoutOf(row, row.notes, **llm, d.layout), typesOf(row, **llm, **gpu, **engine, types, out.assumed),
          loadOf(row, row.notes, **engine, out), lengthsOfRow(row, row.notes, out)})
        if (why)
            return *why;
    const auto node = usualBox(catalogue, **gpu, d.layout.tp * d.layout.pp * d.layout.dp);
    if (!node)
        return "node: " + firstProblem(node.error());
    d.node = *node;
    if (out.kind == RunKind::Saturated)
        out.finiteRequests = documentedRequests(row.notes, out.prompt.mean(), out.output.mean());
    out.preset = *engine;
    out.options = launchOptions(row.notes);
    if (out.options.any()) {
        out.launched = std::make_shared<const Engine>(launchedWith(**engine, out.options));
        d.engine = out.launched.get();
    }
    d.weights = types.weights;
    d.kv = types.kv;
    d.compute = computeUnitFor(types.weights, **gpu);
    if (const std::string obstacle = layoutObstacle(**llm, d.layout); !obstacle.empty())
        return obstacle;
    const auto efficiency = catalogue.efficiency(**gpu, **engine);
    if (!efficiency)
        return "efficiency: " + firstProblem(efficiency.error());
    d.efficiency = *efficiency;
    out.rateIncludesPrefill = row.notes.find("prefill included") != std::string::npos;
    giveRoom(out);
    return out;
}

} // namespace headroom
