#include "app/desktop/window/view_deck.h"

#include "app/desktop/views/view.h"

#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace headroom::app {

namespace {

// As high as the view in sight needs, not as the highest of all.
class Pages final : public QStackedWidget {
public:
    using QStackedWidget::QStackedWidget;
    [[nodiscard]] int heightForWidth(int) const override { return minimumHeight(); }
};

} // namespace

ViewDeck::ViewDeck(QWidget* parent)
    : QWidget(parent), m_tabs(new QTabBar(this)), m_area(new QScrollArea(this)), m_stack(new Pages(m_area))
{
    m_tabs->setObjectName(QStringLiteral("views"));
    m_tabs->setDocumentMode(true);
    m_tabs->setExpanding(false);
    m_tabs->setAccessibleName(tr("Views"));
    // Views reckon their least height for their least width; a low window need not grow for one that is wide.
    constexpr int lowest = 180; // px: a chart
    m_stack->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    // A view of charts is not squeezed below what can be read: it scrolls.
    m_area->setMinimumHeight(lowest);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->setWidget(m_stack);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_tabs);
    column->addWidget(m_area, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, &ViewDeck::select);
}

void ViewDeck::add(const QString& name, const QString& title, std::function<View*(QWidget*)> make)
{
    m_entries << Entry{name, title, std::move(make), nullptr};
    m_stack->addWidget(new QWidget(m_stack)); // stands in until the view is looked at
    const QSignalBlocker quiet(m_tabs);       // a first tab would be selected, and built
    m_tabs->addTab(title);
}

void ViewDeck::select(int index)
{
    if (index < 0 || index >= m_entries.size())
        return;
    Entry& entry = m_entries[index];
    if (!entry.view) {
        entry.view = entry.make(m_stack);
        entry.view->setObjectName(entry.name);
        entry.view->setAccessibleName(entry.title);
        connect(entry.view, &View::explainRequested, this, &ViewDeck::explainRequested);
        connect(entry.view, &View::pinRequested, this, &ViewDeck::pinRequested);
        connect(entry.view, &View::leastHeightChanged, this, &ViewDeck::fitHeight);
        QWidget* placeholder = m_stack->widget(index);
        m_stack->insertWidget(index, entry.view);
        m_stack->removeWidget(placeholder);
        delete placeholder;
        entry.view->setDocument(m_document);
        entry.view->setUnread(m_unread);
    }
    m_stack->setCurrentIndex(index);
    fitHeight();
    m_area->setMinimumWidth(m_stack->minimumSizeHint().width()); // it scrolls downwards only
}

void ViewDeck::fitHeight()
{
    if (const View* const view = current())
        m_stack->setMinimumHeight(view->leastHeight(height() - m_tabs->sizeHint().height()));
}

void ViewDeck::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitHeight();
}

void ViewDeck::setDocument(Document* document)
{
    m_document = document;
    for (const Entry& entry : m_entries)
        if (entry.view)
            entry.view->setDocument(document);
}

void ViewDeck::setUnread(bool unread)
{
    m_unread = unread;
    for (const Entry& entry : m_entries)
        if (entry.view)
            entry.view->setUnread(unread);
}

void ViewDeck::showView(const QString& name)
{
    for (int i = 0; i < m_entries.size(); ++i)
        if (m_entries[i].name == name)
            showView(i);
}

void ViewDeck::showView(int index)
{
    m_tabs->setCurrentIndex(index);
    select(m_tabs->currentIndex());
}

void ViewDeck::step(int by)
{
    const auto count = static_cast<int>(m_entries.size());
    showView((m_tabs->currentIndex() + by + count) % count);
}

QStringList ViewDeck::names() const
{
    QStringList names;
    for (const Entry& entry : m_entries)
        names << entry.name;
    return names;
}

QStringList ViewDeck::titles() const
{
    QStringList titles;
    for (const Entry& entry : m_entries)
        titles << entry.title;
    return titles;
}

QString ViewDeck::currentName() const { return m_entries.value(m_tabs->currentIndex()).name; }

View* ViewDeck::current() const { return m_entries.value(m_tabs->currentIndex()).view; }

} // namespace headroom::app

#include "moc_view_deck.cpp"
