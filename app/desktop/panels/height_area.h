#pragma once

#include <QScrollArea>

namespace headroom::app {

// As high as what it holds; in a window that has less room it scrolls, so that no line is cut without a sign.
class HeightArea final : public QScrollArea {
public:
    HeightArea(QWidget* content, QWidget* parent);
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace headroom::app
