#include "app/desktop/text/quantities.h"

#include "model/base/chance_text.h"
#include "model/base/currency.h"

#include <QCoreApplication>
#include <QLocale>

#include <array>
#include <cmath>
#include <span>

namespace headroom::app {

namespace {

struct Step {
    double size;
    const char16_t* unit;
};

QString scaled(double value, std::span<const Step> steps, Zeros zeros = Zeros::Kept)
{
    const Step* chosen = &steps.back();
    for (const Step& step : steps)
        if (std::abs(value) >= step.size) {
            chosen = &step;
            break;
        }
    const bool counted = chosen->size == 1 && std::abs(value) == std::floor(std::abs(value)); // bytes
    return figureText(value / chosen->size, counted ? Zeros::Dropped : zeros) + u' '
        + QString::fromUtf16(chosen->unit);
}

// With so many digits that count, but none behind the sixth decimal.
QString rounded(double value, int digits)
{
    if (!std::isfinite(value))
        return QStringLiteral("–");
    if (value == 0)
        return QLocale().toString(0);
    const auto decimalsOf = [digits](double number) {
        const double magnitude = std::floor(std::log10(std::abs(number)) + 1e-9);
        return std::clamp(digits - 1 - static_cast<int>(magnitude), 0, 6);
    };
    const double unit = std::pow(10, -decimalsOf(value));
    const double near = std::round(value / unit) * unit; // 9.996 is 10.0
    return QLocale().toString(value, 'f', near == 0 ? 6 : decimalsOf(near));
}

QString withoutZeros(QString number)
{
    if (!number.contains(QLocale().decimalPoint()))
        return number;
    while (number.endsWith(QLocale().zeroDigit()))
        number.chop(1);
    if (number.endsWith(QLocale().decimalPoint()))
        number.chop(1);
    return number;
}

} // namespace

QString figureText(double value, Zeros zeros)
{
    return zeros == Zeros::Kept ? rounded(value, 3) : numberText(value);
}

QString numberText(double value, int digits) { return withoutZeros(rounded(value, digits)); }

QString wholeText(double value) { return QLocale().toString(static_cast<qlonglong>(std::llround(value))); }

QString percentText(double share, Zeros zeros)
{
    constexpr double nearlyAll = 0.995; // 100 % when rounded
    if (share >= nearlyAll && share < 1)
        return QStringLiteral("> %1 %").arg(wholeText(99));
    const double percent = share * 100;
    const double size = std::abs(percent);
    const int digits = size >= 0.1 && size < 1 ? 1 : 2; // one decimal below ten
    return (zeros == Zeros::Kept ? rounded(percent, digits) : numberText(percent, digits))
        + QStringLiteral(" %");
}

QString probabilityText(double probability) { return QString::fromStdString(chanceText(probability)); }

QString text(Bytes bytes)
{
    constexpr std::array<Step, 5> steps{{{1e12, u"TB"}, {1e9, u"GB"}, {1e6, u"MB"}, {1e3, u"kB"}, {1, u"B"}}};
    return scaled(bytes.base(), steps);
}

QString text(Seconds seconds, Zeros zeros)
{
    constexpr std::array<Step, 5> steps{
        {{3600, u"h"}, {60, u"min"}, {1, u"s"}, {1e-3, u"ms"}, {1e-6, u"µs"}}};
    return scaled(seconds.base(), seconds.base() < 180 ? std::span(steps).subspan(2) : std::span(steps),
                  zeros);
}

QString text(Flops flops)
{
    constexpr std::array<Step, 5> steps{
        {{1e15, u"PFLOP"}, {1e12, u"TFLOP"}, {1e9, u"GFLOP"}, {1e6, u"MFLOP"}, {1, u"FLOP"}}};
    return scaled(flops.base(), steps);
}

QString text(TokensPerSecond rate, Zeros zeros)
{
    return figureText(rate.base(), zeros) + u' ' + QCoreApplication::translate("quantities", "tok/s");
}
QString text(RequestsPerSecond rate, Zeros zeros)
{
    return figureText(rate.base(), zeros) + u' ' + QCoreApplication::translate("quantities", "req/s");
}
QString text(BytesPerSecond rate)
{
    constexpr std::array<Step, 3> steps{{{1e12, u"TB/s"}, {1e9, u"GB/s"}, {1e6, u"MB/s"}}};
    return scaled(rate.base(), steps);
}
QString text(FlopsPerSecond rate)
{
    constexpr std::array<Step, 3> steps{{{1e15, u"PFLOP/s"}, {1e12, u"TFLOP/s"}, {1e9, u"GFLOP/s"}}};
    return scaled(rate.base(), steps);
}
QString text(Watts power)
{
    constexpr std::array<Step, 3> steps{{{1e6, u"MW"}, {1e3, u"kW"}, {1, u"W"}}};
    return scaled(power.base(), steps);
}
QString text(Joules energy)
{
    constexpr std::array<Step, 4> steps{{{1e6, u"MJ"}, {1e3, u"kJ"}, {1, u"J"}, {1e-3, u"mJ"}}};
    return scaled(energy.base(), steps);
}
double toldAmount(Dollars money) { return money.base() * toldCurrency().perDollar; }

QString amountUnit()
{
    const std::string_view sign = toldCurrency().sign;
    return QString::fromUtf8(sign.data(), static_cast<qsizetype>(sign.size()));
}

QString hourlyUnit() { return QCoreApplication::translate("quantities", "%1/h").arg(amountUnit()); }

QString text(Dollars money)
{
    const double amount = toldAmount(money);
    return amountUnit()
        + (std::abs(amount) >= 1000    ? wholeText(amount)
               : std::abs(amount) >= 1 ? QLocale().toString(amount, 'f', 2)
                                       : figureText(amount));
}
QString perHourText(DollarsPerSecond rate)
{
    constexpr double cents = 0.1; // below, two decimals tell too little
    const Dollars hourly(perHour(rate));
    const double amount = toldAmount(hourly);
    const QString price = std::abs(amount) >= cents && std::abs(amount) < 1
        ? amountUnit() + QLocale().toString(amount, 'f', 2)
        : text(hourly);
    return QCoreApplication::translate("quantities", "%1/h").arg(price);
}

QString parametersText(double parameters)
{
    if (parameters >= 1e12)
        return numberText(parameters / 1e12) + u'T';
    return parameters >= 1e9 ? numberText(parameters / 1e9) + u'B' : numberText(parameters / 1e6) + u'M';
}

namespace {

// " tok/s" of "31 tok/s"; nothing where a sign stands in front or nothing at all.
QString unitOf(const QString& quantity)
{
    const qsizetype space = quantity.lastIndexOf(u' ');
    return space < 0 ? QString() : quantity.mid(space);
}

QString withoutUnit(const QString& quantity, const QString& unit)
{
    return !unit.isEmpty() && quantity.endsWith(unit) ? quantity.chopped(unit.size()) : quantity;
}

} // namespace

QString spanText(const QString& low, const QString& high)
{
    return withoutUnit(low, unitOf(high)) + QStringLiteral(" – ") + high;
}

QString spanText(const QString& value, const QString& low, const QString& high)
{
    const QString unit = unitOf(value);
    const bool all = low.endsWith(unit) && high.endsWith(unit);
    return QStringLiteral("%1 (%2)").arg(
        value,
        all ? withoutUnit(low, unit) + QStringLiteral(" – ") + withoutUnit(high, unit) : spanText(low, high));
}

QString sourceText(Source source)
{
    switch (source) {
    case Source::Exact:
        return QCoreApplication::translate("quantities", "exact");
    case Source::MeasuredHere:
        return QCoreApplication::translate("quantities", "measured here");
    case Source::MeasuredPublished:
        return QCoreApplication::translate("quantities", "measured, published");
    case Source::SameFamily:
        return QCoreApplication::translate("quantities", "same GPU family");
    case Source::Prior:
        break;
    }
    return QCoreApplication::translate("quantities", "prior estimate");
}

QString confidenceText(double probability)
{
    return QCoreApplication::translate("quantities", "%1 sure").arg(probabilityText(probability));
}

} // namespace headroom::app
