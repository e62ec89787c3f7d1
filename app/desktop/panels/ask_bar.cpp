#include "app/desktop/panels/ask_bar.h"

#include "app/desktop/charts/chart_theme.h"
#include "app/desktop/panels/flow_layout.h"
#include "app/desktop/session/document.h"
#include "app/desktop/session/workspace.h"
#include "app/desktop/text/example_questions.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/scenario_words.h"
#include "model/advise/memory_need.h"
#include "model/ask/catalogue_vocabulary.h"
#include "model/report/memory_text.h"
#include "model/yaml/catalogue.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QFontDatabase>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QStringListModel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

namespace {
constexpr int pauseMs = 120;               // typing goes on within this time
constexpr int tellMs = 40;                 // between two showings of a scenario that is dragged
constexpr qsizetype shortestCompleted = 2; // letters

const QString commandMark = QStringLiteral("› ");

QString wordBefore(const QString& text, int cursor)
{
    int begin = cursor;
    while (begin > 0 && !text[begin - 1].isSpace())
        --begin;
    return text.mid(begin, cursor - begin);
}
} // namespace

AskBar::AskBar(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      m_workspace(workspace),
      m_edit(new QLineEdit(this)),
      m_problem(new QLabel(this)),
      m_chipBox(new QWidget(this)),
      m_chips(new FlowLayout(m_chipBox)),
      m_assumed(new QLabel(this)),
      m_answer(new QLabel(this)),
      m_words(new QStringListModel(this)),
      m_completer(new QCompleter(m_words, this)),
      m_questions(new QStringListModel(this)),
      m_suggester(new QCompleter(m_questions, this))
{
    m_edit->setObjectName(QStringLiteral("ask"));
    m_edit->setPlaceholderText(tr("Ask: how many A100s for Llama-70B at 20 TPS?    (Ctrl+K)"));
    m_edit->setAccessibleName(tr("Question"));
    m_edit->setAccessibleDescription(tr("What is to be served, on what, how fast; Return plans it"));
    m_edit->setClearButtonEnabled(true);
    m_edit->setMinimumHeight(m_edit->sizeHint().height() + 6);
    m_edit->installEventFilter(this);
    m_problem->setWordWrap(true);
    m_problem->setObjectName(QStringLiteral("ask-problem"));
    m_problem->hide();
    m_chipBox->hide();
    m_assumed->setWordWrap(true);
    m_assumed->setForegroundRole(QPalette::PlaceholderText);
    m_assumed->setContentsMargins(2, 0, 2, 0);
    m_assumed->hide();
    m_answer->setObjectName(QStringLiteral("ask-answer"));
    m_answer->setFont(
        QFontDatabase::systemFont(QFontDatabase::FixedFont)); // its columns stand below each other
    m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_answer->setFocusPolicy(Qt::NoFocus);
    m_answer->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_answer->setContentsMargins(2, 0, 2, 0);
    m_answer->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 6, 10, 6);
    column->setSpacing(4);
    column->addWidget(m_edit);
    column->addWidget(m_chipBox);
    column->addWidget(m_assumed);
    column->addWidget(m_answer);
    column->addWidget(m_problem);

    m_completer->setWidget(m_edit);
    m_completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_completer->setFilterMode(Qt::MatchContains);
    m_completer->setCompletionMode(QCompleter::PopupCompletion);
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this, &AskBar::takeCompletion);
    m_suggester->setWidget(m_edit);
    m_suggester->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_suggester->popup()->setAccessibleName(tr("Questions to begin with"));
    connect(m_suggester, qOverload<const QString&>(&QCompleter::activated), this, &AskBar::ask);
    m_pause.setSingleShot(true);
    m_pause.setInterval(pauseMs);
    connect(&m_pause, &QTimer::timeout, this, &AskBar::read);
    connect(m_edit, &QLineEdit::textEdited, this, [this] {
        m_recalled = -1;
        m_pause.start();
        complete();
    });
    connect(m_edit, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_suggester->popup()->hide();
        if (text.isEmpty()) {
            m_chipBox->hide();
            m_assumed->hide();
            m_answer->hide();
            m_problem->hide();
        }
    });
    connect(m_edit, &QLineEdit::textChanged, this, &AskBar::tellUnread);
    connect(m_edit, &QLineEdit::returnPressed, this, [this] { send(); });
    m_tell.setSingleShot(true);
    m_tell.setInterval(tellMs);
    connect(&m_tell, &QTimer::timeout, this, [this] {
        if (!isUnread())
            read();
    });
    connect(&m_workspace, &Workspace::currentChanged, this, &AskBar::takeDocument);
    takeDocument();
}

void AskBar::takeDocument()
{
    if (m_shown)
        m_shown->session().disconnect(this);
    m_shown = m_workspace.current();
    if (!m_shown)
        return;
    connect(&m_shown->session(), &Session::scenarioChanged, this, &AskBar::showScenario);
    showScenario();
}

// The words of the scenario that is open, whoever changed it.
void AskBar::showScenario()
{
    m_pause.stop();
    m_recalled = -1;
    m_committed = m_shown->words();
    if (m_edit->text() != m_committed) {
        m_edit->setText(m_committed);
        m_edit->setCursorPosition(0);
    }
    tellUnread();
    if (!m_tell.isActive())
        m_tell.start();
}

bool AskBar::isUnread() const { return !m_edit->text().isEmpty() && m_edit->text() != m_committed; }

void AskBar::tellUnread()
{
    if (m_unread == isUnread())
        return;
    m_unread = !m_unread;
    emit unreadChanged(m_unread);
}

void AskBar::focus()
{
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
    suggest();
}

void AskBar::suggest()
{
    constexpr qsizetype remembered = 5;
    if (isUnread() || !m_edit->isVisible())
        return;
    QStringList questions = m_workspace.settings().askHistory().first(
        std::min(remembered, m_workspace.settings().askHistory().size()));
    for (const QString& example : exampleQuestions())
        if (!questions.contains(example))
            questions << example;
    m_questions->setStringList(questions);
    m_suggester->setMaxVisibleItems(static_cast<int>(questions.size()));
    m_suggester->complete();
}

QStringList AskBar::suggestions() const
{
    return m_suggester->popup()->isVisible() ? m_questions->stringList() : QStringList();
}

void AskBar::ask(const QString& question)
{
    m_edit->setText(question);
    if (question.trimmed() == m_committed)
        read(); // it is answered already
    else
        send();
}

Result<ask::Question> AskBar::understood(const QString& text) const
{
    // "double it", "same on H200": of the scenario that is open
    const Document* const document = m_workspace.current();
    const Scenario* const atHand = document && !document->session().scenario().model.empty()
        ? &document->session().scenario()
        : nullptr;
    return ask::read(text.toStdString(), vocabularyOf(*m_workspace.catalogue()),
                     speaksChinese() ? ask::Language::Chinese : ask::Language::English, atHand);
}

void AskBar::read()
{
    m_chips->clear();
    if (m_edit->text().isEmpty())
        return;
    if (!isUnread() && m_shown) {
        m_problem->hide();
        m_answer->hide();
        m_assumed->hide();
        m_chipBox->show();
        return m_shown->question() ? showQuestion(*m_shown->question()) : showParts(*m_shown);
    }
    const Result<ask::Question> question = understood(m_edit->text());
    m_problem->setVisible(!question.has_value());
    m_chipBox->setVisible(question.has_value());
    m_assumed->hide();
    m_answer->hide();
    if (question)
        return showQuestion(*question);
    showProblems(question.error()); // which words, what is wrong with them
}

void AskBar::showProblems(const Problems& problems)
{
    QStringList lines;
    for (const Problem& problem : problems)
        lines << problemText(problem);
    m_problem->setText(lines.join(u'\n'));
    m_problem->show();
    QPalette p = palette();
    p.setColor(QPalette::WindowText, ChartTheme::from(palette()).warn);
    m_problem->setPalette(p);
}

void AskBar::showQuestion(const ask::Question& question)
{
    for (const ask::Interpretation& phrase : question.interpretation)
        addChip(phrase);
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
        showMemory(question);
}

// A scenario that no question tells: a chip for each thing it says, which leads to its field.
void AskBar::showParts(const Document& document)
{
    for (const SaidPart& part : saidParts(document.session().scenario(), document.session().catalogue())) {
        auto* chip = new QToolButton(m_chipBox);
        const QString key = QString::fromUtf8(part.key.data(), static_cast<qsizetype>(part.key.size()));
        chip->setText(part.title + QStringLiteral(": ") + part.value);
        chip->setAccessibleName(chip->text());
        chip->setToolTip(tr("Shows its field"));
        chip->setFocusPolicy(Qt::StrongFocus);
        connect(chip, &QToolButton::clicked, this, [this, key] { emit fieldMeant(key); });
        m_chips->addWidget(chip);
        chip->show();
    }
}

// Counts take no search: they stand here while the question is typed.
void AskBar::showMemory(const ask::Question& question)
{
    const auto need = memoryNeed(question.scenario, *m_workspace.catalogue());
    if (!need)
        return showProblems(need.error());
    m_answer->setText(QString::fromStdString(memoryCounts(
        *need, question.asked, speaksChinese() ? ask::Language::Chinese : ask::Language::English)));
    m_answer->show();
}

void AskBar::addChip(const ask::Interpretation& phrase)
{
    auto* chip = new QToolButton(m_chipBox);
    chip->setText(QStringLiteral("%1 → %2").arg(QString::fromStdString(phrase.said),
                                                QString::fromStdString(phrase.readAs)));
    chip->setToolTip(QString::fromStdString(phrase.why));
    chip->setAccessibleName(
        tr("%1 was read as %2")
            .arg(QString::fromStdString(phrase.said), QString::fromStdString(phrase.readAs)));
    chip->setFocusPolicy(Qt::StrongFocus);
    auto* menu = new QMenu(chip);
    for (const std::string& other : phrase.others) {
        const QString name = QString::fromStdString(other);
        menu->addAction(name, this, [this, phrase, name] { replacePhrase(phrase, name); });
    }
    if (!menu->isEmpty()) {
        chip->setText(chip->text() + QStringLiteral(" ▾"));
        chip->setMenu(menu);
        chip->setPopupMode(QToolButton::InstantPopup);
    } else {
        connect(chip, &QToolButton::clicked, this, [this, phrase] {
            const auto begin
                = QString::fromUtf8(m_edit->text().toUtf8().left(static_cast<qsizetype>(phrase.position)))
                      .size();
            m_edit->setFocus();
            m_edit->setSelection(static_cast<int>(begin),
                                 static_cast<int>(QString::fromStdString(phrase.said).size()));
        });
    }
    m_chips->addWidget(chip);
    chip->show();
}

void AskBar::replacePhrase(const ask::Interpretation& phrase, const QString& with)
{
    QByteArray bytes = m_edit->text().toUtf8();
    bytes.replace(static_cast<qsizetype>(phrase.position), static_cast<qsizetype>(phrase.said.size()),
                  with.toUtf8());
    m_edit->setText(QString::fromUtf8(bytes));
    send(true);
}

void AskBar::send(bool ofThisScenario)
{
    m_pause.stop();
    const QString text = m_edit->text().trimmed();
    if (text.isEmpty() || text == m_committed)
        return;
    read();
    const Result<ask::Question> question = understood(text);
    Document* document = m_workspace.current();
    if (!question || !document)
        return;
    m_workspace.settings().addAsked(text);
    m_recalled = -1;
    Scenario scenario = question->scenario;
    scenario.name = question->changesAtHand ? document->session().scenario().name : text.toStdString();
    const bool besideTheFile = !document->path().isEmpty() && !question->changesAtHand && !ofThisScenario;
    if (besideTheFile) {
        m_workspace.add(std::move(scenario));
        m_workspace.notice(
            {tr("The question has a scenario of its own; %1 stays as it is.").arg(document->title())});
    } else {
        document->edit(std::move(scenario), tr("question “%1”").arg(text));
        showScenario(); // also where the question asks for what is there
    }
    read();
    emit asked();
    if (question->currency && *question->currency != toldCurrency())
        emit currencyMeant(*question->currency);
}

void AskBar::complete()
{
    if (m_words->rowCount() == 0) {
        QStringList words;
        for (const std::string& id : m_workspace.catalogue()->modelIds())
            words << QString::fromStdString(id);
        for (const std::string& id : m_workspace.catalogue()->gpuIds())
            words << QString::fromStdString(id);
        for (const std::string& id : m_workspace.catalogue()->engineIds())
            words << QString::fromStdString(id);
        for (const QString& title : m_commands)
            words << commandMark + title;
        m_words->setStringList(words);
    }
    const QString word = wordBefore(m_edit->text(), m_edit->cursorPosition());
    const bool name = word.size() >= shortestCompleted && word.front().isLetter();
    m_completer->setCompletionPrefix(word);
    if (!name || m_completer->completionCount() == 0 || m_completer->currentCompletion() == word)
        m_completer->popup()->hide();
    else
        m_completer->complete();
}

void AskBar::takeCompletion(const QString& word)
{
    if (word.startsWith(commandMark)) {
        showScenario(); // it was no question
        emit commandMeant(word.mid(commandMark.size()));
        return;
    }
    const int cursor = m_edit->cursorPosition();
    const auto typed = static_cast<int>(wordBefore(m_edit->text(), cursor).size());
    m_edit->setText(m_edit->text().replace(cursor - typed, typed, word + u' '));
    m_edit->setCursorPosition(cursor - typed + static_cast<int>(word.size()) + 1);
    m_pause.start();
}

void AskBar::recall(int step)
{
    const QStringList history = m_workspace.settings().askHistory();
    m_recalled = std::clamp(m_recalled + step, -1, static_cast<int>(history.size()) - 1);
    m_edit->setText(history.value(m_recalled));
    m_pause.start();
}

bool AskBar::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_edit && event->type() == QEvent::MouseButtonPress && m_edit->text().isEmpty())
        suggest();
    if (watched == m_edit && event->type() == QEvent::ShortcutOverride && !takesKey(event)) {
        event->ignore();
        return true;
    }
    if (watched == m_edit && event->type() == QEvent::KeyPress && !m_completer->popup()->isVisible()
        && !m_suggester->popup()->isVisible()) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down) {
            recall(key == Qt::Key_Up ? 1 : -1);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

// What is typed is taken back here; what was asked, by the window, with everything that shows it.
bool AskBar::takesKey(QEvent* event)
{
    auto* key = static_cast<QKeyEvent*>(event);
    return isUnread() || !(key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo));
}

QStringList AskBar::chips() const
{
    QStringList texts;
    for (const QToolButton* chip : m_chipBox->findChildren<QToolButton*>())
        if (!chip->isHidden())
            texts << chip->text();
    return texts;
}

QString AskBar::answer() const { return m_answer->isHidden() ? QString() : m_answer->text(); }

QString AskBar::problem() const { return m_problem->isHidden() ? QString() : m_problem->text(); }

} // namespace headroom::app
