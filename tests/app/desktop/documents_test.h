#pragma once

#include <QObject>

class DocumentsTest final : public QObject {
    Q_OBJECT

public:
    static int editUntilKilled(const QString& home); // what the killed process runs

private slots:
    void opensOnAnAnsweredExample();
    void undoTakesBackEveryEdit();
    void aSavedScenarioOpensEqual();
    void aBrokenFileIsToldWithItsPlace();
    void theLastGoodAnswerStaysWhenTheInputIsWrong();
    void editsFasterThanPlansEndAtTheLast();
    void aRestingHandIsToldEverything();
    void workOfAKilledProgramIsRecovered();
    void aBrokenRecoveryCopyIsPutAside();
    void brokenSettingsArePutAside();
    void anOrderlyEndLeavesNothingToRecover();
};
