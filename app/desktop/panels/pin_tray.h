#pragma once

#include "app/desktop/session/document.h"

#include <QPointer>
#include <QWidget>

namespace headroom::app {

class FlowLayout;
class Pins;

// What is pinned, each with how it differs from the answer at hand. Return opens one, Delete takes it off.
class PinTray final : public QWidget {
    Q_OBJECT

public:
    explicit PinTray(Pins& pins, QWidget* parent = nullptr);
    void setDocument(Document* document);
    [[nodiscard]] QStringList texts() const;

signals:
    void openRequested(const Scenario& scenario);

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void rebuild();
    void tellDeltas();
    void addCard(int place);

    Pins& m_pins;
    QPointer<Document> m_document;
    FlowLayout* m_flow;
};

} // namespace headroom::app
