#pragma once

#include "app/desktop/session/document.h"

#include <QPointer>
#include <QWidget>

class QComboBox;
class QTextBrowser;

namespace headroom::app {

// One figure with its formula, the numbers put in and where each is from; and what the answer assumes.
class ExplainPanel final : public QWidget {
    Q_OBJECT

public:
    explicit ExplainPanel(QWidget* parent = nullptr);
    void setDocument(Document* document);
    void explain(const QString& figure); // "tpot", …; "assumptions"
    [[nodiscard]] QString text() const;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();

    QPointer<Document> m_document;
    QComboBox* m_figure;
    QTextBrowser* m_text;
};

} // namespace headroom::app
