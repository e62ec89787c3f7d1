#pragma once

#include <QPointer>
#include <QVector>
#include <QWidget>

class QLabel;
class QPushButton;

namespace headroom::app {

// One place of the window, and what it is for.
struct TourStop {
    QWidget* at = nullptr;
    QString title;
    QString words;
};

// A minute's walk through the window: everything but one place is dimmed, and words say what that is for.
// Return and Right go on, Left goes back, Escape ends it.
class Tour final : public QWidget {
    Q_OBJECT

public:
    explicit Tour(QWidget* over);
    void begin(QVector<TourStop> stops);
    [[nodiscard]] bool isRunning() const { return isVisible(); }
    [[nodiscard]] QString words() const;

signals:
    void ended();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    void go(int stop);
    void place();
    void end();
    [[nodiscard]] QRect lit() const;

    QVector<TourStop> m_stops;
    QVector<QPointer<QWidget>> m_places;
    int m_stop = 0;
    QWidget* m_bubble;
    QLabel* m_title;
    QLabel* m_words;
    QPushButton* m_back;
    QPushButton* m_next;
    QPointer<QWidget> m_before; // where the keyboard was
};

} // namespace headroom::app
