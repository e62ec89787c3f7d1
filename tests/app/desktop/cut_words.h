#pragma once

#include <QStringList>
#include <QWidget>

namespace headroom::app {

// What a user cannot read in a window as it stands: words that are wider or higher than their place, widgets
// that reach out of what holds them or lie on each other. One line for each.
[[nodiscard]] QStringList cutWords(const QWidget& window);

} // namespace headroom::app
