#pragma once

#include "app/desktop/text/key_figure.h"

#include <QVector>
#include <QWidget>

class QLabel;

namespace headroom::app {

class FlowLayout;

// Figures beside each other, large, each over what it is; a narrow window puts them in several lines.
class FigureStrip final : public QWidget {
    Q_OBJECT

public:
    explicit FigureStrip(const QString& name, QWidget* parent = nullptr);
    void setFigures(const QVector<KeyFigure>& figures);

protected:
    void changeEvent(QEvent* event) override;

private:
    void paintTones();

    QVector<KeyFigure> m_figures;
    QVector<QLabel*> m_values;
    FlowLayout* m_flow;
};

} // namespace headroom::app
