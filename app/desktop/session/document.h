#pragma once

#include "app/desktop/session/session.h"
#include "model/ask/question.h"

#include <QByteArray>
#include <QObject>
#include <QUndoStack>

#include <optional>

namespace headroom::app {

// A scenario as a document: a session with a file, undo of every edit, whether it differs from the file, and
// the question it was asked with, which every edit tells anew.
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

    // The question that the scenario is named by; nothing where it is not asked in words, or no longer can
    // be.
    [[nodiscard]] const std::optional<ask::Question>& question() const;
    [[nodiscard]] QString words() const; // the question, else what the scenario says in a line

    // One undoable edit, with the question told anew where the scenario is named by one. Edits with the same
    // non-empty `field` that follow each other closely become one.
    void edit(Scenario after, const QString& text, const QString& field = {});
    void setMergeWithin(qint64 ms) { m_mergeWithinMs = ms; } // how closely; tests wait for no clock
    // Writes the scenario; what went wrong is returned and the document stays modified.
    [[nodiscard]] Problems save(const QString& path);
    // Whether somebody else has written its file since it was read or saved here.
    [[nodiscard]] bool differsOnDisk() const;
    // What stands in the file now, in place of what was read before.
    void takeFromDisk(const Scenario& there);
    // It stands for the copy of this key, and differs from any file until it is saved.
    void markRecovered(const QString& key);
    [[nodiscard]] std::string yaml() const;

    // A batch that every view shows in its own picture; no part of the scenario.
    void markBatch(std::optional<double> batch);
    [[nodiscard]] std::optional<double> markedBatch() const { return m_markedBatch; }

signals:
    void changed(); // title or modified mark
    void edited();
    void batchMarked();

private:
    [[nodiscard]] Scenario withTrueName(Scenario after) const;

    Session m_session;
    QUndoStack m_undo;
    QString m_path;
    QString m_key;
    qint64 m_mergeWithinMs = 1500; // a slider's drag is one edit; two thoughtful changes are two
    bool m_recovered = false;
    std::optional<double> m_markedBatch;
    QByteArray m_onDisk; // as it was read or saved here
    // The reading of the scenario's name, kept until the scenario or the language is another.
    struct Reading {
        Scenario of;
        ask::Language in = ask::Language::English;
        std::optional<ask::Question> question;
    };
    mutable std::optional<Reading> m_reading;
};

} // namespace headroom::app
