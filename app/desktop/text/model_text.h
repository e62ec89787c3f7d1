#pragma once

#include "model/base/message.h"

#include <QString>

namespace headroom::app {

// What the model says, in the language of the window.
[[nodiscard]] QString modelText(const Message& message);

// "Speed: 20 tok/s", with the colon of the language.
[[nodiscard]] QString titled(const QString& title, const QString& value);

// Whether the window speaks the other language that the model knows.
[[nodiscard]] bool speaksChinese();

} // namespace headroom::app
