#pragma once

#include <QString>

namespace headroom::app {

// A sentence of the model as a window says it: a flag of the command line ("give --price") is the field that
// asks for the same.
[[nodiscard]] QString inWindowWords(QString sentence);
// Whether a hint says to run a command, which nobody who looks at a window wants to.
[[nodiscard]] bool saysToRunACommand(const QString& hint);

} // namespace headroom::app
