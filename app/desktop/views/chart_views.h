#pragma once

#include "app/desktop/views/view.h"

namespace headroom::app {

class Chart;

class MemoryView final : public View {
    Q_OBJECT
public:
    explicit MemoryView(QWidget* parent = nullptr);

protected:
    void present(const Study& study) override;

private:
    Chart* m_byBatch;
    Chart* m_byContext;
    Chart* m_largestBatch;
};

class RooflineView final : public View {
    Q_OBJECT
public:
    explicit RooflineView(QWidget* parent = nullptr);

protected:
    void present(const Study& study) override;

private:
    Chart* m_roofline;
};

class BatchView final : public View {
    Q_OBJECT
public:
    explicit BatchView(QWidget* parent = nullptr);

protected:
    void present(const Study& study) override;

private:
    Chart* m_speed;
    Chart* m_throughput;
};

} // namespace headroom::app
