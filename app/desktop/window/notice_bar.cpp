#include "app/desktop/window/notice_bar.h"

#include "app/desktop/charts/chart_theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace headroom::app {

namespace {
constexpr int widest = 900;  // px: longer lines are read badly
constexpr int fromEdge = 12; // px
constexpr int barWidth = 4;  // px, of the coloured edge
} // namespace

NoticeBar::NoticeBar(QWidget* over) : QFrame(over), m_label(new QLabel(this)), m_open(new QToolButton(this))
{
    setObjectName(QStringLiteral("notice"));
    setAutoFillBackground(true);
    setAccessibleName(tr("Notice"));
    m_label->setAccessibleName(tr("Notice"));
    m_label->setWordWrap(true);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_open->setText(tr("Open"));
    m_open->setAccessibleName(tr("Open the file that was written"));
    m_open->hide();
    connect(m_open, &QToolButton::clicked, this, [this] {
        for (const Notice& notice : m_notices)
            if (!notice.file.isEmpty())
                emit openRequested(notice.file);
    });
    auto* close = new QToolButton(this);
    close->setText(QStringLiteral("✕"));
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Close notice"));
    connect(close, &QToolButton::clicked, this, [this] {
        m_notices.clear();
        refresh();
    });
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(14, 6, 6, 6);
    line->addWidget(m_label, 1);
    line->addWidget(m_open, 0, Qt::AlignTop);
    line->addWidget(close, 0, Qt::AlignTop);
    over->installEventFilter(this);
    m_seen.setSingleShot(true);
    m_seen.setInterval(seenMs);
    connect(&m_seen, &QTimer::timeout, this, &NoticeBar::expire);
    hide();
}

QString NoticeBar::text() const { return m_label->text(); }

bool NoticeBar::tellsFailure() const
{
    return std::any_of(m_notices.begin(), m_notices.end(),
                       [](const Notice& notice) { return notice.kind == NoticeKind::Failed; });
}

void NoticeBar::add(const Notice& notice)
{
    m_notices.removeIf([&](const Notice& known) { return known.text == notice.text; });
    m_notices << notice;
    refresh();
    m_seen.start();
}

void NoticeBar::expire()
{
    m_notices.removeIf([](const Notice& notice) { return notice.kind == NoticeKind::Told; });
    refresh();
}

void NoticeBar::refresh()
{
    QStringList lines;
    bool opens = false;
    for (const Notice& notice : m_notices) {
        lines << notice.text;
        opens = opens || !notice.file.isEmpty();
    }
    m_label->setText(lines.join(u'\n'));
    m_open->setVisible(opens);
    const ChartTheme theme = ChartTheme::from(palette());
    const QString colour = (tellsFailure() ? theme.bad : theme.good).name();
    setStyleSheet(
        QStringLiteral("#notice { background: %1; border: 1px solid %2; border-left: %3px solid %2; }")
            .arg(palette().color(QPalette::Base).name(), colour)
            .arg(barWidth));
    setVisible(!lines.isEmpty());
    place();
}

void NoticeBar::place()
{
    if (isHidden())
        return;
    const QRect room = parentWidget()->rect().adjusted(fromEdge, fromEdge, -fromEdge, -fromEdge);
    const int width = std::min(widest, room.width());
    const int height
        = std::min(room.height(), heightForWidth(width) > 0 ? heightForWidth(width) : sizeHint().height());
    setGeometry(room.center().x() - width / 2, room.bottom() - height, width, height);
    raise();
}

bool NoticeBar::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        place();
    return QFrame::eventFilter(watched, event);
}

void NoticeBar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && m_label && !m_notices.isEmpty())
        QMetaObject::invokeMethod(this, &NoticeBar::refresh, Qt::QueuedConnection);
    QFrame::changeEvent(event);
}

} // namespace headroom::app

#include "moc_notice_bar.cpp"
