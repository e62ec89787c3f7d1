#pragma once

#include <QObject>

class RecoveryTest final : public QObject {
    Q_OBJECT

public:
    static int editUntilKilled(const QString& home); // what the killed process runs
    // Edits five times and says what is on the disk, beginning with what it found.
    [[nodiscard]] static int editAndTell(const QString& home);
    // Saves one thing into the folder "out" and says what came of it.
    [[nodiscard]] static int saveAndTell(const QString& what, const QString& home);

private slots:
    void workOfAKilledProgramIsRecovered();
    void aBrokenRecoveryCopyIsPutAside();
    void aRunThatIsKilledAnywhereLosesNothingThatWasWritten();
    void whateverIsSavedIsTheOldOrTheNewFile_data();
    void whateverIsSavedIsTheOldOrTheNewFile();
    void aCopyWhoseLoadingEndsTheProgramIsPutAsideAndKept();
    void whatARunLeftOfItsLockKeepsNobodyFromItsWork();
    void aRunThatLivesKeepsItsCopies();
    void aTryOfLoadingCountsUntilThePlanIsDone();
    void anOrderlyEndLeavesNothingToRecover();
};
