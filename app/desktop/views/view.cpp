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
        connect(&document->session(), &Session::studyChanged, this, &View::catchUp);
    documentChanged();
    catchUp();
}

bool View::isBusy() const
{
    const Study* const study = m_document ? m_document->session().study().get() : nullptr;
    return study && study->depth < m_needs;
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
    const std::shared_ptr<const Study>& study = m_document->session().study();
    if (!study || study == m_shown || study->depth < m_needs)
        return;
    m_shown = study;
    present(*study);
}

} // namespace headroom::app
