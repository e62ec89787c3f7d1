#pragma once

#include "app/desktop/charts/chart_theme.h"
#include "model/deploy/layout.h"

#include <QString>
#include <QWidget>

#include <optional>

class QPainter;

namespace headroom::app {

// What the picture of a layout needs to know; everything but the layout is text to print.
struct LayoutScene {
    Layout layout;
    QString gpu;       // "A100 80GB SXM"
    QString intraLink; // "NVLink 3"
    QString interLink; // between nodes; empty when one node is enough
    int gpusPerNode = 8;
    bool fits = true;
    double memoryShare = 0;        // used over capacity of the fullest GPU, drawn as the fill of each
    std::optional<Layout> prompts; // of a pool of their own, drawn before the one that decodes

    friend bool operator==(const LayoutScene&, const LayoutScene&) = default;
};

// GPUs as squares, tensor-parallel groups framed, pipeline stages below each other, replicas side by side;
// what does not fit is counted instead of drawn.
void paintLayout(QPainter& painter, const QRectF& area, const LayoutScene& scene, const ChartTheme& theme);
// The same in words.
[[nodiscard]] QString describeLayout(const LayoutScene& scene);

class LayoutPicture final : public QWidget {
    Q_OBJECT

public:
    explicit LayoutPicture(QWidget* parent = nullptr);
    void setScene(const LayoutScene& scene);
    [[nodiscard]] QSize sizeHint() const override { return {300, 150}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    LayoutScene m_scene;
    bool m_empty = true;
};

} // namespace headroom::app
