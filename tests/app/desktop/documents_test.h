#pragma once

#include <QObject>

class DocumentsTest final : public QObject {
    Q_OBJECT

private slots:
    void opensOnAnAnsweredExample();
    void undoTakesBackEveryEdit();
    void aSavedScenarioOpensEqual();
    void aBrokenFileIsToldWithItsPlace();
    void theLastGoodAnswerStaysWhenTheInputIsWrong();
    void editsFasterThanPlansEndAtTheLast();
    void aRestingHandIsToldEverything();
    void aModelOfAnIdThatWasImportedBeforeGetsAFileOfItsOwn();
    void brokenSettingsArePutAside();
    void theEnvironmentChoosesTheLanguageUntilSomebodyDoes();
    void anEditTellsTheQuestionAnew();
    void whatNoPhraseSaysIsToldByTheScenario();
    void aNameThatSomebodyGaveStays();
    void aWindowMayCloseAtAnyMomentOfItsPlans();
    void whatAHintChangesIsAppliedToWhatWasAsked();
    void aSaveOfAnotherProgramIsTakenOver();
    void aSaveOfAnotherProgramIsNotOverwritten();
};
