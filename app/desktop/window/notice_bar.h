#pragma once

#include "app/desktop/session/notice.h"

#include <QFrame>
#include <QTimer>
#include <QVector>

class QLabel;
class QToolButton;

namespace headroom::app {

// A strip over the foot of the window for what must be told but needs no answer. It moves nothing aside. What
// is good to know goes after a while; what failed stays, in the colour of failure.
class NoticeBar final : public QFrame {
    Q_OBJECT

public:
    explicit NoticeBar(QWidget* over);
    void add(const Notice& notice);
    [[nodiscard]] QString text() const;
    [[nodiscard]] bool tellsFailure() const;
    [[nodiscard]] QToolButton* openButton() const { return m_open; }
    void expire(); // what is good to know has been seen

    static constexpr int seenMs = 12'000;

signals:
    void openRequested(const QString& file);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void place();

    QVector<Notice> m_notices;
    QLabel* m_label;
    QToolButton* m_open;
    QTimer m_seen;
};

} // namespace headroom::app
