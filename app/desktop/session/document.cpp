#include "app/desktop/session/document.h"

#include "app/desktop/drawing/write_bytes.h"
#include "model/yaml/scenario_yaml.h"

#include <QElapsedTimer>
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

} // namespace

Document::Document(std::shared_ptr<const Catalogue> catalogue, Scenario scenario, QString path,
                   QObject* parent)
    : QObject(parent),
      m_session(std::move(catalogue)),
      m_path(std::move(path)),
      m_key(QUuid::createUuid().toString(QUuid::WithoutBraces))
{
    m_undo.setUndoLimit(500);
    m_session.setScenario(scenario);
    connect(&m_undo, &QUndoStack::cleanChanged, this, &Document::changed);
    connect(&m_undo, &QUndoStack::indexChanged, this, &Document::edited);
}

QString Document::title() const
{
    if (!m_path.isEmpty())
        return QFileInfo(m_path).completeBaseName();
    const std::string& name = m_session.scenario().name;
    return name.empty() ? tr("Untitled") : QString::fromStdString(name);
}

void Document::edit(Scenario after, const QString& text, const QString& field)
{
    if (after == m_session.scenario())
        return;
    m_undo.push(new EditScenario(m_session, std::move(after), text, field, m_mergeWithinMs));
    emit edited();
}

std::string Document::yaml() const { return writeScenario(m_session.scenario()); }

Problems Document::save(const QString& path)
{
    if (const QString why = writtenOrWhy(path, QByteArray::fromStdString(yaml())); !why.isEmpty())
        return {{path.toStdString(), tr("could not be written: %1").arg(why).toStdString(), {}}};
    m_path = path;
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
