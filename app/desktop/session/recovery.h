#pragma once

#include "app/desktop/session/file_lock.h"

#include <QDir>
#include <QObject>
#include <QStringList>
#include <QTimer>

namespace headroom::app {

class Document;

// What an earlier run left behind when it ended without a word.
struct Recovered {
    QString yaml;
    QString path; // the file it was opened from, may be empty
    QString title;
    QString key; // names its copy, which is ours now
};

// Keeps a copy of every modified document on disk, a few seconds behind the hand at most. Each running
// program has a folder of its own with a lock; a folder without a living owner is one to recover.
class Recovery final : public QObject {
    Q_OBJECT

public:
    explicit Recovery(const QString& folder, QObject* parent = nullptr);
    ~Recovery() override; // an orderly end leaves nothing behind

    // The unsaved work of runs that died. Its copies become this run's own before anything is done with
    // them, so that they are there for the next run if this one dies. Files that cannot be read, and those
    // whose loading has ended the program `mostTries` times, are renamed to *.corrupt and listed in
    // `putAside`; nothing is deleted.
    [[nodiscard]] QVector<Recovered> collect();
    // Said before such a document is loaded: the try is counted until the document was edited or its plan is
    // done, so that one whose plan ends the program is not tried for ever.
    void begin(const Recovered& one);
    [[nodiscard]] const QStringList& putAside() const { return m_putAside; }

    void watch(Document& document);
    void forget(const Document& document);
    void writeNow();

    static constexpr int delayMs = 2000;
    static constexpr int mostTries = 3;

signals:
    void failed(const QString& what);

private:
    [[nodiscard]] QString fileOf(const Document& document) const;
    [[nodiscard]] FileLock gate() const;
    void adopt(const QDir& dead);
    [[nodiscard]] bool writeCopy(const Document& document);
    void fail(const QString& why);
    void putAside(const QString& name);
    void removeCopies(const QString& key);

    QDir m_root;
    QDir m_own;
    FileLock m_lock; // on our folder, as long as we live
    QTimer m_timer;
    QVector<Document*> m_documents;
    QStringList m_putAside;
    bool m_keepsFolder = false; // it holds what could not be put aside
    bool m_toldFailure = false; // since the last time when all was written
};

} // namespace headroom::app
