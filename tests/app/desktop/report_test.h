#pragma once

#include <QObject>

// The report against the command line's JSON, through the programs that users run.
class ReportTest final : public QObject {
    Q_OBJECT

private slots:
    void figuresEqualTheJson_data();
    void figuresEqualTheJson();
    void everyFontIsEmbedded_data();
    void everyFontIsEmbedded();
    void aRefusedPlanSaysWhyAndWhatWouldHelp();
    void manyCandidatesKeepToFewPages();
    void isWhollyChineseWhenAsked();
    void speaksTheLanguageOfTheQuestion();
    void tellsHowManyAlternativesCarryWhereThatWasAsked();
    void tellsWhatWasAskedFromWhatWasAssumed();
    void namesTimesAtTheLoadApart();
    void tellsAmountsInTheCurrencyAskedFor();
    void promisesNothingWithoutTargets();
    void tellsWhyMoreAreCarriedThanFitAtFullLength();
    void aJobIsToldByItsHours();
    void whatIsBoughtHasOneSumOverTheYears();
    void saysWhatOneYearOfRentCosts();
    void splitPoolsNeedANetwork();
    void hasBookmarksAndItsScenario();
    void differsOnlyInItsDate();
    void everyFigureOfEveryFormatIsTheJsons_data();
    void everyFigureOfEveryFormatIsTheJsons();
    void tellsWhatChangedSinceAnEarlierReport();
    void theDesktopWritesTheSameReport();
};
