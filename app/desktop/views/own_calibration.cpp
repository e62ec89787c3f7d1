#include "app/desktop/views/own_calibration.h"

#include "app/desktop/charts/chart.h"
#include "app/desktop/session/document.h"

#include <QBoxLayout>
#include <QCoreApplication>
#include <QLabel>

namespace headroom::app {

void layOutCalibration(QWidget& page, QBoxLayout* head, QWidget& figures, QLabel& state, Chart& wide,
                       Chart& narrow)
{
    head->setContentsMargins(10, 6, 10, 2);
    state.setWordWrap(true);
    state.setContentsMargins(10, 0, 10, 0);
    auto* charts = new QHBoxLayout;
    charts->setSpacing(8);
    charts->addWidget(&wide, 3);
    charts->addWidget(&narrow, 2);
    auto* column = new QVBoxLayout(&page);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(head);
    column->addWidget(&figures);
    column->addWidget(&state);
    column->addLayout(charts, 1);
}

void useCalibration(Document* document, const QString& file)
{
    if (file.isEmpty() || !document)
        return;
    Scenario after = document->session().scenario();
    after.calibration = file.toStdString();
    document->edit(std::move(after), QCoreApplication::translate("headroom::app", "use of a calibration"));
}

} // namespace headroom::app
