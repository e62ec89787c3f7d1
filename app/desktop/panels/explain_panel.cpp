#include "app/desktop/panels/explain_panel.h"

#include "app/desktop/text/cell_text.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/window_words.h"
#include "model/advise/plan_view.h"
#include "model/report/explain.h"
#include "model/report/explain_at_load.h"
#include "model/resolve/predict_scenario.h"

#include <QComboBox>
#include <QTextBrowser>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

namespace {

const QString assumptions = QStringLiteral("assumptions");

QString escaped(const Message& text) { return inWindowWords(modelText(text)).toHtmlEscaped(); }

QString listed(const QString& title, const std::vector<Message>& lines)
{
    if (lines.empty())
        return {};
    QString html = QStringLiteral("<h4>%1</h4><ul>").arg(title);
    for (const Message& line : lines)
        html += QStringLiteral("<li>%1</li>").arg(escaped(line));
    return html + QStringLiteral("</ul>");
}

// A source in a line; the whole of it where the pointer rests, or a click asks.
QString shortSource(const QString& whole)
{
    constexpr qsizetype longest = 64; // characters: a line of the panel
    if (whole.size() <= longest)
        return whole.toHtmlEscaped();
    const qsizetype end = std::max(whole.lastIndexOf(u' ', longest), longest / 2);
    return QStringLiteral("%1 <a href='source:%2' title='%3'>…</a>")
        .arg(whole.left(end).toHtmlEscaped(), QString::fromLatin1(QUrl::toPercentEncoding(whole)),
             whole.toHtmlEscaped().replace(u'\'', QStringLiteral("&#39;")));
}

// What stands at its usual value, each a way to the field that says otherwise.
QString usualHtml(const PlanView& planView)
{
    QString html;
    for (const UsualValue& usual : usualValuesOf(planView))
        html += QStringLiteral("<li><a href='field:%1'>%2</a></li>")
                    .arg(QString::fromLatin1(usual.key.data(), static_cast<qsizetype>(usual.key.size())),
                         usual.text.toHtmlEscaped());
    return html.isEmpty()
        ? html
        : QStringLiteral("<h4>%1</h4><ul>%2</ul>").arg(ExplainPanel::tr("Usual values"), html);
}

// Where a number comes from; another explained figure is a way to go there.
QString sourceHtml(const Message& source)
{
    const QString figure = QString::fromStdString(figureExplaining(source));
    if (figure.isEmpty())
        return shortSource(modelText(source));
    return QStringLiteral("<a href='explain:%1'>%2</a>")
        .arg(figure.toHtmlEscaped(), ExplainPanel::tr("explained by itself"));
}

QString explanationHtml(const Explanation& explanation, const QColor& muted)
{
    QString html
        = QStringLiteral(
              "<h3>%1</h3><p style='font-size:large'><b>%2</b></p><p><tt>%3</tt></p><p><tt>%4</tt></p>")
              .arg(escaped(explanation.title),
                   measureText(explanation.result, explanation.measure).toHtmlEscaped(),
                   escaped(explanation.formula), escaped(explanation.worked));
    html += QStringLiteral("<table cellpadding='3' width='100%'>");
    for (const ExplainedNumber& number : explanation.numbers)
        html += QStringLiteral("<tr><td>%1</td><td align='right'><b>%2</b></td></tr><tr><td "
                               "colspan='2'><small style='color:%4'>%3</small></td></tr>")
                    .arg(escaped(number.symbol), measureText(number.value, number.measure).toHtmlEscaped(),
                         sourceHtml(number.source), muted.name());
    html += QStringLiteral("</table>");
    return html + listed(ExplainPanel::tr("To understand it"), explanation.notes);
}

} // namespace

ExplainPanel::ExplainPanel(QWidget* parent)
    : QWidget(parent), m_figure(new QComboBox(this)), m_text(new QTextBrowser(this))
{
    m_figure->setAccessibleName(tr("Figure to explain"));
    m_figure->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_text->setAccessibleName(tr("Explanation"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 6, 6, 6);
    column->addWidget(m_figure);
    column->addWidget(m_text, 1);
    m_figure->addItem(tr("What was assumed"), assumptions);
    m_figure->setPlaceholderText(tr("What was clicked"));
    connect(m_figure, &QComboBox::activated, this, [this] {
        m_request.figure = m_figure->currentData().toString(); // of the same machine
        m_request.explanations.clear();
        refresh();
    });
    connect(m_text, &QTextBrowser::anchorClicked, this, &ExplainPanel::follow);
    m_request.figure = assumptions;
}

void ExplainPanel::setDocument(Document* document)
{
    if (m_document)
        m_document->session().disconnect(this);
    m_document = document;
    if (document)
        connect(&document->session(), &Session::planViewChanged, this, &ExplainPanel::planChanged);
    planChanged();
}

void ExplainPanel::explain(const ExplainRequest& request)
{
    m_request = request;
    refresh();
}

// What was clicked belonged to the plan before: the same figure of the new answer takes its place.
void ExplainPanel::planChanged()
{
    m_request = {.figure = m_request.explanations.empty() ? m_request.figure : assumptions};
    refresh();
}

void ExplainPanel::follow(const QUrl& link)
{
    if (link.scheme() == QStringLiteral("field"))
        return emit fieldMeant(link.path());
    if (link.scheme() == QStringLiteral("source"))
        return QToolTip::showText(
            QCursor::pos(), QUrl::fromPercentEncoding(link.path(QUrl::FullyEncoded).toLatin1()), m_text);
    m_request.figure = link.path();
    m_request.explanations.clear();
    refresh();
}

void ExplainPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void ExplainPanel::refresh()
{
    if (!m_document || !m_document->session().planView() || !isVisible())
        return;
    if (m_figure->count() == 1) // titles are part of explanations, which need an answer
        if (const auto all = explainFigures(m_document->session().planView()->resolved,
                                            m_document->session().planView()->prediction, "all"))
            for (const Explanation& each : *all)
                m_figure->addItem(modelText(each.title), QString::fromStdString(each.figure));
    m_figure->setCurrentIndex(m_request.explanations.empty() ? m_figure->findData(m_request.figure) : -1);
    m_figure->setToolTip(m_figure->currentText()); // all of it, where the list is narrow
    m_text->setHtml(content());
}

QString ExplainPanel::content() const
{
    const PlanView& planView = *m_document->session().planView();
    if (m_request.explanations.empty() && m_request.figure == assumptions)
        return usualHtml(planView) + listed(tr("What was assumed"), planView.assumptions())
            + listed(tr("To keep in mind"), planView.warnings());
    QString html;
    if (!m_request.of.isEmpty())
        html += QStringLiteral("<p>%1</p>").arg(m_request.of.toHtmlEscaped());
    for (const Explanation& explanation : m_request.explanations)
        html += explanationHtml(explanation, palette().color(QPalette::PlaceholderText));
    if (!m_request.explanations.empty())
        return html;
    const std::string figure = m_request.figure.toStdString();
    if (!m_request.resolved) // the answer: its times are those at its load
        for (const Explanation& explanation : explainAtLoad(planView.answer()))
            if (explanation.figure == figure || figure == "all")
                html += explanationHtml(explanation, palette().color(QPalette::PlaceholderText));
    const Resolved& resolved = m_request.resolved ? *m_request.resolved : planView.resolved;
    const Prediction prediction = m_request.resolved ? predictScenario(resolved) : planView.prediction;
    if (const auto explained = explainFigures(resolved, prediction, figure))
        for (const Explanation& explanation : *explained)
            html += explanationHtml(explanation, palette().color(QPalette::PlaceholderText));
    return html;
}

QString ExplainPanel::text() const { return m_text->toPlainText(); }

} // namespace headroom::app

#include "moc_explain_panel.cpp"
