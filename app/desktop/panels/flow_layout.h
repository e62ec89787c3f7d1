#pragma once

#include <QLayout>
#include <QPointer>
#include <QVector>

namespace headroom::app {

// Puts widgets in lines like words in a paragraph.
class FlowLayout final : public QLayout {
public:
    explicit FlowLayout(QWidget* parent = nullptr, int spacing = 6, int lineSpacing = 6);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return arrange({0, 0, width, 0}, false); }
    QSize sizeHint() const override { return minimumSize(); }
    QSize minimumSize() const override;
    void setGeometry(const QRect& area) override;
    void clear(); // deletes the widgets
    // What is made late would come last under Tab, behind everything: it follows `widget` and each other.
    void setTabAfter(QWidget* widget) { m_tabAfter = widget; }

private:
    int arrange(const QRect& area, bool move) const;

    QVector<QLayoutItem*> m_items;
    int m_lineSpacing;
    QPointer<QWidget> m_tabAfter;
};

} // namespace headroom::app
