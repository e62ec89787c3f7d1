#pragma once

#include "model/ask/question.h"

#include <QWidget>

class QLabel;

namespace headroom {
class Catalogue;
}

namespace headroom::app {

class Document;
class FlowLayout;

// What stands below the question: how it was read, phrase by phrase, what was assumed, what was not
// understood with what may have been meant, and what the bar answers itself.
class AskReading final : public QWidget {
    Q_OBJECT

public:
    explicit AskReading(QWidget* parent = nullptr);
    void setTabAfter(QWidget* widget); // under Tab the chips follow it

    void clear();
    void showQuestion(const ask::Question& question, const Catalogue& catalogue);
    void showParts(const Document& document); // of a scenario that no question tells
    void showProblems(const Problems& problems, const Catalogue& catalogue);
    [[nodiscard]] QStringList chips() const;
    [[nodiscard]] QString problem() const;
    [[nodiscard]] QString answer() const; // to a question about memory

signals:
    void phraseMeant(const ask::Interpretation& phrase);
    void phraseReplaced(const ask::Interpretation& phrase, const QString& with);
    void wordReplaced(const QString& said, const QString& with); // of what was not understood
    void fieldMeant(const QString& key);

private:
    void addChip(const ask::Interpretation& phrase, const Catalogue& catalogue);
    void showMemory(const ask::Question& question, const Catalogue& catalogue);

    QLabel* m_problem;
    QWidget* m_chipBox;
    FlowLayout* m_chips;
    QLabel* m_assumed;
    QLabel* m_answer;
};

} // namespace headroom::app
