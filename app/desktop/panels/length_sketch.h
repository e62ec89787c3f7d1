#pragma once

#include "model/scenario/length_histogram.h"

#include <QWidget>

namespace headroom::app {

// A thumbnail of a length distribution: its shape, and where it begins and ends.
class LengthSketch final : public QWidget {
    Q_OBJECT

public:
    explicit LengthSketch(QWidget* parent = nullptr);
    void setLengths(const LengthDistribution& lengths);
    [[nodiscard]] QSize sizeHint() const override { return {120, 26}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    LengthDistribution m_lengths;
    LengthHistogram m_histogram;
};

} // namespace headroom::app
