#pragma once

#include <QFrame>

class QLabel;

namespace headroom::app {

// A quiet strip for what must be told but needs no answer.
class NoticeBar final : public QFrame {
    Q_OBJECT

public:
    explicit NoticeBar(QWidget* parent = nullptr);
    void add(const QString& text);
    [[nodiscard]] QString text() const;

private:
    QLabel* m_label;
};

} // namespace headroom::app
