#pragma once

#include "app/desktop/drawing/veil.h"
#include "app/desktop/panels/explain_request.h"
#include "app/desktop/session/document.h"
#include "model/advise/plan_view.h"

#include <QPointer>
#include <QWidget>

namespace headroom::app {

// One way of looking at a plan view. Hidden views do no work: they catch up when they are shown. What belongs
// to another scenario than the one at hand is dimmed.
class View : public QWidget {
    Q_OBJECT

public:
    explicit View(QWidget* parent = nullptr);
    void setDocument(Document* document);
    [[nodiscard]] Document* document() const { return m_document; }
    // With a job of its own, or waiting for what it needs.
    [[nodiscard]] virtual bool isBusy() const;
    // Px; a lower window scrolls. `room`: what is in sight.
    [[nodiscard]] virtual int leastHeight(int /*room*/) const { return m_leastHeight; }
    void setUnread(bool unread); // a question stands above that nobody has sent
    [[nodiscard]] Veil::State dimming() const { return m_veil->state(); }
    void explain(const ExplainRequest& request) { emit explainRequested(request); }

signals:
    void explainRequested(const ExplainRequest& request);
    void pinRequested(const QString& title, const Scenario& scenario);
    void leastHeightChanged();

protected:
    // Views of what only an explained plan view has wait for it and keep what they show meanwhile.
    void needExplained() { m_needs = PlanDepth::Explained; }
    void watch(JobRunner& job);           // a view whose job runs still shows what was before
    void standAlone() { m_alone = true; } // shows nothing of the scenario
    void needHeight(int pixels) { m_leastHeight = pixels; }
    virtual void present(const PlanView& planView) = 0;
    virtual void documentChanged() {} // for views with jobs of their own
    void showEvent(QShowEvent* event) override;

private:
    void catchUp();
    void dim();
    [[nodiscard]] Veil::State whatIsShown() const;

    QPointer<Document> m_document;
    std::shared_ptr<const PlanView> m_shown;
    PlanDepth m_needs = PlanDepth::Answered;
    Veil* m_veil;
    int m_leastHeight = 0;
    bool m_unread = false;
    bool m_alone = false;
};

} // namespace headroom::app
