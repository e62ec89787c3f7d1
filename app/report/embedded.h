#pragma once

#include <QByteArray>
#include <QString>

namespace headroom::app {

// A document that travels inside a report, out of sight: in a PDF as an attachment of this name.
inline const QString embeddedName = QStringLiteral("offer.json");
[[nodiscard]] QByteArray inHtml(const QByteArray& json);     // a script that is none
[[nodiscard]] QByteArray inMarkdown(const QByteArray& json); // a comment
// Out of a report of any of the three; empty where there is none.
[[nodiscard]] QByteArray embeddedIn(const QByteArray& report);

} // namespace headroom::app
