#pragma once

#include "calib/validate/engine_numbers.h"
#include "calib/validate/prepared_runs.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

// Fits the numbers of one engine to rows of it. Replays are kept: fits that leave out other rows find most of
// what they ask for.
class EngineRefit {
public:
    // `rows` are places in the prepared runs, all of one engine; both outlive this.
    EngineRefit(const PreparedRuns& prepared, std::vector<std::size_t> rows);

    [[nodiscard]] const Engine& engine() const { return *m_engine; }
    [[nodiscard]] const std::vector<std::size_t>& rows() const { return m_rows; }

    // The choices whose sum of |ln(predicted / measured)| over these rows is least, each row counted up to a
    // limit, and each number by how far it is from the `usual` one, if that is given. Starts where it is
    // told; an empty list of rows gives the start.
    [[nodiscard]] EngineNumbers fit(const std::vector<std::size_t>& rows, EngineNumbers start,
                                    const std::optional<EngineNumbers>& usual = std::nullopt);

    struct Judged {
        Estimate<double> predicted; // with the spread of the operators alone
        double prefillShare = 0;
        double lnSpread = 0; // of the operators, and of guessed lengths
        RunFigures figures;
    };
    [[nodiscard]] Judged judge(std::size_t row, const EngineNumbers& numbers);

private:
    using Key = std::vector<double>;
    const std::vector<RunFigures>& replaysFor(const EngineNumbers& numbers);
    double loss(const std::vector<std::size_t>& rows, const EngineNumbers& numbers);
    bool improve(const std::vector<std::size_t>& rows, const FittedNumber& number, EngineNumbers& numbers,
                 double& least);

    const PreparedRuns* m_prepared;
    std::vector<std::size_t> m_rows;
    const Engine* m_engine;
    std::optional<EngineNumbers> m_usual; // of the fit under way
    std::vector<RowCase> m_runs;
    std::map<std::size_t, std::size_t> m_place; // of a prepared run among these
    std::map<Key, std::vector<RunFigures>> m_replays;
};

// The choice nearest to a value of each number.
[[nodiscard]] EngineNumbers nearestChoices(const EngineNumbers& numbers);

} // namespace headroom
