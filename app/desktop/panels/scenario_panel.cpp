#include "app/desktop/panels/scenario_panel.h"

#include "app/desktop/panels/catalogue_rows.h"
#include "app/desktop/panels/length_sketch.h"
#include "app/desktop/panels/picker.h"
#include "app/desktop/panels/scenario_field.h"
#include "app/desktop/session/document.h"
#include "app/desktop/text/quantities.h"
#include "model/plan/scenario_keys.h"
#include "model/plan/scenario_values.h"
#include "model/plan/study.h"
#include "model/yaml/catalogue.h"

#include <QCoreApplication>
#include <QLabel>
#include <QVBoxLayout>

namespace headroom::app {

namespace {

#define FIELD(text) QT_TRANSLATE_NOOP("ScenarioField", text)

struct SectionSpec {
    const char* title;
    bool open;
    std::vector<FieldSpec> fields;
};

// Ranges of sliders are what people dial through; any right value can be typed.
std::vector<SectionSpec> sections()
{
    const std::vector<const char*> types{"",      "bf16", "fp8",  "int8", "int4",  "mxfp4",
                                         "nvfp4", "fp16", "fp32", "q8_0", "q4_k_m"};
    const std::vector<const char*> kvTypes{"", "bf16", "fp8", "int8", "fp16"};
    const std::vector<const char*> units{"", "bf16", "fp16", "fp8", "int8", "fp4", "tf32", "fp32"};
    return {
        {FIELD("Model"),
         true,
         {{"weights", FIELD("Weights"), "", FIELD("How weights are stored"), 0, 0, true, false, types},
          {"kv", FIELD("KV cache"), "", FIELD("How the KV cache is stored"), 0, 0, true, false, kvTypes},
          {"compute", FIELD("Arithmetic"), "", FIELD("Arithmetic of the matrix products"), 0, 0, true, false,
           units}}},
        {FIELD("Machine"),
         true,
         {{"gpus",
           FIELD("GPUs in all"),
           "",
           FIELD("Accelerators in the whole service; empty: as many as needed"),
           1,
           64,
           true,
           true,
           {}},
          {"engine",
           FIELD("Engine"),
           "",
           FIELD("Serving engine; 'ideal' is the physical floor"),
           0,
           0,
           true,
           false,
           {"vllm"}}}},
        {FIELD("Traffic"),
         true,
         {{"prompt",
           FIELD("Prompt"),
           FIELD("tokens"),
           FIELD("A length, or a distribution such as lognormal:mean=1155,p99=7000"),
           64,
           131072,
           true,
           true,
           {}},
          {"output",
           FIELD("Output"),
           FIELD("tokens"),
           FIELD("A length, or a distribution such as uniform:128-2048"),
           16,
           16384,
           true,
           true,
           {}},
          {"concurrency",
           FIELD("Users at once"),
           "",
           FIELD("Requests in flight in the whole service"),
           1,
           4096,
           true,
           true,
           {}},
          {"rps",
           FIELD("Requests"),
           FIELD("per s"),
           FIELD("Arriving in the whole service each second"),
           0.1,
           200,
           true,
           false,
           {}},
          {"prefix-cached",
           FIELD("Prefix cached"),
           FIELD("share"),
           FIELD("Share of the prompt found in the prefix cache"),
           0,
           0.95,
           false,
           false,
           {}}}},
        {FIELD("Targets"),
         true,
         {{"tps",
           FIELD("Speed for each user"),
           FIELD("tok/s"),
           FIELD("Tokens per second in every user's stream"),
           2,
           200,
           true,
           false,
           {}},
          {"ttft",
           FIELD("First token within"),
           FIELD("s"),
           FIELD("Time from asking to the first token"),
           0.05,
           20,
           true,
           false,
           {}},
          {"tpot",
           FIELD("Each token within"),
           FIELD("s"),
           FIELD("Time between two tokens of a stream"),
           0,
           0,
           true,
           false,
           {}},
          {"latency",
           FIELD("Answer within"),
           FIELD("s"),
           FIELD("Time from asking to the last token"),
           0,
           0,
           true,
           false,
           {}},
          {"percentile",
           FIELD("For"),
           FIELD("% of requests"),
           FIELD("Share of the requests that must meet the targets"),
           50,
           99,
           false,
           true,
           {}}}},
        {FIELD("Money"),
         false,
         {{"objective",
           FIELD("Look for"),
           "",
           FIELD("What the best answer is"),
           0,
           0,
           true,
           false,
           {"gpus", "hour", "tokens", "energy", "throughput", "speed"}},
          {"price",
           FIELD("GPU price"),
           FIELD("$/h"),
           FIELD("Rent of one GPU for an hour; empty: the catalogue's cloud price"),
           0.2,
           20,
           true,
           false,
           {}},
          {"budget",
           FIELD("Budget"),
           FIELD("$/h"),
           FIELD("Most the service may cost an hour"),
           0,
           0,
           true,
           false,
           {}},
          {"purchase",
           FIELD("Purchase price"),
           FIELD("$ per GPU"),
           FIELD("Price of one GPU when it is bought"),
           0,
           0,
           true,
           false,
           {}},
          {"amortisation",
           FIELD("Written off over"),
           FIELD("years"),
           FIELD("Years over which a purchase is written off"),
           0,
           0,
           true,
           false,
           {}},
          {"electricity",
           FIELD("Electricity"),
           FIELD("$/kWh"),
           FIELD("Price of electricity"),
           0,
           0,
           true,
           false,
           {}},
          {"pue",
           FIELD("PUE"),
           "",
           FIELD("Power of the building over that of the machines"),
           0,
           0,
           true,
           false,
           {}}}},
        {FIELD("Layout"),
         false,
         {{"tp", FIELD("Tensor parallel"), "", FIELD("GPUs that share every layer"), 1, 16, true, true, {}},
          {"pp",
           FIELD("Pipeline stages"),
           "",
           FIELD("Groups of layers on different GPUs"),
           1,
           16,
           true,
           true,
           {}},
          {"ep",
           FIELD("Expert parallel"),
           "",
           FIELD("GPUs that experts are spread over"),
           0,
           0,
           true,
           true,
           {}},
          {"dp",
           FIELD("Attention ranks"),
           "",
           FIELD("Data-parallel attention ranks inside a replica"),
           0,
           0,
           true,
           true,
           {}},
          {"replicas",
           FIELD("Replicas"),
           "",
           FIELD("Independent copies of the service"),
           1,
           64,
           true,
           true,
           {}},
          {"batch",
           FIELD("Batch"),
           FIELD("per replica"),
           FIELD("Concurrent sequences in one replica"),
           1,
           512,
           true,
           true,
           {}}}},
        {FIELD("Capacity"),
         false,
         {{"headroom",
           FIELD("Kept free"),
           FIELD("share"),
           FIELD("Share of capacity kept free"),
           0,
           0.5,
           false,
           false,
           {}},
          {"peak-factor",
           FIELD("Peak over mean"),
           "",
           FIELD("Busy hour over the stated load"),
           1,
           10,
           true,
           false,
           {}},
          {"spares", FIELD("Spare replicas"), "", FIELD("Replicas that may fail"), 0, 0, true, true, {}},
          {"growth",
           FIELD("Growth"),
           FIELD("per year"),
           FIELD("Of the load in a year: 0.4 is 40 %"),
           0,
           0,
           true,
           false,
           {}}}},
        {FIELD("Engine settings"),
         false,
         {{"scheduler",
           FIELD("Scheduler"),
           "",
           FIELD("How requests become batches"),
           0,
           0,
           true,
           false,
           {"", "chunked-prefill", "prefill-first", "static"}},
          {"gpu-memory-fraction",
           FIELD("Memory fraction"),
           "",
           FIELD("Share of a card that the engine may fill"),
           0,
           0,
           true,
           false,
           {}},
          {"max-batched-tokens",
           FIELD("Tokens in a step"),
           "",
           FIELD("Largest step of the engine"),
           0,
           0,
           true,
           true,
           {}},
          {"max-sequences",
           FIELD("Sequences at once"),
           "",
           FIELD("Running at once in a replica"),
           0,
           0,
           true,
           true,
           {}},
          {"block-size",
           FIELD("KV page"),
           FIELD("tokens"),
           FIELD("Page of the KV cache"),
           0,
           0,
           true,
           true,
           {}},
          {"spec-decode",
           FIELD("Speculation"),
           "",
           FIELD("draft:MODEL:g=4,a=0.7, ngram:g=4,a=0.4 or mtp:g=1,a=0.8"),
           0,
           0,
           true,
           false,
           {}},
          {"lora-adapters", FIELD("LoRA adapters"), "", FIELD("Kept on the GPUs"), 0, 0, true, true, {}},
          {"lora-rank", FIELD("LoRA rank"), "", FIELD("Rank of the adapters"), 0, 0, true, true, {}},
          {"beams", FIELD("Beams"), "", FIELD("Width of beam search"), 0, 0, true, true, {}},
          {"overhead",
           FIELD("Compute overhead"),
           FIELD("factor"),
           FIELD("Multiplies compute, as privacy-preserving inference does"),
           0,
           0,
           true,
           false,
           {}},
          {"prefill-skipped",
           FIELD("Prefill skipped"),
           FIELD("share"),
           FIELD("Prefill compute saved by the model's design"),
           0,
           0,
           true,
           false,
           {}},
          {"calibration",
           FIELD("Calibration"),
           "",
           FIELD("File with measured efficiencies of a machine of yours"),
           0,
           0,
           true,
           false,
           {}}}},
        {FIELD("Simulation"),
         false,
         {{"traffic",
           FIELD("Arrivals"),
           "",
           FIELD("poisson, constant, gamma:cv=2, weibull:… or closed"),
           0,
           0,
           true,
           false,
           {}},
          {"trace",
           FIELD("Trace"),
           FIELD("file"),
           FIELD("Arrivals and lengths as recorded"),
           0,
           0,
           true,
           false,
           {}},
          {"requests", FIELD("Requests"), "", FIELD("Simulated in one run"), 0, 0, true, true, {}},
          {"seed", FIELD("Seed"), "", FIELD("Of random arrivals and lengths"), 0, 0, true, true, {}}}},
    };
}

// Words of the choices; the keys' own texts stand in the scenario.
[[maybe_unused]] const char* const choiceWords[]
    = {FIELD("gpus"),       FIELD("hour"),  FIELD("tokens"),          FIELD("energy"),
       FIELD("throughput"), FIELD("speed"), FIELD("chunked-prefill"), FIELD("prefill-first"),
       FIELD("static")};
#undef FIELD

QString translatedSection(const char* title) { return QCoreApplication::translate("ScenarioField", title); }

} // namespace

ScenarioPanel::ScenarioPanel(QWidget* parent) : QScrollArea(parent)
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Scenario"));
    build();
}

void ScenarioPanel::build()
{
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(10, 6, 10, 10);
    column->setSpacing(4);
    setWidget(content);
    for (const SectionSpec& spec : sections()) {
        QWidget* section = addSection(translatedSection(spec.title), spec.open);
        if (std::string_view(spec.title) == "Model")
            addModelPicker(section);
        if (std::string_view(spec.title) == "Machine")
            addGpuPicker(section);
        for (const FieldSpec& field : spec.fields)
            addField(section, field);
    }
    column->addStretch(1);
    if (ScenarioField* speed = field(QStringLiteral("tps"))) {
        // 1.5 tokens a word: silent reading 250 words a minute, listening 450, fast visual reading 700.
        speed->addPreset(tr("Silent reading: 6.25 tok/s"), QStringLiteral("6.25"));
        speed->addPreset(tr("Listening: 11.25 tok/s"), QStringLiteral("11.25"));
        speed->addPreset(tr("Fast reading: 17.5 tok/s"), QStringLiteral("17.5"));
        speed->addPreset(tr("Satisfies everyone: 20 tok/s"), QStringLiteral("20"));
        speed->addPreset(tr("No target"), QString());
    }
    if (ScenarioField* prompt = field(QStringLiteral("prompt"))) {
        prompt->addPreset(tr("Chat: 1,024"), QStringLiteral("1024"));
        prompt->addPreset(tr("Recorded conversations: mean 1,155, p99 7,000"),
                          QStringLiteral("lognormal:mean=1155,p99=7000"));
        prompt->addPreset(tr("Retrieval: 8,192"), QStringLiteral("8192"));
    }
}

QWidget* ScenarioPanel::addSection(const QString& title, bool open)
{
    auto* head = new QToolButton(widget());
    head->setText(title);
    head->setCheckable(true);
    head->setChecked(open);
    head->setAutoRaise(true);
    head->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    head->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    head->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    head->setAccessibleName(tr("Section %1").arg(title));
    QFont bold = head->font();
    bold.setWeight(QFont::DemiBold);
    head->setFont(bold);
    auto* body = new QWidget(widget());
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(4, 0, 0, 6);
    column->setSpacing(4);
    body->setVisible(open);
    connect(head, &QToolButton::toggled, this, [head, body](bool on) {
        head->setArrowType(on ? Qt::DownArrow : Qt::RightArrow);
        body->setVisible(on);
    });
    widget()->layout()->addWidget(head);
    widget()->layout()->addWidget(body);
    return body;
}

void ScenarioPanel::addField(QWidget* section, const FieldSpec& spec)
{
    auto* line = new ScenarioField(spec, section);
    section->layout()->addWidget(line);
    m_fields << line;
    connect(line, &ScenarioField::edited, this, &ScenarioPanel::edit);
    if (line->spec().key == std::string_view("prompt"))
        section->layout()->addWidget(m_promptSketch = new LengthSketch(section));
    if (line->spec().key == std::string_view("output"))
        section->layout()->addWidget(m_outputSketch = new LengthSketch(section));
}

void ScenarioPanel::addModelPicker(QWidget* section)
{
    m_models = new Picker(tr("Model"), false, section);
    m_models->setObjectName(QStringLiteral("model"));
    section->layout()->addWidget(m_models);
    m_modelFacts = new QLabel(section);
    m_modelFacts->setWordWrap(true);
    m_modelFacts->setForegroundRole(QPalette::PlaceholderText);
    section->layout()->addWidget(m_modelFacts);
    connect(m_models, &Picker::picked, this,
            [this](const QStringList& ids) { edit(QStringLiteral("model"), ids.join(u',')); });
}

void ScenarioPanel::addGpuPicker(QWidget* section)
{
    m_gpus = new Picker(tr("GPUs to consider"), true, section);
    m_gpus->setObjectName(QStringLiteral("gpu"));
    section->layout()->addWidget(m_gpus);
    connect(m_gpus, &Picker::picked, this,
            [this](const QStringList& ids) { edit(QStringLiteral("gpu"), ids.join(u',')); });
}

void ScenarioPanel::setDocument(Document* document)
{
    if (m_document)
        m_document->session().disconnect(this);
    m_document = document;
    m_wrong.clear();
    for (ScenarioField* line : m_fields)
        line->setProblem({});
    if (!document)
        return;
    Session& session = document->session();
    connect(&session, &Session::scenarioChanged, this, &ScenarioPanel::refresh);
    connect(&session, &Session::studyChanged, this, &ScenarioPanel::refresh);
    connect(&session, &Session::problemsChanged, this, &ScenarioPanel::showProblems);
    QStringList engines;
    for (const std::string& id : session.catalogue().engineIds())
        engines << QString::fromStdString(id);
    if (ScenarioField* engine = field(QStringLiteral("engine")))
        engine->setChoices(engines);
    const auto catalogue = session.sharedCatalogue();
    m_models->setContent([catalogue] { return modelRows(*catalogue); });
    m_gpus->setContent([catalogue] { return gpuRows(*catalogue); });
    refresh();
    showProblems();
}

ScenarioField* ScenarioPanel::field(const QString& key) const
{
    for (ScenarioField* line : m_fields)
        if (QLatin1String(line->spec().key) == key)
            return line;
    return nullptr;
}

void ScenarioPanel::edit(const QString& key, const QString& value)
{
    if (!m_document)
        return;
    const std::string name = key.toStdString();
    Scenario after = m_document->session().scenario();
    ScenarioField* line = field(key);
    Problems wrong;
    if (value.isEmpty())
        after = withoutScenarioKey(std::move(after), name);
    else if (const ScenarioKey* known = findScenarioKey(name))
        wrong = known->set(after, value.toStdString());
    m_wrong.remove(key);
    if (!wrong.empty()) {
        const Problem& first = wrong.front();
        m_wrong[key]
            = QString::fromStdString(first.hint.empty() ? first.what : first.what + ": " + first.hint);
        if (line)
            line->setProblem(m_wrong[key]);
        return;
    }
    if (line)
        line->setProblem({});
    m_document->edit(std::move(after), tr("change of %1").arg(line ? line->label() : key), key);
}

void ScenarioPanel::refresh()
{
    if (!m_document)
        return;
    const Session& session = m_document->session();
    const Scenario& scenario = session.scenario();
    const std::shared_ptr<const Study>& study = session.study();
    for (ScenarioField* line : m_fields) {
        const std::string_view key = line->spec().key;
        line->setValue(QString::fromStdString(scenarioValue(scenario, key)),
                       study ? QString::fromStdString(scenarioValue(study->resolved.scenario, key))
                             : QString());
    }
    m_promptSketch->setLengths(scenario.prompt);
    m_outputSketch->setLengths(scenario.output);
    QStringList gpus;
    for (const std::string& id : scenario.gpus)
        gpus << QString::fromStdString(id);
    m_gpus->setChosen(gpus,
                      gpus.isEmpty()
                          ? tr("Any GPU of the catalogue")
                          : gpuNames(session.catalogue(), scenario.gpus).join(QStringLiteral(", ")));
    const auto model = session.catalogue().model(study ? study->resolved.scenario.model : scenario.model);
    m_models->setChosen({QString::fromStdString(scenario.model)},
                        model ? QString::fromStdString((*model)->name)
                              : QString::fromStdString(scenario.model));
    m_modelFacts->setText(model ? modelFacts(**model) : QString());
}

void ScenarioPanel::showProblems()
{
    if (!m_document)
        return;
    const Problems& problems = m_document->session().problems();
    for (ScenarioField* line : m_fields) {
        const QString key = QString::fromLatin1(line->spec().key);
        if (m_wrong.contains(key))
            continue;
        QString reason;
        for (const Problem& problem : problems)
            if (problem.where == line->spec().key || problem.where == "--" + std::string(line->spec().key))
                reason = QString::fromStdString(problem.hint.empty() ? problem.what
                                                                     : problem.what + ": " + problem.hint);
        line->setProblem(reason);
    }
}

} // namespace headroom::app
