// What the window does with files: opening, saving, the report, and what is asked before something is lost.
#include "app/desktop/jobs/job_runner.h"
#include "app/desktop/session/workspace.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/window/main_window.h"
#include "app/desktop/window/notice_bar.h"
#include "app/report/report_document.h"
#include "model/advise/plan_view.h"
#include "model/import/trace.h"

#include <QApplication>
#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>

namespace headroom::app {

namespace {

// A title as the name of a file.
QString fileNameOf(QString title, const QString& suffix)
{
    constexpr qsizetype longest = 100; // characters; file systems take 255 bytes
    return title.replace(u'/', u'-').left(longest).trimmed() + suffix;
}

} // namespace

void MainWindow::openFiles()
{
    const QStringList files = QFileDialog::getOpenFileNames(
        this, tr("Open"), {},
        tr("Scenarios, calibrations and models (*.yaml *.yml *.json *.gguf *.safetensors);;All files (*)"));
    for (const QString& file : files)
        m_workspace.open(file);
}

void MainWindow::importModel()
{
    const QString file = QFileDialog::getOpenFileName(this, tr("Import a model"), {},
                                                      tr("Models (config.json *.json *.gguf *.safetensors)"));
    if (!file.isEmpty())
        m_workspace.open(file);
}

void MainWindow::exportChanges()
{
    const QString earlier
        = QFileDialog::getOpenFileName(this, tr("The earlier report"), {}, tr("Reports (*.pdf *.html *.md)"));
    if (!earlier.isEmpty())
        exportReport(earlier);
}

void MainWindow::exportReport(const QString& since)
{
    Document* document = m_workspace.current();
    if (!document || !document->session().planView())
        return;
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export report"), fileNameOf(document->title(), QStringLiteral(".pdf")),
        tr("Report as PDF (*.pdf);;Report as one HTML page (*.html);;Report as Markdown (*.md)"));
    if (path.isEmpty())
        return;
    // North America prints on Letter, everyone else on A4.
    const bool letter = QLocale::system().measurementSystem() == QLocale::ImperialUSSystem;
    const std::shared_ptr<const PlanView> planView = document->session().planView();
    ReportOptions options{.paper = letter ? QPageSize::Letter : QPageSize::A4,
                          .date = QDate::currentDate(),
                          .version = QApplication::applicationVersion()};
    if (!since.isEmpty()) {
        Result<Offer> earlier = readOffer(since);
        if (!earlier)
            return m_notices->add({problemText(earlier.error().front()), NoticeKind::Failed});
        options.since = *std::move(earlier);
    }
    // Simulating takes a moment, so it is a job; painting needs this thread and is quick.
    using Complete = std::pair<std::shared_ptr<const PlanView>, ReportOptions>;
    m_exporter->start<Complete>(
        [planView, options](const RunControl& control) -> Complete {
            // What the command line would write, which looks at all from the start.
            std::shared_ptr<const PlanView> whole = planView;
            if (const auto replayed
                = makePlanView(planView->catalogue, planView->asked, readTraceFile, control))
                whole = *replayed;
            return {whole, withServing(options, *whole)};
        },
        [this, path](const Complete& complete) {
            const QString why = writeReport(*complete.first, path, complete.second);
            m_notices->add(why.isEmpty()
                               ? Notice{tr("The report was written to %1").arg(path), NoticeKind::Told, path}
                               : Notice{why, NoticeKind::Failed});
        });
}

bool MainWindow::save(int index, bool as)
{
    Document* document = m_workspace.document(index);
    if (!document)
        return false;
    QString path = document->path();
    if (as || path.isEmpty())
        path = QFileDialog::getSaveFileName(
            this, tr("Save scenario"),
            path.isEmpty() ? fileNameOf(document->title(), QStringLiteral(".yaml")) : path,
            tr("Scenario (*.yaml)"));
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".yaml");
    if (path != document->path() || !document->differsOnDisk())
        return m_workspace.save(*document, path);
    const auto answer = QMessageBox::warning(
        this, tr("Saved by another program"),
        tr("%1 was saved by another program since it was opened. Overwrite what it saved?").arg(path),
        QMessageBox::Save | QMessageBox::Cancel, QMessageBox::Cancel);
    return answer == QMessageBox::Save && m_workspace.save(*document, path, Workspace::Overwrite::Yes);
}

bool MainWindow::mayClose(int index)
{
    const Document* document = m_workspace.document(index);
    if (!document || !document->isModified())
        return true;
    const auto answer = QMessageBox::question(
        this, tr("Unsaved changes"), tr("Save the changes of “%1”?").arg(document->title()),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save(index, false));
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    for (int i = 0; i < m_workspace.count(); ++i)
        if (!mayClose(i))
            return event->ignore();
    saveState();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            m_workspace.open(url.toLocalFile());
    event->acceptProposedAction();
}

} // namespace headroom::app
