#include "app/desktop/panels/answer_header.h"

#include "app/desktop/charts/chart_theme.h"
#include "app/desktop/drawing/gauge.h"
#include "app/desktop/drawing/layout_picture.h"
#include "app/desktop/panels/choice_cards.h"
#include "app/desktop/panels/flow_layout.h"
#include "app/desktop/panels/hint_row.h"
#include "app/desktop/session/applied_change.h"
#include "app/desktop/session/document.h"
#include "app/desktop/text/choice_text.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/window_words.h"
#include "app/desktop/views/explain_clicks.h"
#include "app/desktop/views/layouts_view.h"
#include "model/advise/choices.h"
#include "model/report/layout_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace headroom::app {

namespace {

constexpr int leastForPicture = 820; // narrower, the picture would squeeze the answer's words
constexpr int betweenParts = 18;     // px
constexpr int wordsPart = 5;         // of the width, beside the picture's and the meters'
constexpr int picturePart = 3;
constexpr int metersPart = 4;
constexpr int allOfTheLine = 100; // to one

// On a base-coloured ground a label writes in Text, on others in WindowText.
void paintInk(QLabel& label, const QColor& colour)
{
    QPalette ink = label.palette();
    ink.setColor(QPalette::WindowText, colour);
    ink.setColor(QPalette::Text, colour);
    label.setPalette(ink);
}

// Words that explain themselves when they are clicked, in the ink of the words around them.
QString linkTo(const QString& figure, const QString& words, const QColor& ink)
{
    return QStringLiteral("<a href='%1' style='color:%2; text-decoration:none'>%3</a>")
        .arg(figure, ink.name(), words.toHtmlEscaped());
}

QString linked(const QVector<QVector<Fact>>& facts, const ChartTheme& theme)
{
    QStringList lines;
    for (const QVector<Fact>& line : facts) {
        QStringList parts;
        for (const Fact& fact : line)
            parts << linkTo(fact.figure, fact.text,
                            fact.tone == Tone::Plain ? theme.text : theme.ink(fact.tone));
        lines << parts.join(QStringLiteral(" · "));
    }
    return QStringLiteral("<p style='line-height:125%; margin:0'>") + lines.join(QStringLiteral("<br>"))
        + QStringLiteral("</p>");
}

} // namespace

AnswerHeader::AnswerHeader(QWidget* parent)
    : QFrame(parent),
      m_headline(new QLabel(this)),
      m_subline(new QLabel(this)),
      m_verdict(new QLabel(this)),
      m_facts(new QLabel(this)),
      m_problems(new QLabel(this)),
      m_assumed(new QToolButton(this)),
      m_warned(new QToolButton(this)),
      m_picture(new LayoutPicture(this)),
      m_memory(new Gauge(this)),
      m_speed(new Gauge(this)),
      m_firstToken(new Gauge(this)),
      m_cost(new Gauge(this)),
      m_remedyBox(new QWidget(this)),
      m_remedies(new FlowLayout(m_remedyBox)),
      m_cards(new ChoiceCards(this)),
      m_hints(new HintRow(this)),
      m_veil(new Veil(this))
{
    setAccessibleName(tr("Answer"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    sizeHeadline();
    m_headline->setWordWrap(true);
    m_headline->setObjectName(QStringLiteral("headline"));
    m_headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_headline->setAccessibleDescription(tr("Answer"));
    m_subline->setForegroundRole(QPalette::PlaceholderText);
    m_subline->setWordWrap(true);
    QFont strong = font();
    strong.setPointSizeF(strong.pointSizeF() * 1.15);
    strong.setWeight(QFont::DemiBold);
    m_verdict->setFont(strong);
    m_verdict->setWordWrap(true);
    m_verdict->setObjectName(QStringLiteral("verdict"));
    m_facts->setWordWrap(true);
    m_facts->setObjectName(QStringLiteral("facts"));
    m_problems->setWordWrap(true);
    m_problems->setObjectName(QStringLiteral("problems"));
    m_problems->hide();
    m_assumed->setAccessibleName(tr("What was assumed"));
    m_warned->setAccessibleName(tr("What to keep in mind"));
    for (QToolButton* button : {m_assumed, m_warned}) {
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        connect(button, &QToolButton::clicked, this, [this] { explain(QStringLiteral("assumptions")); });
    }
    for (QLabel* words : {m_verdict, m_facts}) {
        words->setTextFormat(Qt::RichText);
        words->setTextInteractionFlags(Qt::TextBrowserInteraction);
        words->setAccessibleName(tr("Figures that explain themselves"));
        connect(words, &QLabel::linkActivated, this, &AnswerHeader::explain);
    }
    const std::pair<Gauge*, const char*> gauges[]{
        {m_memory, "memory"}, {m_speed, "tpot"}, {m_firstToken, "ttft"}, {m_cost, "cost"}};
    for (const auto& [gauge, figure] : gauges)
        connect(gauge, &Gauge::clicked, this,
                [this, figure = QString::fromLatin1(figure)] { explain(figure); });

    auto* words = new QVBoxLayout;
    words->setSpacing(6);
    words->addWidget(m_headline);
    words->addWidget(m_subline);
    words->addWidget(m_verdict);
    words->addWidget(m_facts);
    words->addWidget(m_problems);
    words->addWidget(m_remedyBox);
    m_remedies->setTabAfter(m_facts);
    m_cards->setTabAfter(m_cost);
    connect(m_hints, &HintRow::chosen, this, &AnswerHeader::tryHint);
    connect(m_cards, &ChoiceCards::chosen, this, &AnswerHeader::take);
    connect(m_cards, &ChoiceCards::pinned, this, &AnswerHeader::pin);
    words->addStretch(1);
    auto* meters = new QVBoxLayout;
    meters->setSpacing(4);
    for (const auto& [gauge, figure] : gauges)
        meters->addWidget(gauge);
    meters->addStretch(1);
    auto* line = new QHBoxLayout;
    line->setSpacing(betweenParts);
    line->addLayout(words, wordsPart);
    line->addWidget(m_picture, picturePart);
    line->addLayout(meters, metersPart);
    // The cards stand beside each other: over the whole width they take one line.
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 10, 14, 8);
    column->setSpacing(4);
    column->addLayout(line);
    column->addWidget(m_cards);
    auto* behind = new QHBoxLayout;
    behind->addWidget(m_assumed, 0, Qt::AlignTop);
    behind->addWidget(m_warned, 0, Qt::AlignTop);
    behind->addWidget(m_hints, allOfTheLine);
    behind->addStretch(1); // where there are none
    column->addLayout(behind);
    setTabOrder(m_cost, m_assumed); // cards come between
    setTabOrder(m_assumed, m_warned);
}

void AnswerHeader::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    m_picture->setVisible(width() >= leastForPicture);
    sizeHeadline();
}

void AnswerHeader::sizeHeadline()
{
    // As large as one line holds it.
    const double parts
        = m_picture->isHidden() ? wordsPart + metersPart : wordsPart + picturePart + metersPart;
    const double room = width() * wordsPart / parts - 2 * betweenParts;
    QFont large = font();
    large.setWeight(QFont::DemiBold);
    for (const double times : {2.1, 1.85, 1.6}) {
        large.setPointSizeF(font().pointSizeF() * times);
        if (QFontMetricsF(large).horizontalAdvance(m_headline->text()) <= room)
            break;
    }
    if (m_headline->font() != large)
        m_headline->setFont(large);
}

void AnswerHeader::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && m_document && m_document->session().planView()) {
        tellVerdict(*m_document->session().planView());
        showProblems();
    }
    QFrame::changeEvent(event);
}

QString AnswerHeader::headline() const { return m_headline->text(); }

void AnswerHeader::explain(const QString& figure)
{
    const std::shared_ptr<const PlanView> planView = m_document ? m_document->session().planView() : nullptr;
    if (!planView)
        return;
    // Some figures are the answer's and no prediction's.
    const std::optional<ExplainRequest> own
        = explainCandidate(planView->answer(), *planView, figure.toStdString());
    if (own && !own->explanations.empty())
        emit explainRequested(*own);
    else
        emit explainRequested({.figure = figure, .of = {}, .resolved = nullptr, .explanations = {}});
}

void AnswerHeader::setDocument(Document* document)
{
    if (m_document)
        m_document->session().disconnect(this);
    m_document = document;
    if (!document)
        return;
    connect(&document->session(), &Session::planViewChanged, this, &AnswerHeader::refresh);
    connect(&document->session(), &Session::problemsChanged, this, &AnswerHeader::showProblems);
    connect(&document->session(), &Session::scenarioChanged, this, &AnswerHeader::dim);
    connect(&document->session(), &Session::planningChanged, this, &AnswerHeader::dim);
    refresh();
    showProblems();
}

void AnswerHeader::setUnread(bool unread)
{
    m_unread = unread;
    dim();
}

// What stands here answers the scenario at hand, or is dimmed.
void AnswerHeader::dim()
{
    const Session& session = m_document->session();
    m_veil->setState(m_unread                                         ? Veil::State::Old
                         : !session.planView() || session.isCurrent() ? Veil::State::Clear
                         : session.problems().empty()                 ? Veil::State::Working
                                                                      : Veil::State::Old);
}

void AnswerHeader::showGauges(const PlanView& planView)
{
    m_memory->setReading(memoryGauge(planView));
    m_speed->setReading(speedGauge(planView));
    m_firstToken->setReading(firstTokenGauge(planView));
    m_cost->setReading(costGauge(planView));
    m_picture->setScene(layoutScene(planView));
}

void AnswerHeader::refresh()
{
    const std::shared_ptr<const PlanView>& planView = m_document->session().planView();
    if (!planView) {
        m_headline->setText(tr("Planning…"));
        return;
    }
    m_headline->setText(answerTitle(*planView));
    sizeHeadline();
    m_subline->setText(answerSubline(*planView));
    showGauges(*planView);
    tellVerdict(*planView);
    showRemedies(*planView);
    const auto assumed
        = static_cast<int>(planView->assumptions().size()) + static_cast<int>(usualValues(*planView).size());
    m_assumed->setText(tr("%n assumption(s)", nullptr, assumed));
    m_assumed->setVisible(assumed > 0);
    const auto warned = static_cast<int>(planView->warnings().size());
    QStringList warnings;
    for (const Message& warning : planView->warnings())
        warnings << inWindowWords(modelText(warning));
    constexpr int widestWarning = 360; // px: one is told in its own words as far as they go
    m_warned->setText(QStringLiteral("⚠ ")
                      + (warned == 1
                             ? fontMetrics().elidedText(warnings.first(), Qt::ElideRight, widestWarning)
                             : tr("%n thing(s) to keep in mind", nullptr, warned)));
    m_warned->setToolTip(warnings.join(u'\n'));
    m_warned->setAccessibleDescription(m_warned->toolTip());
    m_warned->setVisible(warned > 0);
    dim();
}

void AnswerHeader::tellVerdict(const PlanView& planView)
{
    const ChartTheme theme = ChartTheme::from(palette());
    m_verdict->setText(
        linkTo(QStringLiteral("confidence"), verdictText(planView), theme.ink(verdictTone(planView))));
    m_facts->setText(linked(answerFacts(planView), theme));
    QPalette caution = palette();
    caution.setColor(QPalette::ButtonText, theme.warn);
    m_warned->setPalette(caution);
}

void AnswerHeader::showRemedies(const PlanView& planView)
{
    // Remedies come with the explanation: those of the answer before stay in sight, but out of reach.
    m_remedyBox->setEnabled(planView.depth != PlanDepth::Answered);
    m_hints->setEnabled(planView.depth == PlanDepth::Replayed); // they come with the replay
    m_cards->setReachable(planView.depth != PlanDepth::Answered);
    if (planView.depth == PlanDepth::Answered)
        return;
    m_cards->setPlan(planView);
    m_hints->setTabAfter(m_warned);
    m_hints->setPlan(planView);
    m_remedies->clear();
    for (const Remedy& remedy : planView.sizing->remedies) {
        auto* button = new QToolButton(m_remedyBox);
        button->setText(modelText(remedy.change));
        button->setToolTip(modelText(remedy.effect));
        button->setAccessibleName(tr("Apply: %1").arg(modelText(remedy.change)));
        button->setAccessibleDescription(modelText(remedy.effect));
        button->setFocusPolicy(Qt::StrongFocus);
        connect(button, &QToolButton::clicked, this,
                [this, scenario = withChange(planView, remedy.scenario), change = modelText(remedy.change)] {
                    if (m_document)
                        m_document->edit(scenario, tr("remedy “%1”").arg(change));
                });
        m_remedies->addWidget(button);
    }
    m_remedyBox->setVisible(!planView.sizing->remedies.empty());
    m_remedyBox->updateGeometry();
}

void AnswerHeader::take(int choice)
{
    const std::shared_ptr<const PlanView> planView = m_document->session().planView(); // outlives the edit
    const Choices choices = choicesOf(*planView->sizing);
    if (choice >= 0 && choice < static_cast<int>(choices.all.size()))
        takeCandidate(*m_document, *choices.all[static_cast<std::size_t>(choice)].service);
}

void AnswerHeader::tryHint(int place)
{
    const std::shared_ptr<const PlanView> planView = m_document->session().planView(); // outlives the edit
    const std::vector<Hint>& hints = planView->sizing->hints;
    if (place < 0 || place >= static_cast<int>(hints.size()))
        return;
    const Hint& hint = hints[static_cast<std::size_t>(place)];
    m_document->edit(withChange(*planView, hint.scenario), tr("hint “%1”").arg(modelText(hint.change)));
}

void AnswerHeader::pin(int choice)
{
    const std::shared_ptr<const PlanView> planView = m_document->session().planView();
    const Choices choices = choicesOf(*planView->sizing);
    if (choice < 0 || choice >= static_cast<int>(choices.all.size()))
        return;
    const Candidate& service = *choices.all[static_cast<std::size_t>(choice)].service;
    emit pinRequested(titled(choiceTitle(choices.all[static_cast<std::size_t>(choice)]),
                             QString::fromStdString(machinesText(service))),
                      withCandidate(planView->asked, service));
}

void AnswerHeader::showProblems()
{
    const Problems& problems = m_document->session().problems();
    QStringList lines;
    for (const Problem& problem : problems)
        lines << problemText(problem);
    m_problems->setVisible(!lines.isEmpty());
    if (!lines.isEmpty() && m_document->session().planView())
        lines << tr("Shown is the last answer before this change.");
    paintInk(*m_problems, ChartTheme::from(palette()).bad);
    m_problems->setText(lines.join(u'\n'));
    dim();
}

} // namespace headroom::app

#include "moc_answer_header.cpp"
