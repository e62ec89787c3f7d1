#include "app/desktop/panels/scenario_panel.h"

#include "app/desktop/panels/catalogue_rows.h"
#include "app/desktop/panels/length_sketch.h"
#include "app/desktop/panels/picker.h"
#include "app/desktop/panels/scenario_field.h"
#include "app/desktop/session/document.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/scenario_fields.h"
#include "model/advise/plan_view.h"
#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"
#include "model/yaml/catalogue.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLabel>
#include <QScrollBar>
#include <QVBoxLayout>

namespace headroom::app {

namespace {

QString reasonOf(const Problem& problem) { return problemText({{}, problem.what, problem.hint}); }

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
    for (const SectionSpec& spec : scenarioSections()) {
        QWidget* section = addSection(fieldText(spec.title), spec.open);
        if (std::string_view(spec.title) == "Model")
            addModelPicker(section);
        if (std::string_view(spec.title) == "Machine")
            addGpuPicker(section);
        for (const FieldSpec& field : spec.fields)
            addField(section, field);
    }
    column->addStretch(1);
    // The form scrolls downwards only, so it is never narrower than its widest line.
    setMinimumWidth(content->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width());
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
    connect(head, &QToolButton::clicked, this, [head, body] {
        body->setVisible(body->isHidden());
        head->setArrowType(body->isHidden() ? Qt::RightArrow : Qt::DownArrow);
    });
    m_heads[body] = head;
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
    m_models->setOther(tr("Import a model…"));
    connect(m_models, &Picker::otherMeant, this, &ScenarioPanel::importMeant);
    section->layout()->addWidget(m_models);
    m_modelFacts = new QLabel(section);
    m_modelFacts->setWordWrap(true);
    m_modelFacts->setForegroundRole(QPalette::PlaceholderText);
    m_modelFacts->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_modelFacts->setAccessibleName(tr("What the model is"));
    section->layout()->addWidget(m_modelFacts);
    connect(m_modelFacts, &QLabel::linkActivated, this, [this](const QString& figure) {
        emit explainRequested({.figure = figure, .of = {}, .resolved = nullptr, .explanations = {}});
    });
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
    connect(&session, &Session::planViewChanged, this, &ScenarioPanel::refresh);
    connect(&session, &Session::problemsChanged, this, &ScenarioPanel::showProblems);
    QStringList engines{QString()}; // the usual one of the accelerator
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

void ScenarioPanel::showField(const QString& key)
{
    QWidget* place = field(key);
    QWidget* editor = nullptr;
    if (place)
        editor = place->findChild<QWidget*>(key);
    else if (key == QStringLiteral("model") || key == QStringLiteral("gpu"))
        place = editor = findChild<QWidget*>(key);
    if (!place || !editor)
        return;
    QWidget* const body = place->parentWidget();
    if (body->isHidden())
        if (QToolButton* head = m_heads.value(body))
            head->click();
    editor->setFocus(Qt::OtherFocusReason);
    ensureWidgetVisible(place);
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
        m_wrong[key] = reasonOf(first);
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
    const std::shared_ptr<const PlanView>& planView = session.planView();
    const Scenario chosen = planView ? chosenScenario(*planView) : Scenario{};
    for (ScenarioField* line : m_fields) {
        const std::string_view key = line->spec().key;
        line->setValue(QString::fromStdString(scenarioValue(scenario, key)),
                       planView ? QString::fromStdString(scenarioValue(chosen, key)) : QString());
    }
    m_promptSketch->setLengths(scenario.prompt);
    m_outputSketch->setLengths(scenario.output);
    QStringList gpus;
    for (const std::string& id : scenario.gpus)
        gpus << QString::fromStdString(id);
    m_gpus->setChosen(gpus,
                      gpus.isEmpty()
                          ? tr("Any GPU of the catalogue")
                          : machineNames(session.catalogue(), scenario).join(QStringLiteral(", ")));
    const auto model
        = session.catalogue().model(planView ? planView->resolved.scenario.model : scenario.model);
    m_models->setChosen({QString::fromStdString(scenario.model)},
                        model ? QString::fromStdString((*model)->name)
                              : QString::fromStdString(scenario.model));
    m_modelFacts->setText(
        model
            ? QStringLiteral("<a href='params' style='color:%1; text-decoration:none'>%2</a>")
                  .arg(palette().color(QPalette::PlaceholderText).name(), modelFacts(**model).toHtmlEscaped())
            : QString());
}

void ScenarioPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && m_document)
        refresh();
    QScrollArea::changeEvent(event);
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
                reason = reasonOf(problem);
        line->setProblem(reason);
    }
}

} // namespace headroom::app

#include "moc_scenario_panel.cpp"
