#pragma once

#include "app/desktop/views/charts_view.h"

class QListWidget;

namespace headroom::app {

// Which input moves the answer, and from where on the answer is another.
class SensitivityView final : public ChartsView {
    Q_OBJECT

public:
    explicit SensitivityView(QWidget* parent = nullptr);

protected:
    void present(const PlanView& planView) override;

private:
    QListWidget* m_breaks;
};

} // namespace headroom::app
