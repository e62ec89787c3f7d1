#pragma once

#include "model/base/message.h"

#include <QString>

#include <string_view>

namespace headroom::app {

// A sentence of the model in the language of the window. The model speaks English; an unknown sentence is
// shown as it is.
[[nodiscard]] QString modelText(std::string_view english);
[[nodiscard]] QString modelText(const Message& message);

// Whether the window speaks the other language that the model knows.
[[nodiscard]] bool speaksChinese();

} // namespace headroom::app
