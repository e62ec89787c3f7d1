#pragma once

#include <QLabel>

namespace headroom::app {

// One line of words that ends in an ellipsis where there is no room for all of it.
class ElidedLabel final : public QLabel {
    Q_OBJECT

public:
    using QLabel::QLabel;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace headroom::app
