#pragma once

#include <QObject>

class TranslationTest final : public QObject {
    Q_OBJECT

private slots:
    void everyTextIsTranslated();
    void everyTextOfTheSourcesHasItsEntry();
    void placeholdersSurvive();
    void machinesThatAreDescribedAreDescribedInChinese();
    void modelSentencesAreReadInBothLanguages();
    void noEnglishIsLeftInAChineseWindow();
    void noWordIsCutInASmallWindow();
};
