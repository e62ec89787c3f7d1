#pragma once

#include <QByteArray>

namespace headroom::app {

// An object of a PDF file that is written anew: what stands between "0 obj" and "endobj".
struct PdfObject {
    int number = 0;
    QByteArray body;
};

// The stream of an object, unpacked; empty where there is none. As Qt writes them: deflated or plain.
[[nodiscard]] QByteArray pdfStream(const QByteArray& pdf, int number);
[[nodiscard]] PdfObject pdfStreamObject(int number, const QByteArray& content);

} // namespace headroom::app
