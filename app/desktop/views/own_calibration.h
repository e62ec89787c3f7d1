#pragma once

#include <QString>

class QBoxLayout;
class QLabel;
class QWidget;

namespace headroom::app {

class Chart;
class Document;

// What the views share that make a calibration of one's own.

// From above: what is done, figures, where it stands, and a wide chart beside a narrow one.
void layOutCalibration(QWidget& page, QBoxLayout* head, QWidget& figures, QLabel& state, Chart& wide,
                       Chart& narrow);
// The plan rests on that file from now on.
void useCalibration(Document* document, const QString& file);

} // namespace headroom::app
