#include "app/desktop/text/choice_text.h"

#include "app/desktop/text/model_text.h"
#include "model/advise/choices.h"

#include <QStringList>

namespace headroom::app {

QString choiceTitle(const Choice& choice)
{
    QStringList kinds;
    for (const ChoiceKind kind : choice.kinds)
        kinds << modelText(choiceText(kind));
    QString title = kinds.join(QStringLiteral(", "));
    if (!title.isEmpty())
        title[0] = title[0].toUpper();
    return title;
}

QString recommendedWords(const Choices& choices) { return modelText(recommendedText(choices.because)); }

} // namespace headroom::app
