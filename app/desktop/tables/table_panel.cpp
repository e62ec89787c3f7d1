#include "app/desktop/tables/table_panel.h"

#include "app/desktop/drawing/write_bytes.h"
#include "app/desktop/tables/word_filter.h"
#include "model/text/csv.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

namespace {

constexpr int widestColumn = 380; // px: longer texts are elided and shown whole in the tip

QString quoted(const QString& field)
{
    QString text = isFormula(field.toStdString()) ? u'\'' + field : field;
    return u'"' + text.replace(u'"', QStringLiteral("\"\"")) + u'"';
}

} // namespace

TablePanel::TablePanel(const QString& name, QAbstractItemModel* model, QWidget* parent)
    : QWidget(parent),
      m_table(new QTableView(this)),
      m_filterEdit(new QLineEdit(this)),
      m_count(new QLabel(this)),
      m_filter(new WordFilter(this)),
      m_tools(new QWidget(this))
{
    m_filter->setSourceModel(model);
    m_table->setModel(m_filter);
    m_table->setAccessibleName(name);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder); // the model's own order until someone asks for another
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false); // arrows go from cell to cell, Tab goes on
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setResizeContentsPrecision(0); // thousands of rows are not measured
    m_table->installEventFilter(this);
    m_filterEdit->setPlaceholderText(tr("Filter"));
    m_filterEdit->setAccessibleName(tr("Filter of %1").arg(name));
    m_filterEdit->setClearButtonEnabled(true);
    m_filterEdit->setMinimumWidth(90); // px: a word
    m_filterEdit->setMaximumWidth(260);
    m_count->setForegroundRole(QPalette::PlaceholderText);
    auto* save = new QToolButton(this);
    save->setText(tr("CSV…"));
    save->setAutoRaise(true);
    save->setAccessibleName(tr("Save the table as CSV"));
    connect(save, &QToolButton::clicked, this, &TablePanel::saveCsv);
    auto* toolLine = new QHBoxLayout(m_tools);
    toolLine->setContentsMargins(0, 0, 0, 0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(8, 6, 8, 4);
    head->setSpacing(10);
    head->addWidget(m_filterEdit);
    head->addWidget(m_tools);
    head->addWidget(m_count, 1);
    head->addWidget(save);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_table, 1);
    connect(m_filterEdit, &QLineEdit::textChanged, this, &TablePanel::setFilter);
    const auto source = [this](const QModelIndex& index) { return m_filter->mapToSource(index).row(); };
    connect(m_table, &QTableView::doubleClicked, this, [this, source](const QModelIndex& i) {
        m_click.stop();
        emit rowActivated(source(i));
    });
    m_click.setSingleShot(true);
    m_click.setInterval(QApplication::doubleClickInterval());
    connect(m_table, &QTableView::clicked, &m_click, qOverload<>(&QTimer::start));
    connect(&m_click, &QTimer::timeout, this, &TablePanel::tellCell);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this, source](const QModelIndex& i) {
                if (i.isValid())
                    emit rowSelected(source(i));
            });
    connect(m_filter, &QAbstractItemModel::modelReset, this, &TablePanel::recount);
    connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, [this](int section) {
        constexpr int arrow = 20; // px, and what stands beside it
        QHeaderView& header = *m_table->horizontalHeader();
        if (section >= 0 && section < header.count())
            header.resizeSection(
                section, std::max(header.sectionSize(section), header.sectionSizeHint(section) + arrow));
    });
    recount();
}

void TablePanel::recount()
{
    const int all = m_filter->sourceModel()->rowCount();
    const int shown = m_filter->rowCount();
    m_count->setText(shown == all ? tr("%n row(s)", nullptr, all)
                                  : tr("%1 of %n row(s)", nullptr, all).arg(shown));
}

void TablePanel::tellCell()
{
    if (const QModelIndex at = m_table->currentIndex(); at.isValid())
        emit cellActivated(m_filter->mapToSource(at).row(),
                           m_filter->headerData(at.column(), Qt::Horizontal, Qt::UserRole).toString());
}

void TablePanel::addTool(QWidget* widget) { m_tools->layout()->addWidget(widget); }

void TablePanel::setFilter(const QString& words)
{
    if (m_filterEdit->text() != words)
        m_filterEdit->setText(words);
    m_filter->setWords(words);
    recount();
}

void TablePanel::fitColumns()
{
    QHeaderView& header = *m_table->horizontalHeader();
    const auto columns = static_cast<qsizetype>(m_filter->columnCount());
    const bool sameColumns = m_fitted.size() == columns;
    m_fitted.resize(columns, 0);
    m_table->resizeColumnsToContents();
    for (int c = 0; c < columns; ++c) {
        const int before = sameColumns ? m_fitted[c] : 0;
        m_fitted[c] = std::max(before, std::min(header.sectionSize(c), widestColumn));
        header.resizeSection(c, m_fitted[c]);
    }
}

void TablePanel::selectSourceRow(int row)
{
    const QModelIndex at = m_filter->mapFromSource(m_filter->sourceModel()->index(row, 0));
    if (!at.isValid())
        return;
    m_table->selectRow(at.row());
    m_table->scrollTo(at, QAbstractItemView::PositionAtCenter);
}

int TablePanel::sourceRow() const
{
    const QModelIndex at = m_table->currentIndex();
    return at.isValid() ? m_filter->mapToSource(at).row() : -1;
}

QString TablePanel::csv() const
{
    QStringList lines;
    QStringList fields;
    for (int c = 0; c < m_filter->columnCount(); ++c)
        fields << quoted(m_filter->headerData(c, Qt::Horizontal).toString());
    lines << fields.join(u',');
    for (int r = 0; r < m_filter->rowCount(); ++r) {
        fields.clear();
        for (int c = 0; c < m_filter->columnCount(); ++c)
            fields << quoted(m_filter->index(r, c).data().toString());
        lines << fields.join(u',');
    }
    return lines.join(u'\n') + u'\n';
}

void TablePanel::copy() const { QApplication::clipboard()->setText(csv()); }

void TablePanel::saveCsv()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Save table"), QStringLiteral("table.csv"),
                                                      tr("Data (*.csv)"));
    if (path.isEmpty())
        return;
    if (const QString why = writtenOrWhy(path, csv().toUtf8()); !why.isEmpty())
        m_count->setText(tr("%1 could not be written: %2").arg(path, why));
}

bool TablePanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Copy)) {
            copy();
            return true;
        }
        if (key->key() == Qt::Key_F1) {
            tellCell();
            return true;
        }
        if (key->key() == Qt::Key_Return && m_table->currentIndex().isValid()) {
            emit rowActivated(m_filter->mapToSource(m_table->currentIndex()).row());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace headroom::app

#include "moc_table_panel.cpp"
