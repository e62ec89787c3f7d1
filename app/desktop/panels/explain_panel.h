#pragma once

#include "app/desktop/panels/explain_request.h"
#include "app/desktop/session/document.h"

#include <QPointer>
#include <QWidget>

class QComboBox;
class QTextBrowser;
class QUrl;

namespace headroom::app {

// One figure with its formula, the numbers put in and where each is from; and what the answer assumes.
class ExplainPanel final : public QWidget {
    Q_OBJECT

public:
    explicit ExplainPanel(QWidget* parent = nullptr);
    void setDocument(Document* document);
    void explain(const ExplainRequest& request);
    void explain(const QString& figure) { explain(ExplainRequest{.figure = figure}); } // of the answer
    [[nodiscard]] QString text() const;

signals:
    void fieldMeant(const QString& key); // where an assumption can be said otherwise

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void planChanged();
    void follow(const QUrl& link);
    [[nodiscard]] QString content() const;

    QPointer<Document> m_document;
    ExplainRequest m_request;
    QComboBox* m_figure;
    QTextBrowser* m_text;
};

} // namespace headroom::app
