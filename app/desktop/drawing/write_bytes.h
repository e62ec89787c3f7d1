#pragma once

#include <QByteArray>
#include <QString>

namespace headroom::app {

// Writes a file as everything of ours does (model/text/write_file.h). Empty when it stands there, else the
// system's reason.
[[nodiscard]] QString writtenOrWhy(const QString& path, const QByteArray& bytes);

} // namespace headroom::app
