#include "calib/validate/engine_refit.h"

#include <algorithm>
#include <cmath>

namespace headroom {
namespace {

// A row that is wrong by more than two fifths is wrong for another reason than a host time: what is beyond
// counts little, and not nothing, for a search that starts far off must feel which way is down.
constexpr double mostLoss = 0.35;
constexpr double shareBeyond = 0.05;
double lossOf(double predicted, double measured)
{
    if (!(predicted > 0))
        return mostLoss;
    const double error = std::abs(std::log(predicted / measured));
    return error <= mostLoss ? error : mostLoss + shareBeyond * (error - mostLoss);
}

// The engine of a run that costs this beside its kernels and claims no spread of its own.
Engine engineWith(const RowCase& run, const EngineNumbers& numbers)
{
    Engine engine = withNumbers(*run.deployment().engine, numbers);
    engine.lnSpreadPrefill = 0;
    engine.lnSpreadDecode = 0;
    engine.lnSpreadSourcePrefill = 0;
    engine.lnSpreadSourceDecode = 0;
    return engine;
}

RunFigures replayedWith(const RowCase& run, const EngineNumbers& numbers)
{
    const Engine engine = engineWith(run, numbers);
    return replayed(run.with(engine));
}

// What rows cannot tell stays as it is elsewhere: a number that is e times the usual one must be worth one
// row that would else be wrong altogether.
double strangeness(const EngineNumbers& numbers, const EngineNumbers& usual)
{
    double sum = 0;
    for (const FittedNumber& number : fittedNumbers())
        if (number.value(numbers) > 0 && number.value(usual) > 0)
            sum += mostLoss * std::abs(std::log(number.value(numbers) / number.value(usual)));
    return sum;
}

std::size_t placeOf(const FittedNumber& number, double value)
{
    const auto distance = [&](double choice) { return std::abs(choice - value); };
    const auto nearest = std::min_element(number.choices.begin(), number.choices.end(),
                                          [&](double a, double b) { return distance(a) < distance(b); });
    return static_cast<std::size_t>(nearest - number.choices.begin());
}

} // namespace

EngineNumbers nearestChoices(const EngineNumbers& numbers)
{
    EngineNumbers out = numbers;
    for (const FittedNumber& number : fittedNumbers())
        // Zero stands for the calibration's own launch and is no choice of ours.
        if (number.name != "eager_launch" || number.value(numbers) > 0)
            number.set(out, number.choices.at(placeOf(number, number.value(numbers))));
    return out;
}

EngineRefit::EngineRefit(const PreparedRuns& prepared, std::vector<std::size_t> rows)
    : m_prepared(&prepared),
      m_rows(std::move(rows)),
      m_engine(prepared.cases[m_rows.front()]->deployment().engine)
{
    for (const std::size_t row : m_rows) {
        const std::size_t run = *prepared.runOf[row];
        if (m_place.try_emplace(run, m_runs.size()).second)
            m_runs.push_back(prepared.runs[run]);
    }
}

const std::vector<RunFigures>& EngineRefit::replaysFor(const EngineNumbers& numbers)
{
    // Admission is added to a replay, not replayed: users who wait for it ask as late as the engine's own
    // admission makes them.
    const EngineNumbers own = numbersOf(*m_engine);
    EngineNumbers stepsOnly = numbers;
    stepsOnly.perRequest = own.perRequest;
    stepsOnly.admissionSteps = own.admissionSteps;
    Key key;
    for (const FittedNumber& number : fittedNumbers())
        key.push_back(number.value(stepsOnly));
    const auto found = m_replays.find(key);
    if (found != m_replays.end())
        return found->second;
    const auto replay = [&](const RowCase& run) { return replayedWith(run, stepsOnly); };
    return m_replays.emplace(std::move(key), replayAll(m_runs, replay)).first->second;
}

EngineRefit::Judged EngineRefit::judge(std::size_t row, const EngineNumbers& numbers)
{
    const RowCase& run = *m_prepared->cases[row];
    const MeasuredRow& measured = m_prepared->rows[row].row;
    Judged out;
    out.figures = admitted(replaysFor(numbers)[m_place.at(*m_prepared->runOf[row])], numbers);
    out.predicted = figureOf(out.figures, run, measured);
    out.prefillShare = prefillShare(out.figures, measured.metric, measured.statistic);
    out.lnSpread = lnSpreadOf(out.figures, run, measured.metric, measured.statistic);
    return out;
}

double EngineRefit::loss(const std::vector<std::size_t>& rows, const EngineNumbers& numbers)
{
    double sum = m_usual ? strangeness(numbers, *m_usual) : 0;
    for (const std::size_t row : rows) {
        const double predicted = judge(row, numbers).predicted.value;
        sum += lossOf(predicted, m_prepared->rows[row].row.value);
    }
    return sum;
}

// One number to its best choice: climbing where each choice means a replay, else trying all.
bool EngineRefit::improve(const std::vector<std::size_t>& rows, const FittedNumber& number,
                          EngineNumbers& numbers, double& least)
{
    bool better = false;
    const auto offer = [&](std::size_t place) {
        EngineNumbers other = numbers;
        number.set(other, number.choices.at(place));
        const double sum = loss(rows, other);
        if (sum >= least - 1e-9)
            return false;
        least = sum;
        numbers = other;
        return better = true;
    };
    if (!number.inSteps) {
        for (std::size_t place = 0; place < number.choices.size(); ++place)
            offer(place);
        return better;
    }
    // Strides as well as steps: the loss of two numbers together has valleys a step wide.
    const auto last = static_cast<std::ptrdiff_t>(number.choices.size()) - 1;
    for (const std::ptrdiff_t stride : {1, -1, 3, -3, 7, -7})
        for (;;) {
            const auto to = static_cast<std::ptrdiff_t>(placeOf(number, number.value(numbers))) + stride;
            if (to < 0 || to > last || !offer(static_cast<std::size_t>(to)))
                break;
        }
    return better;
}

EngineNumbers EngineRefit::fit(const std::vector<std::size_t>& rows, EngineNumbers start,
                               const std::optional<EngineNumbers>& usual)
{
    if (rows.empty())
        return start;
    m_usual = usual;
    double least = loss(rows, start);
    constexpr int mostRounds = 6;
    for (int round = 0; round < mostRounds; ++round) {
        bool better = false;
        for (const FittedNumber& number : fittedNumbers())
            if (number.name != "eager_launch" || number.value(start) > 0)
                better = improve(rows, number, start, least) || better;
        if (!better)
            break;
    }
    return start;
}

} // namespace headroom
