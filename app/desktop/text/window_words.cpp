#include "app/desktop/text/window_words.h"

#include "app/desktop/text/scenario_fields.h"
#include "model/scenario/scenario_keys.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace headroom::app {

QString inWindowWords(QString sentence)
{
    if (!sentence.contains(QStringLiteral("--")))
        return sentence;
    static const QRegularExpression flag(QStringLiteral("(?<![\\w-])--([a-z][a-z-]*)(?:=[\\w.]+)?"));
    qsizetype from = 0;
    for (QRegularExpressionMatch found = flag.match(sentence, from); found.hasMatch();
         found = flag.match(sentence, from)) {
        const std::string key = found.captured(1).toStdString();
        from = found.capturedEnd();
        if (findScenarioKey(key) == nullptr)
            continue;
        const QString field = QCoreApplication::translate("headroom::app", "“%1”").arg(scenarioKeyTitle(key));
        sentence.replace(found.capturedStart(), found.capturedLength(), field);
        from = found.capturedStart() + field.size();
    }
    return sentence;
}

bool saysToRunACommand(const QString& hint)
{
    static const QRegularExpression command(QStringLiteral("['`]headroom [a-z]"));
    return command.match(hint).hasMatch();
}

} // namespace headroom::app
