#include "app/report/pdf_stream.h"

namespace headroom::app {

namespace {
constexpr int lengthBytes = 4; // that Qt puts before what it packed: how long it will be, big-endian
}

QByteArray pdfStream(const QByteArray& pdf, int number)
{
    const qsizetype object = pdf.indexOf('\n' + QByteArray::number(number) + " 0 obj\n");
    const qsizetype begin = object < 0 ? -1 : pdf.indexOf("stream\n", object);
    const qsizetype end = begin < 0 ? -1 : pdf.indexOf("endstream", begin);
    if (end < 0)
        return {};
    constexpr qsizetype word = 7; // letters of "stream" and the end of its line
    const QByteArray packed = pdf.mid(begin + word, end - begin - word);
    if (!pdf.mid(object, begin - object).contains("/FlateDecode"))
        return packed;
    constexpr int guessed = 64 << 10; // a guess is enough
    QByteArray length(lengthBytes, 0);
    for (int i = 0; i < lengthBytes; ++i)
        length[i] = static_cast<char>(guessed >> (24 - 8 * i));
    return qUncompress(length + packed);
}

PdfObject pdfStreamObject(int number, const QByteArray& content)
{
    const QByteArray packed = qCompress(content).mid(lengthBytes);
    return {number,
            "<<\n/Length " + QByteArray::number(packed.size()) + "\n/Filter /FlateDecode\n>>\nstream\n"
                + packed + "\nendstream"};
}

} // namespace headroom::app
