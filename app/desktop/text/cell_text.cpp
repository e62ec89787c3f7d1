#include "app/desktop/text/cell_text.h"

#include "app/desktop/text/model_text.h"
#include "app/desktop/text/quantities.h"

#include <QCoreApplication>
#include <QLocale>

#include <string_view>

namespace headroom::app {

QString measureText(double base, Measure measure)
{
    switch (measure) {
    case Measure::Count:
        return numberText(base);
    case Measure::Plain:
        return QLocale().toString(base, 'g', 12);
    case Measure::Whole:
        return wholeText(base);
    case Measure::Share:
        return percentText(base, Zeros::Kept);
    case Measure::Storage:
        return text(Bytes(base));
    case Measure::Work:
        return text(Flops(base));
    case Measure::Time:
        return text(Seconds(base));
    case Measure::Length:
        return wholeText(base);
    case Measure::TokenRate:
        return text(TokensPerSecond(base));
    case Measure::RequestRate:
        return text(RequestsPerSecond(base));
    case Measure::Bandwidth:
        return text(BytesPerSecond(base));
    case Measure::WorkRate:
        return text(FlopsPerSecond(base));
    case Measure::Power:
        return text(Watts(base));
    case Measure::Energy:
        return text(Joules(base));
    case Measure::Money:
    case Measure::MillionPrice:
        return text(Dollars(base));
    case Measure::HourlyPrice:
        return perHourText(dollarsPerHour(base));
    }
    return numberText(base);
}

QString shownText(const ColumnHead& head, const Cell& cell)
{
    struct Reader {
        const ColumnHead& head;
        QString operator()(std::monostate) const { return QStringLiteral("–"); }
        QString operator()(const std::string& words) const { return QString::fromStdString(words); }
        QString operator()(const Message& words) const { return modelText(words); }
        QString operator()(double value) const
        {
            const std::string_view key = head.key;
            if (key == "params_total" || key == "params_active")
                return parametersText(value);
            return key == "confidence" ? probabilityText(value) : measureText(value, head.measure);
        }
        QString operator()(bool yes) const
        {
            return yes ? QCoreApplication::translate("quantities", "yes")
                       : QCoreApplication::translate("quantities", "no");
        }
        QString operator()(const Interval& interval) const
        {
            const QString value = measureText(interval.value, head.measure);
            return interval.high > interval.low ? spanText(value, measureText(interval.low, head.measure),
                                                           measureText(interval.high, head.measure))
                                                : value;
        }
    };
    return std::visit(Reader{head}, cell);
}

QString columnTitle(const ColumnHead& head)
{
    QString title = modelText(head.title);
    if (!title.isEmpty())
        title[0] = title[0].toUpper();
    return title;
}

} // namespace headroom::app
