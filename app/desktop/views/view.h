#pragma once

#include "app/desktop/panels/explain_request.h"
#include "app/desktop/session/document.h"
#include "model/advise/plan_view.h"

#include <QPointer>
#include <QWidget>

namespace headroom::app {

// One way of looking at a plan view. Hidden views do no work: they catch up when they are shown.
class View : public QWidget {
    Q_OBJECT

public:
    explicit View(QWidget* parent = nullptr);
    void setDocument(Document* document);
    [[nodiscard]] Document* document() const { return m_document; }
    // With a job of its own, or waiting for what it needs.
    [[nodiscard]] virtual bool isBusy() const;
    void explain(const ExplainRequest& request) { emit explainRequested(request); }

signals:
    void explainRequested(const ExplainRequest& request);

protected:
    // Views of what only an explained plan view has wait for it and keep what they show meanwhile.
    void needExplained() { m_needs = PlanDepth::Explained; }
    virtual void present(const PlanView& planView) = 0;
    virtual void documentChanged() {} // for views with jobs of their own
    void showEvent(QShowEvent* event) override;

private:
    void catchUp();

    QPointer<Document> m_document;
    std::shared_ptr<const PlanView> m_shown;
    PlanDepth m_needs = PlanDepth::Answered;
};

} // namespace headroom::app
