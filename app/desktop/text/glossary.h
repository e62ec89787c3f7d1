#pragma once

#include <QString>
#include <QVector>

namespace headroom::app {

// A word of the trade, as it is written, and what it means.
struct GlossaryEntry {
    QString word;
    QString meaning;
};
// In the order to be read in.
[[nodiscard]] const QVector<GlossaryEntry>& glossary();
// The entries whose words stand in a text: "TP 2 · vLLM" has one.
[[nodiscard]] QVector<GlossaryEntry> glossaryOf(const QString& text);
// The same as a tip; empty where there is none.
[[nodiscard]] QString glossaryTip(const QString& text);

} // namespace headroom::app
