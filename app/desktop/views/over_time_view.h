#pragma once

#include "app/desktop/views/charts_view.h"

namespace headroom::app {

class FigureStrip;

// How the answer grows over the years, and what a day of changing load leaves idle.
class OverTimeView final : public ChartsView {
    Q_OBJECT

public:
    explicit OverTimeView(QWidget* parent = nullptr);

protected:
    void present(const Study& study) override;

private:
    FigureStrip* m_day;
};

} // namespace headroom::app
