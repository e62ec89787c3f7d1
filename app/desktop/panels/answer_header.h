#pragma once

#include "app/desktop/drawing/veil.h"
#include "app/desktop/panels/explain_request.h"
#include "model/advise/plan_view.h"

#include <QFrame>
#include <QPointer>

class QLabel;
class QToolButton;

namespace headroom::app {

class ChoiceCards;
class HintRow;
class Document;
class FlowLayout;
class Gauge;
class LayoutPicture;

// The answer, large: which GPUs and how many, how they are arranged, how well they keep the targets, what it
// costs, how sure.
class AnswerHeader final : public QFrame {
    Q_OBJECT

public:
    explicit AnswerHeader(QWidget* parent = nullptr);
    void setDocument(Document* document);
    void setUnread(bool unread); // a question stands above that nobody has sent
    [[nodiscard]] Veil::State dimming() const { return m_veil->state(); }
    [[nodiscard]] QString headline() const;
    [[nodiscard]] ChoiceCards& cards() { return *m_cards; }
    [[nodiscard]] HintRow& hints() { return *m_hints; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override; // inks of another appearance

signals:
    void explainRequested(const ExplainRequest& request);
    void pinRequested(const QString& title, const Scenario& scenario);

private:
    void sizeHeadline(); // as the width allows
    void refresh();
    void dim();
    void take(int choice);
    void tryHint(int place);
    void pin(int choice);
    void explain(const QString& figure);
    void showProblems();
    void showGauges(const PlanView& planView);
    void tellVerdict(const PlanView& planView);
    void showRemedies(const PlanView& planView);

    QPointer<Document> m_document;
    QLabel* m_headline;
    QLabel* m_subline;
    QLabel* m_verdict;
    QLabel* m_facts;
    QLabel* m_problems;
    QToolButton* m_assumed;
    QToolButton* m_warned;
    LayoutPicture* m_picture;
    Gauge* m_memory;
    Gauge* m_speed;
    Gauge* m_firstToken;
    Gauge* m_cost;
    QWidget* m_remedyBox;
    FlowLayout* m_remedies;
    ChoiceCards* m_cards;
    HintRow* m_hints;
    Veil* m_veil;
    bool m_unread = false;
};

} // namespace headroom::app
