#include "app/desktop/session/workspace.h"

#include "app/desktop/drawing/write_bytes.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "model/import/import_model.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/llm_yaml.h"
#include "model/yaml/scenario_yaml.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QStandardPaths>

namespace headroom::app {

namespace {

QString sentences(const Problems& problems)
{
    QStringList lines;
    for (const Problem& problem : problems)
        lines << problemText(problem);
    return lines.join(u'\n');
}

// Where a model of this id goes: never over another that was imported before under the same id.
QString importedFile(const QString& folder, const QString& id, const QByteArray& yaml)
{
    for (int i = 1;; ++i) {
        const QString file = QDir(folder).filePath(
            i == 1 ? id + QStringLiteral(".yaml") : QStringLiteral("%1-%2.yaml").arg(id, QString::number(i)));
        QFile there(file);
        if (!there.exists() || (there.open(QIODevice::ReadOnly) && there.readAll() == yaml))
            return file;
    }
}

} // namespace

WorkspacePlaces WorkspacePlaces::ofUser()
{
    const QString data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    const QString config = QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation);
    return {.settingsFile = config + QStringLiteral("/headroom.ini"),
            .recoveryFolder = data + QStringLiteral("/recovery"),
            .importFolder = data + QStringLiteral("/models")};
}

Workspace::Workspace(std::shared_ptr<const Catalogue> catalogue, const WorkspacePlaces& places,
                     QObject* parent)
    : QObject(parent),
      m_catalogue(std::move(catalogue)),
      m_places(places),
      m_settings(places.settingsFile),
      m_recovery(places.recoveryFolder),
      m_pins(m_settings, m_catalogue)
{
    connect(&m_recovery, &Recovery::failed, this, [this](const QString& what) {
        notice({what, NoticeKind::Failed});
    });
}

Workspace::~Workspace() { qDeleteAll(m_documents); }

void Workspace::setCurrency(const Currency& currency)
{
    m_settings.setCurrency(currency);
    for (Document* document : m_documents) // plans read the currency for their sentences
        document->session().stop();
    m_pins.stop();
    tellAmountsIn(currency);
    for (Document* document : m_documents)
        document->session().planAnew();
    m_pins.planAnew();
}

Scenario Workspace::example()
{
    Scenario scenario;
    scenario.model = "llama-3.1-70b";
    scenario.gpus = {"a100-sxm-80gb"};
    scenario.targets.tokensPerSecond = 20;
    return scenario;
}

Document& Workspace::add(Scenario scenario, const QString& path)
{
    auto* document = new Document(m_catalogue, std::move(scenario), path, this);
    m_documents << document;
    if (!path.isEmpty())
        watch(path);
    m_recovery.watch(*document);
    connect(document, &Document::changed, this, &Workspace::documentsChanged);
    connect(&document->session(), &Session::failed, this, [this](const QString& what) {
        notice({what, NoticeKind::Failed});
    });
    emit documentsChanged();
    setCurrent(count() - 1);
    return *document;
}

void Workspace::close(int index)
{
    Document* document = m_documents.value(index);
    if (!document)
        return;
    m_recovery.forget(*document);
    m_documents.removeAt(index);
    if (m_documents.isEmpty()) {
        m_current = -1;
        add(example());
    } else {
        m_current = std::min(m_current > index ? m_current - 1 : m_current, count() - 1);
        emit documentsChanged();
        emit currentChanged();
    }
    document->deleteLater();
}

void Workspace::setCurrent(int index)
{
    if (index == m_current || index < 0 || index >= count())
        return;
    m_current = index;
    emit currentChanged();
}

void Workspace::open(const QString& path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QStringLiteral("json") || suffix == QStringLiteral("gguf")
        || suffix == QStringLiteral("safetensors"))
        openModel(path);
    else
        openYaml(path);
}

void Workspace::openYaml(const QString& path)
{
    for (int i = 0; i < count(); ++i)
        if (!document(i)->path().isEmpty() && QFileInfo(document(i)->path()) == QFileInfo(path))
            return setCurrent(i);
    const std::string file = path.toStdString();
    const Result<Scenario> scenario = readScenario(file, file);
    if (scenario) {
        add(*scenario, path);
        m_settings.addRecentFile(path);
        return;
    }
    if (Document* into = current(); into && m_catalogue->calibration(file)) {
        Scenario after = into->session().scenario();
        after.calibration = file;
        into->edit(std::move(after), tr("use of a calibration"));
        return notice({tr("%1 is used as calibration").arg(QFileInfo(path).fileName())});
    }
    notice(
        {tr("%1 could not be opened").arg(path) + u'\n' + sentences(scenario.error()), NoticeKind::Failed});
}

void Workspace::openModel(const QString& path)
{
    const Result<ImportedModel> imported = importModel(path.toStdString());
    Document* into = current();
    if (!imported || !into)
        return notice({tr("%1 could not be opened").arg(path) + u'\n'
                           + (imported ? QString() : sentences(imported.error())),
                       NoticeKind::Failed});
    QDir().mkpath(m_places.importFolder);
    const QByteArray yaml = QByteArray::fromStdString(writeLlm(imported->llm));
    const QString file = importedFile(m_places.importFolder, QString::fromStdString(imported->llm.id), yaml);
    if (const QString why = writtenOrWhy(file, yaml); !why.isEmpty())
        return notice({tr("%1 could not be written: %2").arg(file, why), NoticeKind::Failed});
    Scenario after = into->session().scenario();
    after.model = file.toStdString();
    into->edit(std::move(after), tr("import of %1").arg(QFileInfo(path).fileName()));
    notice({tr("%1 was imported as %2").arg(QFileInfo(path).fileName(), file)});
    for (const Message& warning : imported->warnings)
        notice({modelText(warning)});
}

void Workspace::watch(const QString& path)
{
    if (!m_files) {
        m_files = new QFileSystemWatcher(this);
        connect(m_files, &QFileSystemWatcher::fileChanged, this, &Workspace::lookAtFile);
    }
    m_files->addPath(path);
}

void Workspace::lookAtFile(const QString& path)
{
    for (Document* document : m_documents) {
        if (document->path() != path)
            continue;
        if (QFileInfo::exists(path))
            watch(path); // one that was put in the place of another is another file to the system
        if (!document->differsOnDisk())
            continue; // our own
        const Result<Scenario> there = readScenario(path.toStdString(), path.toStdString());
        if (there && !document->isModified()) {
            document->takeFromDisk(*there);
            notice({tr("%1 was saved by another program; what stands here is what it saved.").arg(path)});
        } else {
            notice({tr("%1 was saved by another program, and is changed here: saving it here asks first.")
                        .arg(path),
                    NoticeKind::Failed});
        }
    }
}

bool Workspace::save(Document& document, const QString& path, Overwrite overwrite)
{
    if (overwrite == Overwrite::No && path == document.path() && document.differsOnDisk()) {
        notice({tr("%1 was saved by another program since it was opened. It was not overwritten.").arg(path),
                NoticeKind::Failed});
        return false;
    }
    if (const Problems problems = document.save(path); !problems.empty()) {
        notice({sentences(problems), NoticeKind::Failed});
        return false;
    }
    watch(path);
    m_settings.addRecentFile(path);
    emit documentsChanged();
    return true;
}

void Workspace::start(const QStringList& files)
{
    if (!m_settings.putAside().isEmpty())
        notice({tr("The settings could not be read. They were put aside as %1 and begin anew.")
                    .arg(m_settings.putAside()),
                NoticeKind::Failed});
    const QVector<Recovered> lost = m_recovery.collect();
    for (const Recovered& one : lost) {
        const Result<Scenario> scenario = parseScenario(one.yaml.toStdString(), one.title.toStdString());
        if (!scenario)
            continue;
        m_recovery.begin(one);
        Document& document = add(*scenario, one.path);
        document.markRecovered(one.key);
    }
    if (!lost.isEmpty())
        notice({tr("%n document(s) with unsaved changes were recovered", nullptr,
                   static_cast<int>(lost.size()))});
    for (const QString& aside : m_recovery.putAside())
        notice({tr("A recovery copy could not be read. It was put aside as %1.").arg(aside),
                NoticeKind::Failed});
    for (const QString& file : files)
        open(file);
    if (count() == 0)
        add(example());
}

bool Workspace::isUntouched() const
{
    const Document* const only = count() == 1 ? document(0) : nullptr;
    return only && only->path().isEmpty() && !only->isModified() && only->session().scenario() == example();
}

QVector<Notice> Workspace::takeNotices() { return std::exchange(m_notices, {}); }

void Workspace::notice(const Notice& notice)
{
    m_notices << notice;
    emit noticed();
}

} // namespace headroom::app

#include "moc_workspace.cpp"
