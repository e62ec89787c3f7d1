#include "app/desktop/window/tour.h"

#include <QApplication>
#include <QFrame>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

namespace {
constexpr int bubbleWidth = 360; // px
constexpr int around = 6;        // px, lit around the place
constexpr int shade = 140;       // of 255, over the rest
constexpr int apart = 12;        // px between the place and its words
} // namespace

Tour::Tour(QWidget* over)
    : QWidget(over),
      m_bubble(new QFrame(this)),
      m_title(new QLabel(m_bubble)),
      m_words(new QLabel(m_bubble)),
      m_back(new QPushButton(tr("Back"), m_bubble)),
      m_next(new QPushButton(m_bubble))
{
    setAccessibleName(tr("Tour"));
    setFocusPolicy(Qt::StrongFocus);
    m_bubble->setAutoFillBackground(true);
    m_bubble->setBackgroundRole(QPalette::Base);
    QFont bold = m_title->font();
    bold.setWeight(QFont::DemiBold);
    bold.setPointSizeF(bold.pointSizeF() * 1.2);
    m_title->setFont(bold);
    for (QLabel* label : {m_title, m_words})
        label->setWordWrap(true);
    auto* leave = new QPushButton(tr("End"), m_bubble);
    auto* keys = new QHBoxLayout;
    keys->addWidget(leave);
    keys->addStretch(1);
    keys->addWidget(m_back);
    keys->addWidget(m_next);
    auto* column = new QVBoxLayout(m_bubble);
    column->addWidget(m_title);
    column->addWidget(m_words);
    column->addLayout(keys);
    for (QPushButton* key : {leave, m_back, m_next})
        key->setFocusPolicy(Qt::NoFocus); // the keys of the keyboard are the tour's
    connect(leave, &QPushButton::clicked, this, &Tour::end);
    connect(m_back, &QPushButton::clicked, this, [this] { go(m_stop - 1); });
    connect(m_next, &QPushButton::clicked, this, [this] { go(m_stop + 1); });
    over->installEventFilter(this);
    hide();
}

void Tour::begin(QVector<TourStop> stops)
{
    m_stops = std::move(stops);
    m_places.clear();
    for (const TourStop& stop : m_stops)
        m_places << stop.at;
    m_before = QApplication::focusWidget();
    setGeometry(parentWidget()->rect());
    show();
    raise();
    setFocus(Qt::OtherFocusReason);
    go(0);
}

QString Tour::words() const { return m_title->text() + u'\n' + m_words->text(); }

void Tour::go(int stop)
{
    if (stop >= m_stops.size())
        return end();
    m_stop = std::max(0, stop);
    m_title->setText(m_stops[m_stop].title);
    m_words->setText(m_stops[m_stop].words);
    m_back->setEnabled(m_stop > 0);
    m_next->setText(m_stop + 1 == m_stops.size() ? tr("Done")
                                                 : tr("Next (%1 of %2)").arg(m_stop + 1).arg(m_stops.size()));
    setAccessibleDescription(words());
    place();
    update();
}

QRect Tour::lit() const
{
    const QWidget* const at = m_places.value(m_stop);
    if (!at || !at->isVisible())
        return {};
    return QRect(at->mapTo(parentWidget(), QPoint()), at->size())
        .adjusted(-around, -around, around, around)
        .intersected(rect());
}

// Below the place, above it, or beside it: wherever there is room.
void Tour::place()
{
    const int width = std::min(bubbleWidth, this->width() - 2 * apart);
    m_bubble->setFixedWidth(width);
    const int height = m_bubble->layout()->heightForWidth(width);
    const QRect spot = lit();
    QPoint at(spot.left(), spot.bottom() + apart);
    if (at.y() + height > this->height())
        at.setY(spot.top() - apart - height);
    if (at.y() < 0)
        at = {spot.right() + apart + width > this->width() ? spot.left() - apart - width
                                                           : spot.right() + apart,
              apart};
    at.setX(std::clamp(at.x(), apart, std::max(apart, this->width() - width - apart)));
    at.setY(std::clamp(at.y(), apart, std::max(apart, this->height() - height - apart)));
    m_bubble->setGeometry(QRect(at, QSize(width, height)));
}

void Tour::end()
{
    hide();
    if (m_before)
        m_before->setFocus(Qt::OtherFocusReason);
    emit ended();
}

void Tour::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath dim;
    dim.addRect(rect());
    QPainterPath hole;
    hole.addRoundedRect(lit(), around, around);
    painter.fillPath(dim.subtracted(hole), QColor(0, 0, 0, shade));
    painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
    painter.drawPath(hole);
}

void Tour::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Right:
    case Qt::Key_Space:
        return go(m_stop + 1);
    case Qt::Key_Left:
    case Qt::Key_Backspace:
        return go(m_stop - 1);
    case Qt::Key_Escape:
        return end();
    default:
        QWidget::keyPressEvent(event);
    }
}

void Tour::mousePressEvent(QMouseEvent*) { go(m_stop + 1); }

bool Tour::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible()) {
        setGeometry(parentWidget()->rect());
        place();
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace headroom::app

#include "moc_tour.cpp"
