#include "app/desktop/session/recovery.h"

#include "app/desktop/drawing/write_bytes.h"
#include "app/desktop/session/document.h"
#include "model/yaml/scenario_yaml.h"

#include <QFile>
#include <QUuid>

#include <filesystem>
#include <utility>

namespace headroom::app {

namespace {

// The copy is an ordinary scenario file; its first lines tell where it belongs.
const QString pathMark = QStringLiteral("# recovered-from: ");
const QString titleMark = QStringLiteral("# title: ");

QString afterMark(const QString& text, const QString& mark)
{
    for (const QString& line : text.split(u'\n'))
        if (line.startsWith(mark))
            return line.mid(mark.size());
    return {};
}

const QString copies = QStringLiteral("*.yaml");

// A copy that is being loaded carries the number of its tries: KEY.try2.yaml.
const QString tryMark = QStringLiteral(".try");

struct CopyName {
    QString key;
    int tries = 0;
};

CopyName copyName(const QString& file)
{
    const QString base = file.chopped(static_cast<int>(qstrlen(".yaml")));
    const qsizetype at = base.lastIndexOf(tryMark);
    bool number = false;
    const int tries = at < 0 ? 0 : base.mid(at + tryMark.size()).toInt(&number);
    return number ? CopyName{base.left(at), tries} : CopyName{base, 0};
}

QString tryName(const QString& key, int tries)
{
    return tries == 0 ? key + QStringLiteral(".yaml")
                      : key + tryMark + QString::number(tries) + QStringLiteral(".yaml");
}

// Takes the place of what is there, in one step. Empty when it is done, else the system's reason.
QString moveFile(const QString& from, const QString& to)
{
    std::error_code failed;
    std::filesystem::rename(QFile::encodeName(from).toStdString(), QFile::encodeName(to).toStdString(),
                            failed);
    return failed ? QString::fromStdString(failed.message()) : QString();
}

QString lockOf(const QDir& folder) { return folder.filePath(QStringLiteral("lock")); }

} // namespace

Recovery::Recovery(const QString& folder, QObject* parent) : QObject(parent), m_root(folder)
{
    const QString own = QUuid::createUuid().toString(QUuid::WithoutBraces);
    m_root.mkpath(QStringLiteral("."));
    { // nobody takes a folder for a dead one's between its making and its lock
        const FileLock passed = gate();
        m_root.mkpath(own);
        m_own = QDir(m_root.filePath(own));
        m_lock = FileLock(lockOf(m_own), FileLock::Wait::No);
    }
    m_timer.setSingleShot(true);
    m_timer.setInterval(delayMs);
    connect(&m_timer, &QTimer::timeout, this, &Recovery::writeNow);
}

Recovery::~Recovery()
{
    if (!m_keepsFolder)
        m_own.removeRecursively();
}

FileLock Recovery::gate() const
{
    return {m_root.filePath(QStringLiteral("gate")), FileLock::Wait::UntilFree};
}

void Recovery::putAside(const QString& name)
{
    QString aside = m_root.filePath(name + QStringLiteral(".corrupt"));
    for (int i = 2; QFile::exists(aside); ++i)
        aside = m_root.filePath(QStringLiteral("%1.%2.corrupt").arg(name, QString::number(i)));
    if (const QString why = moveFile(m_own.filePath(name), aside); why.isEmpty())
        m_putAside << aside;
    else {
        m_keepsFolder = true; // the next start tries again
        fail(why);
    }
}

// The copies of a run that died, moved one by one into the folder that is ours.
void Recovery::adopt(const QDir& dead)
{
    const QStringList names = dead.entryList({copies}, QDir::Files);
    for (const QString& name : names)
        // One that was being loaded and has been written anew since: the newer stands beside it.
        if (const CopyName copy = copyName(name); copy.tries > 0 && names.contains(tryName(copy.key, 0)))
            QFile::remove(dead.filePath(name));
        else if (const QString why = moveFile(dead.filePath(name), m_own.filePath(name)); !why.isEmpty())
            fail(why); // it stays where it is, for the next start
}

QVector<Recovered> Recovery::collect()
{
    const FileLock passed = gate();
    for (const QString& name : m_root.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        QDir folder(m_root.filePath(name));
        if (folder == m_own)
            continue;
        const FileLock lock(lockOf(folder), FileLock::Wait::No);
        if (!lock.isHeld())
            continue; // another window of ours is alive
        adopt(folder);
        if (folder.entryList({copies}, QDir::Files).isEmpty())
            folder.removeRecursively();
    }
    QVector<Recovered> found;
    for (const QString& name : m_own.entryList({copies}, QDir::Files)) {
        const CopyName copy = copyName(name);
        QFile file(m_own.filePath(name));
        const QByteArray content = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        file.close();
        if (copy.tries >= mostTries || !parseScenario(content.toStdString(), name.toStdString())) {
            putAside(name);
            continue;
        }
        const QString text = QString::fromUtf8(content);
        found << Recovered{text, afterMark(text, pathMark), afterMark(text, titleMark), copy.key};
    }
    return found;
}

void Recovery::begin(const Recovered& one)
{
    for (int tries = 0; tries < mostTries; ++tries)
        if (QFile::exists(m_own.filePath(tryName(one.key, tries)))) {
            moveFile(m_own.filePath(tryName(one.key, tries)), m_own.filePath(tryName(one.key, tries + 1)));
            return;
        }
}

void Recovery::removeCopies(const QString& key)
{
    for (int tries = 0; tries <= mostTries; ++tries)
        QFile::remove(m_own.filePath(tryName(key, tries)));
}

QString Recovery::fileOf(const Document& document) const
{
    return m_own.filePath(document.key() + QStringLiteral(".yaml"));
}

void Recovery::watch(Document& document)
{
    m_documents << &document;
    connect(&document, &Document::edited, this, [this] {
        if (!m_timer.isActive()) // not restarted by later edits: the copy is never older than the delay
            m_timer.start();
    });
    connect(&document, &Document::changed, this, [this] {
        if (!m_timer.isActive())
            m_timer.start();
    });
}

void Recovery::forget(const Document& document)
{
    m_documents.removeIf([&](const Document* known) { return known == &document; });
    removeCopies(document.key());
}

void Recovery::fail(const QString& why)
{
    if (!std::exchange(m_toldFailure, true))
        emit failed(tr("The recovery copy could not be written: %1").arg(why));
    m_timer.start(); // the disk may have room again
}

bool Recovery::writeCopy(const Document& document)
{
    const QString head = pathMark + document.path() + u'\n' + titleMark + document.title() + u'\n';
    const QByteArray content = head.toUtf8() + QByteArray::fromStdString(document.yaml());
    const QString why = writtenOrWhy(fileOf(document), content);
    if (!why.isEmpty())
        fail(why);
    return why.isEmpty();
}

void Recovery::writeNow()
{
    bool all = true;
    for (const Document* document : m_documents) {
        if (!document->isModified()) {
            removeCopies(document->key());
        } else if (document->isAsRecovered() && document->session().isPlanning()) {
            m_timer.start(); // its copy is on the disk, and counts the try until the plan is done
        } else if (writeCopy(*document)) {
            // It stands there anew: the tries of loading it are over.
            for (int tries = 1; tries <= mostTries; ++tries)
                QFile::remove(m_own.filePath(tryName(document->key(), tries)));
        } else {
            all = false;
        }
    }
    if (all)
        m_toldFailure = false;
}

} // namespace headroom::app

#include "moc_recovery.cpp"
