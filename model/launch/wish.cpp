#include "model/launch/wish.h"

#include "model/closed_form/step_budget.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom::launching {

namespace {

// The longest sequence the plan had room for, in whole blocks of 256, never beyond what the model was made
// for.
std::int64_t plannedSequence(const Resolved& r)
{
    const double tokens = r.scenario.prompt.quantile(0.99) + r.scenario.output.quantile(0.99);
    return static_cast<std::int64_t>(std::ceil(tokens / 256) * 256);
}

} // namespace

std::int64_t longestSequence(const Resolved& r)
{
    const std::int64_t most = r.deployment.llm->maxContext;
    return most > 0 ? std::min(plannedSequence(r), most) : plannedSequence(r);
}

std::optional<Message> lengthNote(const Resolved& r)
{
    const std::int64_t planned = plannedSequence(r);
    const std::int64_t most = r.deployment.llm->maxContext;
    if (most > 0 && planned == most)
        return std::nullopt;
    return most > 0 && planned > most
        ? say("requests of at most {} tokens, prompt and answer together, which {} was made for: "
              "the server refuses longer ones, and up to {} were planned",
              most, r.deployment.llm->name, planned)
        : say("requests of at most {} tokens, prompt and answer together, as planned: "
              "the server refuses longer ones",
              planned);
}

std::string checkpoint(const Llm& llm) { return llm.hfId.empty() ? llm.id : llm.hfId; }

void refuseOptions(Wish& w)
{
    const auto judge = [&w](const Llm& llm) {
        const std::string name = checkpoint(llm);
        const bool control
            = std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < ' ' || c == 0x7F; });
        if (name.starts_with('-') || control)
            w.refuse(say("the checkpoint of {} has no name that a program can be given", llm.name),
                     say("hf_id or id of its file: no hyphen at the start, no control characters"));
    };
    judge(*w.d.llm);
    if (w.d.speculative.draft != nullptr)
        judge(*w.d.speculative.draft);
}

DType nativeType(const Llm& llm)
{
    return llm.nativeQuantization ? llm.nativeQuantization->type : llm.nativeType;
}

bool isHalf(DType type) { return type == DType::Bf16 || type == DType::Fp16; }

std::string torchName(DType type)
{
    return type == DType::Bf16 ? "bfloat16"
        : type == DType::Fp16  ? "float16"
        : type == DType::Fp32  ? "float32"
                               : "auto";
}

void weightType(Wish& w, const std::string& quantizationFlag, const std::string& dtypeFlag)
{
    const DType native = nativeType(*w.d.llm);
    if (w.d.weights == native || (isHalf(w.d.weights) && isHalf(native))) {
        w.flag(dtypeFlag, isHalf(w.d.weights) ? torchName(w.d.weights) : "auto");
        return;
    }
    w.flag(dtypeFlag, "auto");
    if (w.d.weights == DType::Fp8 && isHalf(native))
        w.flag(quantizationFlag, "fp8");
    else
        w.command.notes.push_back(say("the checkpoint is {}: give one quantised to {} instead of {}",
                                      asIs(name(native)), asIs(name(w.d.weights)), checkpoint(*w.d.llm)));
}

std::string cacheType(Wish& w, std::initializer_list<std::pair<DType, const char*>> words, const char* flag)
{
    for (const auto& [type, word] : words)
        if (type == w.d.kv)
            return word;
    if (!isHalf(w.d.kv))
        w.refuse(say("{} of {} has no word for a KV cache in {}", asIs(flag), w.d.engine->name,
                     asIs(name(w.d.kv))),
                 say("--kv fp8, or none"));
    return "auto";
}

std::string ratio(double value) { return fmt::format("{:.4g}", value); }

void limits(Wish& w, const char* sequences, const char* tokens)
{
    if (w.d.engine->maxSequences > 0)
        w.flag(sequences, w.d.engine->maxSequences);
    const double prompt = w.resolved.scenario.prompt.quantile(0.99);
    if (const double budget = stepBudget(w.d, prompt, w.resolved.load.batch / w.d.layout.dp); budget > 0)
        w.flag(tokens, std::llround(budget));
}

void noteExpertKernels(Wish& w, const std::string& flag)
{
    const Layout& l = w.d.layout;
    const LinkTopology among = w.d.node->intra.topology;
    const bool severalNodes = l.ep > std::max(1, w.d.node->gpusPerNode);
    const bool overHost = among == LinkTopology::Pcie || among == LinkTopology::Pairs;
    if (l.dp <= 1 || l.ep <= 1 || (overHost && !severalNodes)) // nothing sent, or planned as gathered
        return;
    w.command.notes.push_back(say("planned with kernels that send a token only to the ranks of its "
                                  "experts: {} asks for them where they are installed and take the "
                                  "checkpoint's type; without, every rank gets all tokens, which "
                                  "takes longer",
                                  asIs(flag)));
}

void oneNodeOnly(Wish& w)
{
    if (w.command.nodes > 1)
        w.refuse(say("{} runs a replica on one node only", w.d.engine->name),
                 say("a smaller layout, or vllm, sglang, tensorrt-llm"));
}

void capturedStepsOnly(Wish& w)
{
    if (w.resolved.scenario.eager)
        w.refuse(say("no flag is known that keeps {} from capturing graphs", w.d.engine->name),
                 say("without --eager, or vllm, sglang"));
}

std::string draftMethod(const SpeculativeDecoding& s)
{
    using Draft = SpeculativeDecoding::Kind;
    return s.kind == Draft::DraftModel && s.draft != nullptr ? "draft_model"
        : s.kind == Draft::NGram                             ? "ngram"
        : s.kind == Draft::Mtp                               ? "mtp"
                                                             : "";
}

} // namespace headroom::launching
