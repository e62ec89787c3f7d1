#include "app/desktop/window/application.h"
#include "tests/app/desktop/documents_test.h"
#include "tests/app/desktop/recovery_test.h"
#include "tests/app/desktop/report_test.h"
#include "tests/app/desktop/story_test.h"
#include "tests/app/desktop/translation_test.h"
#include "tests/app/desktop/window_test.h"

#include <QTest>

// desktop_test CASE [arguments of Qt Test]: one process for each case of ctest.
int main(int argc, char** argv)
{
    headroom::app::Application application(argc, argv);
    application.setLanguage(QStringLiteral("en"));
    application.setAppearance(headroom::app::Appearance::Light);
    QStringList words = QCoreApplication::arguments();
    const QString which = words.value(1);
    if (which == QStringLiteral("--edit-until-killed"))
        return RecoveryTest::editUntilKilled(words.value(2));
    if (which == QStringLiteral("--edit-and-tell"))
        return RecoveryTest::editAndTell(words.value(2));
    if (which == QStringLiteral("--save-and-tell"))
        return RecoveryTest::saveAndTell(words.value(2), words.value(3));
    words.removeAt(1);
    DocumentsTest documents;
    RecoveryTest recovery;
    WindowTest window;
    StoryTest story;
    ReportTest report;
    TranslationTest translation;
    if (which == QStringLiteral("documents"))
        return QTest::qExec(&documents, words);
    if (which == QStringLiteral("recovery"))
        return QTest::qExec(&recovery, words);
    if (which == QStringLiteral("window"))
        return QTest::qExec(&window, words);
    if (which == QStringLiteral("story"))
        return QTest::qExec(&story, words);
    if (which == QStringLiteral("report"))
        return QTest::qExec(&report, words);
    return which == QStringLiteral("translation") ? QTest::qExec(&translation, words) : 2;
}
