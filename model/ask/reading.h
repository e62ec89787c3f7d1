#pragma once

#include "model/ask/items.h"
#include "model/ask/question.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::ask {

// A question in the course of being read. Rules take the items they understand; what no rule takes is a
// problem.
class Reading {
public:
    Reading(std::string_view text, std::vector<Item> items, const Lexicon& lexicon,
            const Vocabulary& vocabulary, std::optional<Language> speak);
    Result<Question> finish();
    [[nodiscard]] std::string_view say(std::string_view english, std::string_view chinese) const;

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    // "8 H100": so many of one type, where it was said.
    struct Counted {
        std::string gpu;
        double count = 0;
        std::size_t first = 0;
        std::size_t last = 0;
    };

    // A number with its unit and what stands around it.
    struct Quantity {
        double value = 0;               // in base units of `unit`, per second where `unit` is a rate
        Meaning unit = Meaning::Filler; // Filler: a bare number
        double perTime = 0;             // seconds of "per hour"; 0: not per time
        bool perCard = false;
        bool perKwh = false;
        bool perToken = false;
        bool each = false;
        Meaning bound = Meaning::Filler; // AtMost, AtLeast or none
        std::size_t first = 0;           // items it is made of
        std::size_t last = 0;            // one past
        std::vector<std::size_t> parts;
    };

    // reading.cpp: walking and taking
    [[nodiscard]] const Item& at(std::size_t i) const { return m_items[i]; }
    [[nodiscard]] bool is(std::size_t i, Meaning m) const
    {
        return i < m_items.size() && !m_used[i] && m_items[i].is(m);
    }
    [[nodiscard]] bool isAny(std::size_t i, std::initializer_list<Meaning> meanings) const;
    [[nodiscard]] bool isNumber(std::size_t i) const;
    [[nodiscard]] bool mentions(Meaning m) const; // anywhere, read or not
    [[nodiscard]] std::size_t
    next(std::size_t i) const; // the nearest unread item that is not filler; none at the end
    [[nodiscard]] std::size_t previous(std::size_t i) const;
    [[nodiscard]] std::size_t touching(std::size_t i) const;
    [[nodiscard]] bool leadsAnother(std::size_t number, std::size_t word) const;
    // The nearest item of `wanted` to the left or right, stepping over relations ("=", "about", "under")
    // only.
    [[nodiscard]] std::size_t topicLeft(std::size_t i, std::initializer_list<Meaning> wanted) const;
    [[nodiscard]] std::size_t topicRight(std::size_t i, std::initializer_list<Meaning> wanted) const;
    void take(std::size_t i) { m_used[i] = true; }
    void take(const Quantity& quantity);
    [[nodiscard]] std::optional<Quantity> quantityAt(std::size_t number) const;
    void readUnit(Quantity& quantity, std::size_t number) const;
    void readPer(Quantity& quantity) const;
    static void perToken(Quantity& quantity, double tokens);
    void readPerBefore(Quantity& quantity, std::size_t number) const;
    void readBound(Quantity& quantity, std::size_t number) const;
    [[nodiscard]] std::string said(std::size_t first,
                                   std::size_t last) const; // as typed, both items included
    void note(std::size_t first, std::size_t last, std::string readAs, std::string why = {},
              std::vector<std::string> others = {});
    void problem(std::size_t first, std::size_t last, std::string what, std::string hint);
    // False, and a problem, when the field has already another value.
    bool once(const std::string& field, const std::string& value, std::size_t first, std::size_t last);

    // reading_machine.cpp
    void readModel();
    void readEngine();
    void readGpus();
    bool readBoxes(std::size_t gpu);
    bool readCountBefore(std::size_t gpu);
    [[nodiscard]] bool isClaimed(std::size_t number) const;
    bool readCountAfter(std::size_t gpu);
    void takeGpuCount(double count, std::size_t first, std::size_t last);
    void takeCountOf(std::size_t gpu, double count, std::size_t first, std::size_t last);
    [[nodiscard]] bool choosesMachines() const;
    [[nodiscard]] static bool namesGpu(std::string_view text);
    [[nodiscard]] bool endsNameOfGpu(std::size_t item) const;
    void noteWhatIsBetter(std::size_t word);
    [[nodiscard]] static bool asksForTheBetter(const Item& item);
    void settleCounts();
    void readBareCounts();
    void readVendors();

    // reading_types.cpp: number types and layouts
    void readTypes();
    void readBits();
    void takeType(DType type, std::size_t item, std::vector<std::string> others);
    void readLayout();
    void readLayoutSize(Meaning topic, std::optional<int> Scenario::*field, std::string_view name);

    // reading_load.cpp
    void readActiveShare();
    void readThinkTime();
    void readUsers();
    // Users who are there at once, all of a service, or those of a day.
    enum class UsersOf : std::uint8_t { Moment, Service, Day };
    struct CountedUsers {
        Quantity words;
        std::size_t ofDay = none; // "daily", "日活"
        bool atOnce = false;
    };
    [[nodiscard]] std::optional<CountedUsers> usersAt(std::size_t number) const;
    void readUsersAt(std::size_t number, UsersOf whom);
    [[nodiscard]] std::string usersInAll(double users) const;
    void settleActiveShare();
    void settleThinkTime();
    void notAllAtOnce();
    [[nodiscard]] std::optional<Quantity> requestEvery(const Quantity& time) const;
    void readRates();
    void takeRate(const Quantity& quantity);
    [[nodiscard]] std::string usersAtOnce(double users) const;
    [[nodiscard]] bool isOfDays(const Quantity& quantity) const;
    void readBatch();
    void readShares();
    void takeShare(double fraction, std::size_t topic, std::size_t first, std::size_t last);
    void readPeak();
    void readTraffic();

    // reading_lengths.cpp
    void readLengths();
    bool readLengthRange(std::size_t number);
    void readLengthPairs();
    void readInOut();
    void takeLength(Meaning topic, LengthDistribution length, std::size_t first, std::size_t last);
    void settleContext();

    // reading_targets.cpp
    void readPercentiles();
    [[nodiscard]] bool standsInTarget(const Quantity& percent) const;
    void readBarePercentile();
    void takePercentile(double percentile, std::size_t first, std::size_t last, std::string why);
    void readTargets();
    void takeTime(const Quantity& quantity, Meaning topic, std::size_t topicItem);
    bool readTimeTarget(const Quantity& quantity);
    void takeTokenRate(const Quantity& quantity);
    void readReadingSpeed();
    void settleThroughput();

    // reading_choices.cpp
    void readPools();
    void readAllowed();
    void readTune();
    void readDay();

    // reading_use_case.cpp
    void readUseCase();
    void settleUseCase();

    // reading_money.cpp
    void readMoney();
    void readTokenPrice();
    void readCostPeriod();
    [[nodiscard]] std::size_t budgetOf(const Quantity& quantity) const;
    [[nodiscard]] bool meansYuan(const Quantity& quantity, std::size_t budget) const;
    void takeMoney(const Quantity& quantity);
    [[nodiscard]] double inDollars(const Quantity& quantity);
    [[nodiscard]] std::string amountSaid(const Quantity& quantity, double dollars) const;
    void takeBudget(const Quantity& quantity, std::size_t first, std::size_t last);
    [[nodiscard]] bool buysOne(const Quantity& quantity) const;
    [[nodiscard]] bool isBuying(std::size_t item) const;
    [[nodiscard]] bool buysAnything() const;
    void takePurchaseBudget(const Quantity& quantity, std::size_t first, std::size_t last);
    void readYears();
    void readPue();
    void readObjectives();

    // reading_memory.cpp
    void readMemory();
    bool readKvOfToken();
    bool readLongestContext();
    bool readMemoryNeed();
    void readBareContext();
    void asksForMemory(Asked what);
    bool takeChain(std::size_t item, std::initializer_list<Meaning> words);

    // question.cpp
    void asksFor(std::size_t measure);
    void readKind();
    void readHowMany();
    void readLeftovers();
    void explain(std::size_t first, std::size_t last);
    [[nodiscard]] std::string appleHint(std::size_t item) const;
    [[nodiscard]] bool paid() const; // a budget says how much there may be
    void fillIn();
    void chooseEngine();

    std::string m_text;
    std::vector<Item> m_items;
    std::vector<bool> m_used;
    const Lexicon& m_lexicon;
    const Vocabulary& m_vocabulary;
    Question m_question;
    Problems m_problems;
    std::map<std::string, std::string> m_said; // field -> value, to see contradictions
    std::vector<Counted> m_counted;            // types with numbers of their own
    std::optional<LengthDistribution> m_context;
    std::optional<double> m_totalTokenRate;
    bool m_maybePromptsToo = false; // "1 billion tokens per day" may count prompts as well
    // "10% are active at once", "think time 30 s": until the users are known that they are said of.
    struct OfUsers {
        double value = 0;
        std::size_t first = 0;
        std::size_t last = 0;
    };
    std::optional<OfUsers> m_activeShare;
    std::optional<OfUsers> m_thinkSeconds;
    std::optional<double> m_usersNotAtOnce; // beside those who are
    bool m_momentSaid = false;              // how many are there at once
    bool m_usersSaid = false;
    bool m_kindSaid = false;
    std::size_t m_dailyUsers = none; // the item that counts them
    std::size_t m_useCase = none;    // the item that names it
    bool m_oneSaid = false;          // "on an L4"
    bool m_evenDay = false;          // a rate of a day, which has busy hours
};

[[nodiscard]] std::string countText(double value); // 20, 2.5, 1,024
[[nodiscard]] double tokensOf(const Item& number); // a length

} // namespace headroom::ask
