#pragma once

#include "app/desktop/views/view.h"

class QListWidget;

namespace headroom::app {

class Chart;

// Speed for a user against what a GPU gives: the layouts that no other beats in both.
class TradeoffView final : public View {
    Q_OBJECT
public:
    explicit TradeoffView(QWidget* parent = nullptr);

protected:
    void present(const Study& study) override;

private:
    void take(int point);

    Chart* m_speed;
    Chart* m_cost;
    std::shared_ptr<const Study> m_study;
};

// Which input moves the answer, and from where on the answer is another.
class SensitivityView final : public View {
    Q_OBJECT
public:
    explicit SensitivityView(QWidget* parent = nullptr);

protected:
    void present(const Study& study) override;

private:
    Chart* m_speed;
    Chart* m_gpus;
    QListWidget* m_breaks;
};

} // namespace headroom::app
