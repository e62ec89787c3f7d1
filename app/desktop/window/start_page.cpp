#include "app/desktop/window/start_page.h"

#include "app/desktop/session/settings.h"
#include "app/desktop/text/example_questions.h"
#include "app/desktop/text/model_text.h"

#include <QCheckBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

namespace headroom::app {

namespace {

constexpr int widestStart = 980; // px: longer lines are read badly
constexpr int cardHeight = 92;   // px: a name, and a question in two or three lines

QLabel* heading(const QString& words, double times, QWidget* parent)
{
    auto* label = new QLabel(words, parent);
    QFont letters = label->font();
    letters.setPointSizeF(letters.pointSizeF() * times);
    letters.setWeight(QFont::DemiBold);
    label->setFont(letters);
    return label;
}

// A name over the question that it asks.
QWidget* cardOf(const GalleryEntry& entry, QToolButton* card)
{
    card->setObjectName(QStringLiteral("gallery"));
    card->setFocusPolicy(Qt::StrongFocus);
    card->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    card->setFixedHeight(cardHeight);
    card->setAccessibleName(titled(entry.title, entry.question));
    card->setToolTip(entry.about);
    auto* column = new QVBoxLayout(card);
    column->addWidget(heading(entry.title, 1.1, card));
    auto* words = new QLabel(entry.question, card);
    words->setWordWrap(true);
    words->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(words, 1, Qt::AlignTop);
    for (QLabel* label : card->findChildren<QLabel*>())
        label->setAttribute(Qt::WA_TransparentForMouseEvents);
    return card;
}

} // namespace

StartPage::StartPage(Settings& settings, QWidget* parent)
    : QWidget(parent),
      m_settings(settings),
      m_question(new QLineEdit(this)),
      m_recent(new QListWidget(this)),
      m_atStart(new QCheckBox(tr("Show this page at the start"), this))
{
    setAccessibleName(tr("Start"));
    m_question->setObjectName(QStringLiteral("start-question"));
    m_question->setPlaceholderText(tr("how many A100s for Llama-70B at 20 TPS"));
    m_question->setAccessibleName(tr("Question"));
    m_question->setMinimumHeight(m_question->sizeHint().height() + 10);
    connect(m_question, &QLineEdit::returnPressed, this, [this] {
        if (const QString words = m_question->text().trimmed(); !words.isEmpty())
            emit asked(words);
    });
    m_recent->setAccessibleName(tr("Recent files"));
    m_recent->setFrameShape(QFrame::NoFrame);
    connect(m_recent, &QListWidget::itemActivated, this,
            [this](const QListWidgetItem* item) { emit fileMeant(item->data(Qt::UserRole).toString()); });
    m_atStart->setChecked(m_settings.showsStart());
    connect(m_atStart, &QCheckBox::toggled, this, [this](bool on) { m_settings.setShowsStart(on); });
    auto* page = new QWidget(this);
    page->setMaximumWidth(widestStart);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(24, 24, 24, 16);
    column->setSpacing(10);
    column->addWidget(heading(tr("What is to be served?"), 2, page));
    column->addWidget(m_question);
    column->addSpacing(8);
    column->addWidget(heading(tr("Begin with a kind of service"), 1.1, page));
    column->addWidget(gallery());
    column->addSpacing(8);
    column->addWidget(beginnings(), 1);
    // A low window scrolls.
    auto* area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    auto* centred = new QWidget(area);
    auto* line = new QHBoxLayout(centred);
    line->setContentsMargins(0, 0, 0, 0);
    line->addStretch(1);
    line->addWidget(page, 100);
    line->addStretch(1);
    area->setWidget(centred);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(area);
    refresh();
}

QWidget* StartPage::gallery()
{
    auto* box = new QWidget(this);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    constexpr int columns = 3;
    int place = 0;
    QWidget* before = m_question;
    for (const GalleryEntry& entry : galleryEntries()) {
        auto* card = new QToolButton(box);
        setTabOrder(before, card); // Tab goes as the eye does
        before = card;
        grid->addWidget(cardOf(entry, card), place / columns, place % columns);
        grid->setColumnStretch(place % columns, 1);
        ++place;
        connect(card, &QToolButton::clicked, this,
                [this, question = entry.question] { emit asked(question); });
    }
    return box;
}

QWidget* StartPage::beginnings()
{
    auto* box = new QWidget(this);
    auto* line = new QHBoxLayout(box);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(24);
    constexpr int between = 8; // px
    auto* files = new QVBoxLayout;
    files->setSpacing(between);
    files->addWidget(heading(tr("Recent files"), 1.1, box));
    files->addWidget(m_recent, 1);
    line->addLayout(files, 3);
    auto* ways = new QVBoxLayout;
    ways->setSpacing(between);
    ways->addWidget(heading(tr("Or"), 1.1, box));
    setTabOrder(findChildren<QToolButton*>(QStringLiteral("gallery")).constLast(), m_recent);
    const auto way = [&](const QString& words, void (StartPage::*meant)()) {
        auto* button = new QPushButton(words, box);
        connect(button, &QPushButton::clicked, this, meant);
        ways->addWidget(button);
    };
    way(tr("Open a file…"), &StartPage::openMeant);
    way(tr("A tour of a minute"), &StartPage::tourMeant);
    way(tr("Look at the example"), &StartPage::left);
    ways->addStretch(1);
    ways->addWidget(m_atStart);
    setTabOrder(box->findChildren<QPushButton*>().constLast(), m_atStart);
    line->addLayout(ways, 2);
    return box;
}

void StartPage::refresh()
{
    m_recent->clear();
    for (const QString& path : m_settings.recentFiles()) {
        if (!QFileInfo::exists(path))
            continue;
        auto* item = new QListWidgetItem(QFileInfo(path).fileName(), m_recent);
        item->setData(Qt::UserRole, path);
        item->setToolTip(path);
    }
    if (m_recent->count() == 0) {
        auto* none = new QListWidgetItem(tr("None yet: a scenario that is saved stands here."), m_recent);
        none->setFlags(Qt::NoItemFlags);
    }
    m_question->clear();
}

void StartPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        return emit left();
    QWidget::keyPressEvent(event);
}

} // namespace headroom::app

#include "moc_start_page.cpp"
