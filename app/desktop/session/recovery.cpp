#include "app/desktop/session/recovery.h"

#include "app/desktop/session/document.h"
#include "model/yaml/scenario_yaml.h"

#include <QCoreApplication>
#include <QFile>
#include <QLockFile>
#include <QSaveFile>
#include <QUuid>

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

} // namespace

Recovery::Recovery(const QString& folder, QObject* parent) : QObject(parent), m_root(folder)
{
    const QString own = QUuid::createUuid().toString(QUuid::WithoutBraces);
    m_root.mkpath(own);
    m_own = QDir(m_root.filePath(own));
    m_lock = std::make_unique<QLockFile>(m_own.filePath(QStringLiteral("lock")));
    m_lock->setStaleLockTime(0); // only the death of its owner makes it stale
    m_lock->tryLock(0);
    m_timer.setSingleShot(true);
    m_timer.setInterval(delayMs);
    connect(&m_timer, &QTimer::timeout, this, &Recovery::writeNow);
}

Recovery::~Recovery()
{
    m_lock->unlock();
    m_own.removeRecursively();
}

QVector<Recovered> Recovery::collect()
{
    QVector<Recovered> found;
    for (const QString& name : m_root.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        QDir folder(m_root.filePath(name));
        if (folder == m_own)
            continue;
        QLockFile lock(folder.filePath(QStringLiteral("lock")));
        lock.setStaleLockTime(0);
        if (!lock.tryLock(0))
            continue; // another window of ours is alive
        bool empty = true;
        for (const QString& entry : folder.entryList({QStringLiteral("*.yaml")}, QDir::Files)) {
            QFile file(folder.filePath(entry));
            const QByteArray content = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
            file.close();
            if (parseScenario(content.toStdString(), entry.toStdString())) {
                const QString text = QString::fromUtf8(content);
                found << Recovered{text, afterMark(text, pathMark), afterMark(text, titleMark)};
                file.remove();
                continue;
            }
            const QString aside = m_root.filePath(entry + QStringLiteral(".corrupt"));
            QFile::remove(aside);
            if (file.rename(aside))
                m_putAside << aside;
            else
                empty = false;
        }
        lock.unlock();
        if (empty)
            folder.removeRecursively();
    }
    return found;
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
    QFile::remove(fileOf(document));
}

void Recovery::writeNow()
{
    for (const Document* document : m_documents) {
        if (!document->isModified()) {
            QFile::remove(fileOf(*document));
            continue;
        }
        QSaveFile file(fileOf(*document));
        const QString head = pathMark + document->path() + u'\n' + titleMark + document->title() + u'\n';
        const QByteArray content = head.toUtf8() + QByteArray::fromStdString(document->yaml());
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.commit())
            emit failed(tr("The recovery copy could not be written: %1").arg(file.errorString()));
    }
}

} // namespace headroom::app
