#include "app/desktop/window/notice_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace headroom::app {

NoticeBar::NoticeBar(QWidget* parent) : QFrame(parent), m_label(new QLabel(this))
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::AlternateBase);
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(tr("Notice"));
    m_label->setAccessibleName(tr("Notice"));
    m_label->setWordWrap(true);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* close = new QToolButton(this);
    close->setText(QStringLiteral("✕"));
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Close notice"));
    connect(close, &QToolButton::clicked, this, [this] {
        m_label->clear();
        hide();
    });
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(12, 4, 6, 4);
    line->addWidget(m_label, 1);
    line->addWidget(close, 0, Qt::AlignTop);
    hide();
}

QString NoticeBar::text() const { return m_label->text(); }

void NoticeBar::add(const QString& text)
{
    m_label->setText(m_label->text().isEmpty() ? text : m_label->text() + u'\n' + text);
    show();
}

} // namespace headroom::app
