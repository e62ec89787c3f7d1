#pragma once

#include <QTimer>
#include <QWidget>

#include <cstdint>

namespace headroom::app {

// Lies over a widget whose content answers another question than the one that stands above it: dims it, with
// a turning mark while the answer is on its way. Takes no clicks.
class Veil final : public QWidget {
    Q_OBJECT

public:
    enum class State : std::uint8_t {
        Clear,
        Old,    // the content stays as it is until something is done
        Working // its successor is being made
    };

    explicit Veil(QWidget* over);
    void setState(State state);
    [[nodiscard]] State state() const { return m_state; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void appear();

    State m_state = State::Clear;
    QTimer m_delay; // what is done in a moment is not dimmed: a dragged slider would flicker
    QTimer m_turn;
    int m_angle = 0; // degrees
};

} // namespace headroom::app
