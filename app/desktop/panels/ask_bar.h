#pragma once

#include "app/desktop/jobs/job_runner.h"
#include "app/desktop/session/document.h"
#include "model/ask/question.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <memory>

class QCompleter;
class QLineEdit;
class QStringListModel;

namespace headroom {
class Catalogue;
}

namespace headroom::app {

class AskReading;
class Workspace;

// The scenario in words. At rest it shows the question that the open scenario is named by, or what the
// scenario says, with a chip for each part; edits elsewhere, undo among them, change it. While a question is
// typed, each phrase that was understood stands below as a chip, which can be clicked to say what was meant
// instead; Return makes the question the scenario.
class AskBar final : public QWidget {
    Q_OBJECT

public:
    explicit AskBar(Workspace& workspace, QWidget* parent = nullptr);

    void focus();                      // nothing typed yet: offers what was asked before, and examples
    void ask(const QString& question); // as if typed and sent
    [[nodiscard]] QLineEdit* editor() const { return m_edit; }
    [[nodiscard]] bool isUnread() const; // a question stands here that nobody has sent
    [[nodiscard]] QStringList chips() const;
    [[nodiscard]] QString problem() const;
    [[nodiscard]] QString answer() const; // to what the bar answers itself: what a model takes in memory
    [[nodiscard]] QStringList suggestions() const;

signals:
    void asked();
    void unreadChanged(bool unread); // what is planned is the answer to another question than this one
    void modelsAsked();              // what runs on the machine is asked for: one of them is planned by now
    void fieldMeant(const QString& key);          // a part of the scenario was clicked
    void currencyMeant(const Currency& currency); // its amounts are not in the one that is told

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // Said in the language of the window, whatever the question's.
    [[nodiscard]] Result<ask::Question> understood(const QString& text) const;
    void takeDocument();
    void showScenario();
    void tellUnread();
    void read();
    void send(bool ofThisScenario = false);
    void take(Scenario scenario, const QString& question, bool beside);
    void findModels(const ask::Question& question, const QString& text);
    [[nodiscard]] bool takesKey(QEvent* event);
    void suggest();
    void complete();
    void takeCompletion(const QString& word);
    void recall(int step);
    void select(const ask::Interpretation& phrase);
    void replacePhrase(const ask::Interpretation& phrase, const QString& with);
    void takeLine(const QString& line);
    void replaceWord(const QString& said, const QString& with);

    Workspace& m_workspace;
    QLineEdit* m_edit;
    AskReading* m_reading;
    QStringListModel* m_words;
    QCompleter* m_completer;
    QStringListModel* m_questions;
    QCompleter* m_suggester;
    QTimer m_pause;
    QTimer m_tell;              // chips follow a dragged slider at the pace of an eye
    QPointer<Document> m_shown; // whose words stand here
    QString m_committed;        // words of the scenario
    bool m_unread = false;
    int m_recalled = -1;
    JobRunner m_models; // last: waits for its worker first
};

} // namespace headroom::app
