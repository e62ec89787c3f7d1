#include "app/desktop/text/model_text.h"

#include "model/report/translation.h"

#include <QCoreApplication>

namespace headroom::app {

QString modelText(std::string_view english)
{
    // The marker is translated in every language but English; the model's own sentences are known in Chinese.
    const bool chinese
        = QCoreApplication::translate("Model", "en", "the language of this translation: zh_CN, …")
        == QStringLiteral("zh_CN");
    return chinese ? QString::fromStdString(inChinese(english))
                   : QString::fromUtf8(english.data(), static_cast<qsizetype>(english.size()));
}

} // namespace headroom::app
