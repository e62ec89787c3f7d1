#pragma once

#include "calib/validate/engine_numbers.h"
#include "calib/validate/prepared_runs.h"

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

// What is known of an engine's numbers before its own runs are.
struct UsualTimes {
    EngineTimes numbers;
    std::array<double, fittedNumberCount> lnDistance; // of engines from them: a deviation, each above zero
};

// What rows share that may be odd about all of them: the server of a source.
using RowGrouping = std::function<std::string(const JudgedRow&)>;

// Fits the numbers of one engine to rows of it. Replays are kept: fits that leave out other rows find most of
// what they ask for.
class EngineRefit {
public:
    // `rows` are places in the prepared runs, all of one engine; both outlive this.
    EngineRefit(const PreparedRuns& prepared, std::vector<std::size_t> rows);

    [[nodiscard]] const Engine& engine() const { return *m_engine; }
    [[nodiscard]] const std::vector<std::size_t>& rows() const { return m_rows; }

    // The choices whose sum of |ln(predicted / measured)| over these rows is least, each row counted up to a
    // limit, n rows that are `alike` as the root of n, if that is given, and each number by how far it is
    // from the `usual` one, if that is. Starts where it is told; an empty list of rows gives the start.
    [[nodiscard]] EngineTimes fit(const std::vector<std::size_t>& rows, const EngineTimes& start,
                                  const std::optional<UsualTimes>& usual = std::nullopt,
                                  const RowGrouping& alike = {});
    [[nodiscard]] bool runsExperts() const;       // some run's model has them
    [[nodiscard]] bool serves() const;            // some run is of requests that come to a server
    [[nodiscard]] std::string generation() const; // of all runs' accelerators; empty where there are several
    [[nodiscard]] Platform platform() const { return m_runs.front().deployment().gpu->platform; }

    struct Judged {
        Estimate<double> predicted; // with the spread of the operators alone
        double prefillShare = 0;
        double lnSpread = 0; // of the operators, and of guessed lengths
        RunFigures figures;
    };
    [[nodiscard]] std::vector<Judged> judge(const std::vector<std::size_t>& rows, const EngineTimes& numbers);

private:
    using Key = std::vector<double>;
    using Replays = std::vector<std::shared_ptr<RunFigures>>; // of each run; none: nobody has asked yet

    // A fit under way: the best choice so far, and what it makes of each row.
    struct Fit {
        std::vector<std::size_t> rows; // those of short runs first
        std::vector<double> weights;
        std::optional<UsualTimes> usual;
        EngineTimes numbers;
        double loss = 0;
        std::vector<double> errors{}; // |ln(predicted / measured)|; empty before the first choice
    };
    [[nodiscard]] EngineTimes stepsOf(EngineTimes numbers) const;
    Replays& replaysOf(const EngineTimes& numbers);
    void replay(Replays& replays, const EngineTimes& numbers, const std::size_t* first,
                const std::size_t* last);
    [[nodiscard]] double errorOf(const RunFigures& figures, std::size_t row,
                                 const EngineTimes& numbers) const;
    [[nodiscard]] std::vector<double> leastLossFrom(const Fit& fit, const EngineTimes& numbers);
    bool offer(Fit& fit, const EngineTimes& numbers);
    bool improve(Fit& fit, const FittedNumber& number);
    [[nodiscard]] std::vector<double> weightsOf(const std::vector<std::size_t>& rows,
                                                const RowGrouping& alike) const;
    [[nodiscard]] std::size_t placeOf(std::size_t row) const { return m_place.at(*m_prepared->runOf[row]); }

    const PreparedRuns* m_prepared;
    std::vector<std::size_t> m_rows;
    const Engine* m_engine;
    std::vector<RowCase> m_runs;
    std::vector<char> m_hasExperts;             // of each run
    std::map<std::size_t, std::size_t> m_place; // of a prepared run among these
    std::map<Key, Replays> m_replays;
};

// The choice nearest to a value of each number.
[[nodiscard]] EngineTimes nearestChoices(const EngineTimes& numbers);

} // namespace headroom
