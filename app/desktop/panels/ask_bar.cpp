#include "app/desktop/panels/ask_bar.h"

#include "app/desktop/panels/ask_reading.h"
#include "app/desktop/session/document.h"
#include "app/desktop/session/workspace.h"
#include "app/desktop/text/example_questions.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/scenario_line.h"
#include "model/advise/fitting_models.h"
#include "model/import/trace.h"
#include "model/report/fitting_text.h"
#include "model/words/catalogue_vocabulary.h"
#include "model/yaml/catalogue.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QLineEdit>
#include <QStringListModel>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

namespace {
constexpr int pauseMs = 120;               // typing goes on within this time
constexpr int tellMs = 40;                 // between two showings of a scenario that is dragged
constexpr qsizetype shortestCompleted = 2; // letters

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
      m_reading(new AskReading(this)),
      m_words(new QStringListModel(this)),
      m_completer(new QCompleter(m_words, this)),
      m_questions(new QStringListModel(this)),
      m_suggester(new QCompleter(m_questions, this))
{
    m_edit->setObjectName(QStringLiteral("ask"));
    m_edit->setPlaceholderText(tr("Ask: how many A100s for Llama-70B at 20 TPS?    (Ctrl+L)"));
    m_edit->setAccessibleName(tr("Question"));
    m_edit->setAccessibleDescription(tr("What is to be served, on what, how fast; Return plans it"));
    m_edit->setClearButtonEnabled(true);
    m_edit->setMinimumHeight(m_edit->sizeHint().height() + 6);
    m_edit->installEventFilter(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 6, 10, 6);
    column->setSpacing(4);
    column->addWidget(m_edit);
    column->addWidget(m_reading);
    m_reading->setTabAfter(m_edit);
    connect(m_reading, &AskReading::fieldMeant, this, &AskBar::fieldMeant);
    connect(m_reading, &AskReading::phraseMeant, this, &AskBar::select);
    connect(m_reading, &AskReading::phraseReplaced, this, &AskBar::replacePhrase);
    connect(m_reading, &AskReading::wordReplaced, this, &AskBar::replaceWord);

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
        if (text.isEmpty())
            m_reading->clear();
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
    connect(&m_models, &JobRunner::failed, this, [this](const QString& what) {
        m_workspace.notice({what, NoticeKind::Failed});
    });
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
    ask::Vocabulary vocabulary = vocabularyOf(*m_workspace.catalogue());
    vocabulary.listsModels = true;
    return ask::read(text.toStdString(), vocabulary,
                     speaksChinese() ? ask::Language::Chinese : ask::Language::English, atHand);
}

void AskBar::read()
{
    m_reading->clear();
    if (m_edit->text().isEmpty())
        return;
    const Catalogue& catalogue = *m_workspace.catalogue();
    if (!isUnread() && m_shown)
        return m_shown->question() ? m_reading->showQuestion(*m_shown->question(), catalogue)
                                   : m_reading->showParts(*m_shown);
    const Result<ask::Question> question = understood(m_edit->text());
    if (question)
        return m_reading->showQuestion(*question, catalogue);
    m_reading->showProblems(question.error(), catalogue); // which words, what is wrong with them
}

void AskBar::select(const ask::Interpretation& phrase)
{
    const auto begin
        = QString::fromUtf8(m_edit->text().toUtf8().left(static_cast<qsizetype>(phrase.position))).size();
    m_edit->setFocus();
    m_edit->setSelection(static_cast<int>(begin),
                         static_cast<int>(QString::fromStdString(phrase.said).size()));
}

// What may have been meant takes the place of what was said; it is asked when nothing else is wrong.
void AskBar::replaceWord(const QString& said, const QString& with)
{
    const qsizetype at = m_edit->text().indexOf(said, 0, Qt::CaseInsensitive);
    if (at < 0 || said.isEmpty())
        return;
    m_edit->setText(m_edit->text().replace(at, said.size(), with));
    send(true);
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
    m_completer->popup()->hide(); // what is sent needs no completion
    m_suggester->popup()->hide();
    const QString text = m_edit->text().trimmed();
    if (text.isEmpty() || text == m_committed)
        return;
    if (isScenarioLine(text))
        return takeLine(text);
    read();
    const Result<ask::Question> question = understood(text);
    Document* document = m_workspace.current();
    if (!question || !document)
        return;
    m_workspace.settings().addAsked(text);
    m_recalled = -1;
    m_models.cancel();
    if (question->kind == ask::QuestionKind::Models)
        return findModels(*question, text);
    Scenario scenario = question->scenario;
    scenario.name = question->changesAtHand ? document->session().scenario().name : text.toStdString();
    take(std::move(scenario), text,
         !document->path().isEmpty() && !question->changesAtHand && !ofThisScenario);
    read();
    emit asked();
    if (question->currency && *question->currency != toldCurrency())
        emit currencyMeant(*question->currency);
}

// `beside`: as a scenario of its own, so that the one that was saved to a file stays as it is.
void AskBar::take(Scenario scenario, const QString& question, bool beside)
{
    Document* const document = m_workspace.current();
    if (beside) {
        m_workspace.add(std::move(scenario));
        return m_workspace.notice(
            {tr("The question has a scenario of its own; %1 stays as it is.").arg(document->title())});
    }
    document->edit(std::move(scenario), tr("question “%1”").arg(question));
    showScenario(); // also where the question asks for what is there
}

// A question for what runs on a machine is answered by the view of models. One of them is planned, since a
// scenario has a model.
void AskBar::findModels(const ask::Question& question, const QString& text)
{
    Scenario machine = question.scenario;
    machine.gpuCount = machine.gpuCount.value_or(1);
    machine.name = text.toStdString();
    using Models = Result<std::vector<FittingModel>>;
    m_models.start<Models>(
        [catalogue = m_workspace.catalogue(), machine](const RunControl& control) {
            return modelsThatFit(machine, *catalogue, readTraceFile, control);
        },
        [this, catalogue = m_workspace.catalogue(), machine, text](const Models& models) {
            m_reading->clear();
            if (!models)
                return m_reading->showProblems(models.error(), *catalogue);
            const Message sentence = fittingSentence(*models, machine);
            const FittingModel* const chosen = largestRecent(*models);
            if (chosen == nullptr)
                return m_reading->showProblems({{{}, sentence, {}}}, *catalogue);
            take(withModel(machine, *chosen), text, !m_workspace.current()->path().isEmpty());
            m_workspace.notice({tr("%1. %2, the largest of the last year, is planned here; Return in the "
                                   "list takes another.")
                                    .arg(modelText(sentence), QString::fromStdString(chosen->llm->name))});
            emit asked();
            emit modelsAsked();
        });
}

// A scenario that was pasted stands in the place of the question.
void AskBar::takeLine(const QString& line)
{
    Result<Scenario> scenario = scenarioOfLine(line);
    if (!scenario)
        return m_reading->showProblems(scenario.error(), *m_workspace.catalogue());
    m_workspace.add(*std::move(scenario));
    emit asked();
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

QStringList AskBar::chips() const { return m_reading->chips(); }
QString AskBar::answer() const { return m_reading->answer(); }
QString AskBar::problem() const { return m_reading->problem(); }

} // namespace headroom::app

#include "moc_ask_bar.cpp"
