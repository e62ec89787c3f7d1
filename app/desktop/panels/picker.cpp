#include "app/desktop/panels/picker.h"

#include "app/desktop/tables/word_filter.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QSortFilterProxyModel>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QTableView>
#include <QVBoxLayout>

#include <cmath>

namespace headroom::app {

void PickerModel::setContent(QStringList headers, QVector<PickerRow> rows)
{
    beginResetModel();
    m_headers = std::move(headers);
    m_rows = std::move(rows);
    endResetModel();
}

void PickerModel::setChosen(QStringList ids)
{
    m_chosen = std::move(ids);
    if (!m_rows.isEmpty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, 0), {Qt::CheckStateRole});
}

int PickerModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}
int PickerModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_headers.size());
}

QVariant PickerModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columnCount())
        return {};
    return m_headers[section];
}

QVariant PickerModel::data(const QModelIndex& at, int role) const
{
    if (!checkIndex(at, CheckIndexOption::IndexIsValid))
        return {};
    const PickerRow& row = m_rows[at.row()];
    const double number = row.numbers.value(at.column(), std::nan(""));
    switch (role) {
    case Qt::DisplayRole:
        return row.cells.value(at.column());
    case Qt::UserRole:
        return std::isnan(number) ? QVariant(row.cells.value(at.column())) : QVariant(number);
    case Qt::UserRole + 1:
        return row.id;
    case Qt::CheckStateRole:
        return at.column() == 0 ? QVariant(m_chosen.contains(row.id) ? Qt::Checked : Qt::Unchecked)
                                : QVariant();
    case Qt::TextAlignmentRole:
        return std::isnan(number) ? QVariant() : QVariant(int(Qt::AlignRight | Qt::AlignVCenter));
    default:
        return {};
    }
}

Picker::Picker(const QString& name, bool several, QWidget* parent)
    : QToolButton(parent), m_several(several), m_model(new PickerModel(this))
{
    setAccessibleName(name);
    setToolButtonStyle(Qt::ToolButtonTextOnly);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    connect(this, &QToolButton::clicked, this, &Picker::open);
}

void Picker::setChosen(const QStringList& ids, const QString& text)
{
    m_model->setChosen(ids);
    setText(text);
    setAccessibleDescription(text);
    setToolTip(text);
}

QSize Picker::sizeFor(int textWidth) const
{
    QStyleOptionComboBox box;
    box.initFrom(this);
    return style()->sizeFromContents(QStyle::CT_ComboBox, &box, {textWidth, fontMetrics().height()}, this);
}

QSize Picker::sizeHint() const
{
    constexpr int widest = 240; // px: several names are cut, the tip has them whole
    return sizeFor(std::min(widest, fontMetrics().horizontalAdvance(text()) + 8));
}

QSize Picker::minimumSizeHint() const
{
    constexpr int narrowest = 100;
    return sizeFor(std::min(narrowest, fontMetrics().horizontalAdvance(text()) + 8));
}

void Picker::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionComboBox box;
    box.initFrom(this);
    if (isDown())
        box.state |= QStyle::State_Sunken;
    painter.drawComplexControl(QStyle::CC_ComboBox, box);
    const QRect room = style()->subControlRect(QStyle::CC_ComboBox, &box, QStyle::SC_ComboBoxEditField, this);
    box.currentText = fontMetrics().elidedText(text(), Qt::ElideRight, room.width() - 4);
    painter.drawControl(QStyle::CE_ComboBoxLabel, box);
}

void Picker::buildPopup()
{
    m_popup = new QFrame(this, Qt::Popup);
    m_popup->setFrameShape(QFrame::StyledPanel);
    m_search = new QLineEdit(m_popup);
    m_search->setPlaceholderText(tr("Type to search"));
    m_search->setAccessibleName(tr("Search"));
    m_search->setClearButtonEnabled(true);
    m_table = new QTableView(m_popup);
    m_table->setAccessibleName(accessibleName());
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setSortingEnabled(true);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setAlternatingRowColors(true);
    m_table->verticalHeader()->hide();
    m_filter = new WordFilter(m_popup);
    m_filter->setSourceModel(m_model);
    m_table->setModel(m_filter);
    m_table->sortByColumn(0, Qt::AscendingOrder);
    auto* column = new QVBoxLayout(m_popup);
    column->setContentsMargins(8, 8, 8, 8);
    column->addWidget(m_search);
    column->addWidget(m_table);
    if (!m_other.isEmpty()) {
        auto* other = new QPushButton(m_other, m_popup);
        other->setObjectName(QStringLiteral("other"));
        column->addWidget(other, 0, Qt::AlignLeft);
        connect(other, &QPushButton::clicked, this, [this] {
            m_popup->hide();
            emit otherMeant();
        });
    }
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_filter->setWords(text);
        m_table->selectRow(0);
    });
    connect(m_search, &QLineEdit::returnPressed, this, [this] { pick(m_table->currentIndex()); });
    connect(m_table, &QTableView::clicked, this, &Picker::pick);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        if (!m_several)
            pick(index);
    });
    m_search->installEventFilter(this);
}

void Picker::open()
{
    if (!m_popup)
        buildPopup();
    if (m_content) {
        auto [headers, rows] = m_content();
        m_model->setContent(std::move(headers), std::move(rows));
        m_content = nullptr;
        m_table->resizeColumnsToContents();
    }
    int width = 60;
    for (int c = 0; c < m_model->columnCount(); ++c)
        width += m_table->columnWidth(c);
    m_popup->resize(std::min(width, screen()->availableGeometry().width() * 3 / 4), 420);
    QPoint at = mapToGlobal(rect().bottomLeft());
    const QRect screenArea = screen()->availableGeometry();
    at.setY(std::min(at.y(), screenArea.bottom() - m_popup->height()));
    m_popup->move(at);
    m_popup->show();
    m_search->clear();
    m_search->setFocus();
    for (int r = 0; r < m_filter->rowCount(); ++r)
        if (m_model->chosen().contains(m_filter->index(r, 0).data(Qt::UserRole + 1).toString())) {
            m_table->selectRow(r);
            m_table->scrollTo(m_filter->index(r, 0), QAbstractItemView::PositionAtCenter);
            break;
        }
}

void Picker::pick(const QModelIndex& index)
{
    if (!index.isValid())
        return;
    const QString id = index.data(Qt::UserRole + 1).toString();
    QStringList ids{id};
    if (m_several) {
        ids = m_model->chosen();
        if (!ids.removeOne(id))
            ids << id;
        m_model->setChosen(ids);
    } else {
        m_popup->hide();
    }
    emit picked(ids);
}

bool Picker::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int row = m_table->currentIndex().row();
        if (key == Qt::Key_Down || key == Qt::Key_Up) {
            m_table->selectRow(
                std::clamp(row + (key == Qt::Key_Down ? 1 : -1), 0, std::max(0, m_filter->rowCount() - 1)));
            return true;
        }
        if (key == Qt::Key_Space && m_several && m_search->text().endsWith(u' ')) {
            pick(m_table->currentIndex());
            return true;
        }
    }
    return QToolButton::eventFilter(watched, event);
}

} // namespace headroom::app

#include "moc_picker.cpp"
