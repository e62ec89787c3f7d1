#include "app/desktop/drawing/veil.h"

#include <QEvent>
#include <QPainter>

namespace headroom::app {

namespace {
constexpr int delayMs = 120;
constexpr int turnMs = 60;
constexpr int turnDegrees = 30;
constexpr float dimmed
    = 0.62F;                 // of the ground's colour over the content: read with effort, not taken for new
constexpr int markSize = 26; // px
} // namespace

Veil::Veil(QWidget* over) : QWidget(over)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    over->installEventFilter(this);
    hide();
    m_delay.setSingleShot(true);
    m_delay.setInterval(delayMs);
    connect(&m_delay, &QTimer::timeout, this, &Veil::appear);
    m_turn.setInterval(turnMs);
    connect(&m_turn, &QTimer::timeout, this, [this] {
        constexpr int round = 360;
        m_angle = (m_angle + turnDegrees) % round;
        update();
    });
}

void Veil::setState(State state)
{
    if (state == m_state)
        return;
    m_state = state;
    m_delay.stop();
    m_turn.stop();
    if (state == State::Clear)
        hide();
    else if (state == State::Old || isVisible())
        appear();
    else
        m_delay.start();
}

void Veil::appear()
{
    setGeometry(parentWidget()->rect());
    raise();
    show();
    update();
    if (m_state == State::Working)
        m_turn.start();
}

bool Veil::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(watched, event);
}

void Veil::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    QColor ground = palette().color(parentWidget()->backgroundRole());
    ground.setAlphaF(dimmed);
    painter.fillRect(rect(), ground);
    if (m_state != State::Working)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    constexpr double lineWidth = 3;
    painter.setPen(QPen(palette().color(QPalette::Highlight), lineWidth, Qt::SolidLine, Qt::RoundCap));
    QRectF mark(0, 0, markSize, markSize);
    mark.moveCenter(rect().center());
    constexpr int sixteenths = 16; // of a degree, as Qt counts arcs
    constexpr int arc = 270;
    painter.drawArc(mark, -m_angle * sixteenths, arc * sixteenths);
}

} // namespace headroom::app

#include "moc_veil.cpp"
