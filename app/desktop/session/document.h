#pragma once

#include "app/desktop/session/session.h"

#include <QObject>
#include <QUndoStack>

namespace headroom::app {

// A scenario as a document: a session with a file, undo of every edit, and whether it differs from the file.
class Document final : public QObject {
    Q_OBJECT

public:
    Document(std::shared_ptr<const Catalogue> catalogue, Scenario scenario, QString path,
             QObject* parent = nullptr);

    [[nodiscard]] Session& session() { return m_session; }
    [[nodiscard]] const Session& session() const { return m_session; }
    [[nodiscard]] QUndoStack& undoStack() { return m_undo; }
    [[nodiscard]] const QString& path() const { return m_path; } // empty: never saved
    [[nodiscard]] QString title() const;
    [[nodiscard]] bool isModified() const { return m_recovered || !m_undo.isClean(); }
    [[nodiscard]] bool isAsRecovered() const { return m_recovered && m_undo.isClean(); } // not edited since
    [[nodiscard]] const QString& key() const { return m_key; } // names its recovery file

    // One undoable edit. Edits with the same non-empty `field` that follow each other closely become one.
    void edit(Scenario after, const QString& text, const QString& field = {});
    void setMergeWithin(qint64 ms) { m_mergeWithinMs = ms; } // how closely; tests wait for no clock
    // Writes the scenario; what went wrong is returned and the document stays modified.
    [[nodiscard]] Problems save(const QString& path);
    // It stands for the copy of this key, and differs from any file until it is saved.
    void markRecovered(const QString& key);
    [[nodiscard]] std::string yaml() const;

signals:
    void changed(); // title or modified mark
    void edited();

private:
    Session m_session;
    QUndoStack m_undo;
    QString m_path;
    QString m_key;
    qint64 m_mergeWithinMs = 1500; // a slider's drag is one edit; two thoughtful changes are two
    bool m_recovered = false;
};

} // namespace headroom::app
