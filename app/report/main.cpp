// headroom-report --scenario FILE -o FILE.pdf|.html|.md [--lang en|zh_CN] [--paper a4|letter] [--currency
// USD|CNY[=RATE]] [--since FILE]: what `headroom report` runs.
#include "app/desktop/window/application.h"
#include "app/report/report_document.h"
#include "model/advise/plan_view.h"
#include "model/base/currency_name.h"
#include "model/import/trace.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/scenario_yaml.h"

#include <QCommandLineParser>
#include <QTemporaryDir>

#include <cstdio>

using namespace headroom;
using namespace headroom::app;

namespace {

int refuseWith(const Problems& problems)
{
    for (const Problem& problem : problems)
        std::fprintf(stderr, "%s: %s%s%s\n", problem.where.c_str(), problem.what.english().c_str(),
                     problem.hint.empty() ? "" : "\n    ", problem.hint.english().c_str());
    return 2;
}

} // namespace

int main(int argc, char** argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen"); // a report needs no display
    const QTemporaryDir own;                     // where nobody is logged in, Qt would tell that it has none
    if (!qEnvironmentVariableIsSet("XDG_RUNTIME_DIR") && own.isValid())
        qputenv("XDG_RUNTIME_DIR", own.path().toLocal8Bit());
    Application application(argc, argv);
    QCommandLineParser words;
    words.addHelpOption();
    const QCommandLineOption scenarioFile(QStringLiteral("scenario"), QStringLiteral("scenario to report on"),
                                          QStringLiteral("FILE"));
    const QCommandLineOption out({QStringLiteral("o"), QStringLiteral("output")},
                                 QStringLiteral("report to write: .pdf, .html or .md"),
                                 QStringLiteral("FILE"));
    const QCommandLineOption lang(QStringLiteral("lang"), QStringLiteral("en or zh_CN"),
                                  QStringLiteral("LANGUAGE"), QStringLiteral("en"));
    const QCommandLineOption paper(QStringLiteral("paper"), QStringLiteral("a4 or letter"),
                                   QStringLiteral("SIZE"), QStringLiteral("a4"));
    const QCommandLineOption currency(QStringLiteral("currency"), QStringLiteral("USD, CNY or CNY=7.1"),
                                      QStringLiteral("CURRENCY"), QStringLiteral("USD"));
    const QCommandLineOption since(QStringLiteral("since"),
                                   QStringLiteral("an earlier report: what changed since is told"),
                                   QStringLiteral("FILE"));
    words.addOptions({scenarioFile, out, lang, paper, currency, since});
    words.process(application);
    if (!words.isSet(scenarioFile) || !words.isSet(out)) {
        std::fputs("headroom-report --scenario FILE -o FILE.pdf [--lang en|zh_CN] [--paper a4|letter] "
                   "[--currency USD|CNY[=RATE]] [--since FILE]\n",
                   stderr);
        return 2;
    }
    application.setLanguage(words.value(lang));
    const auto told = readCurrency(words.value(currency).toStdString(), "--currency");
    if (!told)
        return refuseWith(told.error());
    tellAmountsIn(*told);
    const auto catalogue = Catalogue::open(Catalogue::defaultRoot(), OwnCalibrations::ofUser());
    if (!catalogue)
        return refuseWith(catalogue.error());
    const std::string file = words.value(scenarioFile).toStdString();
    const auto scenario = readScenario(file, file);
    if (!scenario)
        return refuseWith(scenario.error());
    const auto planView = makePlanView(*catalogue, *scenario, readTraceFile, {});
    if (!planView)
        return refuseWith(planView.error());
    ReportOptions options
        = withServing({.paper = words.value(paper).toLower() == QStringLiteral("letter") ? QPageSize::Letter
                                                                                         : QPageSize::A4,
                       .date = QDate::currentDate(),
                       .version = QApplication::applicationVersion()},
                      **planView);
    if (words.isSet(since)) {
        Result<Offer> earlier = readOffer(words.value(since));
        if (!earlier)
            return refuseWith(earlier.error());
        options.since = *std::move(earlier);
    }
    if (const QString why = writeReport(**planView, words.value(out), options); !why.isEmpty()) {
        std::fprintf(stderr, "%s\n", qPrintable(why));
        return 3;
    }
    return (*planView)->sizing->meets ? 0 : 1;
}
