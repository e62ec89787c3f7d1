#include "app/desktop/charts/chart_ticks.h"

#include <qcustomplot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace headroom::app {

namespace {

// "1,024", "16k", "1.5M", "0.05": ticks must be short, and no two of them the same.
QString tickText(double value, int digits)
{
    const QLocale locale;
    const double size = std::abs(value);
    for (const auto& [unit, suffix] : {std::pair(1e9, 'G'), std::pair(1e6, 'M'), std::pair(1e3, 'k')})
        if (size >= (unit == 1e3 ? 1e4 : unit))
            return locale.toString(value / unit, 'g', digits) + QLatin1Char(suffix);
    if (size >= 1000)
        return locale.toString(value, 'f', 0);
    return locale.toString(value, 'g', digits);
}

class PlainTicker final : public QCPAxisTicker {
public:
    explicit PlainTicker(const ChartAxis& axis)
        : m_whole(axis.whole), m_step(axis.step), m_last(axis.lastTick)
    {}

protected:
    double getTickStep(const QCPRange& range) override
    {
        if (m_step > 0 && range.size() / m_step <= 2.0 * tickCount()) // not when zoomed far out
            return m_step;
        const double step = QCPAxisTicker::getTickStep(range);
        return m_whole ? std::ceil(step) : step;
    }
    QVector<double> createTickVector(double step, const QCPRange& range) override
    {
        QVector<double> ticks = QCPAxisTicker::createTickVector(step, range);
        if (m_last)
            ticks.removeIf([this](double tick) { return tick > *m_last; });
        return ticks;
    }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return tickText(tick, 4); }

private:
    bool m_whole;
    double m_step;
    std::optional<double> m_last;
};

// Of a logarithmic axis: powers of two where things double (batches, tokens), else 1, 2 and 5 of each decade,
// or whole decades when there are many. Within less than a decade the steps are even.
class LogTicker final : public QCPAxisTicker {
public:
    explicit LogTicker(bool doubling) : m_doubling(doubling) {}

protected:
    QVector<double> createTickVector(double step, const QCPRange& range) override
    {
        constexpr double even = 5;      // a shorter stretch looks almost linear
        constexpr double doubled = 5e3; // 12 doublings
        constexpr double fine = 1.1e3;  // three decades with 1, 2, 5
        constexpr int every = 100;
        const int most = std::max(2, tickCount() * 3 / 2); // powers are short
        if (range.lower <= 0)
            return {};
        const double ratio = range.upper / range.lower;
        if (m_doubling && ratio < doubled)
            return powers(2, range, most);
        if (!m_doubling && ratio < even)
            return QCPAxisTicker::createTickVector(step, range);
        if (ratio > fine)
            return powers(10, range, most);
        QVector<double> ticks;
        for (const double decade : powers(10, {range.lower / 10, range.upper}, every))
            for (const double times : std::array{1, 2, 5})
                ticks << decade * times;
        const QVector<double> decades = powers(10, range, every);
        return shown(ticks, range) > tickCount() + 2 && shown(decades, range) > 1 ? decades : ticks;
    }
    QVector<double> createSubTickVector(int, const QVector<double>&) override { return {}; }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return tickText(tick, 3); }

private:
    static qsizetype shown(const QVector<double>& ticks, const QCPRange& range)
    {
        return std::count_if(ticks.begin(), ticks.end(), [&](double tick) { return range.contains(tick); });
    }

    // With one to either side, as the axis wants it. Crowded ones stay at the same powers of the base.
    static QVector<double> powers(double base, const QCPRange& range, int most)
    {
        const auto first = static_cast<int>(std::ceil(std::log(range.lower) / std::log(base)));
        const auto last = static_cast<int>(std::floor(std::log(range.upper) / std::log(base)));
        const int stride = std::max(1, (last - first) / most + 1);
        QVector<double> ticks;
        for (int exponent = (first / stride - 1) * stride; exponent <= last + stride; exponent += stride)
            ticks << std::pow(base, exponent);
        return ticks;
    }

    bool m_doubling;
};

} // namespace

QSharedPointer<QCPAxisTicker> tickerFor(const ChartAxis& axis)
{
    if (!axis.logarithmic)
        return QSharedPointer<QCPAxisTicker>(new PlainTicker(axis));
    return QSharedPointer<QCPAxisTicker>(new LogTicker(axis.doubling));
}

} // namespace headroom::app
