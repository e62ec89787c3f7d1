#pragma once

#include <QStringList>

namespace headroom::app {

// What may be asked, in the language of the window: each is understood as it stands.
[[nodiscard]] QStringList exampleQuestions();

} // namespace headroom::app
