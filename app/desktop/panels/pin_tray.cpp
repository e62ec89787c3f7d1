#include "app/desktop/panels/pin_tray.h"

#include "app/desktop/panels/flow_layout.h"
#include "app/desktop/session/pins.h"
#include "app/desktop/text/pin_text.h"
#include "model/advise/plan_view.h"

#include <QKeyEvent>
#include <QMenu>
#include <QTimer>
#include <QToolButton>

namespace headroom::app {

namespace {
const char* const placeProperty = "place";
}

PinTray::PinTray(Pins& pins, QWidget* parent) : QWidget(parent), m_pins(pins), m_flow(new FlowLayout(this))
{
    setAccessibleName(tr("Pinned"));
    m_flow->setContentsMargins(10, 6, 10, 6);
    connect(&m_pins, &Pins::changed, this, &PinTray::rebuild);
    rebuild();
}

void PinTray::setDocument(Document* document)
{
    if (m_document)
        m_document->session().disconnect(this);
    m_document = document;
    if (document)
        connect(&document->session(), &Session::planViewChanged, this, &PinTray::tellDeltas);
    tellDeltas();
}

void PinTray::rebuild()
{
    m_flow->clear();
    for (int place = 0; place < m_pins.all().size(); ++place)
        addCard(place);
    tellDeltas();
    updateGeometry();
}

void PinTray::addCard(int place)
{
    auto* card = new QToolButton(this);
    card->setObjectName(QStringLiteral("pin"));
    card->setProperty(placeProperty, place);
    card->setFocusPolicy(Qt::StrongFocus);
    card->setPopupMode(QToolButton::MenuButtonPopup);
    card->setToolTip(tr("Opens it as a scenario of its own; Delete takes it off"));
    auto* menu = new QMenu(card);
    const auto open = [this, place] {
        if (place < m_pins.all().size())
            emit openRequested(m_pins.all()[place].scenario);
    };
    menu->addAction(tr("Open"), this, open);
    menu->addAction(tr("Take off"), this, [this, place] { m_pins.remove(place); });
    card->setMenu(menu);
    card->installEventFilter(this);
    connect(card, &QToolButton::clicked, this, open);
    m_flow->addWidget(card);
    card->show();
}

void PinTray::tellDeltas()
{
    const std::shared_ptr<const PlanView> atHand = m_document ? m_document->session().planView() : nullptr;
    for (QToolButton* card : findChildren<QToolButton*>(QStringLiteral("pin"))) {
        const Pin pin = m_pins.all().value(card->property(placeProperty).toInt());
        if (card->isHidden())
            continue;
        QStringList lines{pin.title};
        if (pin.planView) {
            lines << planInALine(*pin.planView);
            if (atHand)
                lines << deltasText(*pin.planView, *atHand);
        } else {
            lines << tr("not planned yet");
        }
        lines.removeDuplicates();
        card->setText(lines.join(u'\n'));
        card->setAccessibleName(tr("Pinned: %1").arg(lines.join(QStringLiteral(", "))));
    }
}

QStringList PinTray::texts() const
{
    QStringList texts;
    for (const QToolButton* card : findChildren<QToolButton*>(QStringLiteral("pin")))
        if (!card->isHidden())
            texts << card->text();
    return texts;
}

// Pins of an earlier run are planned when they are looked at, after the answer that was waited for.
void PinTray::showEvent(QShowEvent* event)
{
    constexpr int afterMs = 500;
    QTimer::singleShot(afterMs, &m_pins, &Pins::planMissing);
    QWidget::showEvent(event);
}

bool PinTray::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete
        && watched->objectName() == QStringLiteral("pin")) {
        m_pins.remove(watched->property(placeProperty).toInt());
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace headroom::app

#include "moc_pin_tray.cpp"
