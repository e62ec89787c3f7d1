#pragma once

#include "model/ask/question.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <memory>

class QCompleter;
class QLabel;
class QLineEdit;
class QStringListModel;

namespace headroom {
class Catalogue;
}

namespace headroom::app {

class Document;
class FlowLayout;
class Workspace;

// A question in words. While it is typed, each phrase that was understood stands below as a chip, which can
// be clicked to say what was meant instead; Return makes the question the scenario.
class AskBar final : public QWidget {
    Q_OBJECT

public:
    explicit AskBar(Workspace& workspace, QWidget* parent = nullptr);

    void focus();                      // nothing typed yet: offers what was asked before, and examples
    void ask(const QString& question); // as if typed and sent
    [[nodiscard]] QLineEdit* editor() const { return m_edit; }
    [[nodiscard]] QStringList chips() const;
    [[nodiscard]] QString problem() const;
    [[nodiscard]] QString answer() const; // to what the bar answers itself: what a model takes in memory
    [[nodiscard]] QStringList suggestions() const;

signals:
    void asked();
    void currencyMeant(const Currency& currency); // its amounts are not in the one that is told

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // Said in the language of the window, whatever the question's.
    [[nodiscard]] Result<ask::Question> understood(const QString& text) const;
    void read();
    void send();
    void showQuestion(const ask::Question& question);
    void showMemory(const ask::Question& question);
    void showProblems(const Problems& problems);
    void addChip(const ask::Interpretation& phrase);
    void suggest();
    void complete();
    void takeCompletion(const QString& word);
    void recall(int step);
    void replacePhrase(const ask::Interpretation& phrase, const QString& with);

    Workspace& m_workspace;
    QLineEdit* m_edit;
    QLabel* m_problem;
    QWidget* m_chipBox;
    FlowLayout* m_chips;
    QLabel* m_assumed;
    QLabel* m_answer;
    QStringListModel* m_words;
    QCompleter* m_completer;
    QStringListModel* m_questions;
    QCompleter* m_suggester;
    QTimer m_pause;
    int m_recalled = -1;
};

} // namespace headroom::app
