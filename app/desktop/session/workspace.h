#pragma once

#include "app/desktop/session/document.h"
#include "app/desktop/session/notice.h"
#include "app/desktop/session/pins.h"
#include "app/desktop/session/recovery.h"
#include "app/desktop/session/settings.h"

#include <QObject>

#include <cstdint>
#include <memory>

class QFileSystemWatcher;

namespace headroom::app {

// Where a workspace keeps its things; a test gives it a folder of its own.
struct WorkspacePlaces {
    QString settingsFile;
    QString recoveryFolder;
    QString importFolder; // models made from config.json and GGUF files

    static WorkspacePlaces ofUser();
};

// Everything that outlives a window: the catalogue, the open documents, settings and recovery.
class Workspace final : public QObject {
    Q_OBJECT

public:
    Workspace(std::shared_ptr<const Catalogue> catalogue, const WorkspacePlaces& places,
              QObject* parent = nullptr);
    ~Workspace() override;

    [[nodiscard]] std::shared_ptr<const Catalogue> catalogue() const { return m_catalogue; }
    [[nodiscard]] Settings& settings() { return m_settings; }
    [[nodiscard]] Recovery& recovery() { return m_recovery; }
    [[nodiscard]] Pins& pins() { return m_pins; }
    [[nodiscard]] const WorkspacePlaces& places() const { return m_places; }

    [[nodiscard]] int count() const { return static_cast<int>(m_documents.size()); }
    [[nodiscard]] Document* document(int index) const { return m_documents.value(index); }
    [[nodiscard]] Document* current() const { return document(m_current); }
    [[nodiscard]] int currentIndex() const { return m_current; }
    void setCurrent(int index);

    Document& add(Scenario scenario, const QString& path = {});
    void close(int index);
    // A scenario becomes a document; a calibration or a model is taken into the current one.
    void open(const QString& path);
    // Never over what another program has saved there since, unless that was asked.
    enum class Overwrite : std::uint8_t { No, Yes };
    [[nodiscard]] bool save(Document& document, const QString& path, Overwrite overwrite = Overwrite::No);
    // What another program has written to the file of an open scenario: taken over, or told where it would
    // undo work of this one.
    void lookAtFile(const QString& path);
    // What an earlier run lost, then the example; says what it found through `noticed`.
    void start(const QStringList& files);
    // Nothing was opened or recovered, and nobody has asked yet: the example is as it came.
    [[nodiscard]] bool isUntouched() const;

    // Remembers it and tells everything anew in it; while no view plans by itself.
    void setCurrency(const Currency& currency);

    // What the user should see; kept until a window shows it.
    [[nodiscard]] QVector<Notice> takeNotices();
    void notice(const Notice& notice);

    static Scenario example(); // asks "how many A100s for Llama-70B at 20 TPS"

signals:
    void documentsChanged(); // added, closed, renamed, modified
    void currentChanged();
    void noticed();

private:
    void openYaml(const QString& path);
    void openModel(const QString& path);
    void watch(const QString& path);

    std::shared_ptr<const Catalogue> m_catalogue;
    WorkspacePlaces m_places;
    Settings m_settings;
    Recovery m_recovery;
    Pins m_pins;
    QFileSystemWatcher* m_files = nullptr; // made with the first file: a start without one needs none
    QVector<Document*> m_documents;
    int m_current = -1;
    QVector<Notice> m_notices;
};

} // namespace headroom::app
