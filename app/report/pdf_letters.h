#pragma once

#include "app/report/pdf_stream.h"

#include <QVector>

namespace headroom::app {

// Qt tells a PDF's reader of a Han letter the first sign of its font that looks so, which for some is a
// radical of a dictionary ("⽤" for "用"): who searches for the word does not find it. These are the tables
// of letters that say it rightly, in the place of those that Qt wrote.
[[nodiscard]] QVector<PdfObject> searchableLetters(const QByteArray& pdf);

} // namespace headroom::app
