#include "app/desktop/views/view.h"

namespace headroom::app {

View::View(QWidget* parent) : QWidget(parent) {}

void View::setDocument(Document* document)
{
    if (m_document)
        m_document->session().disconnect(this);
    m_document = document;
    m_shown.reset();
    if (document)
        connect(&document->session(), &Session::planViewChanged, this, &View::catchUp);
    documentChanged();
    catchUp();
}

bool View::isBusy() const
{
    const PlanView* const planView = m_document ? m_document->session().planView().get() : nullptr;
    return planView && planView->depth < m_needs;
}

void View::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    catchUp();
}

void View::catchUp()
{
    if (!m_document || !isVisible())
        return;
    const std::shared_ptr<const PlanView>& planView = m_document->session().planView();
    if (!planView || planView == m_shown || planView->depth < m_needs)
        return;
    m_shown = planView;
    present(*planView);
}

} // namespace headroom::app
