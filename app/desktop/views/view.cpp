#include "app/desktop/views/view.h"

namespace headroom::app {

View::View(QWidget* parent) : QWidget(parent), m_veil(new Veil(this)) {}

void View::setDocument(Document* document)
{
    if (m_document)
        m_document->session().disconnect(this);
    m_document = document;
    m_shown.reset();
    if (document) {
        Session& session = document->session();
        connect(&session, &Session::planViewChanged, this, &View::catchUp);
        connect(&session, &Session::scenarioChanged, this, &View::dim);
        connect(&session, &Session::planningChanged, this, &View::dim);
        connect(&session, &Session::problemsChanged, this, &View::dim);
    }
    documentChanged();
    catchUp();
}

void View::setUnread(bool unread)
{
    m_unread = unread;
    dim();
}

void View::watch(JobRunner& job) { connect(&job, &JobRunner::runningChanged, this, &View::dim); }

Veil::State View::whatIsShown() const
{
    if (!m_document || m_alone)
        return Veil::State::Clear;
    if (m_unread)
        return Veil::State::Old;
    const Session& session = m_document->session();
    const bool isCurrent = m_shown && m_shown->asked == session.scenario();
    if (isCurrent)
        return isBusy() ? Veil::State::Working : Veil::State::Clear;
    return session.problems().empty() ? Veil::State::Working : Veil::State::Old;
}

void View::dim()
{
    if (isVisible())
        m_veil->setState(whatIsShown());
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
    if (planView && planView != m_shown && planView->depth >= m_needs) {
        m_shown = planView;
        present(*planView);
    }
    dim();
}

} // namespace headroom::app

#include "moc_view.cpp"
