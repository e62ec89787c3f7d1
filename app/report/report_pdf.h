#pragma once

#include "app/report/report_block.h"

#include <QByteArray>
#include <QDate>
#include <QPageSize>

namespace headroom::app {

struct PdfLook {
    QPageSize::PageSizeId paper = QPageSize::A4;
    QDate date;
    QString version;
    QByteArray scenario; // attached, to make it again
    QByteArray offer;    // attached, to tell what changes
};

[[nodiscard]] QByteArray pdfOf(const ReportBlocks& blocks, const ReportFrame& frame, const PdfLook& look);

} // namespace headroom::app
