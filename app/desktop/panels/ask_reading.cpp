#include "app/desktop/panels/ask_reading.h"

#include "app/desktop/charts/chart_theme.h"
#include "app/desktop/panels/flow_layout.h"
#include "app/desktop/session/document.h"
#include "app/desktop/text/meant_words.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/scenario_words.h"
#include "model/advise/memory_need.h"
#include "model/report/memory_text.h"
#include "model/yaml/catalogue.h"

#include <QFontDatabase>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

namespace headroom::app {

AskReading::AskReading(QWidget* parent)
    : QWidget(parent),
      m_problem(new QLabel(this)),
      m_chipBox(new QWidget(this)),
      m_chips(new FlowLayout(m_chipBox)),
      m_assumed(new QLabel(this)),
      m_answer(new QLabel(this))
{
    m_problem->setWordWrap(true);
    m_problem->setObjectName(QStringLiteral("ask-problem"));
    m_problem->setTextFormat(Qt::RichText);
    m_problem->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_problem->setAccessibleName(tr("What was not understood"));
    connect(m_problem, &QLabel::linkActivated, this, [this](const QString& link) {
        const MeantWord meant = meantWordOf(link);
        emit wordReplaced(meant.said, meant.with);
    });
    m_assumed->setWordWrap(true);
    m_assumed->setForegroundRole(QPalette::PlaceholderText);
    m_assumed->setContentsMargins(2, 0, 2, 0);
    m_answer->setObjectName(QStringLiteral("ask-answer"));
    m_answer->setFont(
        QFontDatabase::systemFont(QFontDatabase::FixedFont)); // its columns stand below each other
    m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_answer->setFocusPolicy(Qt::NoFocus);
    m_answer->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_answer->setContentsMargins(2, 0, 2, 0);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    for (QWidget* part : {m_chipBox, static_cast<QWidget*>(m_assumed), static_cast<QWidget*>(m_answer),
                          static_cast<QWidget*>(m_problem)})
        column->addWidget(part);
    clear();
}

void AskReading::setTabAfter(QWidget* widget) { m_chips->setTabAfter(widget); }

void AskReading::clear()
{
    m_chips->clear();
    for (QWidget* part : {m_chipBox, static_cast<QWidget*>(m_assumed), static_cast<QWidget*>(m_answer),
                          static_cast<QWidget*>(m_problem)})
        part->hide();
}

void AskReading::showProblems(const Problems& problems, const Catalogue& catalogue)
{
    QStringList lines;
    for (const Problem& problem : problems)
        lines << withMeantWords(problem, catalogue);
    m_problem->setText(lines.join(QStringLiteral("<br>")));
    m_problem->show();
    QPalette p = palette();
    p.setColor(QPalette::WindowText, ChartTheme::from(palette()).warn);
    m_problem->setPalette(p);
}

void AskReading::showQuestion(const ask::Question& question, const Catalogue& catalogue)
{
    for (const ask::Interpretation& phrase : question.interpretation)
        addChip(phrase, catalogue);
    m_chipBox->show();
    QStringList assumed;
    for (const std::string& assumption : question.assumptions)
        assumed << QString::fromStdString(assumption);
    QStringList unused;
    for (const ask::Unused& one : question.unused)
        unused << tr("‘%1’").arg(QString::fromStdString(one.said));
    if (!unused.isEmpty())
        assumed.prepend(tr("not used: %1").arg(unused.join(QStringLiteral(", "))));
    m_assumed->setText(tr("assumed: %1").arg(assumed.join(QStringLiteral(" · "))));
    m_assumed->setVisible(!assumed.isEmpty());
    if (question.kind == ask::QuestionKind::Memory)
        showMemory(question, catalogue);
}

// A chip for each thing that the scenario says, which leads to its field.
void AskReading::showParts(const Document& document)
{
    for (const SaidPart& part : saidParts(document.session().scenario(), document.session().catalogue())) {
        auto* chip = new QToolButton(m_chipBox);
        const QString key = QString::fromUtf8(part.key.data(), static_cast<qsizetype>(part.key.size()));
        chip->setText(titled(part.title, part.value));
        chip->setAccessibleName(chip->text());
        chip->setToolTip(tr("Shows its field"));
        chip->setFocusPolicy(Qt::StrongFocus);
        connect(chip, &QToolButton::clicked, this, [this, key] { emit fieldMeant(key); });
        m_chips->addWidget(chip);
        chip->show();
    }
    m_chipBox->show();
}

// Counts take no search: they stand here while the question is typed.
void AskReading::showMemory(const ask::Question& question, const Catalogue& catalogue)
{
    const auto need = memoryNeed(question.scenario, catalogue);
    if (!need)
        return showProblems(need.error(), catalogue);
    m_answer->setText(QString::fromStdString(memoryCounts(
        *need, question.asked, speaksChinese() ? ask::Language::Chinese : ask::Language::English)));
    m_answer->show();
}

void AskReading::addChip(const ask::Interpretation& phrase, const Catalogue& catalogue)
{
    auto* chip = new QToolButton(m_chipBox);
    const QString said = QString::fromStdString(phrase.said);
    const QString readAs = nameOrWords(phrase.readAs, catalogue);
    chip->setText(QStringLiteral("%1 → %2").arg(said, readAs));
    chip->setToolTip(QString::fromStdString(phrase.why));
    chip->setAccessibleName(tr("%1 was read as %2").arg(said, readAs));
    chip->setFocusPolicy(Qt::StrongFocus);
    auto* menu = new QMenu(chip);
    for (const std::string& other : phrase.others) {
        menu->addAction(
            nameOrWords(other, catalogue), this,
            [this, phrase, id = QString::fromStdString(other)] { emit phraseReplaced(phrase, id); });
    }
    if (!menu->isEmpty()) {
        chip->setText(chip->text() + QStringLiteral(" ▾"));
        chip->setMenu(menu);
        chip->setPopupMode(QToolButton::InstantPopup);
    } else {
        connect(chip, &QToolButton::clicked, this, [this, phrase] { emit phraseMeant(phrase); });
    }
    m_chips->addWidget(chip);
    chip->show();
}

QStringList AskReading::chips() const
{
    QStringList texts;
    for (const QToolButton* chip : m_chipBox->findChildren<QToolButton*>())
        if (!chip->isHidden())
            texts << chip->text();
    return texts;
}

QString AskReading::answer() const { return m_answer->isHidden() ? QString() : m_answer->text(); }

QString AskReading::problem() const
{
    return m_problem->isHidden() ? QString() : plainText(m_problem->text());
}

} // namespace headroom::app

#include "moc_ask_reading.cpp"
