#pragma once

#include <QObject>

#include <memory>

class WindowTest final : public QObject {
    Q_OBJECT

public:
    WindowTest();
    ~WindowTest() override;

private slots:
    void init();
    void cleanup();
    void theWholeStory();
    void examplesAreOfferedAndUnderstood();
    void memoryIsAnsweredInTheBar();
    void whatRunsOnAMachineIsListed();
    void wrongInputIsMarkedInPlace();
    void languageChangesWithoutRestart();
    void amountsAreToldInTheCurrencyChosen();
    void everythingFocusableHasAName();
    void everyActionHasItsKeyOrMenu();
    void modelsKeepTheirPromises();
    void aStatedMachineCanBeTaken();
    void aLoadThatIsOfferedIsCarried();
    void whatElseTheMachineRunsCanBeTaken();
    void chartsAreCopiedSavedAndTabulated();
    void whatStandsAboveTheAnswerFollowsTheEdit();
    void undoInTheQuestionMovesEverything();
    void aQuestionLeavesAnOpenFileAlone();
    void keysOfTheWindowWorkInALineOfText();
    void aChipLeadsToItsField();
    void anAnswerToAnotherQuestionIsDimmed();
    void noticesGoAndFailuresStay();
    void replicasOfALayoutAreOneRow();
    void servingSaysWhatIsImpossible();
    void aClosedLoopFillsEveryPanel();
    void timeOpensWithAnExample();
    void sensitivityDrawsOrSaysWhyNot();
    void partsOfATimeAddUp();
    void everyAssumptionIsListedAndLeadsToItsField();
    void sharesAreTypedAsPerCent();
    void arrivalsAreToldInWords();
    void aCardIsTakenAndTakenBack();
    void commandsCanBeTyped();
    void helpHoldsTheDocumentation();
    void theProgramAnswersWithoutADisplay();
    void everyKeyOfAScenarioHasItsField();
    void hintsOfTheWindowRunNoCommands();
    void manyRandomEdits();

private:
    struct State;
    std::unique_ptr<State> m;
};
