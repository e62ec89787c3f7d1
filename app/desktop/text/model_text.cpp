#include "app/desktop/text/model_text.h"

#include "model/report/translation.h"

#include <QCoreApplication>

namespace headroom::app {

QString titled(const QString& title, const QString& value)
{
    return QCoreApplication::translate("headroom::app", "%1: %2").arg(title, value);
}

bool speaksChinese()
{
    // The marker is translated in every language but English.
    return QCoreApplication::translate("Model", "en", "the language of this translation: zh_CN, …")
        == QStringLiteral("zh_CN");
}

QString modelText(const Message& message)
{
    return QString::fromStdString(speaksChinese() ? inChinese(message) : message.english());
}

} // namespace headroom::app
