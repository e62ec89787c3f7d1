#pragma once

#include "app/desktop/session/settings.h"

#include <QApplication>
#include <QPalette>

class QTranslator;

namespace headroom::app {

// The program's language and appearance, and (in debug builds) a word of warning whenever the UI thread was
// blocked.
class Application final : public QApplication {
    Q_OBJECT

public:
    Application(int& argc, char** argv);

    void setLanguage(const QString& language); // "en", "zh_CN"
    void setAppearance(Appearance appearance);
    [[nodiscard]] const QString& language() const { return m_language; }

    bool notify(QObject* receiver, QEvent* event) override;

    static constexpr int blockedMs = 50;
    [[nodiscard]] int longestBlockMs() const { return m_longestBlockMs; }

private:
    [[nodiscard]] QFont lettersFor(const QString& language) const;

    QTranslator* m_translator;
    QTranslator* m_qtTranslator;
    QPalette m_systemPalette;
    QString m_language;
    QString m_systemFamily;
    int m_deepestLoop = 0;
    int m_longestBlockMs = 0;
};

} // namespace headroom::app
