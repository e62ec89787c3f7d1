#pragma once

#include "app/desktop/charts/chart_data.h"
#include "app/desktop/charts/chart_theme.h"

#include <QWidget>

class QCustomPlot;
class QLabel;
class QMenu;
class QStackedLayout;
class QTableWidget;
class QToolButton;

namespace headroom::app {

class ElidedLabel;

// A picture of ChartData: zoom with wheel and drag, values under the pointer, legend entries that hide their
// series, copy, PNG/SVG/PDF/CSV, and the same data as a table. Everything is reachable by keyboard.
class Chart : public QWidget {
    Q_OBJECT

public:
    explicit Chart(QWidget* parent = nullptr);

    void setData(ChartData data);
    [[nodiscard]] const ChartData& data() const { return m_data; }
    // A ring around one point: what is chosen elsewhere.
    void setChosen(int series, int point);
    [[nodiscard]] std::pair<int, int> chosen() const { return m_chosen; } // (-1, -1): none

    [[nodiscard]] bool isTable() const;
    void setTable(bool table);
    void resetZoom();
    void copy() const; // picture and CSV together
    // By the suffix: .png, .svg, .pdf or .csv. Returns why it could not be written, or nothing.
    [[nodiscard]] QString save(const QString& path) const;
    [[nodiscard]] QMenu* makeMenu(QWidget* parent);

signals:
    void pointClicked(int series, int point);
    // A line that can be dragged was: where it stands now, in the units of its axis.
    void markDragged(const QString& key, double at);

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refill();
    void fillTable();
    void describe();
    void showPoint(int series, int point);
    void hover(const QPointF& at);
    bool dragMark(QEvent* event);
    bool stepMark(int key);
    void chooseFile();

    ChartData m_data;
    QVector<bool> m_hidden;
    std::pair<int, int> m_chosen{-1, -1};
    std::pair<int, int> m_hovered{-1, -1};
    bool m_zoomed = false;
    bool m_compact = false; // as it is filled now
    ElidedLabel* m_title;
    ElidedLabel* m_note;
    QToolButton* m_more;
    QStackedLayout* m_stack;
    QCustomPlot* m_plot;
    QTableWidget* m_table;
    QLabel* m_hoverText;
    QString m_dragged; // key of the line that a hand holds
};

} // namespace headroom::app
