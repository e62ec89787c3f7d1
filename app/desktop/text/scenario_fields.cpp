#include "app/desktop/text/scenario_fields.h"

#include "app/desktop/text/model_text.h"
#include "model/base/scheduler_kind.h"
#include "model/scenario/objective.h"

#include <QCoreApplication>

namespace headroom::app {

namespace {

// Words of the choices, and of what has a picker instead of a field; the keys' own texts stand in the
// scenario.
[[maybe_unused]] const char* const choiceWords[] = {QT_TRANSLATE_NOOP("ScenarioField", "chunked-prefill"),
                                                    QT_TRANSLATE_NOOP("ScenarioField", "prefill-first"),
                                                    QT_TRANSLATE_NOOP("ScenarioField", "static"),
                                                    QT_TRANSLATE_NOOP("ScenarioField", "no"),
                                                    QT_TRANSLATE_NOOP("ScenarioField", "try"),
                                                    QT_TRANSLATE_NOOP("ScenarioField", "only"),
                                                    QT_TRANSLATE_NOOP("ScenarioField", "yes"),
                                                    QT_TRANSLATE_NOOP("ScenarioField", "on-demand"),
                                                    QT_TRANSLATE_NOOP("ScenarioField", "reserved"),
                                                    QT_TRANSLATE_NOOP("ScenarioField", "spot"),
                                                    QT_TRANSLATE_NOOP("ScenarioField", "any"),
                                                    QT_TRANSLATE_NOOP("ScenarioField", "family"),
                                                    QT_TRANSLATE_NOOP("ScenarioField", "measured"),
                                                    QT_TRANSLATE_NOOP("ScenarioField", "online"),
                                                    QT_TRANSLATE_NOOP("ScenarioField", "offline"),
                                                    QT_TRANSLATE_NOOP("ScenarioField", "as-routed"),
                                                    QT_TRANSLATE_NOOP("ScenarioField", "balanced"),
                                                    QT_TRANSLATE_NOOP("ScenarioField", "Model"),
                                                    QT_TRANSLATE_NOOP("ScenarioField", "GPU"),
                                                    QT_TRANSLATE_NOOP("ScenarioField", "Box")};

// Keys are literals, and end as such.
std::vector<const char*> objectiveChoices()
{
    std::vector<const char*> keys;
    for (const Objective objective : allObjectives)
        keys.push_back(objectiveKey(objective).data());
    return keys;
}
std::vector<const char*> schedulers()
{
    std::vector<const char*> names{""};
    for (const SchedulerKind kind : allSchedulers)
        names.push_back(schedulerName(kind).data());
    return names;
}

FieldSpec field(const char* key, const char* label, const char* help)
{
    return {.key = key, .label = label, .help = help};
}

// The spec with one thing changed.
template <typename Change>
FieldSpec changed(FieldSpec spec, Change change)
{
    change(spec);
    return spec;
}

} // namespace

FieldSpec FieldSpec::in(const char* name) const
{
    return changed(*this, [=](FieldSpec& spec) { spec.unit = name; });
}
FieldSpec FieldSpec::dialled(double low, double high) const
{
    return changed(*this, [=](FieldSpec& spec) {
        spec.sliderLow = low;
        spec.sliderHigh = high;
    });
}
FieldSpec FieldSpec::dialledEvenly(double low, double high) const
{
    return changed(dialled(low, high), [](FieldSpec& spec) { spec.sliderLogarithmic = false; });
}
FieldSpec FieldSpec::inWholes() const
{
    return changed(*this, [](FieldSpec& spec) { spec.whole = true; });
}
FieldSpec FieldSpec::asPerCent() const
{
    return changed(*this, [](FieldSpec& spec) {
        spec.perCent = true;
        spec.unit = QT_TRANSLATE_NOOP("ScenarioField", "%");
    });
}
FieldSpec FieldSpec::oneOf(std::vector<const char*> texts) const
{
    return changed(*this, [&](FieldSpec& spec) { spec.choices = std::move(texts); });
}

// Ranges of sliders are what people dial through; any right value can be typed.
std::vector<SectionSpec> scenarioSections()
{
    const std::vector<const char*> types{"",      "bf16", "fp8",  "int8", "int4",  "mxfp4",
                                         "nvfp4", "fp16", "fp32", "q8_0", "q4_k_m"};
    const std::vector<const char*> kvTypes{"", "bf16", "fp8", "int8", "fp16"};
    const std::vector<const char*> units{"", "bf16", "fp16", "fp8", "int8", "fp4", "tf32", "fp32"};
    return {
        {QT_TRANSLATE_NOOP("ScenarioField", "Model"),
         true,
         {field("weights", QT_TRANSLATE_NOOP("ScenarioField", "Weights"),
                QT_TRANSLATE_NOOP("ScenarioField", "How weights are stored"))
              .oneOf(types),
          field("kv", QT_TRANSLATE_NOOP("ScenarioField", "KV cache"),
                QT_TRANSLATE_NOOP("ScenarioField", "How the KV cache is stored"))
              .oneOf(kvTypes),
          field("keep-16bit", QT_TRANSLATE_NOOP("ScenarioField", "Kept in 16 bits"),
                QT_TRANSLATE_NOOP("ScenarioField",
                                  "Layers that a narrow checkpoint leaves in 16 bits: attention, mlp, "
                                  "shared-experts")),
          field("state", QT_TRANSLATE_NOOP("ScenarioField", "Recurrent state"),
                QT_TRANSLATE_NOOP("ScenarioField", "How the state of recurrent layers is stored"))
              .oneOf({"", "fp32", "bf16", "fp16"}),
          field("compute", QT_TRANSLATE_NOOP("ScenarioField", "Arithmetic"),
                QT_TRANSLATE_NOOP("ScenarioField", "Arithmetic of the matrix products"))
              .oneOf(units),
          field("allow", QT_TRANSLATE_NOOP("ScenarioField", "Types to try"),
                QT_TRANSLATE_NOOP("ScenarioField",
                                  "Number types that a search may try besides, with commas: fp8,int4"))}},
        {QT_TRANSLATE_NOOP("ScenarioField", "Machine"),
         true,
         {field("gpus", QT_TRANSLATE_NOOP("ScenarioField", "GPUs in all"),
                QT_TRANSLATE_NOOP("ScenarioField",
                                  "Accelerators in the whole service; empty: as many as needed"))
              .dialled(1, 64)
              .inWholes(),
          field("engine", QT_TRANSLATE_NOOP("ScenarioField", "Engine"),
                QT_TRANSLATE_NOOP("ScenarioField", "Serving engine; 'ideal' is the physical floor"))
              .oneOf({"vllm"}),
          field("engine-version", QT_TRANSLATE_NOOP("ScenarioField", "Its version"),
                QT_TRANSLATE_NOOP("ScenarioField",
                                  "Of the engine's build, or the month it is of: 0.11.0, 2025-10; empty: the "
                                  "newest that is known")),
          field("disaggregate", QT_TRANSLATE_NOOP("ScenarioField", "Prompts apart"),
                QT_TRANSLATE_NOOP("ScenarioField",
                                  "Prompts on GPUs of their own, their cache sent to those that decode"))
              .oneOf({"no", "try", "only"}),
          field("prefill-gpu", QT_TRANSLATE_NOOP("ScenarioField", "GPU for prompts"),
                QT_TRANSLATE_NOOP("ScenarioField",
                                  "Accelerator of the pool that computes prompts; empty: the same")),
          field("tune", QT_TRANSLATE_NOOP("ScenarioField", "Tune the engine"),
                QT_TRANSLATE_NOOP("ScenarioField",
                                  "Whether a search may try other batch limits and chunk sizes"))
              .oneOf({"no", "yes"})}},
        {QT_TRANSLATE_NOOP("ScenarioField", "Traffic"),
         true,
         {field("prompt", QT_TRANSLATE_NOOP("ScenarioField", "Prompt"),
                QT_TRANSLATE_NOOP("ScenarioField",
                                  "A length, or a distribution such as lognormal:mean=1155,p99=7000"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "tokens"))
              .dialled(64, 131072)
              .inWholes(),
          field("output", QT_TRANSLATE_NOOP("ScenarioField", "Output"),
                QT_TRANSLATE_NOOP("ScenarioField", "A length, or a distribution such as uniform:128-2048"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "tokens"))
              .dialled(16, 16384)
              .inWholes(),
          field("concurrency", QT_TRANSLATE_NOOP("ScenarioField", "Users at once"),
                QT_TRANSLATE_NOOP("ScenarioField", "Requests in flight in the whole service"))
              .dialled(1, 4096)
              .inWholes(),
          field("rps", QT_TRANSLATE_NOOP("ScenarioField", "Requests"),
                QT_TRANSLATE_NOOP("ScenarioField", "Arriving in the whole service each second"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "per s"))
              .dialled(0.1, 200),
          field("prefix-cached", QT_TRANSLATE_NOOP("ScenarioField", "Prefix cached"),
                QT_TRANSLATE_NOOP("ScenarioField", "Share of the prompt found in the prefix cache"))
              .asPerCent()
              .dialledEvenly(0, 95)}},
        {QT_TRANSLATE_NOOP("ScenarioField", "Targets"),
         true,
         {field("tps", QT_TRANSLATE_NOOP("ScenarioField", "Speed for each user"),
                QT_TRANSLATE_NOOP("ScenarioField", "Tokens per second in every user's stream"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "tok/s"))
              .dialled(2, 200),
          field("ttft", QT_TRANSLATE_NOOP("ScenarioField", "First token within"),
                QT_TRANSLATE_NOOP("ScenarioField", "Time from asking to the first token"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "s"))
              .dialled(0.05, 20),
          field("tpot", QT_TRANSLATE_NOOP("ScenarioField", "Each token within"),
                QT_TRANSLATE_NOOP("ScenarioField", "Time between two tokens of a stream"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "s")),
          field("latency", QT_TRANSLATE_NOOP("ScenarioField", "Answer within"),
                QT_TRANSLATE_NOOP("ScenarioField", "Time from asking to the last token"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "s")),
          field("percentile", QT_TRANSLATE_NOOP("ScenarioField", "For"),
                QT_TRANSLATE_NOOP("ScenarioField", "Share of the requests that must meet the targets"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "% of requests"))
              .dialledEvenly(50, 99)
              .inWholes()}},
        {QT_TRANSLATE_NOOP("ScenarioField", "Other loads"),
         false,
         {field("messages-per-minute", QT_TRANSLATE_NOOP("ScenarioField", "Messages"),
                QT_TRANSLATE_NOOP("ScenarioField", "That each of the users sends"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "per minute")),
          field("tokens-per-month", QT_TRANSLATE_NOOP("ScenarioField", "Tokens a month"),
                QT_TRANSLATE_NOOP("ScenarioField",
                                  "Of prompts and answers together, in the whole service: 2B")),
          field("job-tokens", QT_TRANSLATE_NOOP("ScenarioField", "Tokens of a job"),
                QT_TRANSLATE_NOOP("ScenarioField",
                                  "A job of so many tokens, prompts and answers together: 1B")),
          field("job-requests", QT_TRANSLATE_NOOP("ScenarioField", "Requests of a job"),
                QT_TRANSLATE_NOOP("ScenarioField", "A job of so many requests: 5M")),
          field("deadline", QT_TRANSLATE_NOOP("ScenarioField", "Done within"),
                QT_TRANSLATE_NOOP("ScenarioField", "By which a job must be done: 8h, 7d"))}},
        {QT_TRANSLATE_NOOP("ScenarioField", "Limits and evidence"),
         false,
         {field("evidence", QT_TRANSLATE_NOOP("ScenarioField", "Rests on"),
                QT_TRANSLATE_NOOP("ScenarioField",
                                  "What figures may rest on: estimates too, timings of the family, or of the "
                                  "very accelerator"))
              .oneOf({"any", "family", "measured"}),
          field("max-gpus", QT_TRANSLATE_NOOP("ScenarioField", "GPUs at most"),
                QT_TRANSLATE_NOOP("ScenarioField", "Most accelerators that the service may have"))
              .inWholes(),
          field("max-boxes", QT_TRANSLATE_NOOP("ScenarioField", "Boxes at most"),
                QT_TRANSLATE_NOOP("ScenarioField", "Most boxes that the service may have"))
              .inWholes(),
          field("power-cap", QT_TRANSLATE_NOOP("ScenarioField", "Power at most"),
                QT_TRANSLATE_NOOP("ScenarioField", "Most that the machines may draw with everything busy"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "kW")),
          field("node", QT_TRANSLATE_NOOP("ScenarioField", "Box"),
                QT_TRANSLATE_NOOP("ScenarioField",
                                  "The box they stand in; empty: the usual one of the accelerator")),
          field("gpus-per-box", QT_TRANSLATE_NOOP("ScenarioField", "GPUs in a box"),
                QT_TRANSLATE_NOOP("ScenarioField", "Accelerators in each box; empty: as many as it holds"))
              .inWholes(),
          field("storage", QT_TRANSLATE_NOOP("ScenarioField", "Storage"),
                QT_TRANSLATE_NOOP("ScenarioField", "At which a box reads weights; empty: its own"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "GB/s")),
          field("allow-weights", QT_TRANSLATE_NOOP("ScenarioField", "For weights only"),
                QT_TRANSLATE_NOOP("ScenarioField", "Number types that a search may try for the weights")),
          field("allow-kv", QT_TRANSLATE_NOOP("ScenarioField", "For the KV cache only"),
                QT_TRANSLATE_NOOP("ScenarioField", "Number types that a search may try for the KV cache"))}},
        {QT_TRANSLATE_NOOP("ScenarioField", "Money"),
         false,
         {field("objective", QT_TRANSLATE_NOOP("ScenarioField", "Look for"),
                QT_TRANSLATE_NOOP("ScenarioField", "What the best answer is"))
              .oneOf(objectiveChoices()),
          field("price", QT_TRANSLATE_NOOP("ScenarioField", "GPU price"),
                QT_TRANSLATE_NOOP("ScenarioField",
                                  "Rent of one GPU for an hour; empty: the catalogue's cloud price"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "US$/h"))
              .dialled(0.2, 20),
          field("budget", QT_TRANSLATE_NOOP("ScenarioField", "Budget"),
                QT_TRANSLATE_NOOP("ScenarioField", "Most the service may cost an hour"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "US$/h")),
          field("buy", QT_TRANSLATE_NOOP("ScenarioField", "Buy"),
                QT_TRANSLATE_NOOP("ScenarioField", "Purchase price, power and electricity in place of rent"))
              .oneOf({"no", "yes"}),
          field("purchase", QT_TRANSLATE_NOOP("ScenarioField", "Purchase price"),
                QT_TRANSLATE_NOOP("ScenarioField", "Price of one GPU when it is bought"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "US$ per GPU")),
          field("purchase-budget", QT_TRANSLATE_NOOP("ScenarioField", "Purchase budget"),
                QT_TRANSLATE_NOOP("ScenarioField", "Most that all GPUs may cost when they are bought"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "US$")),
          field("amortisation", QT_TRANSLATE_NOOP("ScenarioField", "Written off over"),
                QT_TRANSLATE_NOOP("ScenarioField", "Years over which a purchase is written off"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "years")),
          field("electricity", QT_TRANSLATE_NOOP("ScenarioField", "Electricity"),
                QT_TRANSLATE_NOOP("ScenarioField", "Price of electricity"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "US$/kWh")),
          field("pue", QT_TRANSLATE_NOOP("ScenarioField", "PUE"),
                QT_TRANSLATE_NOOP("ScenarioField", "Power of the building over that of the machines")),
          field("provider", QT_TRANSLATE_NOOP("ScenarioField", "Provider"),
                QT_TRANSLATE_NOOP("ScenarioField",
                                  "Whose prices: an offer of the accelerator; empty: the usual ones")),
          field(
              "price-kind", QT_TRANSLATE_NOOP("ScenarioField", "Kind of price"),
              QT_TRANSLATE_NOOP("ScenarioField", "On demand, reserved for a term, or taken back at any time"))
              .oneOf({"", "on-demand", "reserved", "spot"}),
          field("hours-per-day", QT_TRANSLATE_NOOP("ScenarioField", "Hours a day"),
                QT_TRANSLATE_NOOP("ScenarioField", "That the machines run"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "h"))
              .dialledEvenly(1, 24),
          field("days-per-week", QT_TRANSLATE_NOOP("ScenarioField", "Days a week"),
                QT_TRANSLATE_NOOP("ScenarioField", "That the machines run"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "days"))
              .dialledEvenly(1, 7),
          field("years", QT_TRANSLATE_NOOP("ScenarioField", "Costs over"),
                QT_TRANSLATE_NOOP("ScenarioField",
                                  "Years that costs are told over; empty: those of the purchase"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "years")),
          field("server", QT_TRANSLATE_NOOP("ScenarioField", "Server price"),
                QT_TRANSLATE_NOOP("ScenarioField", "One box without its accelerators, when it is bought"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "US$ per box")),
          field("hosting", QT_TRANSLATE_NOOP("ScenarioField", "Room"),
                QT_TRANSLATE_NOOP("ScenarioField", "Room for a kilowatt and month, without its electricity"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "US$/kW a month")),
          field("staff", QT_TRANSLATE_NOOP("ScenarioField", "People and repairs"),
                QT_TRANSLATE_NOOP("ScenarioField", "Of the purchase in a year: people, repairs, insurance"))
              .asPerCent(),
          field("residual", QT_TRANSLATE_NOOP("ScenarioField", "Got back"),
                QT_TRANSLATE_NOOP("ScenarioField", "Of the purchase that is got back in the end"))
              .asPerCent(),
          field("interest", QT_TRANSLATE_NOOP("ScenarioField", "Interest"),
                QT_TRANSLATE_NOOP("ScenarioField",
                                  "In a year, of a loan that pays the purchase; none: it is paid at once"))
              .asPerCent(),
          field("api-price", QT_TRANSLATE_NOOP("ScenarioField", "Price of an API"),
                QT_TRANSLATE_NOOP("ScenarioField",
                                  "Dollars for a million tokens, in and out, to weigh against: 0.5/1.5"))}},
        {QT_TRANSLATE_NOOP("ScenarioField", "Layout"),
         false,
         {field("tp", QT_TRANSLATE_NOOP("ScenarioField", "Tensor parallel"),
                QT_TRANSLATE_NOOP("ScenarioField", "GPUs that share every layer"))
              .dialled(1, 16)
              .inWholes(),
          field("pp", QT_TRANSLATE_NOOP("ScenarioField", "Pipeline stages"),
                QT_TRANSLATE_NOOP("ScenarioField", "Groups of layers on different GPUs"))
              .dialled(1, 16)
              .inWholes(),
          field("ep", QT_TRANSLATE_NOOP("ScenarioField", "Expert parallel"),
                QT_TRANSLATE_NOOP("ScenarioField", "GPUs that experts are spread over"))
              .inWholes(),
          field("redundant-experts", QT_TRANSLATE_NOOP("ScenarioField", "Redundant experts"),
                QT_TRANSLATE_NOOP("ScenarioField", "Further copies of experts, spread with the others"))
              .inWholes(),
          field(
              "expert-balance", QT_TRANSLATE_NOOP("ScenarioField", "Experts' load"),
              QT_TRANSLATE_NOOP("ScenarioField", "As tokens are routed, or moved by a load balancer (EPLB)"))
              .oneOf({"as-routed", "balanced"}),
          field(
              "overlap-batches", QT_TRANSLATE_NOOP("ScenarioField", "Overlapped batches"),
              QT_TRANSLATE_NOOP("ScenarioField",
                                "Two micro-batches: one exchanges experts' tokens while the other computes"))
              .oneOf({"no", "yes"}),
          field("dynamic-chunks", QT_TRANSLATE_NOOP("ScenarioField", "Shrinking parts"),
                QT_TRANSLATE_NOOP(
                    "ScenarioField",
                    "Parts of a long prompt grow shorter, so that each takes as long in a pipeline"))
              .oneOf({"no", "yes"}),
          field("dp", QT_TRANSLATE_NOOP("ScenarioField", "Attention ranks"),
                QT_TRANSLATE_NOOP("ScenarioField", "Data-parallel attention ranks inside a replica"))
              .inWholes(),
          field("replicas", QT_TRANSLATE_NOOP("ScenarioField", "Replicas"),
                QT_TRANSLATE_NOOP("ScenarioField", "Independent copies of the service"))
              .dialled(1, 64)
              .inWholes(),
          field("layouts", QT_TRANSLATE_NOOP("ScenarioField", "Layouts to weigh"),
                QT_TRANSLATE_NOOP("ScenarioField", "Which of them is better is told: tp8pp2,tp16")),
          field("prefill-tp", QT_TRANSLATE_NOOP("ScenarioField", "Prompts: tensor par."),
                QT_TRANSLATE_NOOP("ScenarioField", "GPUs that share every layer in the pool for prompts"))
              .inWholes(),
          field("prefill-pp", QT_TRANSLATE_NOOP("ScenarioField", "Prompts: stages"),
                QT_TRANSLATE_NOOP("ScenarioField", "Pipeline stages in the pool for prompts"))
              .inWholes(),
          field(
              "prefill-ep", QT_TRANSLATE_NOOP("ScenarioField", "Prompts: expert par."),
              QT_TRANSLATE_NOOP("ScenarioField", "GPUs that experts are spread over in the pool for prompts"))
              .inWholes(),
          field("prefill-dp", QT_TRANSLATE_NOOP("ScenarioField", "Prompts: attention ranks"),
                QT_TRANSLATE_NOOP("ScenarioField", "Data-parallel attention ranks in the pool for prompts"))
              .inWholes(),
          field("prefill-replicas", QT_TRANSLATE_NOOP("ScenarioField", "Prompts: replicas"),
                QT_TRANSLATE_NOOP("ScenarioField", "Replicas of the pool for prompts"))
              .inWholes(),
          field("batch", QT_TRANSLATE_NOOP("ScenarioField", "Batch"),
                QT_TRANSLATE_NOOP("ScenarioField", "Concurrent sequences in one replica"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "per replica"))
              .dialled(1, 512)
              .inWholes()}},
        {QT_TRANSLATE_NOOP("ScenarioField", "Capacity"),
         false,
         {field("headroom", QT_TRANSLATE_NOOP("ScenarioField", "Kept free"),
                QT_TRANSLATE_NOOP("ScenarioField", "Share of capacity kept free"))
              .asPerCent()
              .dialledEvenly(0, 50),
          field("peak-factor", QT_TRANSLATE_NOOP("ScenarioField", "Peak over mean"),
                QT_TRANSLATE_NOOP("ScenarioField", "Busy hour over the stated load"))
              .dialled(1, 10),
          field("spares", QT_TRANSLATE_NOOP("ScenarioField", "Spare replicas"),
                QT_TRANSLATE_NOOP("ScenarioField", "Replicas that may fail"))
              .inWholes(),
          field("growth", QT_TRANSLATE_NOOP("ScenarioField", "Growth"),
                QT_TRANSLATE_NOOP("ScenarioField", "Of the load in a year"))
              .asPerCent()}},
        {QT_TRANSLATE_NOOP("ScenarioField", "Engine settings"),
         false,
         {field("scheduler", QT_TRANSLATE_NOOP("ScenarioField", "Scheduler"),
                QT_TRANSLATE_NOOP("ScenarioField", "How requests become batches"))
              .oneOf(schedulers()),
          field("gpu-memory-fraction", QT_TRANSLATE_NOOP("ScenarioField", "Memory fraction"),
                QT_TRANSLATE_NOOP("ScenarioField", "Share of a card that the engine may fill"))
              .asPerCent(),
          field("max-batched-tokens", QT_TRANSLATE_NOOP("ScenarioField", "Tokens in a step"),
                QT_TRANSLATE_NOOP("ScenarioField", "Largest step of the engine"))
              .inWholes(),
          field("max-sequences", QT_TRANSLATE_NOOP("ScenarioField", "Sequences at once"),
                QT_TRANSLATE_NOOP("ScenarioField", "Running at once in a replica"))
              .inWholes(),
          field("block-size", QT_TRANSLATE_NOOP("ScenarioField", "KV page"),
                QT_TRANSLATE_NOOP("ScenarioField", "Page of the KV cache"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "tokens"))
              .inWholes(),
          field("eager", QT_TRANSLATE_NOOP("ScenarioField", "No graphs"),
                QT_TRANSLATE_NOOP("ScenarioField",
                                  "Kernels are launched one by one, the engine captures no graphs"))
              .oneOf({"no", "yes"}),
          field(
              "receive-interval", QT_TRANSLATE_NOOP("ScenarioField", "Looks at arrivals"),
              QT_TRANSLATE_NOOP("ScenarioField", "Steps between two looks of the engine at what has arrived"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "steps"))
              .inWholes(),
          field("prompt-wait", QT_TRANSLATE_NOOP("ScenarioField", "Prompts wait"),
                QT_TRANSLATE_NOOP("ScenarioField", "For others, at most so many steps"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "steps"))
              .inWholes(),
          field("prompt-wait-share", QT_TRANSLATE_NOOP("ScenarioField", "Prompts enough"),
                QT_TRANSLATE_NOOP("ScenarioField", "Share of the largest step at which they wait no longer")),
          field(
              "spec-decode", QT_TRANSLATE_NOOP("ScenarioField", "Speculation"),
              QT_TRANSLATE_NOOP("ScenarioField", "draft:MODEL:g=4,a=0.7, ngram:g=4,a=0.4 or mtp:g=1,a=0.8")),
          field("lora-adapters", QT_TRANSLATE_NOOP("ScenarioField", "LoRA adapters"),
                QT_TRANSLATE_NOOP("ScenarioField", "Kept on the GPUs"))
              .inWholes(),
          field("lora-rank", QT_TRANSLATE_NOOP("ScenarioField", "LoRA rank"),
                QT_TRANSLATE_NOOP("ScenarioField", "Rank of the adapters"))
              .inWholes(),
          field("beams", QT_TRANSLATE_NOOP("ScenarioField", "Beams"),
                QT_TRANSLATE_NOOP("ScenarioField", "Width of beam search"))
              .inWholes(),
          field(
              "overhead", QT_TRANSLATE_NOOP("ScenarioField", "Compute overhead"),
              QT_TRANSLATE_NOOP("ScenarioField", "Multiplies compute, as privacy-preserving inference does"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "factor")),
          field("prefill-skipped", QT_TRANSLATE_NOOP("ScenarioField", "Prefill skipped"),
                QT_TRANSLATE_NOOP("ScenarioField", "Prefill compute saved by the model's design"))
              .asPerCent(),
          field(
              "calibration", QT_TRANSLATE_NOOP("ScenarioField", "Calibration"),
              QT_TRANSLATE_NOOP("ScenarioField", "File with measured efficiencies of a machine of yours"))}},
        {QT_TRANSLATE_NOOP("ScenarioField", "Simulation"),
         false,
         {field("traffic", QT_TRANSLATE_NOOP("ScenarioField", "Arrivals"),
                QT_TRANSLATE_NOOP("ScenarioField", "poisson, constant, gamma:cv=2, weibull:… or closed")),
          field("load-tool", QT_TRANSLATE_NOOP("ScenarioField", "Load tool"),
                QT_TRANSLATE_NOOP("ScenarioField",
                                  "The load as a benchmark client sends it: all users at once, or a rate "
                                  "with so many users in flight at most; lengths as stated, every request "
                                  "counted"))
              .oneOf({"no", "online", "offline"}),
          field("trace", QT_TRANSLATE_NOOP("ScenarioField", "Trace"),
                QT_TRANSLATE_NOOP("ScenarioField", "Arrivals and lengths as recorded"))
              .in(QT_TRANSLATE_NOOP("ScenarioField", "file")),
          field("requests", QT_TRANSLATE_NOOP("ScenarioField", "Requests"),
                QT_TRANSLATE_NOOP("ScenarioField", "Simulated in one run"))
              .inWholes(),
          field("seed", QT_TRANSLATE_NOOP("ScenarioField", "Seed"),
                QT_TRANSLATE_NOOP("ScenarioField", "Of random arrivals and lengths"))
              .inWholes()}},
    };
}

QString fieldText(const char* text) { return QCoreApplication::translate("ScenarioField", text); }

QString scenarioKeyTitle(std::string_view key)
{
    for (const auto& [name, title] : {std::pair("model", "Model"), std::pair("gpu", "GPU")})
        if (key == name)
            return fieldText(title);
    for (const SectionSpec& section : scenarioSections())
        for (const FieldSpec& field : section.fields)
            if (key == field.key)
                return fieldText(field.label)
                    + (*field.unit != 0 ? QStringLiteral(" (%1)").arg(fieldText(field.unit)) : QString());
    return QString::fromUtf8(key.data(), static_cast<qsizetype>(key.size()));
}

namespace {

QString scaled(const QString& number, double factor)
{
    bool isNumber = false;
    const double value = number.toDouble(&isNumber);
    constexpr int digits = 6;
    return isNumber ? QString::number(value * factor, 'g', digits) : number;
}

} // namespace

QString sharePerCent(const QString& share) { return scaled(share, 100); }
QString shareOfPerCent(const QString& perCent) { return scaled(perCent, 0.01); }

QString scenarioValueText(std::string_view key, const std::string& value)
{
    if (const auto objective = key == "objective" ? objectiveFromKey(value) : std::nullopt) {
        const std::string_view words
            = speaksChinese() ? objectiveRow(*objective)->chinese : objectiveRow(*objective)->english;
        return QString::fromUtf8(words.data(), qsizetype(words.size()));
    }
    for (const SectionSpec& section : scenarioSections())
        for (const FieldSpec& field : section.fields)
            if (key == field.key && !field.choices.empty())
                return fieldText(value.c_str());
            else if (key == field.key && field.perCent)
                return sharePerCent(QString::fromStdString(value));
    return QString::fromStdString(value);
}

} // namespace headroom::app
