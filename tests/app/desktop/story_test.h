#pragma once

#include <QObject>

#include <memory>

// What people do from the first look to the report, and what helps them along.
class StoryTest final : public QObject {
    Q_OBJECT

public:
    StoryTest();
    ~StoryTest() override;

private slots:
    void init();
    void cleanup();
    void theStoryByKeyboardAlone();
    void theStartPageOffersWhatThereIs();
    void theTourShowsEveryPlace();
    void pinsTellHowTheyDiffer();
    void aMarkedBatchIsInEveryView();
    void theLineOfTheTargetIsDragged();
    void wordsOfTheTradeAreExplained();
    void theStartCommandIsCopied();
    void aScenarioIsPastedAsALine();
    void whatWasMeantIsAClickAway();

private:
    struct State;
    std::unique_ptr<State> m;
};
