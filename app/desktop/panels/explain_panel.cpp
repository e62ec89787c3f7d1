#include "app/desktop/panels/explain_panel.h"

#include "app/desktop/text/cell_text.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/quantities.h"
#include "model/plan/study.h"
#include "model/report/explain.h"

#include <QComboBox>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace headroom::app {

namespace {

const QString assumptions = QStringLiteral("assumptions");

QString escaped(const std::string& text) { return modelText(text).toHtmlEscaped(); }

QString listed(const QString& title, const std::vector<std::string>& lines)
{
    if (lines.empty())
        return {};
    QString html = QStringLiteral("<h4>%1</h4><ul>").arg(title);
    for (const std::string& line : lines)
        html += QStringLiteral("<li>%1</li>").arg(escaped(line));
    return html + QStringLiteral("</ul>");
}

QString explanationHtml(const Explanation& explanation)
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
                               "colspan='2'><small>%3</small></td></tr>")
                    .arg(escaped(number.symbol), measureText(number.value, number.measure).toHtmlEscaped(),
                         escaped(number.source));
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
    m_text->setOpenExternalLinks(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 6, 6, 6);
    column->addWidget(m_figure);
    column->addWidget(m_text, 1);
    m_figure->addItem(tr("What was assumed"), assumptions);
    for (const std::string& figure : explainedFigures())
        m_figure->addItem(modelText(figure), QString::fromStdString(figure));
    connect(m_figure, &QComboBox::currentIndexChanged, this, &ExplainPanel::refresh);
}

void ExplainPanel::setDocument(Document* document)
{
    if (m_document)
        m_document->session().disconnect(this);
    m_document = document;
    if (document)
        connect(&document->session(), &Session::studyChanged, this, &ExplainPanel::refresh);
    refresh();
}

void ExplainPanel::explain(const QString& figure)
{
    m_figure->setCurrentIndex(std::max(0, m_figure->findData(figure)));
    refresh();
}

void ExplainPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void ExplainPanel::refresh()
{
    if (!m_document || !m_document->session().study() || !isVisible())
        return;
    const Study& study = *m_document->session().study();
    const QString figure = m_figure->currentData().toString();
    if (figure == assumptions) {
        m_text->setHtml(listed(tr("What was assumed"), study.assumptions())
                        + listed(tr("To keep in mind"), study.warnings()));
        return;
    }
    const auto explained = explainFigures(study.resolved, study.prediction, figure.toStdString());
    QString html;
    if (explained)
        for (const Explanation& explanation : *explained)
            html += explanationHtml(explanation);
    m_text->setHtml(html);
}

QString ExplainPanel::text() const { return m_text->toPlainText(); }

} // namespace headroom::app
