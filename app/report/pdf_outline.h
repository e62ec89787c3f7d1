#pragma once

#include "app/report/pdf_stream.h"

#include <QByteArray>
#include <QString>
#include <QVector>

namespace headroom::app {

struct Bookmark {
    QString title;
    int page = 0;   // from 0
    double top = 0; // points from the top of the page
    int level = 0;  // 0: a section, 1: inside the section before it
};

// Qt writes PDF without bookmarks: this appends them as an incremental update (PDF 1.7, 7.5.6 and 12.3.3),
// and objects that are written anew. What was there stays byte for byte. A file whose structure is not the
// one Qt writes is returned as it is.
[[nodiscard]] QByteArray withOutline(const QByteArray& pdf, const QVector<Bookmark>& bookmarks,
                                     double pageHeight, const QVector<PdfObject>& anew);

} // namespace headroom::app
