#pragma once

#include "model/base/currency.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <memory>

class QSettings;

namespace headroom::app {

enum class Appearance { System, Light, Dark };

// What the program remembers between runs. A file that cannot be read is put aside and reported, never
// trusted.
class Settings {
public:
    explicit Settings(const QString& file);
    ~Settings();

    [[nodiscard]] const QString& putAside() const { return m_putAside; } // where a broken file went, or empty

    [[nodiscard]] QString language() const; // "en", "zh_CN"; before any choice the system's
    void setLanguage(const QString& language);
    [[nodiscard]] Appearance appearance() const;
    void setAppearance(Appearance appearance);
    [[nodiscard]] Currency currency() const; // that amounts are told in
    void setCurrency(const Currency& currency);
    [[nodiscard]] bool showsStart() const; // the start page, where nothing else is opened
    void setShowsStart(bool shows);
    [[nodiscard]] QStringList recentFiles() const;
    void addRecentFile(const QString& path);
    [[nodiscard]] QStringList askHistory() const; // newest first
    void addAsked(const QString& question);
    [[nodiscard]] QByteArray value(const QString& key) const;
    void setValue(const QString& key, const QByteArray& value);
    void flush();

private:
    std::unique_ptr<QSettings> m_store;
    QString m_putAside;
};

} // namespace headroom::app
