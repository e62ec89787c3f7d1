#include "app/desktop/drawing/write_bytes.h"

#include "model/text/write_file.h"

#include <QFile>

namespace headroom::app {

QString writtenOrWhy(const QString& path, const QByteArray& bytes)
{
    try {
        writeFile(QFile::encodeName(path).toStdString(), bytes.toStdString());
    } catch (const CannotWrite& broken) {
        return QString::fromLocal8Bit(broken.reason());
    }
    return {};
}

} // namespace headroom::app
