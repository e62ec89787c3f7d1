#pragma once

#include <QDir>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <memory>

class QLockFile;

namespace headroom::app {

class Document;

// What an earlier run left behind when it ended without a word.
struct Recovered {
    QString yaml;
    QString path; // the file it was opened from, may be empty
    QString title;
};

// Keeps a copy of every modified document on disk, a few seconds behind the hand at most. Each running
// program has a folder of its own with a lock; a folder without a living owner is one to recover.
class Recovery final : public QObject {
    Q_OBJECT

public:
    explicit Recovery(const QString& folder, QObject* parent = nullptr);
    ~Recovery() override; // an orderly end leaves nothing behind

    // The unsaved work of runs that died. Files that cannot be read are renamed to *.corrupt and listed in
    // `putAside`.
    [[nodiscard]] QVector<Recovered> collect();
    [[nodiscard]] const QStringList& putAside() const { return m_putAside; }

    void watch(Document& document);
    void forget(const Document& document);
    void writeNow();

    static constexpr int delayMs = 2000;

signals:
    void failed(const QString& what);

private:
    [[nodiscard]] QString fileOf(const Document& document) const;

    QDir m_root;
    QDir m_own;
    std::unique_ptr<QLockFile> m_lock;
    QTimer m_timer;
    QVector<Document*> m_documents;
    QStringList m_putAside;
};

} // namespace headroom::app
