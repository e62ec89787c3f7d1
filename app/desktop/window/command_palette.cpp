#include "app/desktop/window/command_palette.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

namespace {

constexpr int widestPalette = 640;  // px: a question in one line
constexpr int aroundPalette = 40;   // px
constexpr int highestPalette = 420; // px
constexpr qsizetype mostCommands = 40;

// All words, wherever they stand; a title that begins so is meant more often.
int rank(const QString& title, const QStringList& words)
{
    int best = 2;
    for (const QString& word : words) {
        const qsizetype at = title.indexOf(word, 0, Qt::CaseInsensitive);
        if (at < 0)
            return -1;
        best = std::min(best, at == 0 ? 0 : title[at - 1].isLetterOrNumber() ? 2 : 1);
    }
    return best;
}

} // namespace

CommandPalette::CommandPalette(QWidget* over)
    : QFrame(over), m_edit(new QLineEdit(this)), m_list(new QListWidget(this))
{
    setObjectName(QStringLiteral("palette"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setAccessibleName(tr("Commands"));
    m_edit->setPlaceholderText(tr("A question, a command, a model, a GPU, a file"));
    m_edit->setAccessibleName(tr("Question or command"));
    m_edit->installEventFilter(this);
    m_list->setAccessibleName(tr("What can be done"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus); // the keys are the line's
    m_list->setUniformItemSizes(true);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->addWidget(m_edit);
    column->addWidget(m_list);
    connect(m_edit, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::run);
    over->installEventFilter(this);
    hide();
}

void CommandPalette::open(QVector<Command> all, std::function<void(const QString&)> ask)
{
    m_all = std::move(all);
    m_ask = std::move(ask);
    if (isHidden())
        m_before = QApplication::focusWidget();
    m_edit->clear();
    fill();
    show();
    place();
    m_edit->setFocus(Qt::ShortcutFocusReason);
}

void CommandPalette::fill()
{
    const QString typed = m_edit->text().trimmed();
    const QStringList words = typed.split(u' ', Qt::SkipEmptyParts);
    m_shown = {{.title = typed.isEmpty() ? tr("Ask a question…") : tr("Ask: %1").arg(typed),
                .run = [ask = m_ask, typed] { ask(typed); }}};
    QVector<std::pair<int, qsizetype>> found;
    for (qsizetype i = 0; i < m_all.size(); ++i)
        if (const int order = rank(m_all[i].title + u' ' + m_all[i].also, words); order >= 0)
            found.emplaceBack(order, i);
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [order, place] : found.mid(0, mostCommands))
        m_shown << m_all[place];
    m_list->clear();
    for (const Command& command : m_shown)
        m_list->addItem(command.beside.isEmpty() ? command.title
                                                 : command.title + QStringLiteral("    ") + command.beside);
    m_list->setCurrentRow(0);
}

QStringList CommandPalette::entries() const
{
    QStringList titles;
    for (const Command& command : m_shown)
        titles << command.title;
    return isHidden() ? QStringList() : titles;
}

void CommandPalette::step(int by)
{
    const int count = m_list->count();
    m_list->setCurrentRow((m_list->currentRow() + by + count) % count);
}

void CommandPalette::run()
{
    const std::function<void()> chosen = m_shown.value(m_list->currentRow()).run;
    leave();
    if (chosen)
        chosen();
}

void CommandPalette::leave()
{
    hide();
    if (m_before)
        m_before->setFocus(Qt::OtherFocusReason);
}

void CommandPalette::place()
{
    const QRect room = parentWidget()->rect();
    const int width = std::min(widestPalette, room.width() - 2 * aroundPalette);
    setGeometry(room.center().x() - width / 2, aroundPalette, width,
                std::min(highestPalette, room.height() - 2 * aroundPalette));
    raise();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible())
        place();
    if (watched != m_edit)
        return QFrame::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut && isVisible())
        hide(); // somebody works elsewhere
    if (event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
    case Qt::Key_Up:
        step(static_cast<QKeyEvent*>(event)->key() == Qt::Key_Down ? 1 : -1);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        run();
        return true;
    case Qt::Key_Escape:
        leave();
        return true;
    default:
        return QFrame::eventFilter(watched, event);
    }
}

} // namespace headroom::app

#include "moc_command_palette.cpp"
