#pragma once

#include <QString>

#include <string_view>

namespace headroom::app {

// A sentence of the model in the language of the window. The model speaks English; an unknown sentence is
// shown as it is.
[[nodiscard]] QString modelText(std::string_view english);

// Whether the window speaks the other language that the model knows.
[[nodiscard]] bool speaksChinese();

} // namespace headroom::app
