#include "app/desktop/session/settings.h"

#include "model/base/currency_name.h"
#include "model/words/reader_language.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>

namespace headroom::app {

namespace {

constexpr int recentLimit = 12;
constexpr int historyLimit = 100;
const QString startKey = QStringLiteral("window/start-page");
const QString recentKey = QStringLiteral("recent/files");
const QString historyKey = QStringLiteral("ask/history");
const QString languageKey = QStringLiteral("ui/language");
const QString currencyKey = QStringLiteral("ui/currency");
const QString appearanceKey = QStringLiteral("ui/appearance");

// QSettings forgives almost everything; a file of ours is text, small, and begins with a section.
bool isReadable(const QString& path)
{
    QFile file(path);
    if (!file.exists())
        return true;
    constexpr qint64 largest = 4 << 20; // bytes
    if (file.size() > largest || !file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray content = file.readAll();
    const QByteArray start = content.trimmed();
    if (content.contains('\0') || (!start.isEmpty() && !start.startsWith('[')))
        return false;
    file.close();
    return QSettings(path, QSettings::IniFormat).status() == QSettings::NoError;
}

QStringList withFirst(QStringList list, const QString& first, int limit)
{
    list.removeAll(first);
    list.prepend(first);
    return list.mid(0, limit);
}

} // namespace

Settings::Settings(const QString& file)
{
    QDir().mkpath(QFileInfo(file).absolutePath());
    if (!isReadable(file)) {
        const QString aside = file + QStringLiteral(".corrupt");
        QFile::remove(aside);
        if (QFile::rename(file, aside))
            m_putAside = aside;
    }
    m_store = std::make_unique<QSettings>(file, QSettings::IniFormat);
}

Settings::~Settings() = default;

QString Settings::language() const
{
    const QString system = ask::languageOfEnvironment() == ask::Language::Chinese ? QStringLiteral("zh_CN")
                                                                                  : QStringLiteral("en");
    const QString chosen = m_store->value(languageKey, system).toString();
    return chosen == QStringLiteral("zh_CN") ? chosen : QStringLiteral("en");
}
void Settings::setLanguage(const QString& language) { m_store->setValue(languageKey, language); }

Appearance Settings::appearance() const
{
    const QString text = m_store->value(appearanceKey).toString();
    return text == QStringLiteral("dark") ? Appearance::Dark
        : text == QStringLiteral("light") ? Appearance::Light
                                          : Appearance::System;
}
void Settings::setAppearance(Appearance appearance)
{
    m_store->setValue(appearanceKey,
                      appearance == Appearance::Dark        ? QStringLiteral("dark")
                          : appearance == Appearance::Light ? QStringLiteral("light")
                                                            : QStringLiteral("system"));
}

Currency Settings::currency() const
{
    const Currency usual = language() == QStringLiteral("zh_CN") ? publishedYuan : Currency{};
    return readCurrency(m_store->value(currencyKey).toString().toStdString(), "currency").value_or(usual);
}
void Settings::setCurrency(const Currency& currency)
{
    m_store->setValue(currencyKey, QString::fromStdString(currencyName(currency)));
}

bool Settings::showsStart() const { return m_store->value(startKey, true).toBool(); }
void Settings::setShowsStart(bool shows) { m_store->setValue(startKey, shows); }

QStringList Settings::recentFiles() const { return m_store->value(recentKey).toStringList(); }
void Settings::addRecentFile(const QString& path)
{
    m_store->setValue(recentKey, withFirst(recentFiles(), QFileInfo(path).absoluteFilePath(), recentLimit));
}

QStringList Settings::askHistory() const { return m_store->value(historyKey).toStringList(); }
void Settings::addAsked(const QString& question)
{
    m_store->setValue(historyKey, withFirst(askHistory(), question, historyLimit));
}

QByteArray Settings::value(const QString& key) const { return m_store->value(key).toByteArray(); }
void Settings::setValue(const QString& key, const QByteArray& value) { m_store->setValue(key, value); }
void Settings::flush() { m_store->sync(); }

} // namespace headroom::app
