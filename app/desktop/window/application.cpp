#include "app/desktop/window/application.h"

#include "app/desktop/window/calm_style.h"
#include "headroom_version.h"

#include <QElapsedTimer>
#include <QFontDatabase>
#include <QHashFunctions>
#include <QIcon>
#include <QLibraryInfo>
#include <QLocale>
#include <QPalette>
#include <QThread>
#include <QTranslator>

#include <utility>

namespace headroom::app {

namespace {

QPalette lightPalette()
{
    QPalette p(QColor(0xf3, 0xf4, 0xf6));
    p.setColor(QPalette::Window, QColor(0xf3, 0xf4, 0xf6));
    p.setColor(QPalette::Base, Qt::white);
    p.setColor(QPalette::AlternateBase, QColor(0xf7, 0xf8, 0xfa));
    p.setColor(QPalette::Button, QColor(0xfb, 0xfb, 0xfc));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(role, QColor(0x1c, 0x20, 0x26));
    p.setColor(QPalette::PlaceholderText, QColor(0x5f, 0x68, 0x74));
    p.setColor(QPalette::Highlight, QColor(0x00, 0x67, 0xa3));
    p.setColor(QPalette::HighlightedText, Qt::white);
    p.setColor(QPalette::Link, QColor(0x00, 0x67, 0xa3));
    p.setColor(QPalette::ToolTipBase, QColor(0x2a, 0x2f, 0x36));
    p.setColor(QPalette::ToolTipText, QColor(0xf5, 0xf6, 0xf7));
    p.setColor(QPalette::Mid, QColor(0xd5, 0xd9, 0xde));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, QColor(0x98, 0xa0, 0xa9));
    return p;
}

QPalette darkPalette()
{
    QPalette p(QColor(0x23, 0x27, 0x2d));
    p.setColor(QPalette::Window, QColor(0x1b, 0x1e, 0x23));
    p.setColor(QPalette::Base, QColor(0x22, 0x26, 0x2c));
    p.setColor(QPalette::AlternateBase, QColor(0x27, 0x2b, 0x32));
    p.setColor(QPalette::Button, QColor(0x2d, 0x32, 0x39));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(role, QColor(0xe4, 0xe7, 0xea));
    p.setColor(QPalette::BrightText, Qt::white);
    p.setColor(QPalette::PlaceholderText, QColor(0x9a, 0xa3, 0xae));
    p.setColor(QPalette::Highlight, QColor(0x2b, 0x7f, 0xb8));
    p.setColor(QPalette::HighlightedText, Qt::white);
    p.setColor(QPalette::Link, QColor(0x6c, 0xb6, 0xe6));
    p.setColor(QPalette::ToolTipBase, QColor(0x3a, 0x40, 0x48));
    p.setColor(QPalette::ToolTipText, QColor(0xf0, 0xf2, 0xf4));
    p.setColor(QPalette::Mid, QColor(0x3d, 0x43, 0x4b));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, QColor(0x6d, 0x75, 0x7f));
    return p;
}

} // namespace

Application::Application(int& argc, char** argv)
    // Qt puts the fonts of a PDF in the order of a hash: with one seed a report is the same to the byte,
    // whoever writes it.
    : QApplication((QHashSeed::setDeterministicGlobalSeed(), argc), argv),
      m_translator(new QTranslator(this)),
      m_qtTranslator(new QTranslator(this))
{
    setApplicationName(QStringLiteral("headroom"));
    setApplicationDisplayName(QStringLiteral("Headroom"));
    setDesktopFileName(QStringLiteral("org.headroom.Headroom"));
    setApplicationVersion(QStringLiteral(HEADROOM_VERSION));
    setWindowIcon(QIcon(QStringLiteral(":/icons/headroom.svg")));
    m_systemPalette = palette();
    m_systemFamily = font().family();
    setStyle(new CalmStyle); // one look everywhere; the colours follow the system
}

void Application::setLanguage(const QString& language)
{
    if (language == m_language)
        return;
    m_language = language;
    setFont(lettersFor(language));
    removeTranslator(m_translator);
    removeTranslator(m_qtTranslator);
    QLocale::setDefault(language == QStringLiteral("zh_CN")
                            ? QLocale(QLocale::Chinese, QLocale::China)
                            : QLocale(QLocale::English, QLocale::UnitedStates));
    if (m_translator->load(QStringLiteral(":/i18n/headroom_%1.qm").arg(language)))
        installTranslator(m_translator);
    if (m_qtTranslator->load(QStringLiteral("qtbase_%1").arg(language),
                             QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        installTranslator(m_qtTranslator);
}

// One set of Han glyphs has several national shapes: ask for the simplified ones by name. A family that has
// them comes first, because lines are as high as the first family says.
QFont Application::lettersFor(const QString& language) const
{
    QFont letters = font();
    QStringList families{m_systemFamily};
    if (language == QStringLiteral("zh_CN")
        && !QFontDatabase::writingSystems(m_systemFamily).contains(QFontDatabase::SimplifiedChinese)) {
        families = {QStringLiteral("Noto Sans CJK SC"), QStringLiteral("Source Han Sans SC"),
                    QStringLiteral("PingFang SC"), QStringLiteral("Microsoft YaHei"), m_systemFamily};
    }
    letters.setFamilies(families);
    // Shaped, digits beside Latin letters become glyphs that no sign stands for: a PDF could not be searched
    // for them.
    letters.setStyleStrategy(language == QStringLiteral("zh_CN") ? QFont::PreferNoShaping
                                                                 : QFont::PreferDefault);
    return letters;
}

void Application::setAppearance(Appearance appearance)
{
    const bool systemIsDark = m_systemPalette.color(QPalette::Window).lightnessF() < 0.5F;
    const bool dark = appearance == Appearance::Dark || (appearance == Appearance::System && systemIsDark);
    setPalette(dark ? darkPalette() : lightPalette());
}

bool Application::notify(QObject* receiver, QEvent* event)
{
#ifndef NDEBUG
    if (QThread::currentThread() != thread())
        return QApplication::notify(receiver, event);
    // A menu or dialog runs a loop of its own inside an event: that is waiting, not blocking.
    const int level = QThread::currentThread()->loopLevel();
    const int before = std::exchange(m_deepestLoop, level);
    QElapsedTimer timer;
    timer.start();
    const auto type = static_cast<int>(event->type());
    const char* name = receiver->metaObject()->className();
    const bool handled = QApplication::notify(receiver, event);
    const auto elapsed = static_cast<int>(timer.elapsed());
    const int deepest = std::exchange(m_deepestLoop, std::max(before, m_deepestLoop));
    if (elapsed > blockedMs && deepest <= level) {
        m_longestBlockMs = std::max(m_longestBlockMs, elapsed);
        qWarning("the window was blocked for %d ms by event %d of %s", elapsed, type, name);
    }
    return handled;
#else
    return QApplication::notify(receiver, event);
#endif
}

} // namespace headroom::app

#include "moc_application.cpp"
