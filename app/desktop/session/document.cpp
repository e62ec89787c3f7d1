#include "app/desktop/session/document.h"

#include "app/desktop/drawing/write_bytes.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/question_words.h"
#include "app/desktop/text/scenario_words.h"
#include "model/yaml/scenario_yaml.h"

#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QUndoCommand>
#include <QUuid>

namespace headroom::app {

namespace {

class EditScenario final : public QUndoCommand {
public:
    EditScenario(Session& session, Scenario after, const QString& text, const QString& field,
                 qint64 mergeWithinMs)
        : QUndoCommand(text),
          m_session(&session),
          m_before(session.scenario()),
          m_after(std::move(after)),
          m_field(field),
          m_mergeWithinMs(mergeWithinMs)
    {
        m_age.start();
    }
    int id() const override { return m_field.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* later) override
    {
        const auto* next = static_cast<const EditScenario*>(later);
        if (next->m_field != m_field || m_age.elapsed() > m_mergeWithinMs)
            return false;
        m_after = next->m_after;
        m_age.restart();
        setObsolete(m_after == m_before);
        return true;
    }
    void undo() override { m_session->setScenario(m_before); }
    void redo() override { m_session->setScenario(m_after); }

private:
    Session* m_session;
    Scenario m_before;
    Scenario m_after;
    QString m_field;
    qint64 m_mergeWithinMs;
    QElapsedTimer m_age;
};

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

ask::Language languageOfTheWindow()
{
    return speaksChinese() ? ask::Language::Chinese : ask::Language::English;
}

} // namespace

Document::Document(std::shared_ptr<const Catalogue> catalogue, Scenario scenario, QString path,
                   QObject* parent)
    : QObject(parent),
      m_session(std::move(catalogue)),
      m_path(std::move(path)),
      m_key(QUuid::createUuid().toString(QUuid::WithoutBraces))
{
    if (!m_path.isEmpty())
        m_onDisk = contentOf(m_path);
    m_undo.setUndoLimit(500);
    m_session.setScenario(scenario);
    connect(&m_undo, &QUndoStack::cleanChanged, this, &Document::changed);
    connect(&m_undo, &QUndoStack::indexChanged, this, [this] {
        emit edited();
        if (m_path.isEmpty())
            emit changed(); // it is called by what it asks
    });
}

QString Document::title() const
{
    if (!m_path.isEmpty())
        return QFileInfo(m_path).completeBaseName();
    const std::string& name = m_session.scenario().name;
    const QString title = name.empty() ? words() : QString::fromStdString(name);
    return title.isEmpty() ? tr("Untitled") : title;
}

const std::optional<ask::Question>& Document::question() const
{
    const ask::Language language = languageOfTheWindow();
    if (!m_reading || m_reading->in != language || !(m_reading->of == m_session.scenario()))
        m_reading = Reading{m_session.scenario(), language,
                            questionOf(m_session.scenario(), m_session.catalogue(), language)};
    return m_reading->question;
}

QString Document::words() const
{
    return question() ? QString::fromStdString(question()->text)
                      : scenarioWords(m_session.scenario(), m_session.catalogue());
}

// A question that asks for something else is no name: its words follow the edit, or make room for those of
// the scenario. A name that somebody gave stays.
Scenario Document::withTrueName(Scenario after) const
{
    const Scenario& before = m_session.scenario();
    if (after.name != before.name || !question())
        return after;
    const ask::Language language = languageOfTheWindow();
    std::optional<ask::Question> told = toldAnew(*question(), before, after, m_session.catalogue(), language);
    after.name = told ? told->text : std::string();
    m_reading = Reading{after, language, std::move(told)}; // it is the next to be asked for
    return after;
}

void Document::edit(Scenario after, const QString& text, const QString& field)
{
    if (after == m_session.scenario())
        return;
    m_undo.push(new EditScenario(m_session, withTrueName(std::move(after)), text, field, m_mergeWithinMs));
    emit edited();
}

bool Document::differsOnDisk() const
{
    return !m_path.isEmpty() && QFileInfo::exists(m_path) && contentOf(m_path) != m_onDisk;
}

void Document::takeFromDisk(const Scenario& there)
{
    m_onDisk = contentOf(m_path);
    m_undo.push(new EditScenario(m_session, there, tr("change of the file"), {}, m_mergeWithinMs));
    m_undo.setClean();
    emit edited();
}

void Document::markBatch(std::optional<double> batch)
{
    if (batch == m_markedBatch)
        return;
    m_markedBatch = batch;
    emit batchMarked();
}

std::string Document::yaml() const { return writeScenario(m_session.scenario()); }

Problems Document::save(const QString& path)
{
    const QByteArray content = QByteArray::fromStdString(yaml());
    if (const QString why = writtenOrWhy(path, content); !why.isEmpty())
        return {{path.toStdString(), asIs(tr("could not be written: %1").arg(why).toStdString()), {}}};
    m_path = path;
    m_onDisk = content;
    m_recovered = false;
    m_undo.setClean();
    emit changed();
    return {};
}

void Document::markRecovered(const QString& key)
{
    m_key = key;
    m_recovered = true;
    emit changed();
}

} // namespace headroom::app

#include "moc_document.cpp"
