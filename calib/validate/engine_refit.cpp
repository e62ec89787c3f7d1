#include "calib/validate/engine_refit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom {
namespace {

// A row that is wrong by more than two fifths is wrong for another reason than a host time: what is beyond
// counts little, and not nothing, for a search that starts far off must feel which way is down.
constexpr double mostLoss = 0.35;
constexpr double shareBeyond = 0.05;
// Below this a row's loss is its square (Huber's loss): with a kink at each row a fit meets one of them and
// forgets the next. Left out by source, 0.1 orders as many pairs right.
constexpr double met = 0.05;
// `error`: |ln(predicted / measured)|, infinite where nothing is predicted.
double lossOf(double error)
{
    if (std::isinf(error))
        return mostLoss;
    if (error < met)
        return (error * error / met + met) / 2;
    return error <= mostLoss ? error : mostLoss + shareBeyond * (error - mostLoss);
}

// The engine of a run that costs this beside its kernels and claims no spread of its own.
Engine engineWith(const RowCase& run, const EngineTimes& numbers)
{
    Engine engine = *run.deployment().engine;
    static_cast<EngineTimes&>(engine) = numbers;
    static_cast<EngineSpreads&>(engine) = {};
    return engine;
}

RunFigures replayedWith(const RowCase& run, const EngineTimes& numbers)
{
    const Engine engine = engineWith(run, numbers);
    return replayed(run.with(engine));
}

// What rows cannot tell stays as it is elsewhere: a number that is as far from the usual one as engines' are
// must be worth one row that would else be wrong altogether. Host times differ by factors from engine to
// engine, kernels by a few tenths.
double strangeness(const EngineTimes& numbers, const UsualTimes& usual)
{
    double sum = 0;
    for (std::size_t i = 0; i < fittedNumberCount; ++i) {
        const FittedNumber& number = fittedNumbers()[i];
        if (const double there = number.value(usual.numbers); number.value(numbers) > 0 && there > 0)
            sum += mostLoss * std::abs(std::log(number.value(numbers) / there)) / usual.lnDistance[i];
    }
    return sum;
}

std::size_t choiceNear(const FittedNumber& number, double value)
{
    const auto distance = [&](double choice) { return std::abs(choice - value); };
    const auto nearest = std::min_element(number.choices.begin(), number.choices.end(),
                                          [&](double a, double b) { return distance(a) < distance(b); });
    return static_cast<std::size_t>(nearest - number.choices.begin());
}

// How far, in ln, other times of the host can move any figure of a run: were every step longer by a share,
// every time would be, but where requests come by the clock. No step is lengthened by a larger share than the
// shortest, which may be half of those that are known here.
double reachOf(const RunFigures& figures, const RowCase& run, const EngineTimes& from, const EngineTimes& to)
{
    constexpr double anywhere = std::numeric_limits<double>::infinity();
    if (run.load.kind == RunKind::OpenLoop || from.eagerLaunch != to.eagerLaunch
        || from.kernelGap != to.kernelGap)
        return anywhere;
    const Seconds change = to.stepHostTime - from.stepHostTime
        + (to.stepHostTimePerSequence - from.stepHostTimePerSequence) * std::max(figures.batch, 1.0);
    const double share = 2 * (change / std::min(figures.prefill.rate.value, figures.decode.rate.value));
    const double experts = std::abs(std::log(to.expertTime / from.expertTime));
    return share > -1 ? std::abs(std::log1p(share)) + experts : anywhere;
}

} // namespace

EngineTimes nearestChoices(const EngineTimes& numbers)
{
    EngineTimes out = numbers;
    for (const FittedNumber& number : fittedNumbers())
        // Zero stands for the calibration's own launch, or no gap, and is no choice of ours.
        if (number.value(numbers) > 0 || isFitted(number, numbers))
            number.set(out, number.choices.at(choiceNear(number, number.value(numbers))));
    return out;
}

EngineRefit::EngineRefit(const PreparedRuns& prepared, std::vector<std::size_t> rows)
    : m_prepared(&prepared),
      m_rows(std::move(rows)),
      m_engine(prepared.cases[m_rows.front()]->deployment().engine)
{
    for (const std::size_t row : m_rows) {
        const std::size_t run = *prepared.runOf[row];
        if (m_place.try_emplace(run, m_runs.size()).second) {
            m_runs.push_back(prepared.runs[run]);
            m_hasExperts.push_back(m_runs.back().deployment().llm->hasExperts());
        }
    }
}

// What another admission takes is added to a replay, not replayed: users who wait for it ask as late as the
// engine's own admission makes them.
EngineTimes EngineRefit::stepsOf(EngineTimes numbers) const
{
    const EngineTimes own = *m_engine;
    numbers.requestHostTime = own.requestHostTime;
    numbers.admissionSteps = own.admissionSteps;
    return numbers;
}

EngineRefit::Replays& EngineRefit::replaysOf(const EngineTimes& numbers)
{
    const EngineTimes steps = stepsOf(numbers);
    Key key;
    for (const FittedNumber& number : fittedNumbers())
        key.push_back(number.value(steps));
    Replays& replays = m_replays[std::move(key)];
    replays.resize(m_runs.size());
    return replays;
}

// The runs of these rows, those that nobody has asked for before.
void EngineRefit::replay(Replays& replays, const EngineTimes& numbers, const std::size_t* first,
                         const std::size_t* last)
{
    // Models without experts take as long whatever experts take: one replay serves all such choices.
    EngineTimes plain = numbers;
    plain.expertTime = m_engine->expertTime;
    Replays& withoutExperts = replaysOf(plain);
    std::vector<std::size_t> missing;
    for (const std::size_t* row = first; row != last; ++row) {
        const std::size_t place = placeOf(*row);
        if (replays[place] == nullptr && !m_hasExperts[place])
            replays[place] = withoutExperts[place];
        if (replays[place] == nullptr) {
            replays[place] = std::make_shared<RunFigures>();
            missing.push_back(place);
            if (!m_hasExperts[place])
                withoutExperts[place] = replays[place];
        }
    }
    const EngineTimes steps = stepsOf(numbers);
    std::vector<RunFigures> figures
        = replayAll(m_runs, missing, [&](const RowCase& run) { return replayedWith(run, steps); });
    for (std::size_t i = 0; i < missing.size(); ++i)
        *replays[missing[i]] = std::move(figures[i]);
}

std::vector<EngineRefit::Judged> EngineRefit::judge(const std::vector<std::size_t>& rows,
                                                    const EngineTimes& numbers)
{
    Replays& replays = replaysOf(numbers);
    replay(replays, numbers, rows.data(), rows.data() + rows.size());
    std::vector<Judged> out;
    for (const std::size_t row : rows) {
        const RowCase& run = *m_prepared->cases[row];
        const MeasuredRow& measured = m_prepared->rows[row].row;
        Judged one;
        one.figures = admitted(*replays[placeOf(row)], numbers);
        one.predicted = figureOf(one.figures, run, measured);
        one.prefillShare = prefillShare(one.figures, measured.metric, measured.statistic);
        one.lnSpread = lnSpreadOf(one.figures, playedRun(run), measured.metric, measured.statistic);
        out.push_back(std::move(one));
    }
    return out;
}

double EngineRefit::errorOf(const RunFigures& figures, std::size_t row, const EngineTimes& numbers) const
{
    const MeasuredRow& measured = m_prepared->rows[row].row;
    const double predicted = admittedValue(figures, *m_prepared->cases[row], measured, numbers);
    return predicted > 0 ? std::abs(std::log(predicted / measured.value))
                         : std::numeric_limits<double>::infinity();
}

// What the rows from each on lose at least with other numbers, by what they lose now and how far these can
// move them.
std::vector<double> EngineRefit::leastLossFrom(const Fit& fit, const EngineTimes& numbers)
{
    std::vector<double> least(fit.rows.size() + 1, 0.0);
    if (fit.errors.empty() || stepsOf(numbers) == stepsOf(fit.numbers))
        return least; // nothing is known, or nothing is to be replayed
    const Replays& now = replaysOf(fit.numbers);
    for (std::size_t i = fit.rows.size(); i-- > 0;) {
        const std::size_t place = placeOf(fit.rows[i]);
        const double reach = reachOf(*now[place], m_runs[place], fit.numbers, numbers);
        const double error = std::isinf(fit.errors[i]) ? 0 : std::max(0.0, fit.errors[i] - reach);
        least[i] = least[i + 1] + fit.weights[i] * lossOf(error);
    }
    return least;
}

// Takes these numbers where they lose less. Most choices lose more, and that is plain before the long runs
// are replayed.
bool EngineRefit::offer(Fit& fit, const EngineTimes& numbers)
{
    Replays& replays = replaysOf(numbers);
    const std::vector<double> behind = leastLossFrom(fit, numbers);
    double sum = fit.usual ? strangeness(numbers, *fit.usual) : 0;
    std::vector<double> errors;
    constexpr std::size_t firstFew = 32;
    for (std::size_t begin = 0, count = firstFew; begin < fit.rows.size(); begin += count, count *= 2) {
        const std::size_t end = std::min(begin + count, fit.rows.size());
        replay(replays, numbers, fit.rows.data() + begin, fit.rows.data() + end);
        for (std::size_t i = begin; i < end; ++i) {
            errors.push_back(errorOf(*replays[placeOf(fit.rows[i])], fit.rows[i], numbers));
            sum += fit.weights[i] * lossOf(errors.back());
        }
        if (sum + behind[end] >= fit.loss)
            return false;
    }
    constexpr double rounding = 1e-9;
    if (sum >= fit.loss - rounding)
        return false;
    fit.loss = sum;
    fit.numbers = numbers;
    fit.errors = std::move(errors);
    return true;
}

// One number to its best choice: climbing where each choice means a replay, else trying all.
bool EngineRefit::improve(Fit& fit, const FittedNumber& number)
{
    bool better = false;
    const auto offerPlace = [&](std::size_t place) {
        EngineTimes other = fit.numbers;
        number.set(other, number.choices.at(place));
        const bool taken = offer(fit, other);
        better = better || taken;
        return taken;
    };
    if (!number.inSteps) {
        for (std::size_t place = 0; place < number.choices.size(); ++place)
            offerPlace(place);
        return better;
    }
    // Strides as well as steps: the loss of two numbers together has valleys a step wide.
    const auto last = static_cast<std::ptrdiff_t>(number.choices.size()) - 1;
    for (const std::ptrdiff_t stride : {1, -1, 3, -3, 7, -7})
        for (;;) {
            const std::size_t now = choiceNear(number, number.value(fit.numbers));
            const auto to = static_cast<std::ptrdiff_t>(now) + stride;
            if (to < 0 || to > last || !offerPlace(static_cast<std::size_t>(to)))
                break;
        }
    return better;
}

bool EngineRefit::runsExperts() const
{
    return std::any_of(m_hasExperts.begin(), m_hasExperts.end(), [](char has) { return has != 0; });
}

std::string EngineRefit::generation() const
{
    const std::string& first = m_runs.front().deployment().gpu->family;
    const bool alike = std::all_of(m_runs.begin(), m_runs.end(),
                                   [&](const RowCase& run) { return run.deployment().gpu->family == first; });
    return alike ? first : std::string();
}

bool EngineRefit::serves() const
{
    return std::any_of(m_runs.begin(), m_runs.end(), [](const RowCase& run) {
        return run.load.kind == RunKind::ClosedLoop || run.load.kind == RunKind::OpenLoop;
    });
}

// Rows that are alike share what is odd about them: more of them say more, but not as many times more.
std::vector<double> EngineRefit::weightsOf(const std::vector<std::size_t>& rows,
                                           const RowGrouping& alike) const
{
    std::vector<double> weights(rows.size(), 1);
    if (!alike)
        return weights;
    std::map<std::string, double> counts;
    for (const std::size_t row : rows)
        ++counts[alike(m_prepared->rows[row])];
    for (std::size_t i = 0; i < rows.size(); ++i)
        weights[i] = 1 / std::sqrt(counts.at(alike(m_prepared->rows[rows[i]])));
    return weights;
}

EngineTimes EngineRefit::fit(const std::vector<std::size_t>& rows, const EngineTimes& start,
                             const std::optional<UsualTimes>& usual, const RowGrouping& alike)
{
    if (rows.empty())
        return start;
    Fit fit{.rows = rows,
            .weights = {},
            .usual = usual,
            .numbers = start,
            .loss = std::numeric_limits<double>::infinity()};
    std::stable_sort(fit.rows.begin(), fit.rows.end(), [&](std::size_t a, std::size_t b) {
        return workOf(m_runs[placeOf(a)]) < workOf(m_runs[placeOf(b)]);
    });
    fit.weights = weightsOf(fit.rows, alike);
    offer(fit, start);
    constexpr int mostRounds = 6;
    for (int round = 0; round < mostRounds; ++round) {
        bool better = false;
        for (const FittedNumber& number : fittedNumbers())
            if (isFitted(number, fit.numbers))
                better = improve(fit, number) || better;
        if (!better)
            break;
    }
    return fit.numbers;
}

} // namespace headroom
